import { createReadStream, openAsBlob } from 'node:fs'
import { Pdfnorm, type PdfSource } from '../src/index.ts'

/**
 * Moves a small file and then a large one, in a process of its own. Prints by how many bytes the process grew at its
 * highest while it moved the large one.
 *
 * Arguments: address of the service; `up` and two paths, or `down` and two hashes.
 */
const [baseUrl = '', direction = '', small = '', large = ''] = process.argv.slice(2)
const pdfnorm = new Pdfnorm({ baseUrl, apiKey: null, maxRetries: 0 })
const move = direction === 'up' ? upload : download

await move(small)
const before = highestBytes()
await move(large)
process.stdout.write(String(highestBytes() - before))

async function upload(path: string): Promise<void> {
  const sources: PdfSource[] = [
    path,
    await openAsBlob(path),
    createReadStream(path),
    (await openAsBlob(path)).stream(),
    () => createReadStream(path),
    new Response(await openAsBlob(path)),
  ]
  for (const source of sources) await pdfnorm.normalize(source)
}

async function download(hash: string): Promise<void> {
  await pdfnorm.downloadArtifact(hash).stream().pipeTo(new WritableStream())
}

/** As long as the process has lived. */
function highestBytes(): number {
  return process.resourceUsage().maxRSS * 1024
}
