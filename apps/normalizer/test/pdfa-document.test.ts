import { expect, test } from 'vitest'
import type { Flavour } from '../src/pdfa/flavour.ts'
import { validatePdfa } from '../src/pdfa/validate-pdfa.ts'
import { readPdf } from '../src/pdf/reading/read-pdf.ts'
import { type PdfBody, stream } from './fixture/build-pdf.ts'
import { type Entries, type PdfaChanges, pdfaDocument } from './fixture/pdfa-document.ts'
import { makeCms, makeSigner } from './fixture/signer.ts'

const allFlavours = ['1a', '1b', '2a', '2b', '2u', '3a', '3b', '3u', '4', '4e', '4f'] as const

test.each(allFlavours)('a document without anything special complies with %s', (flavour) => {
  expect(failed(flavour)).toEqual([])
})

test('annotations are of the types that each part allows', () => {
  const ofType = (flavour: Flavour, type: string): string[] =>
    failed(flavour, annotated(`/Subtype /${type}`))
  expect(ofType('1b', 'Polygon')).toEqual(['6.5.2 t1'])
  expect(ofType('2b', 'Polygon')).toEqual([])
  expect(ofType('2b', 'FileAttachment')).toEqual([])
  expect(ofType('4', 'FileAttachment')).toEqual(['6.3.1 t1'])
  expect(ofType('4f', 'FileAttachment')).toEqual([])
  expect(ofType('4', 'RichMedia')).toEqual(['6.3.1 t1'])
  expect(ofType('4e', 'RichMedia')).toEqual([])
  expect(ofType('2b', 'Projection')).toEqual(['6.3.1 t1'])
  expect(ofType('4', 'Projection')).toEqual([])
  for (const flavour of ['1b', '2b', '4', '4e', '4f'] as const) {
    expect(ofType(flavour, 'Square')).toEqual([])
    expect(ofType(flavour, 'Sound')).toEqual([flavour === '1b' ? '6.5.2 t1' : '6.3.1 t1'])
    expect(ofType(flavour, 'Made#20up')).toEqual([flavour === '1b' ? '6.5.2 t1' : '6.3.1 t1'])
  }
})

test('annotations are printed and seen', () => {
  const withFlags = (flavour: Flavour, flags: string, type = 'Square'): string[] =>
    failed(flavour, annotated(`/Subtype /${type}`, { flags }))
  expect(withFlags('1b', '')).toEqual(['6.5.3 t2'])
  expect(withFlags('2b', '')).toEqual(['6.3.2 t1'])
  expect(withFlags('2b', '', 'Popup')).toEqual([])
  expect(withFlags('2b', '/F 99 0 R')).toEqual(['6.3.2 t1'])
  expect(withFlags('2b', '/F 4.0')).toEqual([])
  for (const hidden of [0, 1 + 4, 2 + 4, 32 + 4]) {
    expect(withFlags('1b', `/F ${hidden}`)).toEqual(['6.5.3 t2'])
    expect(withFlags('4', `/F ${hidden}`)).toEqual(['6.3.2 t2'])
  }
  expect(withFlags('1b', `/F ${256 + 4}`)).toEqual([])
  expect(withFlags('2b', `/F ${256 + 4}`)).toEqual(['6.3.2 t2'])
})

test('in part 1 annotations are opaque, and coloured only where the output is of RGB', () => {
  expect(failed('1b', annotated('/Subtype /Square /CA 0.5'))).toEqual(['6.5.3 t1'])
  expect(failed('1b', annotated('/Subtype /Square /CA 1.0'))).toEqual([])
  const coloured = annotated('/Subtype /Square /IC [1 0 0]')
  expect(failed('1b', coloured)).toEqual([])
  const withoutOutput = { ...coloured, catalog: { OutputIntents: null }, content: 'q Q' }
  expect(failed('1b', withoutOutput)).toEqual(['6.5.3 t3'])
  expect(failed('2b', withoutOutput)).toEqual([])
})

