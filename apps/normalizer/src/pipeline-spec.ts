/**
 * Names what the pipeline does to a document's bytes and is written into every output as its producer.
 * Two outputs of one input with the same value here are equal; whatever changes bytes or hashes changes it.
 */
export const PIPELINE_SPEC = '2026-11-22'

/** The value of `/Producer` and `pdf:Producer` (trust, section 7). */
export const PRODUCER = `pdfnorm ${PIPELINE_SPEC}`

/** The parts that results depend on, as the attestation names them. */
export const toolchain = {
  pipelineSpec: PIPELINE_SPEC,
  node: process.versions.node,
  /** The definition of a document's text, and so of the content hash (docs/decisions/0008-text-of-a-page.md). */
  text: '1',
} as const
