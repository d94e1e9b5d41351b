import { describe, expect, test, vi } from 'vitest'
import { rulesOf, suiteFlavour } from '../grade/pdfa-facts.ts'
import { readPdf } from '../src/pdf/reading/read-pdf.ts'
import { validatePdfa } from '../src/pdfa/validate-pdfa.ts'
import { corpusFiles, readCorpusFile, withoutCorpus } from './corpus-files.ts'

// All files of the suites are held against their flavours in the first test that asks.
vi.setConfig({ testTimeout: 60_000 })

const suites = corpusFiles.filter(({ pdfa }) => typeof pdfa?.corpus_verdict === 'string')

describe.skipIf(suites.length === 0)(`the suites for PDF/A${withoutCorpus}`, () => {
  test('no file that complies is said not to', () => {
    const wrong = judgedFiles().filter(({ passes, compliant }) => passes && !compliant)

    expect(wrong).toEqual([])
  })

  test('hardly a file that does not comply is said to', () => {
    const wrong = judgedFiles().filter(({ passes, compliant }) => !passes && compliant)

    expect(wrong.map(({ file }) => withoutDigest(file))).toEqual(acceptedForGood)
  })

  test('the clause that a file breaks is among those that are named', () => {
    const broken = judgedFiles().filter(({ clause, passes }) => !passes && /^\d/.test(clause))
    const named = broken.filter(({ clause, rules }) =>
      rules.some((rule) => rule.startsWith(`${clause} t`)),
    )

    expect(named.length).toBeGreaterThan(broken.length * 0.97)
  })

  test('every file is judged to its end', () => {
    expect(judgedFiles().filter(({ completed }) => !completed)).toEqual([])
  })
})

/** ISO 19005-4, 6.1.3, lets PieceInfo stand without Info, whatever the file says of itself; veraPDF lets it, too. */
const acceptedForGood = ['veraPDF_test_suite_6-1-3-t04-fail-b.pdf']

interface JudgedFile {
  readonly file: string
  readonly passes: boolean
  readonly clause: string
  readonly completed: boolean
  readonly compliant: boolean
  readonly rules: readonly string[]
}

let judged: readonly JudgedFile[] | null = null

function judgedFiles(): readonly JudgedFile[] {
  judged ??= suites.map((known) => {
    const file = readPdf(readCorpusFile(known))
    const { completed, compliant, errors } = validatePdfa(file, suiteFlavour(known, file))
    return {
      file: known.file,
      passes: known.pdfa?.corpus_verdict === 'pass',
      clause: known.pdfa?.clause ?? '',
      completed,
      compliant,
      rules: rulesOf(errors),
    }
  })
  return judged
}

function withoutDigest(file: string): string {
  return file.replace(/^.*\/[0-9a-f]{12}_/, '')
}
