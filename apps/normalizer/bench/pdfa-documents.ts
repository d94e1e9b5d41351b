import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { suiteFlavour } from '../grade/pdfa-facts.ts'
import { readPdf } from '../src/pdf/reading/read-pdf.ts'
import type { Flavour } from '../src/pdfa/flavour.ts'
import { corpusFiles, readCorpusFile } from '../test/corpus-files.ts'
import { type PdfBody, stream } from '../test/fixture/build-pdf.ts'
import { cffProgram } from '../test/fixture/font-program.ts'
import { type Entries, pdfaDocument } from '../test/fixture/pdfa-document.ts'

export interface PdfaBenchDocument {
  readonly name: string
  readonly flavour: Flavour
  readonly bytes: Uint8Array
}

/** Files of the suites that comply, at most so many; none where the corpus is not there. */
export function suiteDocuments(limit: number): PdfaBenchDocument[] {
  const complying = corpusFiles.filter(({ pdfa }) => pdfa?.corpus_verdict === 'pass')
  const step = Math.max(1, Math.ceil(complying.length / limit))
  return complying
    .filter((_, index) => index % step === 0)
    .map((known) => {
      const bytes = readCorpusFile(known)
      return { name: known.file, flavour: suiteFlavour(known, readPdf(bytes)), bytes }
    })
}

/** Larger ones that comply as well, each of many things of one kind. */
export function largeDocuments(): PdfaBenchDocument[] {
  return [
    ofPages('2000 pages of text', '2b', 2_000, (page, _, font) => ({
      content: lines(page, 60),
      resources: `/Font << /F1 ${font} >>`,
    })),
    ofPages('2000 pages of text, deflated', '1b', 2_000, (page, _, font) => ({
      content: lines(page, 60),
      deflated: true,
      resources: `/Font << /F1 ${font} >>`,
    })),
    ofPages('400 fonts', '2u', 400, (page, add) => ({
      content: lines(page, 4),
      resources: `/Font << /F1 ${fontOf(add, `${subsetTag(page)}+Test`)} >>`,
    })),
    ofPages('12 images of 1 MiB', '3b', 12, (page, add) => ({
      content: 'q 200 0 0 200 100 100 cm /Im Do Q',
      resources: `/XObject << /Im ${add(image(page))} >>`,
    })),
    ofPages('40000 links', '2b', 400, (page, add) => ({
      content: '0 0 1 rg 100 100 200 200 re f',
      page: {
        Annots: `[${Array.from({ length: 100 }, (_, at) => add(link(page, at))).join(' ')}]`,
      },
    })),
    ofPages('20000 forms', '4', 200, (page, add) => {
      const forms = Array.from({ length: 100 }, (_, at) => add(form(page, at)))
      return {
        content: forms.map((_, at) => `/X${at} Do`).join('\n'),
        resources: `/XObject << ${forms.map((object, at) => `/X${at} ${object}`).join(' ')} >>`,
      }
    }),
  ]
}

interface Page {
  readonly content: string
  readonly deflated?: boolean
  /** Entries of the resources. */
  readonly resources?: string
  readonly page?: Entries
}

/** Adds an object; the reference to it. */
type Add = (body: PdfBody) => string

function ofPages(
  name: string,
  flavour: Flavour,
  count: number,
  pageOf: (page: number, add: Add, font: string) => Page,
): PdfaBenchDocument {
  const objects: Record<number, PdfBody> = {}
  let next = 20
  const add: Add = (body) => {
    objects[next] = body
    return `${next++} 0 R`
  }
  const font = fontOf(add, 'AAAAAA+Test')
  const kids = Array.from({ length: count }, (_, index) => {
    const { content, deflated = false, resources = '', page = {} } = pageOf(index, add, font)
    const contents = add(
      deflated ? stream(deflateSync(content), '/Filter /FlateDecode') : stream(content),
    )
    const others = Object.entries(page).map(([key, value]) => `/${key} ${value}`)
    return add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${contents} ` +
        `/Resources << ${resources} >> ${others.join(' ')} >>`,
    )
  })
  objects[2] = `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${count} >>`
  return { name, flavour, bytes: pdfaDocument(flavour, { objects }) }
}

/** Lines of capital letters, each in another order. */
function lines(page: number, count: number): string {
  const shown = Array.from({ length: count }, (_, line) => {
    const start = (page * 7 + line * 11) % 26
    const letters = `${alphabet.slice(start)}${alphabet.slice(0, start)}`
    return `(${letters}${letters}) Tj 0 -11 Td`
  })
  return `BT /F1 9 Tf 36 756 Td\n${shown.join('\n')}\nET`
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const letters = Array.from(alphabet)

function subsetTag(number: number): string {
  return number
    .toString(26)
    .padStart(6, '0')
    .replace(/./g, (digit) => alphabet[parseInt(digit, 26)] ?? '')
}

function fontOf(add: Add, name: string): string {
  const program = cffProgram(letters.map((letter) => [letter.charCodeAt(0), letter]))
  const charSet = letters.map((letter) => `/${letter}`).join('')
  const file = add(stream(program, '/Subtype /Type1C'))
  const descriptor = add(
    `<< /Type /FontDescriptor /FontName /${name} /Flags 32 /FontBBox [0 0 0 0] /ItalicAngle 0 ` +
      `/Ascent 0 /Descent 0 /CapHeight 0 /StemV 0 /CharSet (${charSet}) /FontFile3 ${file} >>`,
  )
  return add(
    `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding /FirstChar 65 ` +
      `/LastChar 90 /Widths [${'0 '.repeat(26)}] /FontDescriptor ${descriptor} >>`,
  )
}

function image(seed: number): PdfBody {
  const width = 1024 * 1024
  const data = createHash('shake256', { outputLength: width }).update(`${seed}`).digest()
  return stream(
    data,
    `/Type /XObject /Subtype /Image /Width ${width} /Height 1 /BitsPerComponent 8 ` +
      '/ColorSpace /DeviceGray /Filter /DCTDecode',
  )
}

function link(page: number, at: number): string {
  return (
    `<< /Type /Annot /Subtype /Link /F 4 /Rect [${at} 10 ${at + 5} 20] ` +
    `/A << /S /URI /URI (http://example.org/${page}/${at}) >> >>`
  )
}

function form(page: number, at: number): PdfBody {
  return stream(
    `q ${at + 1} 0 0 ${page + 1} 0 0 cm 0 0 1 rg 0 0 1 1 re f Q`,
    '/Type /XObject /Subtype /Form /BBox [0 0 100 100]',
  )
}
