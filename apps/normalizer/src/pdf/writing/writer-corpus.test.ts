import { describe, expect, test } from 'vitest'
import {
  type CorpusFile,
  corpusFiles,
  ordinaryFiles,
  readCorpusFile,
  withoutCorpus,
} from '../../../test/corpus-files.ts'
import { pagesOf } from '../../../test/page-document.ts'
import { hasQpdf, qpdf, withoutQpdf } from '../../../test/qpdf.ts'
import { readPdf } from '../reading/read-pdf.ts'
import { writePdf } from './writer.ts'

/** Damage is mended in an earlier stage. */
const intact = ordinaryFiles.filter(({ category }) => category !== 'damaged')
const sample = intact.filter((_, index) => index % 20 === 7)
const options = { linearize: true, objectStreams: true, version: '1.7' } as const

describe.runIf(corpusFiles.length > 0)(`Real files${withoutCorpus}`, () => {
  test('come out the same in every run, and again from their own output', () => {
    const changing = sample.filter((entry) => {
      const bytes = readCorpusFile(entry)
      const output = writePdf(readPdf(bytes).graph, options)
      const again = writePdf(readPdf(bytes).graph, options)
      const twice = writePdf(readPdf(output).graph, options)
      return !isSame(output, again) || !isSame(output, twice)
    })
    expect(changing.map(({ file }) => file)).toEqual([])
  })

  test('keep all their pages', () => {
    const counts = sample.map((entry) => [
      entry.file,
      pagesOf(readPdf(written(entry)).graph).length,
    ])
    expect(counts).toEqual(sample.map(({ file, pages }) => [file, pages]))
  })

  test.runIf(hasQpdf)(`are linearized without a fault${withoutQpdf}`, () => {
    const verdicts = sample.map((entry) => [
      entry.file,
      qpdf(written(entry), '--check-linearization').says,
    ])
    expect(verdicts).toEqual(sample.map(({ file }) => [file, 'F: no linearization errors']))
  })

  test.runIf(hasQpdf)(`that are clean for qpdf stay so${withoutQpdf}`, () => {
    const clean = sample.filter(({ qpdf_rc }) => qpdf_rc === 0)
    expect(clean.length).toBeGreaterThan(0)
    const codes = clean.map((entry) => [entry.file, qpdf(written(entry), '--check').code])
    expect(codes).toEqual(clean.map(({ file }) => [file, 0]))
  })
})

function written(entry: CorpusFile): Uint8Array {
  return writePdf(readPdf(readCorpusFile(entry)).graph, options)
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0
}
