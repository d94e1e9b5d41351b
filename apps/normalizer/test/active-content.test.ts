import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { at, cleaned, everythingIn } from './fixture/cleaned.ts'
import {
  type ObjectBodies,
  pdfInObjectStream,
  pdfText,
  streamText,
  withUpdate,
} from './fixture/pdf-text.ts'

type Flag =
  | 'javascriptRemoved'
  | 'openActionsRemoved'
  | 'launchActionsRemoved'
  | 'embeddedFilesRemoved'
  | 'richMediaRemoved'

interface Row {
  readonly what: string
  readonly flag: Flag | null
  readonly at: 'catalog' | 'page' | 'link' | 'names'
  readonly key: string
  readonly value: string
}

const canary = 'CANARY-5f2e'

const action = (what: string, flag: Flag | null, type: string, rest: string): Row => ({
  what,
  flag,
  at: 'link',
  key: 'A',
  value: `<< /S /${type} ${rest} >>`,
})

const annotation = (subtype: string, flag: Flag): Row => ({
  what: `a ${subtype} annotation`,
  flag,
  at: 'page',
  key: 'Annots',
  value: `[<< /Type /Annot /Subtype /${subtype} /Rect [0 0 9 9] /Contents (${canary}) >>]`,
})

const inventory: readonly Row[] = [
  action('a script on a link', 'javascriptRemoved', 'JavaScript', `/JS (${canary})`),
  action('a script without a type', 'javascriptRemoved', 'GoTo', `/JS (${canary}) /D [3 0 R /Fit]`),
  action('a javascript: address', 'javascriptRemoved', 'URI', `/URI (javascript:${canary})`),
  action('a disguised address', 'javascriptRemoved', 'URI', `/URI ( jAva\\tScript:${canary})`),
  action('a data: address', 'javascriptRemoved', 'URI', `/URI (data:text/html,${canary})`),
  {
    what: 'a tree of document scripts',
    flag: 'javascriptRemoved',
    at: 'names',
    key: 'JavaScript',
    value: `<< /Names [(a) << /S /JavaScript /JS (${canary}) >>] >>`,
  },
  {
    what: 'a requirement of scripts',
    flag: 'javascriptRemoved',
    at: 'catalog',
    key: 'Requirements',
    value: `[<< /S /EnableJavaScripts /RH << /S /JS /Script (${canary}) >> >>]`,
  },
  {
    what: 'an open action that runs a script',
    flag: 'openActionsRemoved',
    at: 'catalog',
    key: 'OpenAction',
    value: `<< /S /JavaScript /JS (${canary}) >>`,
  },
  {
    what: 'an open action that goes to the web',
    flag: 'openActionsRemoved',
    at: 'catalog',
    key: 'OpenAction',
    value: `<< /S /URI /URI (https://example.org/${canary}) >>`,
  },
  {
    what: 'a trigger of the document',
    flag: 'openActionsRemoved',
    at: 'catalog',
    key: 'AA',
    value: `<< /WC << /S /URI /URI (https://example.org/${canary}) >> >>`,
  },
  {
    what: 'a trigger of a page',
    flag: 'openActionsRemoved',
    at: 'page',
    key: 'AA',
    value: `<< /O << /S /GoTo /D (${canary}) >> >>`,
  },
  action('a program start', 'launchActionsRemoved', 'Launch', `/F (${canary})`),
  action('a jump to another file', 'launchActionsRemoved', 'GoToR', `/F (${canary}) /D [0 /Fit]`),
  action('a jump to an embedded file', 'launchActionsRemoved', 'GoToE', `/D (${canary})`),
  action('sending a form', 'launchActionsRemoved', 'SubmitForm', `/F (http://x/${canary})`),
  action('taking data in', 'launchActionsRemoved', 'ImportData', `/F (${canary})`),
  action('emptying a form', 'launchActionsRemoved', 'ResetForm', `/Fields [(${canary})]`),
  action('a thread of another file', 'launchActionsRemoved', 'Thread', `/F (${canary}) /D 0`),
  action('a file: address', 'launchActionsRemoved', 'URI', `/URI (file:///c:/${canary})`),
  action('a network share', 'launchActionsRemoved', 'URI', `/URI (\\\\\\\\host\\\\${canary})`),
  action('a scheme of a program', 'launchActionsRemoved', 'URI', `/URI (ms-msdt:/${canary})`),
  {
    what: 'a base of addresses that leaves the web',
    flag: 'launchActionsRemoved',
    at: 'catalog',
    key: 'URI',
    value: `<< /Base (file://host/${canary}) >>`,
  },
  {
    what: 'a tree of embedded files',
    flag: 'embeddedFilesRemoved',
    at: 'names',
    key: 'EmbeddedFiles',
    value: `<< /Names [(a) << /Type /Filespec /F (${canary}) /EF << /F 60 0 R >> >>] >>`,
  },
  {
    what: 'an associated file',
    flag: 'embeddedFilesRemoved',
    at: 'page',
    key: 'AF',
    value: `[<< /Type /Filespec /F (${canary}) /EF << /F 60 0 R >> >>]`,
  },
  {
    what: 'a portfolio',
    flag: 'embeddedFilesRemoved',
    at: 'catalog',
    key: 'Collection',
    value: `<< /Type /Collection /D (${canary}) >>`,
  },
  annotation('FileAttachment', 'embeddedFilesRemoved'),
  annotation('RichMedia', 'richMediaRemoved'),
  annotation('3D', 'richMediaRemoved'),
  annotation('Movie', 'richMediaRemoved'),
  annotation('Sound', 'richMediaRemoved'),
  annotation('Screen', 'richMediaRemoved'),
  annotation('Projection', 'richMediaRemoved'),
  action('playing a rendition', 'richMediaRemoved', 'Rendition', `/OP 0 /R << /N (${canary}) >>`),
  action('playing a movie', 'richMediaRemoved', 'Movie', `/T (${canary})`),
  action('playing a sound', 'richMediaRemoved', 'Sound', `/Sound (${canary})`),
  action('a 3D view', 'richMediaRemoved', 'GoTo3DView', `/V (${canary})`),
  action('a command to rich media', 'richMediaRemoved', 'RichMediaExecute', `/CMD (${canary})`),
  action('a transition as an action', 'richMediaRemoved', 'Trans', `/Trans << /S (${canary}) >>`),
  {
    what: 'a tree of renditions',
    flag: 'richMediaRemoved',
    at: 'names',
    key: 'Renditions',
    value: `<< /Names [(a) << /N (${canary}) >>] >>`,
  },
  {
    what: 'slide shows',
    flag: 'richMediaRemoved',
    at: 'names',
    key: 'AlternatePresentations',
    value: `<< /Names [(a) << /N (${canary}) >>] >>`,
  },
  action('printing', null, 'Named', `/N /Print /X (${canary})`),
  action('hiding things', null, 'Hide', `/T (${canary})`),
  action('switching layers', null, 'SetOCGState', `/State [/ON] /X (${canary})`),
  action('a type that no standard knows', null, 'Whatever', `/X (${canary})`),
  {
    what: 'steps of a presentation',
    flag: null,
    at: 'page',
    key: 'PresSteps',
    value: `<< /NA << /S /GoTo /D (${canary}) >> >>`,
  },
]

