import type { NormalizeRequest } from '../generated/types.ts'

/** What is not given is left to the service's default. */
export function formFields(form: Omit<NormalizeRequest, 'file'>): Record<string, string> {
  const { linearize, remove_annotations, signed_pdf_policy, pdfa_policy } = form
  const { region, webhook_url, idempotency_key, batch_id } = form
  const given = Object.entries({
    linearize,
    remove_annotations,
    signed_pdf_policy,
    pdfa_policy,
    region,
    webhook_url,
    idempotency_key,
    batch_id,
  } satisfies Required<Record<keyof typeof form, unknown>>).filter(
    ([, value]) => value !== undefined,
  )
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
}
