import type { FailureCode } from '@pdfnorm/contracts/schema/failure'
import type { PipelineStageName } from '@pdfnorm/contracts/schema/pipeline-stage'
import type { SecurityInfo } from '@pdfnorm/contracts/schema/security-findings'
import type { TamperAnalysis } from '@pdfnorm/contracts/schema/tamper-analysis'
import type { ValidationInfo } from '@pdfnorm/contracts/schema/validation-findings'
import type { WarningCode, WarningInfo } from '@pdfnorm/contracts/schema/warning'
import type { NormalizeOptions } from './options.ts'
import type { PdfFile } from './pdf/pdf-file.ts'
import type { WrittenPages } from './pdf/writing/written-pages.ts'
import type { AssociatedFiles } from './active-content/associated-files.ts'
import type { DeclaredPdfa } from './pdfa/declared-pdfa.ts'
import type { PdfaSettings } from './pdfa/pdfa-settings.ts'
import type { TrustAnchors } from './signature/trust-anchors.ts'

/**
 * One step of the pipeline. It reads and edits the document that the earlier stages left, writes what it found
 * into the findings, and returns its result value (interface, section 2.3; decision 2.12).
 *
 * @throws {PipelineStop} when the document is refused or cannot be carried on
 */
export interface Stage {
  readonly name: PipelineStageName
  run(document: DocumentInProgress): string | Promise<string>
}

/** A document on its way through the stages. */
export interface DocumentInProgress {
  readonly options: NormalizeOptions
  /** The original bytes and all that was read of them, with its provenance; its graph is what stages edit. */
  readonly file: PdfFile
  readonly findings: FindingsInProgress
  /** Set by FinalRewrite. */
  output: {
    readonly bytes: Uint8Array
    readonly pdfVersion: string
    readonly linearized: boolean
    /** Of which the text is read. */
    readonly pages: WrittenPages
  } | null
  /** Set by ContentHash: 64 hexadecimal digits, or null for a document without text. */
  contentHash: string | null
  /** The moment against which certificates are judged; one value for the whole run. */
  readonly now: Date
  /** Against which certificates are judged; without them they are not. */
  readonly trustAnchors?: TrustAnchors | null
  readonly pdfaSettings?: PdfaSettings
  /** Set by PdfaDetection; null for a document that does not claim to be PDF/A. */
  declaredPdfa?: DeclaredPdfa | null
  /** Set by ActiveContentRemoval where files are kept for the sake of the claim. */
  associatedFiles?: AssociatedFiles | null
}

export interface FindingsInProgress {
  readonly security: Mutable<SecurityInfo>
  readonly validation: Mutable<ValidationInfo>
  tamperAnalysis: TamperAnalysis | null
  readonly warnings: WarningInfo[]
  /** Names of the fonts that show glyphs and are not embedded. */
  readonly missingFonts: string[]
  /** The original claims to be PDF/A, and a validation that ran to its end says that it is not. */
  falsePdfaClaim: boolean
  /** Who held the output against its claim; null when nobody was asked to. */
  pdfaValidatorEngine: string | null
  readonly warn: (code: WarningCode, message: string) => void
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** Ends the pipeline: by policy (a rejection code) or because the document cannot be carried on (a failure code). */
export class PipelineStop extends Error {
  readonly code: FailureCode

  constructor(code: FailureCode, message: string) {
    super(message)
    this.name = 'PipelineStop'
    this.code = code
  }
}
