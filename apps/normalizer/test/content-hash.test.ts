import { createHash } from 'node:crypto'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { normalize } from '../src/normalize.ts'
import { type CorpusFile, ordinaryFiles, readCorpusFile, withoutCorpus } from './corpus-files.ts'
import { buildPdf, onePage, stream } from './fixture/build-pdf.ts'
import { hashedText, helvetica, shownIn, textPage } from './fixture/shown-text.ts'

// Processes are started and files of the corpus read, over which a busy machine takes its time.
vi.setConfig({ testTimeout: 60_000 })

describe('the content hash', () => {
  test('is that of the text of all pages, with a form feed between them', async () => {
    const outcome = await normalize(twoPages('(Hello) Tj 0 -20 Td (world) Tj', '(Page two) Tj'))
    const expected = createHash('sha256').update('Hello world\fPage two').digest('hex')
    expect(outcome).toMatchObject({ kind: 'normalized', normalized: { contentHash: expected } })
    expect(outcome.stages[9]?.result).toBe(`sha256:${expected}`)
  })

  test('stays when only the layout changes', async () => {
    const one = await hashOf(twoPages('(Same) Tj 0 -20 Td (text) Tj', ''))
    expect(await hashOf(twoPages('0 30 Td (Same) Tj 0 -40 Td (text) Tj', ''))).toBe(one)
    expect(await hashOf(twoPages('(Same text) Tj', ''))).toBe(one)
    expect(await hashOf(twoPages('(Same texts) Tj', ''))).not.toBe(one)
  })

  test('is that of its own output, also where entries lead to nothing', async () => {
    const file = buildPdf({
      objects: {
        ...onePage('[shown]'),
        5: '<< /Type /Font /Subtype /Type1 /BaseFont /ABCDEF+Own /FontDescriptor 6 0 R >>',
        6: '<< /Type /FontDescriptor /FontName /ABCDEF+Own /Flags 4 /FontFile 99 0 R >>',
      },
    })
    const first = await normalize(file)
    if (first.kind !== 'normalized') throw new Error('not normalized')
    expect(await hashOf(first.output)).toBe(first.normalized.contentHash)
    expect(await hashedText(file)).toBe('[shown]')
  })

  test('is none for a document without text, with a warning', async () => {
    const outcome = await normalize(twoPages('', '10 10 50 50 re f'))
    expect(outcome).toMatchObject({ kind: 'normalized', normalized: { contentHash: null } })
    expect(outcome.stages[9]?.result).toBe('image_only')
    expect(outcome.warnings.map(({ code }) => code)).toContain('IMAGE_ONLY_DOCUMENT')
  })

  test('counts invisible text, which scanned pages have, and text outside the page', async () => {
    expect(await hashedText(showing('3 Tr (scanned) Tj'))).toBe('scanned')
    expect(await hashedText(showing('9000 0 Td (far out) Tj'))).toBe('far out')
  })
})

test('text is composed over glyphs and strings', async () => {
  const font =
    '<< /Type /Font /Subtype /Type1 /BaseFont /Test /Encoding << /Differences [1 /acutecomb /uni212B /uni00A0] >> >>'
  expect(await shownIn(font, '(Cafe) Tj <01> Tj <02 03 03> Tj (  x )')).toBe('Caf\u00e9\u00c5 x')
})

describe('words', () => {
  test('are apart where the writer moved on by more than kerning', async () => {
    expect(await hashedText(showing('[(A) 120 (W) -120 (ay) -170 (home)] TJ'))).toBe('AWay home')
    expect(await hashedText(showing('(to) Tj 12 0 Td (gether) Tj'))).toBe('to gether')
    // Helvetica's "to" is 0.834 em wide.
    expect(await hashedText(showing('(to) Tj 10.008 0 Td (gether) Tj'))).toBe('together')
  })

  test('are apart however many moves a line has', async () => {
    const words = Array.from({ length: 300 }, (_, index) => `w${index}`)
    const line = words.map((word) => `(${word})-300`).join('')
    expect(await hashedText(showing(`[${line}] TJ`))).toBe(words.join(' '))
  })

  test('are apart on different lines and not by a raised letter', async () => {
    expect(await hashedText(showing('(one) Tj T* 14 TL T* (two) Tj'))).toBe('one two')
    expect(await hashedText(showing('14 TL (one) Tj (two) \' 0 0 (three) "'))).toBe('one two three')
    expect(await hashedText(showing('(x) Tj 4 Ts 8 0 0 8 0 0 Tm 0 Ts (y) Tj'))).toBe('x y')
    expect(await hashedText(showing('(x) Tj 4 Ts (2) Tj'))).toBe('x2')
  })

  test('keep together over text objects, character spacing and turned pages', async () => {
    const turned = '0 1 -1 0 300 300 cm BT /F1 12 Tf 6 Tc (to) Tj 30 0 Td (x) Tj ET'
    expect(await hashedText(textPage({ content: turned }))).toBe('to x')
    const onward = 'BT /F1 12 Tf 50 700 Td (to) Tj ET q BT /F1 12 Tf 60.008 700 Td (gether) Tj ET Q'
    expect(await hashedText(textPage({ content: onward }))).toBe('together')
    expect(await hashedText(showing('3 Tc (spaced) Tj'))).toBe('spaced')
  })

  test('are single spaces apart however many there are', async () => {
    expect(await hashedText(showing('(a  ) Tj 40 0 Td ( b) Tj'))).toBe('a b')
  })
})