test('annotations have an appearance, unless they are a point, a link or a pop-up', () => {
  const bare = (flavour: Flavour, type: string, rectangle = '[0 0 9 9]'): string[] =>
    failed(flavour, annotated(`/Subtype /${type}`, { appearance: '', rectangle }))
  expect(bare('2b', 'Square')).toEqual(['6.3.3 t1'])
  expect(bare('2b', 'Square', '[5 5 5 9]')).toEqual(['6.3.3 t1'])
  expect(bare('2b', 'Square', '[5 5 5 5]')).toEqual([])
  expect(bare('2b', 'Square', '[5 5 /a 5]')).toEqual(['6.3.3 t1'])
  expect(bare('2b', 'Link')).toEqual([])
  expect(bare('4', 'Projection')).toEqual([])
  expect(bare('1b', 'Square')).toEqual([])
  expect(bare('1b', 'Widget', '[5 5 5 5]')).toEqual(['6.9 t2'])
})

test('there is a normal appearance and no other: a stream, and for a button its states', () => {
  const looking = (appearance: string, entries = '/Subtype /Square'): string[] =>
    failed('2b', annotated(entries, { appearance }))
  const button = '/Subtype /Widget /Parent 31 0 R'
  expect(looking('/AP << /N 30 0 R /D 30 0 R >>')).toEqual(['6.3.3 t2'])
  expect(looking('/AP << >>')).toEqual(['6.3.3 t2'])
  expect(looking('/AP << /N 30 0 R /D null >>')).toEqual([])
  expect(looking('/AP << /N << /A 30 0 R >> >>')).toEqual(['6.3.3 t4'])
  expect(looking('/AP << /N 99 0 R >>')).toEqual(['6.3.3 t4'])
  expect(looking('/AP 30 0 R')).toEqual(['6.3.3 t1'])
  expect(looking('/AP << /N << /A 30 0 R >> >>', button)).toEqual([])
  expect(looking('/AP << /N << /A /None >> >>', button)).toEqual(['6.3.3 t3'])
  expect(looking('/AP << /N 30 0 R >>', button)).toEqual(['6.3.3 t3'])
})

test('every appearance is judged as content, in whatever state', () => {
  const unknown = { 40: stream('unknown', formEntries) }
  for (const appearance of ['/N 40 0 R', '/N << /On 40 0 R >>', '/N 30 0 R /D << /Off 40 0 R >>']) {
    const changes = annotated(
      '/Subtype /Square',
      { appearance: `/AP << ${appearance} >>` },
      unknown,
    )
    expect(failed('2b', changes)).toContain('6.2.2 t1')
  }
})

test('widgets have no actions, and fields no additional ones', () => {
  const action = '<< /S /GoTo /D [3 0 R /Fit] >>'
  const widget = (entries: string): PdfaChanges =>
    annotated(`/Subtype /Widget /FT /Tx /T (a) ${entries}`)
  expect(failed('1b', widget(`/A ${action}`))).toEqual(['6.6.1 t3'])
  expect(failed('1b', widget('/AA << >>'))).toEqual(['6.6.2 t1'])
  expect(failed('2b', widget(`/A ${action}`))).toEqual(['6.4.1 t1'])
  expect(failed('2b', widget('/AA << >>'))).toEqual(['6.4.1 t1', '6.5.2 t3'])
  expect(failed('4', widget(`/A ${action}`))).toEqual(['6.4.1 t1'])
  expect(failed('4', widget('/AA << >>'))).toEqual([])
  const kid = '<< /T (a) /Kids [<< /T (b) /AA << >> >>] >>'
  expect(failed('2b', form(kid))).toEqual(['6.4.1 t2', '6.5.2 t4'])
  expect(failed('1b', form('<< /T (a) /FT /Tx /AA << >> >>'))).toEqual(['6.6.2 t2'])
  expect(failed('2b', form('<< /T (a) /FT /Tx /Kids [<< /AA << >> >>] >>'))).toEqual([])
})

test('the form makes no appearances and has no XFA', () => {
  const ofForm = (entries: string): PdfaChanges => ({
    catalog: { AcroForm: `<< /Fields [] ${entries} >>` },
  })
  expect(failed('1b', ofForm('/NeedAppearances true'))).toEqual(['6.9 t1'])
  expect(failed('2b', ofForm('/NeedAppearances true'))).toEqual(['6.4.1 t3'])
  expect(failed('4', ofForm('/NeedAppearances true'))).toEqual(['6.4.1 t2'])
  expect(failed('2b', ofForm('/NeedAppearances false'))).toEqual([])
  expect(failed('2b', ofForm('/XFA (x)'))).toEqual(['6.4.2 t1'])
  expect(failed('1b', ofForm('/XFA (x)'))).toEqual([])
})

