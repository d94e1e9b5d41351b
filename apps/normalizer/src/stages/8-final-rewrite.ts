import { filesRemovedMessage } from '../active-content/associated-files.ts'
import { scanOutput } from '../active-content/second-scan.ts'
import { catalogVersion, catalogXmp } from '../pdf/catalog.ts'
import { NotLinearizableError } from '../pdf/writing/object-users.ts'
import type { ObjectGraph } from '../pdf/object-graph.ts'
import type { PdfFile } from '../pdf/pdf-file.ts'
import { pdfaClaim } from '../pdf/metadata/pdfa-claim.ts'
import { writeMetadata } from '../pdf/metadata/write-metadata.ts'
import { readPdf } from '../pdf/reading/read-pdf.ts'
import { laterVersion, type PdfVersion } from '../pdf/writing/required-version.ts'
import { SettledGraph } from '../pdf/writing/settled-graph.ts'
import { type WriteOptions, writeDocument } from '../pdf/writing/writer.ts'
import { type WrittenDocument, writtenDocument } from '../pdf/writing/written-document.ts'
import { writtenPages } from '../pdf/writing/written-pages.ts'
import { decideClaim, warningOfUnchanged } from '../pdfa/claim-decision.ts'
import type { DeclaredPdfa } from '../pdfa/declared-pdfa.ts'
import type { PdfaVerdict } from '../pdfa/validate-pdfa.ts'
import { PRODUCER } from '../pipeline-spec.ts'
import { isPreserved } from '../preserved.ts'
import { type DocumentInProgress, PipelineStop, type Stage } from '../stage.ts'

/**
 * Writes the document anew: what can be reached from catalog and Info, in canonical form, as one revision. What claims
 * to be PDF/A is validated as it is written, and written again without the claim where that must not stay. The finished
 * bytes are then looked at once more, independently, for anything that had to be removed. A preserved document is its
 * input. Result `success` or `preserved`.
 */
export const finalRewrite: Stage = {
  name: 'FinalRewrite',

  async run(document) {
    const { declaredPdfa } = document
    if (isPreserved(document)) {
      document.output = asFound(document.file)
      if (declaredPdfa) tellUnchanged(document, declaredPdfa)
      return 'preserved'
    }
    let rewritten = rewrite(document)
    if (declaredPdfa && !(await holdsClaim(document, declaredPdfa, rewritten.bytes))) {
      dropClaim(document)
      rewritten = rewrite(document)
    }
    refuseActiveContent(rewritten.bytes, document.associatedFiles?.sha256)
    const { notLinearized, ...output } = rewritten
    if (notLinearized !== null) {
      const message = `The output is not linearized: ${notLinearized}.`
      document.findings.warn('LINEARIZATION_SKIPPED', message)
    }
    document.output = output
    return 'success'
  },
}

type Output = NonNullable<DocumentInProgress['output']>

function asFound(file: PdfFile): Output {
  // ISO 32000-2, 7.7.2: the catalog's version counts if it is later than the header's.
  const [latest = 'unknown'] = [file.header.version, catalogVersion(file.graph)]
    .filter((version) => version !== null)
    .toSorted((a, b) => Number(b) - Number(a))
  const linearized = file.linearization?.intact ?? false
  const pages = writtenPages(new SettledGraph(file.graph), file.graph)
  return { bytes: file.bytes, pdfVersion: latest, linearized, pages }
}

/** The output's verdict is the input's. */
function tellUnchanged({ findings }: DocumentInProgress, declared: DeclaredPdfa): void {
  tellVerdict(findings, declared, declared.input)
  findings.validation.pdfaPreserved = true
  const warning = warningOfUnchanged(declared.claim, declared.input)
  if (warning) findings.warn(warning.code, warning.message)
}

interface Rewritten extends Output {
  /** Why it is not linearized although it was to be. */
  readonly notLinearized: string | null
}