describe('ActualText', () => {
  test('replaces what its mark covers, marks within and forms too', async () => {
    const content =
      '(before ) Tj /Span << /MCID 0 /ActualText (fi) >> BDC (\\001) Tj ' +
      '/Span << /ActualText (no) >> BDC (x) Tj EMC EMC (after) Tj'
    expect(await hashedText(showing(content))).toBe('before fiafter')
    const utf16 = '/Span << /Lang (de) /ActualText <FEFF00E4> >> BDC (a) Tj EMC'
    expect(await hashedText(showing(utf16))).toBe('\u00e4')
    expect(
      await hashedText(showing('(a) Tj /Span << /ActualText () >> BDC (-) Tj EMC (b) Tj')),
    ).toBe('ab')
  })

  test('is found in the property lists of the resources', async () => {
    const content = 'BT /F1 12 Tf /Span /P1 BDC (x) Tj EMC ET'
    const resources = '/Properties << /P1 << /ActualText (named) >> >>'
    expect(await hashedText(textPage({ content, resources }))).toBe('named')
  })

  test('speaks for a picture that it covers', async () => {
    const content = '/Figure << /ActualText (Drawn) >> BDC 0 0 9 9 re f EMC BT /F1 9 Tf (x) Tj ET'
    expect(await hashedText(textPage({ content }))).toBe('Drawn x')
  })

  test('is the value of its own key alone', async () => {
    const content = '/Span << /Alt (ActualText) /X << /ActualText (no) >> >> BDC (yes) Tj EMC'
    expect(await hashedText(showing(content))).toBe('yes')
  })
})

describe('form XObjects', () => {
  const form = (entries: string, content: string): ReturnType<typeof stream> =>
    stream(content, `/Type /XObject /Subtype /Form /BBox [0 0 600 800] ${entries}`)
  const fonts = '/Resources << /Font << /F1 5 0 R >> >>'

  test('give their text where they are drawn, each time', async () => {
    const bytes = textPage({
      content: 'BT /F1 9 Tf 10 10 Td (a) Tj ET /Fm Do q 1 0 0 1 0 -50 cm /Fm Do Q',
      resources: '/XObject << /Fm 10 0 R >>',
      objects: { 10: form(`/Matrix [1 0 0 1 90 90] ${fonts}`, 'BT /F1 9 Tf (stamp) Tj ET') },
    })
    expect(await hashedText(bytes)).toBe('a stamp stamp')
  })

  test('inherit resources and text state, and keep their own state to themselves', async () => {
    const bytes = textPage({
      content: 'BT /F1 9 Tf ET /Fm Do BT 0 -20 Td (after) Tj ET',
      resources: '/XObject << /Fm 10 0 R >>',
      objects: { 10: form('', 'BT (inherited) Tj /None 9 Tf (unseen) Tj ET q q q') },
    })
    expect(await hashedText(bytes)).toBe('inherited after')
  })

  test('that draw themselves are drawn once', async () => {
    const bytes = textPage({
      content: '/Fm Do',
      resources: '/XObject << /Fm 10 0 R >>',
      objects: {
        10: form(
          '/Resources << /Font << /F1 5 0 R >> /XObject << /Fm 10 0 R >> >>',
          'BT /F1 9 Tf (once) Tj ET /Fm Do /Fm Do',
        ),
      },
    })
    expect(await hashedText(bytes)).toBe('once')
  })

  test('that draw each other more often than anyone can follow leave the document without a hash', async () => {
    const levels = 12
    const nested = Object.fromEntries(
      Array.from({ length: levels }, (_, level) => [
        10 + level,
        form(
          `/Resources << /Font << /F1 5 0 R >> /XObject << /Fm ${11 + level} 0 R >> >>`,
          level === levels - 1 ? 'BT /F1 9 Tf (x) Tj ET' : '/Fm Do '.repeat(50),
        ),
      ]),
    )
    const bytes = textPage({
      content: '/Fm Do',
      resources: '/XObject << /Fm 10 0 R >>',
      objects: nested,
    })
    const outcome = await normalize(bytes)
    expect(outcome.kind).toBe('normalized')
    expect(outcome.stages[9]?.result).toBe('unavailable')
    expect(outcome.warnings.map(({ code }) => code)).toContain('TEXT_EXTRACTION_FAILED')
  })

  test('without text are passed over, however often they are drawn', async () => {
    const nested = Object.fromEntries(
      Array.from({ length: 12 }, (_, level) => [
        10 + level,
        form(
          `/Resources << /XObject << /Fm ${11 + level} 0 R >> >>`,
          level === 11 ? '0 0 1 1 re f' : '/Fm Do '.repeat(50),
        ),
      ]),
    )
    const bytes = textPage({
      content: '/Fm Do BT /F1 9 Tf (after all) Tj ET',
      resources: '/XObject << /Fm 10 0 R >>',
      objects: nested,
    })
    expect(await hashedText(bytes)).toBe('after all')
  })
})