/** Each hides the same entry in another way; only what an unknown type does is left to where it stands. */
const hidingPlaces = {
  'in the open': (row: Row) => pdfText(bodiesWith(row, row.value)),
  'behind a reference': (row: Row) => pdfText({ ...bodiesWith(row, '50 0 R'), 50: row.value }),
  'behind two references': (row: Row) =>
    pdfText({ ...bodiesWith(row, '51 0 R'), 50: row.value, 51: '50 0 R' }),
  'in an object stream': (row: Row) =>
    pdfInObjectStream({ ...bodiesWith(row, '50 0 R'), 50: row.value }),
  'under escaped names': (row: Row) =>
    pdfText(bodiesWith({ ...row, key: escaped(row.key) }, escapedNames(row.value))),
  'in an object that nothing refers to': (row: Row) =>
    pdfText({ ...plainBodies, 50: `<< /${row.key} ${row.value} >>` }),
} as const

const plainBodies: ObjectBodies = bodiesWith(
  { what: '', flag: null, at: 'catalog', key: 'Lang', value: '' },
  '(en)',
)

function bodiesWith(row: Row, value: string): ObjectBodies {
  const entry = (at: Row['at']): string => (row.at === at ? `/${row.key} ${value}` : '')
  const annotations = row.at === 'page' && row.key !== 'AA' && row.value.includes('/Annot')
  return {
    1: `<< /Type /Catalog /Pages 2 0 R /Names << ${entry('names')} >> ${entry('catalog')} >>`,
    2: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    3: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] ${annotations ? '' : '/Annots [4 0 R]'} ${entry('page')} >>`,
    4: `<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] ${entry('link')} >>`,
    ...(row.value.includes('60 0 R') ? { 60: streamText('/Type /EmbeddedFile', canary) } : {}),
  }
}

function escaped(name: string): string {
  return name.replace(/^./, (first) => `#${first.charCodeAt(0).toString(16)}`)
}

