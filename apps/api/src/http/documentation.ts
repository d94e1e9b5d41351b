import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { operations } from '@pdfnorm/contracts/endpoint/operations'
import { problemCodes, problemPath } from '@pdfnorm/contracts/schema/problem'
import type { Express, NextFunction, Request, RequestHandler, Response } from 'express'
import { hasAlready } from './entity-tags.ts'
import { openapiPath } from './operations.ts'
import { pagePolicy, problemPage, referencePage } from './reference-page.ts'

/** Where `npm run build` puts the documentation (docs/site/build.ts). */
const builtSite = fileURLToPath(new URL('../../../../docs/dist/', import.meta.url))

/** The files of the documentation by their address. */
type Site = ReadonlyMap<string, SiteFile>

interface SiteFile {
  readonly contentType: string
  readonly content: Buffer
  /** With its quotation marks. */
  readonly etag: string
  readonly isHashed: boolean
  compressed: Promise<Buffer> | null
}

/**
 * The documentation at `/docs`: the built site, which is read once so that a process serves one state of it, or plain
 * pages where it is not built.
 *
 * @returns the addresses that it has
 */
export function mountDocumentation(app: Express, directory = builtSite): string[] {
  const site = readSite(directory)
  if (site === null) return mountPlainPages(app)
  app.use(operations.getDocs.path, siteHandler(site))
  return [...site.keys()]
}

function siteHandler(site: Site): RequestHandler {
  return async (req, res, next) => {
    const address = (req.baseUrl + req.path).replace(/\/+$/, '')
    const isRead = req.method === 'GET' || req.method === 'HEAD'
    const file = site.get(address)
    if (!isRead) return next()
    if (file === undefined) return sendNotFound(site, { req, res, next })

    res.setHeader(
      'Cache-Control',
      file.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    )
    res.setHeader('Content-Security-Policy', sitePolicy)
    // Weak, because the compressed form has the same one.
    res.setHeader('ETag', `W/${file.etag}`)
    res.vary('Accept-Encoding')
    if (hasAlready(req, file.etag)) {
      res.status(304).end()
      return
    }
    res.setHeader('Content-Type', file.contentType)
    if (req.acceptsEncodings('br') === 'br') {
      res.setHeader('Content-Encoding', 'br')
      res.send(await compressed(file))
      return
    }
    res.send(file.content)
  }
}

/** People get a page from which they find on; programs are told as for any other path. */
function sendNotFound(
  site: Site,
  { req, res, next }: { req: Request; res: Response; next: NextFunction },
): void {
  const page = site.get(`${operations.getDocs.path}/not-found`)
  if (page === undefined || req.accepts(['json', 'html']) !== 'html') return next()
  res.setHeader('Content-Security-Policy', sitePolicy)
  res.setHeader('Content-Type', page.contentType)
  res.status(404).send(page.content)
}

/** Nothing stands in the pages themselves: their one script and one style are files. */
export const sitePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

function compressed(file: SiteFile): Promise<Buffer> {
  file.compressed ??= promisify(brotliCompress)(file.content, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 6 },
  })
  return file.compressed
}

/** null: it is not built. */
function readSite(directory: string): Site | null {
  const names = filesIn(directory)
  if (!names.includes('index.html')) return null
  return new Map(
    names.map((name) => {
      const path = name.split(sep).join('/')
      return [addressOf(path), siteFile(join(directory, name), path)]
    }),
  )
}

function filesIn(directory: string): string[] {
  try {
    return readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter(
      (name) => extname(name) in contentTypes,
    )
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
}

/** `guides/webhooks.html` is at `/docs/guides/webhooks`. */
function addressOf(path: string): string {
  const root = operations.getDocs.path
  return path === 'index.html' ? root : `${root}/${path.replace(/\.html$/, '')}`
}

function siteFile(file: string, path: string): SiteFile {
  const content = readFileSync(file)
  return {
    contentType: contentTypes[extname(path)] ?? 'application/octet-stream',
    content,
    etag: `"${createHash('sha256').update(content).digest('base64url')}"`,
    isHashed: path.startsWith('assets/'),
    compressed: null,
  }
}

function mountPlainPages(app: Express): string[] {
  app.get(operations.getDocs.path, async (_req, res) => {
    sendPlain(res, referencePage(JSON.parse(await readFile(openapiPath, 'utf8'))))
  })
  for (const code of problemCodes) {
    app.get(problemPath(code), (_req, res) => sendPlain(res, problemPage(code)))
  }
  return problemCodes.map(problemPath)
}

function sendPlain(res: Response, html: string): void {
  res.setHeader('Content-Type', 'text/html; charset=utf-8')
  res.setHeader('Content-Security-Policy', pagePolicy)
  res.send(html)
}
