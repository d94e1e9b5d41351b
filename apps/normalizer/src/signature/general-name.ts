import { type Asn1, childAt } from './asn1.ts'
import { latin1 } from './asn1-value.ts'
import { comparableName } from './distinguished-name.ts'

/** A name in one of the forms of RFC 5280, 4.2.1.6, that name constraints speak of. */
export type GeneralName =
  | { readonly form: 'rfc822' | 'dns' | 'uri'; readonly text: string }
  | { readonly form: 'directory'; readonly components: readonly string[] }
  | { readonly form: 'ip'; readonly octets: Uint8Array }
  | { readonly form: 'other' }

/** @throws {MalformedAsn1Error} */
export function generalName(value: Asn1): GeneralName {
  switch (value.tagClass === 'context' ? value.tagNumber : null) {
    case 1:
      return { form: 'rfc822', text: latin1(value.content) }
    case 2:
      return { form: 'dns', text: latin1(value.content) }
    case 4:
      return { form: 'directory', components: comparableName(childAt(value, 0)) }
    case 6:
      return { form: 'uri', text: latin1(value.content) }
    case 7:
      return { form: 'ip', octets: value.content }
    default:
      return { form: 'other' }
  }
}