function escapedNames(syntax: string): string {
  return syntax.replace(/\/([A-Za-z0-9]+)/g, (_, name: string) => `/${escaped(name)}`)
}

describe.each(Object.entries(hidingPlaces))('%s', (place, build) => {
  const judgedByPlace = place === 'in an object that nothing refers to'
  test.each(inventory)('$what is gone from the bytes', async (row) => {
    const { findings, output, hits, results } = await cleaned(build(row))
    expect(everythingIn(output)).not.toContain(canary)
    expect(hits).toEqual([])
    // What is referred to by nothing is not written; the flags tell of it where its kind can be told.
    if (judgedByPlace && row.flag === null) return
    expect(results[0]).toBe('removed')
    expect(row.flag === null || findings.security[row.flag]).toBe(true)
  })
})

test('a second run over the output finds nothing more', async () => {
  for (const row of inventory) {
    const once = await cleaned(hidingPlaces['behind a reference'](row))
    const twice = await cleaned(once.output)
    expect(twice.results).toEqual(['none', 'no_forms'])
    expect(twice.output).toEqual(once.output)
  }
})

test('a chain of actions that leads back to itself ends, and only its harmless part stays', async () => {
  const { findings, output, hits } = await cleaned(
    pdfText({
      ...plainBodies,
      4: '<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A 10 0 R >>',
      10: '<< /S /GoTo /D [3 0 R /Fit] /Next 11 0 R >>',
      11: `<< /S /GoTo /D [3 0 R /FitH 7] /Next [12 0 R 10 0 R] >>`,
      12: `<< /S /JavaScript /JS (${canary}) /Next 11 0 R >>`,
    }),
  )
  expect(findings.security.javascriptRemoved).toBe(true)
  expect(hits).toEqual([])
  const all = everythingIn(output)
  expect(all).not.toContain(canary)
  expect(all).toContain('/FitH')
})

test('a name tree whose kids lead back to it is taken out whole', async () => {
  const { findings, output, hits } = await cleaned(
    pdfText({
      ...plainBodies,
      1: '<< /Type /Catalog /Pages 2 0 R /Names << /JavaScript 10 0 R >> >>',
      10: '<< /Kids [11 0 R] >>',
      11: `<< /Kids [10 0 R] /Names [(x) << /S /JavaScript /JS 12 0 R >>] >>`,
      12: streamText('', canary),
    }),
  )
  expect(findings.security.javascriptRemoved).toBe(true)
  expect(hits).toEqual([])
  expect(everythingIn(output)).not.toContain(canary)
})

test('what an earlier revision held is gone, and does not count as found in the last one', async () => {
  const [row] = inventory
  if (!row) throw new Error('no inventory')
  const file = withUpdate(hidingPlaces['in the open'](row), plainBodies)
  const { findings, output, results } = await cleaned(file)
  expect(everythingIn(output)).not.toContain(canary)
  expect(results[0]).toBe('none')
  expect(findings.security.javascriptRemoved).toBe(false)
})

test('a script after the destination with which the document opens goes, the destination stays', async () => {
  const { findings, output } = await cleaned(
    pdfText({
      ...plainBodies,
      1: `<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /GoTo /D [3 0 R /FitV 5] /Next << /S /JavaScript /JS (${canary}) >> >> >>`,
    }),
  )
  expect(findings.security).toMatchObject({ openActionsRemoved: true, javascriptRemoved: true })
  expect(everythingIn(output)).not.toContain(canary)
  expect(everythingIn(output)).toContain('/FitV')
})

test('streams of other files are emptied, reference XObjects and PostScript are cut off', async () => {
  const { findings, output, hits } = await cleaned(
    pdfText({
      ...plainBodies,
      3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Resources << /XObject << /A 10 0 R /B 11 0 R /C 12 0 R >> >> >>',
      10: streamText(`/Type /XObject /Subtype /Image /F (${canary}) /FFilter /FlateDecode`, canary),
      11: streamText(
        `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Ref << /F (${canary}) /Page 0 >> /OPI << /2.0 << /F (${canary}) >> >>`,
        '0 0 9 9 re f',
      ),
      12: streamText('/Type /XObject /Subtype /PS', canary),
    }),
  )
  expect(findings.security.embeddedFilesRemoved).toBe(true)
  expect(hits).toEqual([])
  expect(everythingIn(output)).not.toContain(canary)
  expect(everythingIn(output)).toContain('0 0 9 9 re f')
})

