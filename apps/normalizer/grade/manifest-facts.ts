import type { NormalizedOutcome, Outcome } from '../src/outcome.ts'
import type { CorpusFile } from '../test/corpus-files.ts'
import type { Ending } from '../trial/watched-pool.ts'

export interface Disagreement {
  readonly fact: string
  readonly manifest: string
  readonly ours: string
}

export interface Endings {
  /** With the default options. */
  readonly ending: Ending
  /** That, or for a signed document the one whose signatures were taken out. */
  readonly furthest: Ending
  /** Of the output, as another library counts them. */
  readonly pages: number | null
}

/** Compares what the manifest knows of a file with what we say about it. */
export function judgeByManifest(
  file: CorpusFile,
  endings: Endings,
): { agreed: number; disagreements: Disagreement[] } {
  let agreed = 0
  const disagreements: Disagreement[] = []
  for (const [fact, judge] of Object.entries(facts)) {
    const verdict = judge(file, endings)
    if (verdict === null) continue
    const [manifest, ours] = verdict
    if (manifest === ours) agreed += 1
    else disagreements.push({ fact, manifest: String(manifest), ours: String(ours) })
  }
  return { agreed, disagreements }
}

/** What the manifest says and what we say; null where either says nothing. */
type Judge = (file: CorpusFile, endings: Endings) => [Answer, Answer] | null
type Answer = string | number | boolean

const facts: Record<string, Judge> = {
  encrypted: ({ encrypted }, { ending }) => known(encrypted, encryptedByUs(ending)),

  'not a PDF': ({ category }, { ending }) =>
    category === 'not-a-pdf' ? ['MALFORMED_PDF', codeOf(ending)] : null,

  normalized: (file, { furthest }) =>
    isNormalizable(file)
      ? ['normalized', furthest.kind === 'normalized' ? 'normalized' : codeOf(furthest)]
      : null,

  'pages of the output': ({ pages }, { pages: ours }) =>
    ours === null ? null : known(pages, ours),

  signatures: ({ signatures, encrypted }, { furthest }) =>
    encrypted !== false
      ? null
      : analysed(furthest, ({ security }) => known(signatures?.count, security.signatureCount)),

  'validity of signatures': ({ signatures }, { furthest }) => {
    const status = { valid: 'ALL_VALID', invalid: 'SOME_INVALID', none: 'NONE' } as const
    const integrity = signatures?.integrity
    if (integrity !== 'valid' && integrity !== 'invalid' && integrity !== 'none') return null
    return analysed(furthest, ({ security }) => [
      status[integrity],
      security.overallSignatureStatus,
    ])
  },

  tampered: ({ tampered_by_construction: tampered }, { furthest }) =>
    analysed(furthest, ({ tamperAnalysis, security }) => {
      const grave = ['high', 'critical'].includes(tamperAnalysis?.riskLevel ?? 'none')
      return known(tampered, grave || security.overallSignatureStatus === 'SOME_INVALID')
    }),

  'earlier revisions': ({ raw }, { furthest }) =>
    found(furthest, ({ security }) =>
      known(over(raw?.revisions_estimate, 1), security.incrementalUpdatesRemoved),
    ),

  JavaScript: ({ js, xfa }, { furthest }) =>
    // Scripts in XFA are none of the manifest's.
    xfa === true ? null : found(furthest, ({ security }) => known(js, security.javascriptRemoved)),

  'open actions': (
    { open_action, open_action_kind: kind, additional_actions: triggers },
    { furthest },
  ) => {
    if (!isKnown(open_action) || !isKnown(triggers)) return null
    const acts = open_action && kind !== 'dest' && kind !== '/GoTo'
    return found(furthest, ({ security }) => [acts || triggers, security.openActionsRemoved])
  },

  'launch actions': ({ launch, other_actions: others }, { furthest }) => {
    if (!isKnown(launch)) return null
    const leaves = ['gotor', 'gotoe', 'submitform', 'importdata', 'resetform']
    const any = launch || leaves.some((type) => (others?.[type] ?? 0) > 0)
    return found(furthest, ({ security }) => [any, security.launchActionsRemoved])
  },

  'embedded files': ({ embedded_files }, { furthest }) =>
    found(furthest, ({ security }) =>
      known(over(embedded_files, 0), security.embeddedFilesRemoved),
    ),

  'rich media': ({ richmedia, other_actions: others }, { furthest }) => {
    if (!isKnown(richmedia)) return null
    const any = richmedia || (others?.['rendition'] ?? 0) > 0
    return found(furthest, ({ security }) => [any, security.richMediaRemoved])
  },

  forms: ({ acroform, acroform_fields: fields, annotations }, { furthest }) => {
    // A form without fields is a leftover that shows nothing.
    if (!isKnown(acroform)) return null
    const interactive = (acroform && (fields ?? 0) > 0) || (annotations?.['Widget'] ?? 0) > 0
    return found(furthest, ({ security }) => [interactive, security.acroformFlattened])
  },

  'fonts not embedded': ({ fonts_not_embedded: theirs }, { furthest }) => {
    if (!isKnown(theirs)) return null
    return found(furthest, (outcome) => {
      const unknown = missingFonts(outcome).filter((name) => !theirs.includes(name))
      return [
        'none besides those of poppler',
        unknown.join(', ') || 'none besides those of poppler',
      ]
    })
  },

  'PDF/A claim': ({ pdfa }, { furthest }) => {
    // A file that fails may fail by its claim.
    if (pdfa?.corpus_verdict !== 'pass' || pdfa.flavour === null) return null
    const { flavour } = pdfa
    return found(furthest, ({ validation }) => {
      const level = validation.pdfaLevel ?? 'none'
      // Some suites name the part of the standard alone.
      return [flavour, /^\d$/.test(flavour) ? level.slice(0, 1) : level]
    })
  },
}

/** Opened by qpdf, with pages, of a version that we take; bombs are judged by how they end. */
function isNormalizable({ opens_in_qpdf, encrypted, category, pages, raw }: CorpusFile): boolean {
  const version = raw?.header_version ?? '1'
  return (
    opens_in_qpdf === true &&
    encrypted === false &&
    pages !== 0 &&
    /^[12]/.test(version) &&
    !category.includes('bombs')
  )
}

/** The names of fonts that a warning names as missing. */
export function missingFonts({ warnings }: Outcome): string[] {
  const names = warnings.flatMap(({ code, message }) =>
    code === 'NON_EMBEDDED_FONT' ? [/^Font "(.*)" \(/.exec(message)?.[1] ?? message] : [],
  )
  return [...new Set(names)].sort()
}

export function encryptedByUs(ending: Ending): boolean {
  return codeOf(ending) === 'ENCRYPTED_PDF'
}

export function codeOf(ending: Ending): string {
  return 'failure' in ending ? ending.failure.code : ending.kind
}

function isKnown<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined
}

function known(manifest: Answer | null | undefined, ours: Answer): [Answer, Answer] | null {
  return isKnown(manifest) ? [manifest, ours] : null
}

function over(value: number | null | undefined, limit: number): boolean | null {
  return isKnown(value) ? value > limit : null
}

/** Stages past the third have run. */
function found(
  ending: Ending,
  judge: (outcome: NormalizedOutcome) => [Answer, Answer] | null,
): [Answer, Answer] | null {
  return ending.kind === 'normalized' ? judge(ending) : null
}

function analysed(
  ending: Ending,
  judge: (outcome: Outcome) => [Answer, Answer] | null,
): [Answer, Answer] | null {
  return 'tamperAnalysis' in ending && ending.tamperAnalysis ? judge(ending) : null
}