test('inline images, comments and broken operators do not disturb the text', async () => {
  const content =
    '(a) Tj BI /W 2 /H 2 /BPC 8 /CS /G ID (b)TjEI EI (c) Tj % (d) Tj\n' +
    '(e) Tj )) >> ] 1 2 nonsense (f\\(g\\)) Tj <6> Tj'
  expect(await hashedText(showing(content))).toBe('acef(g)`')
})

test('a content stream may be cut between any two tokens', async () => {
  const parts = ['BT /F1 12 Tf 50', '700 Td [(cut', ') 10 (here)]', 'TJ ET']
  const whole = 'BT /F1 12 Tf 50 700 Td [(cut ) 10 (here)] TJ ET'
  const bytes = buildPdf({
    objects: {
      ...onePage(),
      3:
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] ' +
        '/Contents [4 0 R 10 0 R 11 0 R] /Resources << /Font << /F1 5 0 R >> >> >>',
      4: stream(parts[0] ?? ''),
      10: stream('700 Td [(cut )'),
      11: stream('10 (here)] TJ ET'),
    },
  })
  expect(await hashedText(bytes)).toBe(await hashedText(textPage({ content: whole })))
})

test.skipIf(ordinaryFiles.length === 0)(
  `the hash of an output is that of its input, over the corpus${withoutCorpus}`,
  async () => {
    const wrong: string[] = []
    for (const known of sample(120)) {
      const first = await normalize(readCorpusFile(known))
      if (first.kind !== 'normalized') continue
      const again = await normalize(first.output)
      const hash = again.kind === 'normalized' ? again.normalized.contentHash : again.kind
      if (hash !== first.normalized.contentHash) wrong.push(known.file)
    }
    expect(wrong).toEqual([])
  },
)

for (const [tool, ...commands] of [
  ['qpdf', ['--object-streams=disable'], ['--linearize'], ['--qdf']],
  ['mutool', ['clean', '-gggg']],
] as const) {
  const isThere = spawnSync(tool, ['--version']).error === undefined
  test.skipIf(!isThere)(
    `the hash stays when ${tool} saves the file anew${isThere ? '' : ' (skipped: it is not installed)'}`,
    async () => {
      const own = showing('[(A) 120 (W) -120 (ay) -170 (home)] TJ 0 -13.7 TD <8493> Tj')
      for (const bytes of [own, ...sample(200).map((known) => readCorpusFile(known))]) {
        const hash = await hashOf(bytes)
        for (const options of commands) {
          const saved = savedBy(tool, options, bytes)
          expect(saved === null ? hash : await hashOf(saved)).toBe(hash)
        }
      }
      expect(savedBy(tool, commands[0], own)).not.toBeNull()
    },
  )
}

/** One of so many, of the files that every reader opens; none without the corpus. */
function sample(every: number): CorpusFile[] {
  return ordinaryFiles.filter((_, index) => index % every === 7)
}

/** null when the tool did not write the file. */
function savedBy(tool: string, options: readonly string[], bytes: Uint8Array): Uint8Array | null {
  const folder = mkdtempSync(join(tmpdir(), 'pdfnorm-'))
  try {
    const [input, output] = [join(folder, 'input.pdf'), join(folder, 'output.pdf')]
    writeFileSync(input, bytes)
    spawnSync(tool, [...options, input, output])
    return new Uint8Array(readFileSync(output))
  } catch {
    return null
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function hashOf(bytes: Uint8Array): Promise<string | null> {
  const outcome = await normalize(bytes, {
    linearize: false,
    removeAnnotations: false,
    signedPdfPolicy: 'strip',
    pdfaPolicy: 'preserve',
  })
  return outcome.kind === 'normalized' ? outcome.normalized.contentHash : outcome.kind
}

function showing(operators: string): Uint8Array {
  return textPage({ content: `BT /F1 12 Tf 50 700 Td ${operators} ET` })
}

function twoPages(...contents: readonly [string, string]): Uint8Array {
  const page = (content: number): string =>
    `<< /Type /Page /Parent 2 0 R /Contents ${content} 0 R >>`
  return buildPdf({
    objects: {
      1: '<< /Type /Catalog /Pages 2 0 R >>',
      2: '<< /Type /Pages /Count 2 /Kids [3 0 R 6 0 R] /MediaBox [0 0 400 400] /Resources << /Font << /F1 5 0 R >> >> >>',
      3: page(4),
      4: stream(`BT /F1 12 Tf 50 300 Td ${contents[0]} ET`),
      5: helvetica,
      6: page(7),
      7: stream(`BT /F1 12 Tf 50 300 Td ${contents[1]} ET`),
    },
  })
}
