import { PdfDictionary, PdfString } from '../pdf/object.ts'
import type { PdfFile } from '../pdf/pdf-file.ts'
import { signatureValues } from '../pdf/form/signature-field.ts'
import { type RedirectedEntry, redirectedEntries } from './redirected-entry.ts'

/** What several rules ask of a file, found once. */
export interface TamperEvidence {
  readonly file: PdfFile
  /** Live dictionaries with `/ByteRange` and `/Contents` (ISO 32000-2, 12.8.1), usage rights among them. */
  readonly signatures: readonly SignatureDictionary[]
  /** Whether anything in the file is signed; usage rights sign nothing. */
  readonly signed: boolean
  readonly redirectedEntries: readonly RedirectedEntry[]
}

export interface SignatureDictionary {
  /** The numbered object that it is or that has it as its `/V`. */
  readonly number: number
  readonly dictionary: PdfDictionary
}

/** Looks at every live object: a signature that no field knows is a finding, too. */
export function gatherEvidence(file: PdfFile): TamperEvidence {
  return {
    file,
    signatures: signatureDictionaries(file),
    signed: signatureValues(file.graph, file.bytes).length > 0,
    redirectedEntries: redirectedEntries(file),
  }
}

function signatureDictionaries(file: PdfFile): SignatureDictionary[] {
  const { graph } = file
  const found = new Map<PdfDictionary, SignatureDictionary>()
  const take = (number: number, dictionary: unknown): void => {
    if (!(dictionary instanceof PdfDictionary) || found.has(dictionary)) return
    const isSignature =
      Array.isArray(graph.resolve(dictionary.get('ByteRange'))) &&
      graph.resolve(dictionary.get('Contents')) instanceof PdfString
    if (isSignature) found.set(dictionary, { number, dictionary })
  }
  for (const number of graph.numbers()) {
    const object = graph.get(number)
    take(number, object)
    if (object instanceof PdfDictionary) take(number, object.get('V'))
  }
  return [...found.values()]
}
