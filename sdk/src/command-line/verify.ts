import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, readFile } from 'node:fs/promises'
import {
  type Attestation,
  type CertificateClaims,
  type KeySource,
  publishedKeys,
  verifyAttestation,
  verifyCertificate,
} from '../index.ts'
import { clientFor, type Configuration, readConfiguration } from './configuration.ts'
import { type ExitCode, exitCodeOf, exitCodes, gravest } from './exit-codes.ts'
import { parseCommand } from './parse-command.ts'
import { errorFacts, errorText, type Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

interface Documents {
  readonly certificate: string | undefined
  readonly attestation: string | undefined
}

/** `pdfnorm verify out.pdf … [--certificate out.pdf.jws] [--attestation a.json] [--keys keys.json]` */
export async function verifyCommand(
  args: readonly string[],
  terminal: Terminal,
): Promise<ExitCode> {
  const { values, positionals } = parseCommand(args, {
    certificate: { type: 'string', short: 'c' },
    attestation: { type: 'string', short: 'a' },
    keys: { type: 'string', short: 'k' },
    'base-url': { type: 'string' },
    json: { type: 'boolean', default: false },
    quiet: { type: 'boolean', short: 'q', default: false },
  })
  const { certificate, attestation } = values
  if (positionals.length === 0) throw new UsageError('Which PDF? pdfnorm verify out.pdf')
  if (positionals.length > 1 && (certificate !== undefined || attestation !== undefined)) {
    throw new UsageError('--certificate and --attestation are about one file')
  }
  const configuration = await readConfiguration(terminal, values)
  const keys = await keysFrom(values.keys, configuration)
  const codes: ExitCode[] = []
  for (const pdf of positionals) {
    try {
      const claims = await verifyOne(pdf, { certificate, attestation }, keys, configuration)
      if (values.json) terminal.print(JSON.stringify({ pdf, valid: true, ...claims }))
      else if (!values.quiet) terminal.print(textOf(pdf, claims))
      codes.push(exitCodes.done)
    } catch (error) {
      const facts = { pdf, valid: false, error: errorFacts(error) }
      if (values.json) terminal.print(JSON.stringify(facts))
      else terminal.tell(errorText(error, pdf))
      codes.push(exitCodeOf(error))
    }
  }
  return gravest(codes)
}

interface Verified {
  readonly certificate?: CertificateClaims
  readonly attestation?: Attestation
}

async function verifyOne(
  pdf: string,
  given: Documents,
  keys: KeySource,
  configuration: Configuration,
): Promise<Verified> {
  const { certificate, attestation } = given
  if (attestation !== undefined) {
    const document = await readFile(attestation, 'utf8')
    const verified = { attestation: await verifyAttestation(document, { keys, pdf }) }
    if (certificate === undefined) return verified
    const jws = await readFile(certificate, 'utf8')
    return { ...verified, certificate: await verifyCertificate(jws, { keys, pdf }) }
  }
  const jws = await certificateOf(pdf, certificate, configuration)
  return { certificate: await verifyCertificate(jws, { keys, pdf }) }
}

/** The one named, else the one beside the file, else the service's for a file with this hash. */
async function certificateOf(
  pdf: string,
  path: string | undefined,
  configuration: Configuration,
): Promise<string> {
  const beside = `${pdf}.jws`
  if (path !== undefined) return readFile(path, 'utf8')
  if (await isThere(beside)) return readFile(beside, 'utf8')
  const digest = createHash('sha256')
  for await (const chunk of createReadStream(pdf)) digest.update(chunk)
  return clientFor(configuration).getCertificate(digest.digest('hex'))
}

/**
 * Keys at hand, else those that the configured service publishes: never those of whoever the certificate says has
 * issued it.
 */
async function keysFrom(path: string | undefined, { baseUrl }: Configuration): Promise<KeySource> {
  if (path === undefined) {
    if (baseUrl !== undefined) return publishedKeys(baseUrl)
    throw new UsageError('Whose keys? Give --keys keys.json, or set PDFNORM_BASE_URL.')
  }
  const keys: unknown = JSON.parse(await readFile(path, 'utf8'))
  if (typeof keys === 'object' && keys !== null && 'keys' in keys && Array.isArray(keys.keys)) {
    return { keys: keys.keys }
  }
  throw new UsageError(`${path} is not a key set`)
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

function textOf(pdf: string, { certificate, attestation }: Verified): string {
  const original = certificate?.originalSha256 ?? attestation?.subject.originalSha256
  const at = certificate?.processedAt ?? attestation?.issuedAt
  const issuer = certificate?.iss ?? attestation?.issuer.url
  return [
    `${pdf}: valid`,
    `  normalized by ${issuer} at ${at}`,
    `  out of the file with the SHA-256 ${original}`,
  ].join('\n')
}