test('actions are of the types that each part allows', () => {
  const opening = (flavour: Flavour, action: string): string[] =>
    failed(flavour, { catalog: { OpenAction: `<< ${action} >>` } })
  expect(opening('1b', '/S /GoToE')).toEqual(['6.6.1 t1'])
  expect(opening('2b', '/S /GoToE')).toEqual([])
  expect(opening('2b', '/S /JavaScript /JS (x)')).toEqual(['6.5.1 t1'])
  expect(opening('4', '/S /JavaScript /JS (x)')).toEqual([])
  expect(opening('4', '/S /SetOCGState')).toEqual(['6.6.1 t1'])
  expect(opening('4e', '/S /SetOCGState')).toEqual([])
  expect(opening('4f', '/S /Launch')).toEqual(['6.6.1 t1'])
  expect(opening('2b', '')).toEqual(['6.5.1 t1'])
  expect(opening('2b', '/S /Named /N /NextPage')).toEqual([])
  expect(opening('2b', '/S /Named /N /Print')).toEqual(['6.5.1 t2'])
  expect(opening('1a', '/S /Named')).toEqual(['6.6.1 t2'])
})

test('actions are found wherever one is set off, and in the chains that follow it', () => {
  const bad = '<< /S /Launch >>'
  const chain = `<< /S /URI /Next [<< /S /URI /Next ${bad} >>] >>`
  const places: PdfaChanges[] = [
    { catalog: { OpenAction: bad } },
    { catalog: { OpenAction: chain } },
    annotated(`/Subtype /Link /A ${bad}`),
    annotated(`/Subtype /Square /A ${chain}`),
    { catalog: { Outlines: `<< /First << /Title (a) /Next << /Title (b) /A ${bad} >> >> >>` } },
    { catalog: { Outlines: `<< /First << /Title (a) /First << /A ${bad} >> >> >>` } },
  ]
  for (const changes of places) expect(failed('2b', changes)).toEqual(['6.5.1 t1'])
  expect(failed('2b', { catalog: { AA: `<< /WC ${bad} >>` } })).toEqual(['6.5.1 t1', '6.5.2 t1'])
  expect(failed('2b', { page: { AA: `<< /O ${bad} >>` } })).toEqual(['6.5.1 t1', '6.5.2 t2'])
  expect(failed('1b', { page: { AA: `<< /C ${bad} >>` } })).toEqual(['6.6.1 t1'])
  expect(failed('4', form(`<< /T (a) /FT /Tx /AA << /K ${bad} >> >>`))).toEqual(['6.6.1 t1'])
  expect(failed('2b', { catalog: { Other: bad } })).toEqual([])
})

test('in part 4 additional actions follow pointer and focus, except those of forms', () => {
  const jump = '<< /S /GoTo /D [3 0 R /Fit] >>'
  expect(failed('4', { catalog: { AA: `<< /WC ${jump} >>` } })).toEqual(['6.6.3 t1'])
  expect(failed('4', { page: { AA: `<< /O ${jump} >>` } })).toEqual(['6.6.3 t1'])
  expect(failed('4', annotated(`/Subtype /Square /AA << /PO ${jump} >>`))).toEqual(['6.6.3 t1'])
  expect(failed('4', annotated(`/Subtype /Square /AA << /E ${jump} >>`))).toEqual([])
  expect(failed('4', annotated(`/Subtype /Widget /FT /Tx /AA << /PO ${jump} >>`))).toEqual([])
  expect(failed('4', form(`<< /T (a) /FT /Tx /AA << /K ${jump} >> >>`))).toEqual([])
})

test('pages have boxes of a size that can be shown, and no presentation', () => {
  expect(failed('2b', { page: { CropBox: '[0 0 2.9 100]' } })).toEqual(['6.1.13 t11'])
  expect(failed('3u', { page: { TrimBox: '[100 14401 0 0]' } })).toEqual(['6.1.13 t11'])
  expect(failed('2b', { page: { ArtBox: '[0 0 /a 9]' } })).toEqual(['6.1.13 t11'])
  expect(failed('2b', { page: { MediaBox: '[0 0 3 14400]' } })).toEqual([])
  expect(failed('4', { page: { CropBox: '[0 0 2 2]' } })).toEqual([])
  const parent = '<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 1 1] /ArtBox [0 0 1 1] >>'
  expect(failed('2b', { page: { MediaBox: null }, objects: { 2: parent } })).toEqual(['6.1.13 t11'])
  expect(failed('2b', { objects: { 2: parent } })).toEqual([])
  expect(failed('2b', { page: { PresSteps: '<< >>' } })).toEqual(['6.10 t2'])
  expect(failed('4', { page: { PresSteps: '<< >>' } })).toEqual(['6.11 t2'])
  const presentations = { catalog: { Names: '<< /AlternatePresentations << >> >>' } }
  expect(failed('2b', presentations)).toEqual(['6.10 t1'])
  expect(failed('4', presentations)).toEqual(['6.11 t1'])
})

