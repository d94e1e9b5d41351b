import { documentCatalog } from '../pdf/catalog.ts'
import { PdfDictionary, type PdfObject, PdfReference, PdfString } from '../pdf/object.ts'
import type { PdfFile } from '../pdf/pdf-file.ts'
import { skipWhiteSpace } from '../pdf/reading/character-set.ts'
import { type SignatureField, type SignatureValue } from '../pdf/form/signature-field.ts'
import type { ObjectGraph } from '../pdf/object-graph.ts'
import { rangeFault, signedRange } from '../signature/byte-range.ts'
import type { Anomaly } from './anomaly.ts'
import { objectLocation } from './object-location.ts'
import type { TamperEvidence } from './tamper-evidence.ts'

/**
 * Signatures without a field and fields without a signature: rules O1, O2, O3 and O5. An empty signature field is none of
 * them, nor are usage rights.
 */
export function orphanedSignatureField(evidence: TamperEvidence): Anomaly[] {
  const { signatureFields: fields } = evidence
  return [
    ...signaturesWithoutField(evidence, fields),
    ...signaturesOutsideForm(evidence, fields),
    ...fieldsWithoutSignature(evidence.file, fields),
    ...announcedWithoutField(evidence.file, fields),
  ]
}

/** O1. */
function signaturesWithoutField(
  { file, signatures }: TamperEvidence,
  fields: readonly SignatureField[],
): Anomaly[] {
  const { graph } = file
  const known = new Set<unknown>()
  for (const { valueHolder } of fields) {
    if (valueHolder !== null) known.add(graph.resolve(valueHolder.dictionary.get('V')))
  }
  const permissions = graph.resolve(documentCatalog(graph).get('Perms'))
  if (permissions instanceof PdfDictionary) {
    for (const key of ['DocMDP', 'UR', 'UR3']) known.add(graph.resolve(permissions.get(key)))
  }

  return signatures
    .filter(({ dictionary }) => !known.has(dictionary))
    .map(({ number }) => ({
      type: 'ORPHANED_SIGNATURE_FIELD',
      severity: 'high',
      description: 'A signature stands in the file that no signature field refers to.',
      location: objectLocation(file, number),
    }))
}

/**
 * O2: viewers list the fields of the form, so a signature that only a page has is shown and not checked. One whose range
 * is sound and holds the whole file vouches for itself; whether it verifies is its own verdict.
 */
function signaturesOutsideForm(
  { file, signatureValues }: TamperEvidence,
  fields: readonly SignatureField[],
): Anomaly[] {
  const { graph } = file
  const signed = fields.filter(({ valueHolder }) => valueHolder !== null)
  if (signed.length === 0) return []
  const inForm = fieldsOfForm(graph)
  const values = new Map<PdfObject, SignatureValue>(
    signatureValues.map((value) => [value.dictionary, value]),
  )
  return signed.flatMap(({ dictionary, objectNumber, valueHolder }): Anomaly[] => {
    const value = values.get(graph.resolve(valueHolder?.dictionary.get('V')))
    if (inForm.has(dictionary) || value === undefined) return []
    return [
      {
        type: 'ORPHANED_SIGNATURE_FIELD',
        severity: signsWholeFile(file, value) ? 'low' : 'high',
        description: 'A signed field stands on a page and not in the form.',
        location: objectNumber === null ? null : objectLocation(file, objectNumber),
      },
    ]
  })
}

function signsWholeFile(file: PdfFile, value: SignatureValue): boolean {
  const range = signedRange(file, value.dictionary)
  if (range === null || rangeFault(file, value, range) !== null) return false
  return skipWhiteSpace(file.bytes, range.end, file.bytes.length) === file.bytes.length
}

/** The fields that the form leads to, with their kids: also those that do not name it as their parent. */
function fieldsOfForm(graph: ObjectGraph): Set<PdfObject> {
  const form = graph.resolve(documentCatalog(graph).get('AcroForm'))
  const pending = [form instanceof PdfDictionary ? graph.resolve(form.get('Fields')) : null]
  const fields = new Set<PdfObject>()
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (!Array.isArray(next)) continue
    for (const item of next) {
      const field = graph.resolve(item)
      if (!(field instanceof PdfDictionary) || fields.has(field)) continue
      fields.add(field)
      pending.push(graph.resolve(field.get('Kids')))
    }
  }
  return fields
}

/** O3. */
function fieldsWithoutSignature(file: PdfFile, fields: readonly SignatureField[]): Anomaly[] {
  const anomalies: Anomaly[] = []
  for (const { dictionary, objectNumber, valueHolder } of fields) {
    const fault = valueFault(file, (valueHolder?.dictionary ?? dictionary).get('V'))
    if (fault === null) continue
    anomalies.push({
      type: 'ORPHANED_SIGNATURE_FIELD',
      severity: 'medium',
      description: `A signature field has a value that ${fault}.`,
      location: objectNumber === null ? null : objectLocation(file, objectNumber),
    })
  }
  return anomalies
}

function valueFault(file: PdfFile, entry: PdfObject | undefined): string | null {
  if (entry === undefined) return null
  const value = file.graph.resolve(entry)
  if (value === null) return 'is missing'
  if (!(value instanceof PdfDictionary)) return 'is not a signature'
  if (!namesBytes(file, value)) return 'does not say what it signs'
  const contents = file.graph.resolve(value.get('Contents'))
  if (!(contents instanceof PdfString)) return 'holds no signature'
  return contents.bytes.every((byte) => byte === 0) ? 'holds no signature' : null
}

/** Whether `/ByteRange` is of the form that it must have, wherever it leads: two parts, the second one not empty. */
function namesBytes({ graph }: PdfFile, signature: PdfDictionary): boolean {
  const range = graph.resolve(signature.get('ByteRange'))
  if (!Array.isArray(range) || range.length !== 4) return false
  const numbers = range.map((item) => graph.resolve(item))
  return (
    numbers.every((number) => Number.isSafeInteger(number) && Number(number) >= 0) &&
    numbers[3] !== 0
  )
}

/** O5: `/SigFlags` bit 1 (ISO 32000-2, table 225). */
function announcedWithoutField(file: PdfFile, fields: readonly SignatureField[]): Anomaly[] {
  if (fields.length > 0) return []
  const { graph } = file
  const entry = documentCatalog(graph).get('AcroForm')
  const form = graph.resolve(entry)
  const flags = form instanceof PdfDictionary ? graph.resolve(form.get('SigFlags')) : null
  if (typeof flags !== 'number' || (flags & 1) === 0) return []
  const holder = entry instanceof PdfReference ? entry : graph.trailer.get('Root')
  return [
    {
      type: 'ORPHANED_SIGNATURE_FIELD',
      severity: 'low',
      description: 'The form announces signatures and has no signature field.',
      location: holder instanceof PdfReference ? objectLocation(file, holder.number) : null,
    },
  ]
}
