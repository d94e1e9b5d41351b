import type { CalledEndpoint, CallValues } from '@pdfnorm/contracts/call/endpoint-call'

/** An endpoint of the contracts with the values that a page has for it. */
export interface PageCall extends CallValues {
  readonly endpoint: CalledEndpoint
}