test('what is harmless stays as it is', async () => {
  const links = [
    '/A << /S /URI /URI (https://example.org/kept-1) >>',
    '/A << /S /URI /URI (mailto:kept-2@example.org) >>',
    '/A << /S /URI /URI (www.example.org/kept-3) >>',
    '/A << /S /URI /URI (http://example.org:8080/kept-4) >>',
    '/A << /S /GoTo /D (kept-5) >>',
    '/A << /S /Named /N /NextPage >>',
    '/A << /S /Thread /D 0 >>',
    '/Dest [3 0 R /Fit]',
  ]
  const { findings, output, results } = await cleaned(
    pdfText({
      1: '<< /Type /Catalog /Pages 2 0 R /OpenAction [3 0 R /Fit] /Outlines 5 0 R /PageLabels << /Nums [0 << /S /D /P (kept-6) >>] >> /StructTreeRoot 6 0 R /OCProperties << /OCGs [8 0 R] /D << >> >> /Names << /Dests << /Names [(kept-5) [3 0 R /Fit]] >> >> >>',
      2: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      3: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Trans << /S /Wipe >> /Annots [${links.map((link) => `<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] ${link} >>`).join(' ')}] /Resources << /Font << /AA 9 0 R /JS 9 0 R >> >> >>`,
      5: '<< /Type /Outlines /First 7 0 R /Last 7 0 R /Count 1 >>',
      6: '<< /Type /StructTreeRoot /K 10 0 R /RoleMap << /Sound /Figure /JS /P >> >>',
      7: '<< /Title (kept-7) /Parent 5 0 R /A << /S /GoTo /D [3 0 R /Fit] >> >>',
      8: '<< /Type /OCG /Name (kept-8) >>',
      9: '<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>',
      10: '<< /S /Sound /P 6 0 R /Pg 3 0 R /K 0 /Alt (kept-9) >>',
    }),
  )
  expect(results).toEqual(['none', 'no_forms'])
  expect(Object.values(findings.security).filter((value) => value === true)).toEqual([])
  const all = everythingIn(output)
  for (const kept of Array.from({ length: 9 }, (_, index) => `kept-${index + 1}`)) {
    expect(all).toContain(kept)
  }
  for (const kept of ['/NextPage', '/Thread', '/Wipe', '/AA', '/JS', '/RoleMap']) {
    expect(all).toContain(kept)
  }
})

test('a dictionary that is passed off as a list of fonts is judged as what else it is', async () => {
  const { findings, output, hits } = await cleaned(
    pdfText({
      ...plainBodies,
      1: `<< /Type /Catalog /Pages 2 0 R /Lang (en) /AA << /WC << /S /GoTo /D (${canary}) >> >> >>`,
      3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Resources << /Font 1 0 R >> >>',
    }),
  )
  expect(findings.security.openActionsRemoved).toBe(true)
  expect(hits).toEqual([])
  expect(everythingIn(output)).not.toContain(canary)
})

test('a form that hangs elsewhere than in the catalog goes', async () => {
  const { output, hits } = await cleaned(
    pdfText({
      ...plainBodies,
      3: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /AcroForm << /Fields [(${canary})] >> >>`,
    }),
  )
  expect(hits).toEqual([])
  expect(everythingIn(output)).not.toContain(canary)
})

