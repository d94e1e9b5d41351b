import { describe, expect, test } from 'vitest'
import { embeddedFileNames } from '../src/active-content/associated-files.ts'
import { isHarmlessFile } from '../src/active-content/harmless-file.ts'
import { scanOutput } from '../src/active-content/second-scan.ts'
import { normalize } from '../src/normalize.ts'
import { defaultOptions, type NormalizeOptions } from '../src/options.ts'
import type { NormalizedOutcome } from '../src/outcome.ts'
import { readPdf } from '../src/pdf/reading/read-pdf.ts'
import type { Flavour } from '../src/pdfa/flavour.ts'
import { validatePdfa } from '../src/pdfa/validate-pdfa.ts'
import { stream } from './fixture/build-pdf.ts'
import { type PdfaChanges, pdfaDocument } from './fixture/pdfa-document.ts'

const invoice = '<?xml version="1.0"?><Invoice><Total>42</Total></Invoice>'

describe('the files that a PDF/A-3 associates with itself', () => {
  test('are taken out by default, and the warning names them', async () => {
    const outcome = await normalized(withFiles('3b'), false)
    expect(outcome.security.embeddedFilesRemoved).toBe(true)
    expect(outcome.validation).toMatchObject({ pdfaPreserved: true, pdfaCompliant: true })
    expect(messages(outcome)).toHaveLength(1)
    expect(messages(outcome)[0]).toMatch(/: factur-x\.xml\. .*KEEP_ASSOCIATED_FILES_OF_PDFA3/)
    expect(scanOutput(outcome.output)).toEqual([])
  })

  test.for(['3b', '3u', '4f'] as const)(
    'stay where the deployment keeps them: %s',
    async (flavour) => {
      const outcome = await normalized(withFiles(flavour))
      expect(outcome.security.embeddedFilesRemoved).toBe(false)
      expect(outcome.validation).toMatchObject({ pdfaPreserved: true, pdfaCompliant: true })
      expect(messages(outcome)).toEqual([])
      expect(outcome.healthScore).toBe(100)
      expect(embedded(outcome)).toEqual(['factur-x.xml'])
      expect(validatePdfa(readPdf(outcome.output), flavour).errors).toEqual([])

      const again = await normalized(outcome.output)
      expect(Buffer.compare(again.output, outcome.output)).toBe(0)
    },
  )

  test('are written with nothing else that hung on them', async () => {
    const outcome = await normalized(
      withFiles('3b', {
        specification:
          '/RF << /F [(factur-x.xml) 21 0 R] >> /Thumb 30 0 R /CI << /Secret (canary) >>',
        file: '/Private (canary)',
        objects: { 30: stream('canary') },
      }),
    )
    expect(embedded(outcome)).toEqual(['factur-x.xml'])
    expect(Buffer.from(outcome.output).includes('canary')).toBe(false)
  })

  test('go with the claim', async () => {
    const outcome = await normalized(withFiles('3b'), true, { pdfaPolicy: 'normalize_anyway' })
    expect(embedded(outcome)).toEqual([])
    expect(messages(outcome)[0]).toContain('kept under pdfa_policy=preserve only')
    expect(outcome.security.embeddedFilesRemoved).toBe(true)
    expect((await normalized(withFiles('2b'))).security.embeddedFilesRemoved).toBe(true)
  })

  test.for<[string, Parameters<typeof withFiles>[1]]>([
    ['is called like a program', { name: 'factur-x.hta' }],
    ['has two names', { otherName: 'factur-x.exe' }],
    ['has two contents', { files: '/F 21 0 R /UF 22 0 R', objects: { 22: stream(invoice) } }],
    ['is another type', { type: '/application#2Foctet-stream' }],
    ['is of another type than it says', { data: '%PDF-1.7' }],
    ['is named by no /AF', { catalog: { AF: null } }],
    ['has no relationship', { relationship: '' }],
    ['lies in another file', { file: '/F (other.xml)' }],
    ['is damaged', { file: '/Filter /FlateDecode' }],
  ])('go where one %s', async ([, difference]) => {
    const outcome = await normalized(withFiles('3b', difference))
    expect(embedded(outcome)).toEqual([])
    expect(outcome.security.embeddedFilesRemoved).toBe(true)
    expect(scanOutput(outcome.output)).toEqual([])
  })

  test('go all of them where a document has more than it can mean', async () => {
    const list = Array.from({ length: 200 }, () => '20 0 R').join(' ')
    const elements = Array.from({ length: 200 }, (_, index) => [
      100 + index,
      '<< /Type /StructElem /S /P /AF 99 0 R >>',
    ])
    const objects = { ...Object.fromEntries(elements), 99: `[${list}]` }
    const outcome = await normalized(withFiles('3b', { objects }))
    expect(embedded(outcome)).toEqual([])
  })

  test('leave those behind that are not harmless', async () => {
    const outcome = await normalized(
      withFiles('3b', {
        catalog: { AF: '[20 0 R 23 0 R]', Names: names('(a) 23 0 R (b) 20 0 R') },
        objects: {
          23: '<< /Type /Filespec /F (run.exe) /UF (run.exe) /AFRelationship /Data /EF << /F 24 0 R >> >>',
          24: stream('MZ canary', '/Type /EmbeddedFile /Subtype /application#2Foctet-stream'),
        },
      }),
    )
    expect(embedded(outcome)).toEqual(['factur-x.xml'])
    expect(messages(outcome)[0]).toContain(': run.exe. They are not of the kinds')
    expect(outcome.security.embeddedFilesRemoved).toBe(true)
    expect(Buffer.from(outcome.output).includes('canary')).toBe(false)
  })
})

