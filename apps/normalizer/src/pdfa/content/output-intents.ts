import { isName, PdfDictionary, type PdfObject, PdfReference, PdfStream } from '../../pdf/object.ts'
import { placeOf } from '../document/entry.ts'
import type { Place } from '../failures.ts'
import { RuleSet } from '../rule.ts'
import type { Validation } from '../validation.ts'
import { type IccProfile, type IccProfiles } from './icc-profile.ts'
import { checkProfile } from './icc-profile-checks.ts'

/** What the output intents of a document or of a page say about colour (ISO 32000-2, 14.11.5). */
export interface OutputIntents {
  /** The colour space of the profile of the intent for PDF/A, such as `RGB `; null without one. */
  readonly colourSpace: string | null
  /** The profile of the last intent, whatever it is for; null without one. */
  readonly profile: PdfStream | null
  /** Profiles are there, though none for PDF/A. */
  readonly isForeign: boolean
}

const noIntents: OutputIntents = { colourSpace: null, profile: null, isForeign: false }

/** Judges the intents of an `/OutputIntents` array and the profiles that they name. */
export function checkOutputIntents(
  validation: Validation,
  profiles: IccProfiles,
  object: PdfObject | undefined,
  place: Place,
): OutputIntents {
  const { graph } = validation
  const array = graph.resolve(object)
  if (!Array.isArray(array)) return noIntents
  const intents = array
    .map((item) => readIntent(validation, profiles, item, place))
    .filter((intent) => intent !== null)
  validation.check(intentsRules, { namedProfiles: namedProfiles(intents) }, place)

  const judged = new Set<PdfStream>()
  for (const intent of intents) {
    validation.check(intentRules, intent, intent.place)
    const { profile } = intent
    if (profile === null || judged.has(profile.stream)) continue
    judged.add(profile.stream)
    checkProfile(validation, 'output', profile, placeOf(intent.reference, intent.place))
  }
  const forPdfa = intents.filter(({ isForPdfa, profile }) => isForPdfa && profile !== null)
  // The first counts in part 4, the last in the others.
  const counted = validation.part === 4 ? forPdfa.at(0) : forPdfa.at(-1)
  const last = intents.findLast(({ profile }) => profile !== null)
  return {
    colourSpace: counted?.profile?.colourSpace ?? null,
    profile: last?.profile?.stream ?? null,
    isForeign: last !== undefined && counted === undefined,
  }
}

interface Intent {
  readonly place: Place
  /** `/DestOutputProfile` as it stands there. */
  readonly reference: PdfObject | undefined
  readonly profile: IccProfile | null
  readonly isForPdfa: boolean
  readonly isForPdfx: boolean
  readonly namesProfileElsewhere: boolean
}

function readIntent(
  { graph }: Validation,
  profiles: IccProfiles,
  item: PdfObject,
  place: Place,
): Intent | null {
  const intent = graph.resolve(item)
  if (!(intent instanceof PdfDictionary)) return null
  const kind = graph.resolve(intent.get('S'))
  const reference = intent.get('DestOutputProfile')
  const profile = graph.resolve(reference)
  const elsewhere = intent.get('DestOutputProfileRef')
  return {
    place: placeOf(item, place),
    reference,
    profile: profile instanceof PdfStream ? profiles.read(profile) : null,
    isForPdfa: isName(kind, 'GTS_PDFA1'),
    isForPdfx: isName(kind, 'GTS_PDFX'),
    namesProfileElsewhere: elsewhere !== undefined && elsewhere !== null,
  }
}

/** How many profiles the intents name, as objects: the same data twice counts twice. */
function namedProfiles(intents: readonly Intent[]): number {
  const named = new Set<number | PdfObject>()
  for (const { reference } of intents) {
    if (reference instanceof PdfReference) named.add(reference.number)
    else if (reference !== undefined && reference !== null) named.add(reference)
  }
  return named.size
}

const intentsRules = new RuleSet<{ readonly namedProfiles: number }>('output intents', [
  {
    clauses: { '1': '6.2.2 t2', '2-3': '6.2.3 t2', '4': '6.2.3 t2' },
    description: 'All output intents that name a profile name the same indirect object',
    holds: ({ namedProfiles: profiles }) => profiles <= 1,
  },
])

const intentRules = new RuleSet<Intent>('output intent', [
  {
    clauses: { '2-3': '6.2.3 t3' },
    description: 'The output intent for PDF/X names no profile outside the file',
    holds: ({ isForPdfx, namesProfileElsewhere }) => !isForPdfx || !namesProfileElsewhere,
  },
  {
    clauses: { '4': '6.2.3 t3' },
    description: 'Output intents name no profile outside the file',
    holds: ({ namesProfileElsewhere }) => !namesProfileElsewhere,
  },
])
