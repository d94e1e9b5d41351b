import { once } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { unzip } from '../../test/zip.ts'
import { ArchiveBrokenOff, openExportArchive } from './export-archive.ts'

test('an archive of thousands of files has each of them in its directory', async () => {
  const archive = openExportArchive(new Date())
  const whole = buffer(archive.bytes)
  const files = 3000
  for (let number = 1; number <= files; number += 1) {
    await archive.add(`originals/${number}.pdf`, [`${number}`], { compress: false })
  }
  await archive.finish()

  const found = await unzip(await whole)
  expect(found.size).toBe(files + 1)
  expect(found.get(`originals/${files}.pdf`)?.toString()).toBe(String(files))
  expect(found.get('SHA256SUMS')?.toString().trimEnd().split('\n')).toHaveLength(files)
})

test('who writes waits for who reads: no file is in memory as a whole', async () => {
  const archive = openExportArchive(new Date())
  const reader = archive.bytes.pipe(new PassThrough())
  let taken = 0
  const large = Readable.from(
    (function* () {
      for (; taken < 1000; taken += 1) yield Buffer.alloc(64 * 1024)
    })(),
  )
  const added = archive.add('large.pdf', large, { compress: false })
  await once(reader, 'readable')
  await new Promise((resolve) => setImmediate(resolve))
  expect(taken).toBeLessThan(100)

  const whole = buffer(reader)
  await added
  await archive.finish()
  expect((await unzip(await whole)).get('large.pdf')).toHaveLength(1000 * 64 * 1024)
})

test('a file that fails breaks the archive off, and so does its reader when he goes', async () => {
  const failing = openExportArchive(new Date())
  const whole = buffer(failing.bytes)
  const content = (function* () {
    yield 'a part'
    throw new Error('the disk is broken')
  })()
  await expect(failing.add('file', content)).rejects.toThrow('the disk is broken')
  await expect(whole).rejects.toThrow('Premature close')
  await expect(failing.add('next', ['more'])).rejects.toThrow(ArchiveBrokenOff)

  const unread = openExportArchive(new Date())
  const added = unread.add('large', Readable.from([Buffer.alloc(10_000_000, 'x')]), {
    compress: false,
  })
  unread.bytes.destroy()
  await expect(added).rejects.toThrow(ArchiveBrokenOff)
})