test('configurations of layers have names of their own, order all groups and apply no usage', () => {
  const layers = (entries: string): PdfaChanges => ({
    catalog: { OCProperties: `<< /OCGs [40 0 R 41 0 R] ${entries} >>` },
    objects: { 40: '<< /Type /OCG /Name (a) >>', 41: '<< /Type /OCG /Name (b) >>' },
  })
  expect(failed('2b', layers('/D << /Name (x) /Order [(l) [40 0 R [41 0 R]]] >>'))).toEqual([])
  expect(failed('2b', layers('/D << /Name (x) /Order [40 0 R] >>'))).toEqual(['6.9 t3'])
  expect(failed('4', layers('/D << /Name (x) /Order [40 0 R] >>'))).toEqual(['6.10 t3'])
  expect(failed('2b', layers('/D << >>'))).toEqual(['6.9 t1'])
  expect(failed('2b', layers('/D << /Name () >>'))).toEqual(['6.9 t1'])
  expect(failed('4', layers('/D << /Name () >>'))).toEqual([])
  expect(failed('4', layers('/D << /Name /x >>'))).toEqual(['6.10 t1'])
  const twice = '/D << /Name (x) >> /Configs [<< /Name <FEFF0078> >>]'
  expect(failed('2b', layers(twice))).toEqual(['6.9 t2'])
  expect(failed('4', layers(twice))).toEqual(['6.10 t2'])
  expect(failed('2b', layers('/D << /Name (x) /AS [] >>'))).toEqual(['6.9 t4'])
  expect(failed('4', layers('/D << /Name (x) /AS [] >>'))).toEqual([])
})

test('permissions are those of usage rights and of certification', () => {
  expect(failed('2b', { catalog: { Perms: '<< /UR3 << >> /DocMDP << >> >>' } })).toEqual([])
  expect(failed('2b', { catalog: { Perms: '<< /UR << >> >>' } })).toEqual(['6.1.12 t1'])
  expect(failed('4', { catalog: { Perms: '<< /FieldMDP << >> >>' } })).toEqual(['6.1.11 t1'])
})

test('level a has a logical structure, with types that the standard knows or the role map explains', () => {
  expect(failed('1a', { catalog: { StructTreeRoot: null } })).toEqual(['6.8.3.3 t1'])
  expect(failed('2a', { catalog: { StructTreeRoot: null } })).toEqual(['6.7.3.3 t1'])
  const role = (flavour: Flavour, type: string, map: string): string[] =>
    failed(flavour, structured(`<< /S /${type} >>`, `/RoleMap << ${map} >>`))
  expect(role('2a', 'Foo', '')).toEqual(['6.7.3.4 t1'])
  expect(role('2a', 'Foo', '/Foo /Bar /Bar /P')).toEqual([])
  expect(role('2a', 'Foo', '/Foo /Bar')).toEqual(['6.7.3.4 t1'])
  expect(role('2a', 'Foo', '/Foo /Bar /Bar /Baz /Baz /Bar')).toEqual(['6.7.3.4 t2'])
  expect(role('1a', 'Foo', '/Foo /Foo')).toEqual(['6.8.3.4 t2'])
  expect(role('3a', 'P', '/P /Foo')).toEqual(['6.7.3.4 t3'])
  expect(role('3a', 'P', '/P /Foo /Foo /P')).toEqual(['6.7.3.4 t2', '6.7.3.4 t3'])
  expect(role('3a', 'P', '/P /Foo /Foo /Div')).toEqual([])
  expect(role('1a', 'P', '/P /Foo')).toEqual([])
  expect(role('1a', 'Ruby', '')).toEqual(['6.8.3.4 t1'])
  expect(role('2a', 'Ruby', '')).toEqual([])
  expect(role('2b', 'Foo', '')).toEqual([])
})

