import { Slug } from '@pdfnorm/contracts/schema/organization'

/** The slug that an organization's name suggests; empty when it suggests none, say in another script. */
export function slugOfName(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 50)
    .replaceAll(/^-+|-+$/g, '')
  return Slug.safeParse(slug).success ? slug : ''
}
