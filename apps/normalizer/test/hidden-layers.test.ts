import { expect, test } from 'vitest'
import { hiddenLayers } from '../src/active-content/hidden-layer.ts'
import { readPdf } from '../src/pdf/reading/read-pdf.ts'
import { type ObjectBodies, pdfText, streamText } from './fixture/pdf-text.ts'

const on = 10
const off = 11
const condition = 20

interface Layers {
  /** Of the default configuration, besides that layer 11 is off. */
  readonly configuration?: string
  readonly content?: string
  readonly more?: ObjectBodies
}

/** A page with the layers 10, which is on, and 11, which is off, as /On and /Off, and what object 20 is as /If. */
function hidden({ configuration = '/OFF [11 0 R]', content = '', more = {} }: Layers): number[] {
  const file = pdfText({
    1: `<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [10 0 R 11 0 R] /D << ${configuration} >> >> >>`,
    2: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    3:
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents 4 0 R /Annots [6 0 R] /Resources << ' +
      '/Properties << /On 10 0 R /Off 11 0 R /If 20 0 R >> /XObject << /X 5 0 R >> /Pattern << /P 7 0 R >> /Font << /T 8 0 R >> >> >>',
    4: streamText('', content),
    5: 'null',
    10: '<< /Type /OCG /Name (on) >>',
    11: '<< /Type /OCG /Name (off) >>',
    ...more,
  })
  return hiddenLayers(readPdf(file).graph)
}

const square = '0 0 9 9 re f'

test.each([
  ['is drawn on', `/OC /Off BDC ${square} EMC`, [off]],
  ['is drawn on by escaped names', `/O#43 /O#66f BDC ${square} EMC`, [off]],
  ['is drawn on inside of one that is shown', `/OC /On BDC /OC /Off BDC ${square} EMC EMC`, [off]],
  ['has another inside', `/OC /Off BDC /OC /On BDC ${square} EMC EMC`, [off]],
  ['has text', '/OC /Off BDC BT /F 9 Tf (x) Tj ET EMC', [off]],
  ['has an image', '/OC /Off BDC BI /W 1 /H 1 /BPC 8 /CS /G ID x EI EMC', [off]],
  ['is empty', '/OC /Off BDC EMC', []],
  ['only moves and sets colours', '/OC /Off BDC q 1 0 0 1 9 9 cm 1 g 0 0 9 9 re n Q EMC', []],
  ['ends before something is drawn', `/OC /Off BDC EMC ${square}`, []],
  ['is named in a text', `(/OC /Off BDC) pop ${square}`, []],
  ['is a tag of something else', `/Span /Off BDC ${square} EMC`, []],
  ['is shown', `/OC /On BDC ${square} EMC`, []],
])('a layer that %s', (_, content, expected) => {
  expect(hidden({ content })).toEqual(expected)
})

const drawing = `/OC /Off BDC ${square} EMC`
const within = '/Resources << /Properties << /Off 11 0 R >> >>'
const form = `/Type /XObject /Subtype /Form /BBox [0 0 9 9]`

test.each<[string, string, ObjectBodies]>([
  ['a form', '/X Do', { 5: streamText(`${form} ${within}`, drawing) }],
  ['a form with the resources of the page', '/X Do', { 5: streamText(form, drawing) }],
  [
    'a form in a form',
    '/X Do',
    {
      5: streamText(`${form} /Resources << /XObject << /Y 9 0 R >> >>`, '/Y Do'),
      9: streamText(`${form} ${within}`, drawing),
    },
  ],
  ['a form as a whole', '/X Do', { 5: streamText(`${form} /OC 11 0 R`, square) }],
  [
    'an image as a whole',
    '/X Do',
    {
      5: streamText(
        '/Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray /OC 11 0 R',
        'x',
      ),
    },
  ],
  ['an annotation', '', { 6: '<< /Type /Annot /Subtype /Square /Rect [0 0 9 9] /OC 11 0 R >>' }],
  [
    'the appearance of an annotation',
    '',
    {
      6: '<< /Type /Annot /Subtype /Square /Rect [0 0 9 9] /AP << /N 9 0 R >> >>',
      9: streamText(`${form} ${within}`, drawing),
    },
  ],
  [
    'a pattern',
    '/Pattern cs /P scn 0 0 9 9 re f',
    {
      7: streamText(
        `/PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 9 9] /XStep 9 /YStep 9 ${within}`,
        drawing,
      ),
    },
  ],
  [
    'a glyph',
    'BT /T 9 Tf (a) Tj ET',
    {
      8: `<< /Type /Font /Subtype /Type3 /CharProcs << /a 9 0 R >> ${within} >>`,
      9: streamText('', drawing),
    },
  ],
])('what is hidden in %s is told of', (_, content, more) => {
  expect(hidden({ content, more })).toEqual([off])
  expect(hidden({ content, more, configuration: '' })).toEqual([])
})

