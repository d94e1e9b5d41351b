import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { Express, Request, Response } from 'express'
import type { ByteRange } from '../artifact/file-driver.ts'
import { attachment } from '../artifact/content-disposition.ts'
import {
  openDownloadToken,
  type PresignedDownload,
  presignedDownloadPath,
} from '../artifact/presigned-download.ts'
import type { Platform } from '../platform.ts'
import { requestedRange } from './byte-range.ts'
import { sendRefusal } from './problem-response.ts'

/** Where objects in local files are downloaded from with a presigned URL, as others are from their object storage. */
export function mountPresignedDownloads(app: Express, platform: Platform): void {
  app.get(presignedDownloadPath, async (req, res) => {
    const { clock, objects, secretsKey } = platform
    const refuse = (refusal: Refusal) => sendRefusal(platform.config, { req, res }, refusal)

    const download = openDownloadToken(secretsKey, req.params.token, clock.now())
    if (download === null) return refuse(new Refusal('NOT_FOUND', nothingBehind))
    const sizeBytes = await objects.sizeOf(download.region, download.key)
    if (sizeBytes === null) return refuse(new Refusal('NOT_FOUND', nothingBehind))

    const file = { etag: etagOf(download), sizeBytes }
    const range = requestedRange(req, file)
    if (range === 'unsatisfiable') {
      res.setHeader('Content-Range', `bytes */${sizeBytes}`)
      return refuse(new Refusal('RANGE_NOT_SATISFIABLE', `The file has ${sizeBytes} bytes`))
    }
    describe(res, download, file, range)
    await send(platform, { req, res }, download, range)
  })
}

const nothingBehind = 'This address leads nowhere, or no longer. Ask for a new one.'

/** An object's bytes never change under its key. */
function etagOf({ region, key }: PresignedDownload): string {
  return `"${createHash('sha256').update(`${region}/${key}`).digest('hex')}"`
}

function describe(
  res: Response,
  { fileName, contentType }: PresignedDownload,
  { etag, sizeBytes }: { etag: string; sizeBytes: number },
  range: ByteRange | null,
): void {
  res.status(range === null ? 200 : 206)
  res.setHeader('ETag', etag)
  res.setHeader('Accept-Ranges', 'bytes')
  res.setHeader('Content-Type', contentType)
  res.setHeader('Content-Disposition', attachment(fileName))
  res.setHeader('Content-Length', range === null ? sizeBytes : range.last - range.first + 1)
  if (range !== null) {
    res.setHeader('Content-Range', `bytes ${range.first}-${range.last}/${sizeBytes}`)
  }
}

async function send(
  { objects, log }: Pick<Platform, 'objects' | 'log'>,
  { req, res }: { req: Request; res: Response },
  { region, key }: PresignedDownload,
  range: ByteRange | null,
): Promise<void> {
  if (req.method === 'HEAD') {
    res.end()
    return
  }
  const bytes = await objects.openStream(region, key, range ?? undefined)
  if (bytes === null) throw new Error('The storage has lost an object between two looks')
  try {
    await pipeline(bytes, res)
  } catch (err) {
    // The client went away, or the storage did in the middle: half an answer cannot become another one.
    log.debug({ err }, 'a download was not read to its end')
    res.destroy()
  }
}