test('languages, replacement text and the names of structure types are well-formed', () => {
  expect(failed('1a', { catalog: { Lang: '(de-1996)' } })).toEqual(['6.8.4 t1'])
  expect(failed('2a', { catalog: { Lang: '(de-1996)' } })).toEqual([])
  expect(failed('2a', { catalog: { Lang: '(de_DE)' } })).toEqual(['6.7.4 t1'])
  expect(failed('2a', { catalog: { Lang: '()' } })).toEqual([])
  expect(failed('2a', structured('<< /S /Div /K << /S /P /Lang (1a) >> >>'))).toEqual(['6.7.4 t1'])
  const inPart4 = (element: string): PdfaChanges => {
    const { objects } = structured(element)
    return { catalog: { StructTreeRoot: '7 0 R' }, objects: objects ?? {} }
  }
  expect(failed('4', inPart4('<< /S /P /ActualText <FEFFE000> >>'))).toEqual(['6.2.10.8 t1'])
  expect(failed('4', inPart4('<< /S /P /ActualText <FEFF0041> >>'))).toEqual([])
  expect(failed('4', inPart4('<< /S /P#FF >>'))).toEqual(['6.1.7 t1'])
  expect(failed('4', inPart4('<< /S /P#C3#A4 >>'))).toEqual([])
  expect(failed('2a', structured('<< /S /P >>', '/RoleMap << /X#FF /P >>'))).toEqual(['6.1.8 t1'])
})

test('file specifications are judged wherever they stand', () => {
  const unnamed = '<< /Type /Filespec /EF << /F 40 0 R >> >>'
  const file = { 40: stream('data', '/Subtype /text#2Fplain') }
  const orphan = { objects: { ...file, 41: unnamed } }
  expect(failed('1b', orphan)).toEqual(['6.1.11 t1'])
  expect(failed('3b', orphan)).toEqual(['6.8 t2', '6.8 t3', '6.8 t4'])
  expect(failed('4f', orphan)).toEqual(['6.9 t2', '6.9 t4'])
  expect(failed('4f', { objects: file, page: { Deep: `[<< /Er ${unnamed} >>]` } })).toEqual([
    '6.9 t2',
    '6.9 t4',
  ])
  const tree = '<< /EmbeddedFiles << /Kids [<< /Names [(a) << /EF << /F 40 0 R >> >>] >>] >> >>'
  expect(failed('4f', { objects: file, catalog: { Names: tree } })).toEqual(['6.9 t2', '6.9 t4'])
  const good = '<< /Type /Filespec /F (a) /UF (a) /AFRelationship /Data /EF << /F 40 0 R >> >>'
  expect(failed('4f', { objects: { 40: stream('data'), 41: good } })).toEqual(['6.9 t1'])
  expect(failed('4f', { objects: { ...file, 41: good } })).toEqual([])
})

test('in part 3 files are associated with the document, a page, an annotation, an XObject or an element', () => {
  const file = {
    40: stream('data', '/Subtype /text#2Fplain'),
    41: '<< /Type /Filespec /F (a) /UF (a) /AFRelationship /Data /EF << /F 40 0 R >> >>',
  }
  const holders: [Flavour, PdfaChanges][] = [
    ['3b', { catalog: { AF: '[41 0 R]' } }],
    ['3b', { page: { AF: '[41 0 R]' } }],
    ['3b', annotated('/Subtype /Square /AF [41 0 R]')],
    ['3b', { objects: { 42: stream('', `${formEntries} /AF [41 0 R]`) } }],
    ['3a', structured('<< /S /P /AF [41 0 R] >>')],
  ]
  for (const [flavour, changes] of holders) {
    expect(failed(flavour, { ...changes, objects: { ...changes.objects, ...file } })).toEqual([])
  }
  expect(failed('3b', { objects: file })).toEqual(['6.8 t4'])
  expect(failed('3b', { objects: file, catalog: { AF: '41 0 R' } })).toEqual(['6.8 t4'])
})