test('what no page draws is not', () => {
  const stray = streamText(`${form} /OC 11 0 R ${within}`, drawing)
  expect(hidden({ more: { 9: stray } })).toEqual([])
  const unused = { 5: streamText(`${form} /OC 11 0 R`, square) }
  expect(hidden({ more: unused })).toEqual([])
  const flagged = '<< /Type /Annot /Subtype /Square /F 2 /Rect [0 0 9 9] /OC 11 0 R >>'
  expect(hidden({ more: { 6: flagged } })).toEqual([])
})

test.each([
  ['any of its layers is on', '/OCGs [10 0 R 11 0 R]', []],
  ['none of its layers is on', '/OCGs 11 0 R', [off]],
  ['all have to be on', '/OCGs [10 0 R 11 0 R] /P /AllOn', [off]],
  ['any has to be off', '/OCGs [10 0 R 11 0 R] /P /AnyOff', []],
  ['any has to be off and none is', '/OCGs [10 0 R] /P /AnyOff', [condition]],
  ['all have to be off', '/OCGs [10 0 R 11 0 R] /P /AllOff', [off]],
  ['it has no layers', '/OCGs [null] /P /AllOn', []],
  ['its expression holds', '/OCGs 11 0 R /VE [/And 10 0 R [/Not 11 0 R]]', []],
  ['its expression does not hold', '/OCGs 10 0 R /VE [/Or 11 0 R [/Not 10 0 R]]', [condition]],
  ['its expression is none', '/OCGs 10 0 R /VE [/Xor 11 0 R]', []],
  ['its expression contains itself', '/OCGs 11 0 R /VE 21 0 R', [off]],
])('content under a condition, when %s', (_, entries, expected) => {
  const more = { [condition]: `<< /Type /OCMD ${entries} >>`, 21: '[/And 21 0 R 21 0 R]' }
  expect(hidden({ content: `/OC /If BDC ${square} EMC`, more })).toEqual(expected)
})

const usage = (entries: string): ObjectBodies => ({
  [on]: `<< /Type /OCG /Name (on) /Usage << ${entries} >> >>`,
})
const byUsage = (event: string, category: string): string =>
  `/AS [<< /Event /${event} /OCGs [10 0 R] /Category [/${category}] >>]`

test.each<[string, string, ObjectBodies, number[]]>([
  ['the base state is off', '/BaseState /OFF /ON [11 0 R]', {}, [on]],
  ['the base state is left as it is', '/BaseState /Unchanged', {}, []],
  ['it is on and off', '/ON [11 0 R] /OFF [11 0 R]', {}, [off]],
  ['it is one of several to choose from', '/OFF [11 0 R] /RBGroups [[10 0 R 11 0 R]]', {}, [off]],
  ['it stands under another in the panel', '/OFF [10 0 R] /Order [10 0 R [11 0 R]]', {}, [on]],
  [
    'its use is not to be viewed',
    byUsage('View', 'View'),
    usage('/View << /ViewState /OFF >>'),
    [on],
  ],
  [
    'its use is for print only, by viewing',
    byUsage('View', 'Print'),
    usage('/Print << /PrintState /OFF >>'),
    [on],
  ],
  [
    'its use counts when it is printed',
    byUsage('Print', 'Print'),
    usage('/Print << /PrintState /OFF >>'),
    [],
  ],
  ['its use is not asked for', '', usage('/View << /ViewState /OFF >>'), []],
  [
    'its use turns it on',
    `/OFF [10 0 R] ${byUsage('View', 'View')}`,
    usage('/View << /ViewState /ON >>'),
    [],
  ],
  ['it is for a close look', byUsage('View', 'Zoom'), usage('/Zoom << /min 4 >>'), [on]],
  [
    'it is for designers',
    '/OFF [10 0 R]',
    { [on]: '<< /Type /OCG /Name (on) /Intent /Design >>' },
    [],
  ],
  [
    'it is for designers, and all may see it',
    '/OFF [10 0 R] /Intent /All',
    { [on]: '<< /Type /OCG /Name (on) /Intent [/Design] >>' },
    [on],
  ],
])('the state in which a document opens, when %s', (_, configuration, more, expected) => {
  const content = `/OC /On BDC ${square} EMC /OC /Off BDC ${square} EMC`
  expect(hidden({ content, more, configuration })).toEqual(expected)
})

test('marks without end cost no more than they are', () => {
  const content = '/OC /Off BDC 0 0 9 9 re f\n'.repeat(100_000)
  expect(hidden({ content })).toEqual([off])
})
