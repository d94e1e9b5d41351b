/** What whoever runs the pipeline decided about PDF/A, for all documents. */
export interface PdfaSettings {
  readonly validator: PdfaValidatorChoice
  /** Keep the harmless files that a PDF/A-3 or PDF/A-4f document associates with itself, such as the XML of an invoice. */
  readonly keepAssociatedFiles: boolean
}

/** Who holds documents against ISO 19005: the validator that is built in, or veraPDF as a program or as a service. */
export type PdfaValidatorChoice =
  | { readonly kind: 'internal' }
  | {
      readonly kind: 'verapdf-cli'
      /** A path, or a name to be found on the search path. */
      readonly executable: string
      /** Of the process that runs it: what veraPDF and its Java machine need, and nothing of the service's. */
      readonly environment: Readonly<Record<string, string>>
      readonly timeoutMs: number
    }
  | {
      readonly kind: 'verapdf-rest'
      /** Where the service is; `/api/validate/…` is added. */
      readonly url: string
      readonly timeoutMs: number
    }

/** veraPDF as a program or as a service: both give the same report. */
export type VerapdfChoice = Exclude<PdfaValidatorChoice, { kind: 'internal' }>

export const pdfaValidatorKinds = ['internal', 'verapdf-cli', 'verapdf-rest'] as const

export const defaultPdfaSettings: PdfaSettings = {
  validator: { kind: 'internal' },
  keepAssociatedFiles: false,
}

export const defaultVerapdf = {
  executable: 'verapdf',
  /** Of one validation; a document is validated twice. */
  timeoutMs: 20_000,
} as const

/** Settings as they come from an environment or a command line. */
export interface GivenPdfaSettings {
  readonly validator: (typeof pdfaValidatorKinds)[number]
  readonly executable: string
  /** Needed for `verapdf-rest`. */
  readonly url: string | undefined
  readonly timeoutMs: number
  readonly keepAssociatedFiles: boolean
}

/**
 * @param environment the environment of this process, of which the program gets what it needs to run
 * @throws {PdfaSettingsError}
 */
export function readPdfaSettings(
  given: GivenPdfaSettings,
  environment: Readonly<Record<string, string | undefined>>,
): PdfaSettings {
  return { validator: choiceOf(given, environment), keepAssociatedFiles: given.keepAssociatedFiles }
}

/** The service to be asked is not named. */
export class PdfaSettingsError extends Error {}

function choiceOf(
  { validator, executable, url, timeoutMs }: GivenPdfaSettings,
  environment: Readonly<Record<string, string | undefined>>,
): PdfaValidatorChoice {
  if (validator === 'internal') return { kind: validator }
  if (validator === 'verapdf-rest') {
    if (url === undefined) throw new PdfaSettingsError('the address of the service is not given')
    return { kind: validator, url, timeoutMs }
  }
  const handedOn = programVariables.flatMap((name) => {
    const value = environment[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { kind: validator, executable, environment: Object.fromEntries(handedOn), timeoutMs }
}

/** Where programs, the Java machine and its options are, and where temporary files go. */
const programVariables = [
  'PATH',
  'HOME',
  'JAVA_HOME',
  'JAVA_OPTS',
  'JAVA_TOOL_OPTIONS',
  'JDK_JAVA_OPTIONS',
  'LANG',
  'LC_ALL',
  'TMPDIR',
]