function rewrite({ file, options }: DocumentInProgress): Rewritten {
  const written = writtenDocument(file.graph)
  const format = formatOf(file.graph, written)
  const linearized = options.linearize ? linearize(written, format) : null
  const isLinearized = linearized instanceof Uint8Array
  return {
    bytes: isLinearized ? linearized : writeDocument(written, { ...format, linearize: false }),
    pdfVersion: format.version,
    linearized: isLinearized,
    pages: writtenPages(written.settled, file.graph),
    notLinearized: isLinearized ? null : linearized,
  }
}

type Format = Pick<WriteOptions, 'version' | 'objectStreams'>

/** The version that the features ask for, within what the PDF/A claim that the output makes allows (trust, section 4). */
function formatOf(graph: ObjectGraph, { neededVersion }: WrittenDocument): Format {
  switch (pdfaClaim(catalogXmp(graph) ?? [])?.part) {
    case 1:
      // ISO 19005-1, 6.1.4: no cross-reference streams, and so no object streams.
      return { version: '1.4', objectStreams: false }
    case 2:
    case 3:
      return { version: earlierVersion(neededVersion, '1.7'), objectStreams: true }
    case 4:
      return { version: '2.0', objectStreams: true }
    default:
      return { version: neededVersion, objectStreams: true }
  }
}

function earlierVersion(one: PdfVersion, other: PdfVersion): PdfVersion {
  return laterVersion(one, other) === one ? other : one
}

/** The bytes, or why the document cannot be linearized. */
function linearize(written: WrittenDocument, format: Format): Uint8Array | string {
  try {
    return writeDocument(written, { ...format, linearize: true })
  } catch (error) {
    if (!(error instanceof NotLinearizableError)) throw error
    return error.message
  }
}

/** Whether the output may go on claiming what it does; what was found is told either way. */
async function holdsClaim(
  { findings, options, associatedFiles }: DocumentInProgress,
  declared: DeclaredPdfa,
  bytes: Uint8Array,
): Promise<boolean> {
  const { claim, flavour, validator, input } = declared
  const output = await validator.validate(readPdf(bytes), flavour)
  tellVerdict(findings, declared, output)

  const keptFiles = associatedFiles?.names.length ?? 0
  const lacksFiles =
    claim.level === '4f' && findings.security.embeddedFilesRemoved && keptFiles === 0
  const policy = options.pdfaPolicy
  const { keeps, preserved, warning } = decideClaim({ claim, policy, input, output, lacksFiles })
  findings.validation.pdfaPreserved = preserved
  findings.validation.pdfaCompliant = keeps && output.compliant
  if (warning) findings.warn(warning.code, warning.message)
  return keeps
}

function tellVerdict(
  findings: DocumentInProgress['findings'],
  { validator }: DeclaredPdfa,
  { completed, compliant, errors }: PdfaVerdict,
): void {
  findings.validation.pdfaCompliant = compliant
  findings.validation.pdfaValidatorValidated = completed
  findings.validation.pdfaValidatorErrors = [...errors]
  findings.pdfaValidatorEngine = validator.engine
  if (validator.unavailable === null) return
  findings.warn(
    'PDFA_VALIDATOR_UNAVAILABLE',
    `veraPDF could not be asked, and the built-in validator stood in: ${validator.unavailable}.`,
  )
}

/** What only PDF/A allows or asks for goes with it. */
function dropClaim(document: DocumentInProgress): void {
  const { associatedFiles, findings } = document
  const { graph } = document.file
  if (associatedFiles && associatedFiles.names.length > 0) {
    associatedFiles.detach()
    findings.security.embeddedFilesRemoved = true
    findings.warn('ASSOCIATED_FILES_REMOVED', filesRemovedMessage(associatedFiles.names, 'claim'))
  }
  document.associatedFiles = null
  writeMetadata(graph, catalogXmp(graph), { producer: PRODUCER, keepPdfaClaim: false })
}

function refuseActiveContent(bytes: Uint8Array, keptFiles?: ReadonlySet<string>): void {
  const [hit] = scanOutput(bytes, keptFiles)
  if (!hit) return
  const place = hit.object === null ? 'the trailer' : `object ${hit.object}`
  throw new PipelineStop(
    'INTERNAL_ERROR',
    `The output still holds what had to be removed: ${hit.what} in ${place}.`,
  )
}
