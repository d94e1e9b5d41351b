import { createRequire } from 'node:module'

/**
 * Names what the pipeline does to a document's bytes and is written into every output as its producer.
 * Two outputs of one input with the same value here are equal; whatever changes bytes or hashes changes it.
 */
export const PIPELINE_SPEC = '2026-11-01'

/** The value of `/Producer` and `pdf:Producer` (trust, section 7). */
export const PRODUCER = `pdfnorm ${PIPELINE_SPEC}`

/** The parts that results depend on, as the attestation names them. */
export const toolchain = {
  pipelineSpec: PIPELINE_SPEC,
  node: process.versions.node,
  /** Defines the content hash together with the rule of stage 9. */
  pdfium: packageVersion('@embedpdf/pdfium'),
  /** Makes the compressed bytes of the output. */
  fflate: packageVersion('fflate'),
} as const

function packageVersion(name: string): string {
  const { dependencies } = createRequire(import.meta.url)('../package.json') as {
    dependencies: Record<string, string>
  }
  const version = dependencies[name]
  if (version === undefined) throw new Error(`${name} is not a dependency`)
  return version
}
