import { Readable } from 'node:stream'
import { artifacts } from '@pdfnorm/contracts/endpoint/artifacts'
import { artifactContentType, artifactFileName } from '@pdfnorm/contracts/schema/artifact'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { Request, Response } from 'express'
import type { ByteRange } from '../../artifact/file-driver.ts'
import { type OpenedArtifact, openArtifact } from '../../artifact/open-artifact.ts'
import type { Platform } from '../../platform.ts'
import { requestedRange } from '../byte-range.ts'
import { hasAlready, wantsOther } from '../entity-tags.ts'
import { routes } from '../mount.ts'
import { refuse } from '../problem-response.ts'
import { callerOf } from '../request-context.ts'

export const artifactRoutes = routes(artifacts, (platform) => ({
  downloadArtifact: ({ req, res, params }) => handOut(platform, { req, res }, params.hash),
}))

/** Answers with the file of this hash, a part of it, or that the caller has it already. */
export async function handOut(
  platform: Platform,
  { req, res }: { req: Request; res: Response },
  hash: string,
) {
  const artifact = await openArtifact(platform, callerOf(req), hash)
  if (artifact instanceof Refusal) return refuse(platform.config, { req, res }, artifact)

  const etag = `"${artifact.sha256}"`
  res.setHeader('ETag', etag)
  // The content of a hash never changes; a shared cache must not give it to another organization.
  res.setHeader('Cache-Control', 'private, max-age=31536000, immutable')
  if (wantsOther(req, etag)) {
    forgetCopies(res)
    const detail = `The ETag of the file is ${etag}`
    return refuse(platform.config, { req, res }, new Refusal('PRECONDITION_FAILED', detail))
  }
  if (hasAlready(req, etag)) return { status: 304 as const, body: undefined }

  const range = requestedRange(req, { etag, sizeBytes: artifact.sizeBytes })
  if (range === 'unsatisfiable') {
    forgetCopies(res)
    res.setHeader('Content-Range', `bytes */${artifact.sizeBytes}`)
    const detail = `The file has ${artifact.sizeBytes} bytes`
    return refuse(platform.config, { req, res }, new Refusal('RANGE_NOT_SATISFIABLE', detail))
  }
  const body = await openBody(platform, { req, res }, artifact, range)
  if (body === null) {
    // Erased since it was looked for, or lost.
    forgetCopies(res)
    const gone = await openArtifact(platform, callerOf(req), hash)
    if (gone instanceof Refusal) return refuse(platform.config, { req, res }, gone)
    throw new Error(`The storage has no object for the artifact ${artifact.sha256}`)
  }
  describe(res, artifact, range)
  return range === null ? { status: 200 as const, body } : { status: 206 as const, body }
}

/** A refusal is no copy of the file. */
function forgetCopies(res: Response): void {
  res.removeHeader('Cache-Control')
  res.removeHeader('ETag')
}

function describe(res: Response, artifact: OpenedArtifact, range: ByteRange | null): void {
  const { sha256, sizeBytes } = artifact
  const length = range === null ? sizeBytes : range.last - range.first + 1
  res.setHeader('Content-Type', artifactContentType)
  res.setHeader('Content-Length', length)
  res.setHeader('Content-Disposition', `attachment; filename="${artifactFileName}"`)
  res.setHeader('X-Content-Hash', sha256)
  res.setHeader('Repr-Digest', `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`)
  res.setHeader('Accept-Ranges', 'bytes')
  if (range !== null) {
    res.setHeader('Content-Range', `bytes ${range.first}-${range.last}/${sizeBytes}`)
  }
}

/** null when the storage has no such object. */
async function openBody(
  { log }: Pick<Platform, 'log'>,
  { req, res }: { req: Request; res: Response },
  artifact: OpenedArtifact,
  range: ByteRange | null,
): Promise<Readable | null> {
  if (req.method === 'HEAD') return Readable.from([])
  const bytes = await artifact.openStream(range ?? undefined)
  if (bytes === null) return null

  // Whoever pipes it watches neither for a fault of the storage nor for a client that goes away.
  bytes.once('error', (err) => {
    log.error({ err, sha256: artifact.sha256 }, 'an artifact could not be read to its end')
    res.destroy()
  })
  res.once('close', () => bytes.destroy())
  return bytes
}