test('the second scan lets no file through that it was not told of', async () => {
  const { output } = await normalized(withFiles('3b'))
  const keys = scanOutput(output).map(({ what }) => what)
  expect(keys).toEqual(
    expect.arrayContaining(['embedded file stream', 'key /EF', 'key /AF', 'key /EmbeddedFiles']),
  )
  expect(scanOutput(output, new Set(['0'.repeat(64)]))).toHaveLength(keys.length)
})

describe('a file is harmless', () => {
  test.for<[string, string, string]>([
    ['a.xml', 'text/xml', invoice],
    ['a.XML', 'application/xml', '\ufeff<a xmlns="urn:b"><!-- c --><?d e?></a>\n'],
    ['Rechnung 1 – Müller.json', 'application/json', '{"a": [1, "ü"]}'],
    ['a.csv', 'text/csv', 'a;b\r\n1;2\r\n'],
    ['a.txt', 'text/plain', 'Hello'],
  ])('%s of type %s', ([name, type, data]) => {
    expect(isHarmlessFile(name, type, Buffer.from(data))).toBe(true)
  })

  test('when it is XML in UTF-16', () => {
    expect(isHarmlessFile('a.xml', 'text/xml', Buffer.from(`\ufeff<a/>`, 'utf16le'))).toBe(true)
  })

  test.for<[string, string, string]>([
    ['a.xml', 'text/html', invoice],
    ['a.html', 'text/xml', invoice],
    ['../a.xml', 'text/xml', invoice],
    ['a\u202elmx.exe.xml', 'text/xml', invoice],
    ['.xml', 'text/xml', invoice],
    ['a.xml', 'text/xml', '<a>'],
    ['a.xml', 'text/xml', '<a/><b/>'],
    ['a.xml', 'text/xml', '<a/>&#60;script>'],
    ['a.xml', 'text/xml', '</all><all><a/>'],
    ['a.xml', 'text/xml', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'],
    ['a.xml', 'text/xml', '<?xml-stylesheet href="a.xsl" type="text/xsl"?><a/>'],
    ['a.xml', 'text/xml', '<a><s:script xmlns:s="http://www.w3.org/1999/xhtml">1</s:script></a>'],
    ['a.xml', 'text/xml', '<svg xmlns="http://www.w3.org/2000/svg" onload="1"/>'],
    ['a.json', 'application/json', '{'],
    ['a.json', 'application/json', '['.repeat(1_000_000)],
    ['a.csv', 'text/csv', '<html>'],
    ['a.txt', 'text/plain', '#!/bin/sh'],
    ['a.txt', 'text/plain', 'a\0b'],
    ['a.pdf', 'application/pdf', '%PDF-1.7'],
  ])('but not %s of type %s: %s', ([name, type, data]) => {
    expect(isHarmlessFile(name, type, Buffer.from(data))).toBe(false)
  })
})

interface FileChanges extends Pick<PdfaChanges, 'catalog' | 'objects'> {
  readonly name?: string
  readonly otherName?: string
  readonly type?: string
  readonly data?: string
  readonly relationship?: string
  readonly files?: string
  /** Further entries. */
  readonly specification?: string
  readonly file?: string
}

/** Complies with the flavour and has an invoice (specification 20, file 21), which differs by what is given. */
function withFiles(flavour: Flavour, changes: FileChanges = {}): Uint8Array {
  const { name = 'factur-x.xml', otherName = name, data = invoice } = changes
  const { type = '/text#2Fxml', relationship = '/AFRelationship /Data' } = changes
  const { files = '/F 21 0 R /UF 21 0 R', specification = '', file = '' } = changes
  return pdfaDocument(flavour, {
    catalog: { AF: '[20 0 R]', Names: names(`(${name}) 20 0 R`), ...changes.catalog },
    objects: {
      20: `<< /Type /Filespec /F (${otherName}) /UF (${name}) ${relationship} /EF << ${files} >> ${specification} >>`,
      21: stream(
        data,
        `/Type /EmbeddedFile /Subtype ${type} /Params << /ModDate (D:20261121) >> ${file}`,
      ),
      // The fixture's own file.
      ...(flavour === '4f' ? { 8: 'null', 9: 'null' } : {}),
      ...changes.objects,
    },
  })
}

function names(pairs: string): string {
  return `<< /EmbeddedFiles << /Names [${pairs}] >> >>`
}

async function normalized(
  bytes: Uint8Array,
  keepAssociatedFiles = true,
  options: Partial<NormalizeOptions> = {},
): Promise<NormalizedOutcome> {
  const pdfaSettings = { validator: { kind: 'internal' }, keepAssociatedFiles } as const
  const outcome = await normalize(bytes, { ...defaultOptions, ...options }, { pdfaSettings })
  if (outcome.kind !== 'normalized') throw new Error(`${outcome.kind}: ${outcome.failure.message}`)
  return outcome
}

function messages({ warnings }: NormalizedOutcome): string[] {
  return warnings
    .filter(({ code }) => code === 'ASSOCIATED_FILES_REMOVED')
    .map(({ message }) => message)
}

/** The names of the files that the output holds. */
function embedded({ output }: NormalizedOutcome): string[] {
  const { graph } = readPdf(output)
  return embeddedFileNames(graph)
}