test('what PDF/A-2 and 4 embed is PDF/A that complies itself', () => {
  const carrying = (content: string | Uint8Array, more: Entries = {}): PdfaChanges => ({
    catalog: { Names: '<< /EmbeddedFiles << /Names [(a) 41 0 R] >> >>', ...more },
    objects: {
      40: stream(content, '/Subtype /application#2Fpdf'),
      41: '<< /Type /Filespec /F (a) /UF (a) /AFRelationship /Data /EF << /F 40 0 R >> >>',
    },
  })
  const bad = { page: { PresSteps: '<< >>' } }
  expect(failed('2b', carrying(pdfaDocument('1b')))).toEqual([])
  expect(failed('2b', carrying(pdfaDocument('2u')))).toEqual([])
  expect(failed('2b', carrying(pdfaDocument('2b', bad)))).toEqual(['6.8 t5'])
  expect(failed('2b', carrying(pdfaDocument('3b')))).toEqual(['6.8 t5'])
  expect(failed('2b', carrying('data'))).toEqual(['6.8 t5'])
  expect(failed('4', carrying(pdfaDocument('4')))).toEqual([])
  expect(failed('4', carrying(pdfaDocument('4', bad)))).toEqual(['6.9 t3'])
  expect(failed('4f', carrying('data'))).toEqual([])
  const nested = pdfaDocument('2b', carrying(pdfaDocument('2b', carrying('data'))))
  expect(failed('2b', carrying(nested))).toEqual(['6.8 t5'])
})

test('documents within documents end validation in time', () => {
  let bytes = pdfaDocument('2b')
  for (let depth = 0; depth < 20; depth++) {
    bytes = pdfaDocument('2b', {
      objects: {
        40: stream(bytes),
        41: '<< /Type /Filespec /F (a) /UF (a) /EF << /F 40 0 R >> >>',
      },
    })
  }
  const { compliant, errors } = validatePdfa(readPdf(bytes), '2b')
  expect(compliant).toBe(false)
  expect(errors.join()).toMatch(/6\.8 t5|ended early/)
})

test('3D streams of PDF/A-4e are of U3D or PRC', () => {
  const artwork = (format: string): string[] =>
    failed(
      '4e',
      annotated('/Subtype /3D /3DD 40 0 R', {}, { 40: stream('', `/Subtype ${format}`) }),
    )
  expect(artwork('/U3D')).toEqual([])
  expect(artwork('/PRC')).toEqual([])
  expect(artwork('/STEP')).toEqual(['6.1.6.1 t3'])
})

test('signatures cover the file, have one signer and bring a certificate', () => {
  const signer = makeSigner()
  expect(
    failedOf(
      '2b',
      signed((bytes) => makeCms(signer, bytes)),
    ),
  ).toEqual([])
  const withoutCertificate = signed((bytes) => makeCms(signer, bytes, { withoutCertificate: true }))
  expect(failedOf('2b', withoutCertificate)).toEqual(['6.4.3 t2'])
  const byTwo = signed((bytes) => makeCms(signer, bytes, { signers: 2 }))
  expect(failedOf('2b', byTwo)).toEqual(['6.4.3 t3'])
  expect(
    failedOf(
      '2b',
      signed(() => Buffer.from('hello')),
    ),
  ).toEqual(['6.4.3 t2', '6.4.3 t3'])
  const short = signed((bytes) => makeCms(signer, bytes), { uncovered: 6 })
  expect(failedOf('2b', short)).toEqual(['6.4.3 t1'])
  expect(
    failedOf(
      '4',
      signed(() => Buffer.from('hello'), { flavour: '4' }),
    ),
  ).toEqual([])
})

test('signature references of a certified document have no digests', () => {
  const signer = makeSigner()
  const referring = (catalog: Entries): Uint8Array =>
    signed((bytes) => makeCms(signer, bytes), {
      catalog,
      entries: '/Reference [<< /TransformMethod /DocMDP /DigestMethod /SHA256 >>]',
    })
  expect(failedOf('2b', referring({}))).toEqual([])
  expect(failedOf('2b', referring({ Perms: '<< /DocMDP 41 0 R >>' }))).toEqual(['6.1.12 t2'])
})

