import { expect, test } from 'vitest'
import { type PageMark, pageMarks } from '../src/pdf/content/page-marks.ts'
import { listPages } from '../src/pdf/page-tree.ts'
import { dictionary, name, reference, stream } from './memory-graph.ts'
import { pageDocument } from './page-document.ts'
import type { PdfObject, PdfReference } from '../src/pdf/object.ts'

test('a string is marked by the widths of its font, where the matrices put it', () => {
  const [mark] = marksOf('2 0 0 2 0 0 cm BT /F1 10 Tf 50 100 Td (HH) Tj ET')
  expect(mark?.kind).toBe('text')
  expect(mark?.visible).toBe(true)
  // Helvetica's H is 722 thousandths wide.
  expect(mark?.box.left).toBeCloseTo(100)
  expect(mark?.box.right).toBeCloseTo(100 + 2 * 0.722 * 20)
  expect(mark?.box.bottom).toBeLessThan(200)
  expect(mark?.box.top).toBeGreaterThan(210)
})

test('text in an invisible mode, outside its clip or the page, and of no size cannot be seen', () => {
  const shown = '(text) Tj ET'
  for (const hidden of [
    `BT /F1 12 Tf 3 Tr 50 50 Td ${shown}`,
    `BT /F1 12 Tf 7 Tr 50 50 Td ${shown}`,
    `BT /F1 0 Tf 50 50 Td ${shown}`,
    `BT /F1 12 Tf 5000 50 Td ${shown}`,
    `0 0 10 10 re W n BT /F1 12 Tf 50 50 Td ${shown}`,
    `/Clear gs BT /F1 12 Tf 50 50 Td ${shown}`,
    `/OC /Off BDC BT /F1 12 Tf 50 50 Td ${shown} EMC`,
  ]) {
    const [mark, ...others] = marksOf(hidden)
    expect({ hidden, kind: mark?.kind, visible: mark?.visible, opaque: mark?.opaque }).toEqual({
      hidden,
      kind: 'text',
      visible: false,
      opaque: false,
    })
    expect(others).toEqual([])
  }
})

test('what is clipped in a saved state is free again afterwards', () => {
  const marks = marksOf('q 0 0 10 10 re W n Q BT /F1 12 Tf 50 50 Td (text) Tj ET')
  expect(marks.map(({ visible }) => visible)).toEqual([true])
})

test('a filled rectangle hides what is below it; a line, a curve, a stroke and a transparent one do not', () => {
  const opaque = (content: string): boolean | undefined => marksOf(content)[0]?.opaque
  expect(opaque('10 10 100 50 re f')).toBe(true)
  expect(opaque('10 10 m 110 10 l 110 60 l 10 60 l h f')).toBe(true)
  expect(opaque('10 10 m 110 10 l 60 60 l f')).toBe(false)
  expect(opaque('10 10 m 110 10 l 110 60 110 60 10 60 c f')).toBe(false)
  expect(opaque('10 10 100 50 re S')).toBe(false)
  expect(opaque('/Half gs 10 10 100 50 re f')).toBe(false)
  expect(opaque('0.7 0.7 -0.7 0.7 0 0 cm 10 10 100 50 re f')).toBe(false)
  expect(opaque('/Pattern cs /P scn 10 10 100 50 re f')).toBe(false)
  expect(opaque('/Pattern cs /P scn 0 g 10 10 100 50 re f')).toBe(true)
})

test('marks come in the order in which the page paints, those of forms in between', () => {
  const marks = marksOf(
    '0 0 10 10 re f q 100 0 0 50 20 30 cm /Image Do Q /Form Do BT /F1 9 Tf (a) Tj ET /Sh sh',
  )
  expect(marks.map(({ kind }) => kind)).toEqual(['path', 'image', 'path', 'text', 'shading'])
  expect(marks[1]).toEqual({
    kind: 'image',
    box: { left: 20, bottom: 30, right: 120, top: 80 },
    visible: true,
    opaque: true,
  })
  // The form's matrix moves it, and its bounding box clips it.
  expect(marks[2]?.box).toEqual({ left: 200, bottom: 200, right: 205, top: 210 })
})

test('a form that draws itself is drawn once', () => {
  expect(marksOf('/Self Do').map(({ kind }) => kind)).toEqual(['path', 'path'])
})

function marksOf(content: string): PageMark[] {
  const graph = pageDocument(1, ({ graph: document, catalog, pages }) => {
    const [page] = pages
    if (!page) return
    const off = document.add(dictionary({ Type: name('OCG') }))
    catalog.set('OCProperties', dictionary({ OCGs: [off], D: dictionary({ OFF: [off] }) }))
    const form = (entries: Record<string, PdfObject>, drawn: string): PdfReference =>
      document.add(stream({ Subtype: name('Form'), BBox: [0, 0, 600, 700], ...entries }, drawn))
    const self = form({}, '')
    const font = document.add(dictionary({ Subtype: name('Type1'), BaseFont: name('Helvetica') }))
    document.set(
      self.number,
      stream(
        {
          Subtype: name('Form'),
          Resources: dictionary({ XObject: dictionary({ Self: reference(self.number) }) }),
        },
        '0 0 5 5 re f /Self Do 0 0 6 6 re f',
      ),
    )
    page.set('Contents', document.add(stream({}, content)))
    page.set(
      'Resources',
      dictionary({
        Font: dictionary({ F1: font }),
        ExtGState: dictionary({
          Half: dictionary({ ca: 0.5 }),
          Clear: dictionary({ ca: 0 }),
        }),
        Properties: dictionary({ Off: off }),
        XObject: dictionary({
          Self: self,
          Image: document.add(stream({ Subtype: name('Image') })),
          Form: form({ Matrix: [1, 0, 0, 1, 200, 200], BBox: [0, 0, 5, 50] }, '0 0 10 10 re f'),
        }),
      }),
    )
  })
  const [page] = listPages(graph)
  return page ? pageMarks(graph, page) : []
}
