import { describe, expect, test } from 'vitest'
import { MalformedPdfError, ResourceLimitError } from '../src/pdf/reading/read-limits.ts'
import { listPages } from '../src/pdf/page-tree.ts'
import { readPdf } from '../src/pdf/reading/read-pdf.ts'
import { walkReachable } from '../src/pdf/reachable.ts'
import { corpusFiles, ordinaryFiles, readCorpusFile, withoutCorpus } from './corpus-files.ts'

/** Of the files about which something is known, each eighth. */
const everyEighth = <T>(files: readonly T[]): T[] => files.filter((_, index) => index % 8 === 0)

/** Two pages of this one are announced; the second is missing in the file. */
const withFewerPages = ['f27c436f7dc2_PDFBOX-6040-nodeloop']

describe.skipIf(corpusFiles.length === 0)(`the corpus${withoutCorpus}`, () => {
  test('is read with as many pages as other readers count', () => {
    const wrong: string[] = []
    for (const known of everyEighth(ordinaryFiles)) {
      if (withFewerPages.some((name) => known.file.includes(name))) continue
      const { graph, encrypted } = readPdf(readCorpusFile(known))
      const pages = listPages(graph).length
      if (encrypted || pages !== known.pages) wrong.push(`${known.file}: ${pages} pages`)
    }
    expect(wrong).toEqual([])
  })

  test('tells encrypted files from others', () => {
    const encrypted = corpusFiles.filter((known) => known.encrypted)
    const missed = encrypted.filter((known) => !readPdf(readCorpusFile(known)).encrypted)
    expect(missed.map(({ file }) => file)).toEqual([])
  })

  test('never makes reading crash, however damaged or hostile a file is', () => {
    const odd = corpusFiles.filter(({ category, opens_in_qpdf }) => {
      return opens_in_qpdf === false || /bombs|damaged|anomalies|not-a-pdf/.test(category)
    })
    const faults = odd.map((known) => fault(readCorpusFile(known))).filter((error) => error)
    expect(faults).toEqual([])
  })
})

/** What was thrown other than the refusals that reading promises. */
function fault(bytes: Uint8Array): unknown {
  try {
    const { graph } = readPdf(bytes)
    walkReachable(graph, {})
    for (const number of graph.numbers()) graph.get(number)
    return null
  } catch (error) {
    return error instanceof MalformedPdfError || error instanceof ResourceLimitError ? null : error
  }
}
