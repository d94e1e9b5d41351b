import { type Asn1, childAt, contentOf } from './asn1.ts'
import { comparableName } from './distinguished-name.ts'

/** A name in one of the forms of RFC 5280, 4.2.1.6, that name constraints speak of. */
export type GeneralName =
  | { readonly form: 'rfc822' | 'dns' | 'uri'; readonly text: string }
  | { readonly form: 'directory'; readonly components: readonly string[] }
  | { readonly form: 'ip'; readonly octets: Uint8Array }
  | { readonly form: 'other' }

/** @throws {MalformedAsn1Error} */
export function generalName(value: Asn1): GeneralName {
  switch (value.idBlock.tagClass === 3 ? value.idBlock.tagNumber : null) {
    case 1:
      return { form: 'rfc822', text: latin1(value) }
    case 2:
      return { form: 'dns', text: latin1(value) }
    case 4:
      return { form: 'directory', components: comparableName(childAt(value, 0)) }
    case 6:
      return { form: 'uri', text: latin1(value) }
    case 7:
      return { form: 'ip', octets: contentOf(value) }
    default:
      return { form: 'other' }
  }
}

/** IA5String; what writers put there is Latin-1. */
function latin1(value: Asn1): string {
  return Buffer.from(contentOf(value)).toString('latin1')
}
