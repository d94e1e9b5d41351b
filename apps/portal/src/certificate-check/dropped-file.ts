/** A certificate or an attestation, as far as its looks go. */
export interface Proof {
  /** Of the file; null: it was pasted. */
  name: string | null
  text: string
}

/** What a file is taken for: by its content, because names say little. */
export type DroppedFile =
  | { kind: 'pdf'; file: File }
  | ({ kind: 'proof' } & Proof)
  | { kind: 'neither'; name: string }

/** More than any certificate or attestation has. */
const proofMaxBytes = 256 * 1024

/** How far into a file a header may stand (ISO 32000-1, Annex H, implementation note 13). */
const headerWithin = 1024

export async function recognize(file: File): Promise<DroppedFile> {
  // A folder can be dropped too, and cannot be read.
  return recognizeContent(file).catch(() => ({ kind: 'neither', name: file.name }))
}

/** A JWS in compact serialization, or JSON; whether it holds is for the verification to say. */
export function isProof(text: string): boolean {
  const trimmed = text.trim()
  return trimmed.startsWith('{') || /^[\w-]+\.[\w-]+\.[\w-]*$/.test(trimmed)
}

async function recognizeContent(file: File): Promise<DroppedFile> {
  const start = await file.slice(0, headerWithin).text()
  if (start.includes('%PDF-')) return { kind: 'pdf', file }
  if (file.size <= proofMaxBytes) {
    const text = await file.text()
    if (isProof(text)) return { kind: 'proof', name: file.name, text }
  }
  return { kind: 'neither', name: file.name }
}