test('links that are relative to a base in the web lead where they led when the base is gone', async () => {
  const uri = (address: string): string =>
    `<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (${address}) >> >>`
  const { output, hits } = await cleaned(
    pdfText({
      ...plainBodies,
      1: '<< /Type /Catalog /Pages 2 0 R /URI << /Base (https://example.org/docs/) >> >>',
      4: uri('page.html#x'),
      3: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Annots [4 0 R ${uri('mailto:a@b.org')} ${uri('//evil/share')}] >>`,
    }),
  )
  expect(hits).toEqual([])
  const all = everythingIn(output)
  expect(all).toContain('(https://example.org/docs/page.html#x)')
  expect(all).toContain('(mailto:a@b.org)')
  expect(all).not.toMatch(/Base|evil/)
})

test('a page, its content and a catalog that pass themselves off as actions and annotations stay, without what made them that', async () => {
  const { findings, output, hits, graph, results } = await cleaned(
    pdfText({
      ...plainBodies,
      1: `<< /Type /Catalog /Pages 2 0 R /S /Launch /F (${canary}) /AcroForm 1 0 R /Fields [3 0 R] >>`,
      3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Subtype /Widget /Rect [0 0 9 9] /Annots [3 0 R 4 0 R 2 0 R] /Contents 7 0 R >>',
      4: '<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A 1 0 R >>',
      7: streamText('/S /Launch /Subtype /Widget', '(still here) Tj'),
    }),
    { removeAnnotations: true },
  )
  expect(results).toEqual(['removed', 'flattened'])
  expect(findings.security.launchActionsRemoved).toBe(true)
  expect(hits).toEqual([])
  expect(everythingIn(output)).toContain('(still here)')
  expect(at(graph, 'Pages', 'Kids', 0, 'Annots')).toBe(null)
})

test('a signed document under the policy preserve is told of and left alone', async () => {
  const [row] = inventory
  if (!row) throw new Error('no inventory')
  const { findings, output, results } = await cleaned(
    hidingPlaces['in the open'](row),
    { signedPdfPolicy: 'preserve' },
    ({ findings }) => {
      findings.security.signatureCount = 1
    },
  )
  expect(results).toEqual(['preserved', 'no_forms'])
  expect(findings.security.javascriptRemoved).toBe(false)
  expect(findings.warnings).toEqual([
    {
      code: 'SIGNED_CONTENT_PRESERVED',
      message: 'The signed document still holds JavaScript.',
    },
  ])
  expect(everythingIn(output)).toContain(canary)
})

test('one warning for each layer that is off by default and has content', async () => {
  const { findings, results } = await cleaned(
    pdfText({
      1: '<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [10 0 R 11 0 R 12 0 R 13 0 R] /D << /OFF [10 0 R 11 0 R 13 0 R] >> >> >>',
      2: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents 4 0 R /Resources << /Properties << /L0 10 0 R /L1 12 0 R /L2 13 0 R >> /XObject << /X 5 0 R >> >> >>',
      4: streamText('', '/OC /L0 BDC 0 0 9 9 re f EMC /OC /L1 BDC EMC /X Do'),
      5: streamText('/Type /XObject /Subtype /Form /BBox [0 0 9 9] /OC 20 0 R', '0 0 1 1 re f'),
      10: '<< /Type /OCG /Name (a) >>',
      11: '<< /Type /OCG /Name (b) >>',
      12: '<< /Type /OCG /Name (shown) >>',
      13: '<< /Type /OCG /Name (never drawn) >>',
      20: '<< /Type /OCMD /OCGs [11 0 R] >>',
    }),
  )
  expect(results[0]).toBe('none')
  expect(findings.warnings.map(({ code, message }) => [code, message])).toEqual([
    ['HIDDEN_LAYER', 'A layer that is hidden by default has content (object 10 0).'],
    ['HIDDEN_LAYER', 'A layer that is hidden by default has content (object 11 0).'],
  ])
})

describe('removing all annotations', () => {
  const bodies: ObjectBodies = {
    1: '<< /Type /Catalog /Pages 2 0 R /StructTreeRoot 6 0 R >>',
    2: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Annots [4 0 R 5 0 R] /Contents 20 0 R >>',
    4: '<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /StructParent 1 /Dest [3 0 R /Fit] >>',
    5: '<< /Type /Annot /Subtype /Text /Rect [0 0 9 9] /Popup 11 0 R /Contents (CANARY-5f2e) >>',
    6: '<< /Type /StructTreeRoot /K [7 0 R 9 0 R] /ParentTree << /Nums [1 8 0 R] >> >>',
    7: '<< /S /P /P 6 0 R /K [8 0 R] >>',
    8: '<< /S /Link /P 7 0 R /K << /Type /OBJR /Obj 4 0 R /Pg 3 0 R >> >>',
    9: '<< /S /P /P 6 0 R /Pg 3 0 R /K [0 10 0 R] >>',
    10: '<< /Type /OBJR /Obj 5 0 R >>',
    11: '<< /Type /Annot /Subtype /Popup /Parent 5 0 R /Rect [0 0 9 9] >>',
    20: streamText('', '/P << /MCID 0 >> BDC EMC'),
  }

  test('takes pop-ups and emptied structure elements along and keeps tagged content', async () => {
    const { findings, output, graph } = await cleaned(pdfText(bodies), { removeAnnotations: true })
    expect(findings.security.annotationsRemoved).toBe(true)
    const all = everythingIn(output)
    for (const gone of [canary, '/Annot', '/OBJR', '/Link', '/Popup'])
      expect(all).not.toContain(gone)
    expect(at(graph, 'StructTreeRoot', 'K', 1)).toBe(null)
    expect(at(graph, 'StructTreeRoot', 'K', 0, 'K')).toEqual([0])
  })

  test('takes what led to them out of the trees of the structure, and what it had places for stays in place', async () => {
    const { graph } = await cleaned(
      pdfText({
        ...bodies,
        6: '<< /Type /StructTreeRoot /K [7 0 R 9 0 R] /ParentTree << /Kids [30 0 R 31 0 R 32 0 R] >> /IDTree << /Names [(a) 8 0 R (b) 9 0 R] >> >>',
        3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /StructParents 0 /Annots [4 0 R 5 0 R] /Contents 20 0 R >>',
        5: '<< /Type /Annot /Subtype /Text /Rect [0 0 9 9] /StructParent 2 >>',
        30: '<< /Limits [0 1] /Nums [0 33 0 R 1 8 0 R] >>',
        31: '<< /Limits [2 2] /Nums [2 9 0 R] >>',
        32: '<< /Limits [3 4] /Nums [3 9 0 R 4 8 0 R] >>',
        // Where an element stands is the identifier of its content.
        33: '[8 0 R 9 0 R]',
      }),
      { removeAnnotations: true },
    )
    const tree = ['StructTreeRoot', 'ParentTree', 'Kids'] as const
    expect(at(graph, ...tree)).toHaveLength(2)
    expect(at(graph, ...tree, 0, 'Limits')).toEqual([0, 0])
    expect(at(graph, ...tree, 0, 'Nums')).toHaveLength(2)
    expect(at(graph, ...tree, 0, 'Nums', 1, 0)).toBe(null)
    expect(at(graph, ...tree, 0, 'Nums', 1, 1, 'S')).not.toBe(null)
    expect(at(graph, ...tree, 1, 'Limits')).toEqual([3, 3])
    expect(at(graph, 'StructTreeRoot', 'IDTree', 'Names')).toHaveLength(2)
  })

  test('tells nothing where there are none', async () => {
    const { findings } = await cleaned(
      pdfText({
        ...bodies,
        3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] >>',
        4: 'null',
        5: 'null',
        8: 'null',
        10: 'null',
        11: 'null',
      }),
      { removeAnnotations: true },
    )
    expect(findings.security.annotationsRemoved).toBe(false)
  })

  test('is not done unless asked for', async () => {
    const { findings, output } = await cleaned(pdfText(bodies))
    expect(findings.security.annotationsRemoved).toBe(false)
    expect(everythingIn(output)).toContain(canary)
  })
})

const corpus = new URL('../../../../shared/corpus/', import.meta.url)
const hasCorpus = existsSync(new URL('manifest.jsonl', corpus))

test.skipIf(!hasCorpus)(
  `what the corpus says of its files is found in them${hasCorpus ? '' : ' (skipped: no corpus)'}`,
  async () => {
    const sample = [
      ['javascript', 'js', 'javascriptRemoved'],
      ['launch', 'launch', 'launchActionsRemoved'],
      ['embedded-files', 'embedded_files', 'embeddedFilesRemoved'],
      ['richmedia', 'richmedia', 'richMediaRemoved'],
    ] as const
    const lines = readFileSync(new URL('manifest.jsonl', corpus), 'utf8').trim().split('\n')
    const files = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    for (const [category, fact, flag] of sample) {
      const chosen = files.filter(
        (file) =>
          file['category'] === category &&
          file[fact] &&
          !file['encrypted'] &&
          // Its only /EF is the list of usage rights (ISO 32000-2, 12.8.2.3).
          !String(file['file']).endsWith('prefilled_f1040.pdf'),
      )
      expect(chosen.length).toBeGreaterThan(1)
      for (const { file } of chosen.slice(0, 6)) {
        const { findings, hits } = await cleaned(readFileSync(new URL(String(file), corpus)))
        expect.soft(findings.security[flag], `${String(file)}: ${flag}`).toBe(true)
        expect.soft(hits, String(file)).toEqual([])
      }
    }
  },
)
