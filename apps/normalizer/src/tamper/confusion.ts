import type { Anomaly, Location } from './anomaly.ts'

/** Something that readers do not agree about (rule S3). */
export interface Confusion extends Location {
  readonly description: string
  /** Whether readers may show different documents for it; else it is only odd. */
  readonly grave: boolean
}

export function confusionAnomaly(
  { description, grave, ...location }: Confusion,
  signed: boolean,
): Anomaly {
  const severity = !grave ? 'low' : signed ? 'high' : 'medium'
  return { type: 'SHADOW_CONTENT_DETECTED', severity, description, location }
}
