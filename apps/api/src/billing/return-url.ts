import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { Config } from '../config.ts'

/** In production a page of the processor leads back by https only. */
export function plainUrls(
  { environment }: Pick<Config, 'environment'>,
  fields: Readonly<Record<string, string>>,
): Refusal<'VALIDATION_ERROR'> | null {
  if (environment !== 'production') return null
  const plain = Object.entries(fields).filter(([, url]) => new URL(url).protocol !== 'https:')
  if (plain.length === 0) return null
  return new Refusal('VALIDATION_ERROR', 'A page of the processor leads back by https only.', {
    errors: plain.map(([field]) => ({
      location: `body.${field}`,
      code: 'invalid_format',
      message: 'Use https.',
    })),
  })
}
