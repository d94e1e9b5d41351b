import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { type Entry, fromBuffer, type Options, type ZipFile } from 'yauzl'

const openZip = promisify<Buffer, Options, ZipFile>(fromBuffer)

/** The files of a ZIP by their paths, as a library reads them that did not write it; it checks sizes and CRCs. */
export async function unzip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await openZip(bytes, { lazyEntries: true, strictFileNames: true })
  const read = promisify<Entry, NodeJS.ReadableStream>(zip.openReadStream.bind(zip))
  const files = new Map<string, Buffer>()
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>()
  const take = async (entry: Entry) => {
    if (files.has(entry.fileName)) throw new Error(`${entry.fileName} is there twice`)
    files.set(entry.fileName, await buffer(await read(entry)))
    zip.readEntry()
  }
  zip.on('error', reject)
  zip.on('end', resolve)
  zip.on('entry', (entry: Entry) => void take(entry).catch(reject))
  zip.readEntry()
  await ended
  return files
}
