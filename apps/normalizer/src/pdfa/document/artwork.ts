import { type PdfDictionary, PdfStream } from '../../pdf/object.ts'
import type { Place } from '../failures.ts'
import { RuleSet } from '../rule.ts'
import type { Validation } from '../validation.ts'
import { dictionaryAt, nameAt, placeOf } from './entry.ts'

/** The 3D stream of a 3D annotation, which may share it with others by a dictionary (ISO 32000-2, 13.6.2 and 13.6.3). */
export function checkArtwork(
  validation: Validation,
  annotation: PdfDictionary,
  place: Place,
): void {
  const { graph } = validation
  const own = annotation.get('3DD')
  const shared = dictionaryAt(graph, own)
  const artwork = shared === null ? own : shared.get('3DD')
  const stream = graph.resolve(artwork)
  if (!(stream instanceof PdfStream)) return
  validation.check(
    artworkRules,
    { format: nameAt(graph, stream.dictionary.get('Subtype')) },
    placeOf(artwork, place),
  )
}

interface Artwork {
  readonly format: string | null
}

const artworkRules = new RuleSet<Artwork>('3D stream', [
  {
    clauses: { '4e': '6.1.6.1 t3' },
    description: '3D streams are of the format U3D or PRC',
    holds: ({ format }) => format === 'U3D' || format === 'PRC',
    found: ({ format }) => (format === null ? 'no format' : `/${format.slice(0, 80)}`),
  },
])
