import { reservedSlugs } from '@pdfnorm/contracts/schema/organization'
import { Refusal } from '@pdfnorm/contracts/schema/problem'

/** Whether a slug would read as a part of the service. */
export function isReserved(slug: string): boolean {
  return reservedSlugs.some((reserved) => reserved === slug)
}

export function slugTaken(slug: string): Refusal<'SLUG_TAKEN'> {
  return new Refusal('SLUG_TAKEN', `The slug ${slug} is taken. Choose another.`)
}