test('cycles and depth in every tree end, and are judged once', () => {
  const deep = Object.fromEntries(
    Array.from({ length: 2000 }, (_, index): [number, PdfBody] => [
      100 + index,
      `<< /S /P /Kids [${101 + index} 0 R] /K ${101 + index} 0 R /Next ${101 + index} 0 R >>`,
    ]),
  )
  const { completed } = validatePdfa(
    readPdf(
      pdfaDocument('3a', {
        catalog: {
          OpenAction: '40 0 R',
          Outlines: '<< /First 41 0 R >>',
          AcroForm: '<< /Fields [42 0 R 100 0 R] >>',
          Names: '<< /EmbeddedFiles 43 0 R >>',
          OCProperties: '<< /OCGs [] /D << /Name (x) /Order 44 0 R >> >>',
          StructTreeRoot: '45 0 R',
        },
        page: { Annots: '[46 0 R 46 0 R 3 0 R 1 0 R]' },
        objects: {
          ...deep,
          40: '<< /S /URI /Next [40 0 R 100 0 R] >>',
          41: '<< /Title (x) /Next 41 0 R /First 41 0 R /A 40 0 R >>',
          42: '<< /T (a) /FT /Sig /Parent 42 0 R /Kids [42 0 R] /V 42 0 R >>',
          43: '<< /Kids [43 0 R 100 0 R] >>',
          44: '[44 0 R [44 0 R]]',
          45: '<< /K [45 0 R 100 0 R] /RoleMap 45 0 R /S /S >>',
          46: '<< /Subtype /Widget /Parent 46 0 R /AP << /N 46 0 R >> /A 46 0 R /AA 46 0 R >>',
        },
      }),
    ),
    '3a',
  )
  expect(completed).toBe(true)
})

/** Clause and test of each rule that fails, in their order. */
function failed(flavour: Flavour, changes: PdfaChanges = {}): string[] {
  return failedOf(flavour, pdfaDocument(flavour, changes))
}

function failedOf(flavour: Flavour, bytes: Uint8Array): string[] {
  const { errors } = validatePdfa(readPdf(bytes), flavour)
  return [...new Set(errors.map((error) => /^ISO \S+ (\S+ t\d+)/.exec(error)?.[1] ?? error))]
}

const formEntries = '/Type /XObject /Subtype /Form /BBox [0 0 9 9]'

/** One annotation: object 20, with the appearance 30; 31 is a field for a button. */
function annotated(
  entries: string,
  { flags = '/F 4', appearance = '/AP << /N 30 0 R >>', rectangle = '[0 0 9 9]' } = {},
  objects: Record<number, PdfBody> = {},
): PdfaChanges {
  return {
    page: { Annots: '[20 0 R]' },
    objects: {
      20: `<< /Type /Annot ${entries} ${flags} ${appearance} /Rect ${rectangle} >>`,
      30: stream('', formEntries),
      31: '<< /T (parent) /FT /Btn /Kids [20 0 R] >>',
      ...objects,
    },
  }
}

function form(field: string): PdfaChanges {
  return { catalog: { AcroForm: `<< /Fields [${field}] >>` } }
}

function structured(element: string, entries = ''): PdfaChanges {
  return { objects: { 7: `<< /Type /StructTreeRoot /K ${element} ${entries} >>` } }
}

interface SignedChanges {
  readonly flavour?: Flavour
  readonly catalog?: Entries
  /** Of the signature dictionary, object 41. */
  readonly entries?: string
  /** Bytes at the end that the byte range leaves out. */
  readonly uncovered?: number
}

/** A document whose one field is signed over all of it. */
function signed(sign: (bytes: Uint8Array) => Uint8Array, changes: SignedChanges = {}): Uint8Array {
  const { flavour = '2b', catalog = {}, entries = '', uncovered = 0 } = changes
  const place = `<${'0'.repeat(4096)}>`
  const range = '[0 1111111111 2222222222 3333333333]'
  const unsigned = pdfaDocument(flavour, {
    catalog: { AcroForm: '<< /Fields [40 0 R] /SigFlags 3 >>', ...catalog },
    objects: {
      40: '<< /T (a) /FT /Sig /V 41 0 R >>',
      41: `<< /Type /Sig /Filter /Adobe.PPKLite /ByteRange ${range} /Contents ${place} ${entries} >>`,
    },
  })
  const text = Buffer.from(unsigned).toString('latin1')
  const [from, to] = [text.indexOf(place), text.indexOf(place) + place.length]
  const numbers = `[0 ${from} ${to} ${text.length - to - uncovered}]`.padEnd(range.length)
  const ranged = text.replace(range, numbers)
  const value = sign(Buffer.from(ranged.slice(0, from) + ranged.slice(to), 'latin1'))
  const digits = Buffer.from(value).toString('hex').padEnd(4096, '0')
  return Buffer.from(`${ranged.slice(0, from)}<${digits}>${ranged.slice(to)}`, 'latin1')
}
