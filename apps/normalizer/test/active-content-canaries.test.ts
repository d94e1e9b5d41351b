import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { scanOutput } from '../src/active-content/second-scan.ts'
import { normalize } from '../src/normalize.ts'
import { type Cleaned, cleaned, everythingIn } from './fixture/cleaned.ts'
import {
  type ObjectBodies,
  pdfInObjectStream,
  pdfText,
  streamText,
  withUpdate,
} from './fixture/pdf-text.ts'

type Security = Cleaned['findings']['security']
type Flag = keyof Security

const canary = 'CANARY-5f2e'

/** An action that carries the canary, and the objects that it refers to. */
interface Payload {
  readonly what: string
  readonly flag: Flag
  readonly action: string
  readonly more?: ObjectBodies
}

const octal = (text: string): string =>
  Array.from(text, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`).join('')
const hex = (text: string): string => Buffer.from(text, 'latin1').toString('hex')
const utf16 = (text: string): string =>
  `FEFF${Buffer.from(text, 'utf16le').swap16().toString('hex')}`
const script = (what: string, js: string, more: ObjectBodies = {}): Payload => ({
  what: `a script ${what}`,
  flag: 'javascriptRemoved',
  action: `<< /S /JavaScript /JS ${js} >>`,
  more,
})

const payloads: readonly Payload[] = [
  script('as a literal string', `(${canary})`),
  script('in hexadecimal digits', `<${hex(canary)}>`),
  script('in octal digits', `(${octal(canary)})`),
  script('in UTF-16', `<${utf16(canary)}>`),
  script('in a stream', '80 0 R', { 80: streamText('', canary) }),
  script('in a stream with two filters', '80 0 R', {
    80: streamText('/Filter [/AHx /Fl]', `${Buffer.from(deflateSync(canary)).toString('hex')}>`),
  }),
  {
    what: 'a script whose type stands elsewhere',
    flag: 'javascriptRemoved',
    action: `<< /S 81 0 R /JS (${canary}) >>`,
    more: { 81: '/JavaScript' },
  },
  {
    what: 'a script of a rendition',
    flag: 'javascriptRemoved',
    action: `<< /S /Rendition /OP 0 /JS (${canary}) >>`,
  },
  {
    what: 'a script further on in a chain that leads back',
    flag: 'javascriptRemoved',
    action: '82 0 R',
    more: {
      82: '<< /S /GoTo /D [3 0 R /Fit] /Next [82 0 R 83 0 R] >>',
      83: `<< /S /URI /URI (https://example.org/) /Next [<< /S /JavaScript /JS (${canary}) /Next 82 0 R >>] >>`,
    },
  },
  {
    what: 'a script as an address',
    flag: 'javascriptRemoved',
    action: `<< /S /URI /URI <${utf16(`java\tscript:${canary}`)}> >>`,
  },
  {
    what: 'a program for one system',
    flag: 'launchActionsRemoved',
    action: `<< /S /Launch /Win << /F (cmd.exe) /P (${octal(canary)}) >> >>`,
  },
  {
    what: 'a file on a share',
    flag: 'launchActionsRemoved',
    action: `<< /S /GoToR /F << /Type /Filespec /UF <${utf16(`\\\\host\\${canary}`)}> >> /D [0 /Fit] >>`,
  },
  {
    what: 'a form sent away',
    flag: 'launchActionsRemoved',
    action: `<< /S /SubmitForm /F << /FS /URL /F (http://example.org/${canary}) >> >>`,
  },
  {
    what: 'a sound',
    flag: 'richMediaRemoved',
    action: '<< /S /Sound /Sound 80 0 R >>',
    more: { 80: streamText('/Type /Sound /R 8000', canary) },
  },
]

/** Addresses that some reader takes for more than a way to the web. */
const addresses: readonly Payload[] = [
  {
    what: 'markup as an address',
    flag: 'javascriptRemoved',
    action: `<< /S /URI /URI ("><img src=x onerror=${canary}>) >>`,
  },
  {
    what: 'a command as an address',
    flag: 'launchActionsRemoved',
    action: `<< /S /URI /URI (START C:/\\\\Windows/${canary}) >>`,
  },
  ...[
    '\\030javascript',
    'java%73cript',
    '\\357\\273\\277JavaScript',
    ' \\000j\\000a\\000vascript',
  ].map((scheme): Payload => ({
    what: `a script as an address that begins with ${scheme}`,
    flag: 'javascriptRemoved',
    action: `<< /S /URI /URI (${scheme}:${canary}) >>`,
  })),
  ...['file%3A///', '%66ile:', '\\\\\\\\host', 'c|\\\\windows', 'ms-msdt:/id'].map(
    (start): Payload => ({
      what: `a file as an address that begins with ${start}`,
      flag: 'launchActionsRemoved',
      action: `<< /S /URI /URI (${start}/${canary}) >>`,
    }),
  ),
]

/** Where an action can sit (trust, 5.1); each gives the objects of a document with it. */
const positions: Readonly<Record<string, (action: string) => ObjectBodies>> = {
  'what the document opens with': (action) => catalog(`/OpenAction ${action}`),
  'a trigger of the document': (action) => catalog(`/AA << /WC ${action} >>`),
  'a trigger of a page': (action) => page(`/AA << /C ${action} >>`),
  'a link': (action) => link(`/A ${action}`),
  'what a link once was': (action) => link(`/PA ${action}`),
  'a trigger of an annotation': (action) => link(`/AA << /PV ${action} >>`),
  'an annotation without a subtype': (action) =>
    page(`/Annots [<< /Rect [0 0 9 9] /A ${action} >>]`),
  'a widget': (action) => field(`/A ${action}`, ''),
  'a key stroke in a field': (action) => field(`/AA << /K ${action} >>`, ''),
  'a calculation of a field above the widget': (action) => field('', `/AA << /C ${action} >>`),
  'a field above the widget': (action) => field('', `/A ${action}`),
  'an outline item': (action) => ({
    ...catalog('/Outlines 20 0 R'),
    20: '<< /Type /Outlines /First 21 0 R /Last 21 0 R /Count 1 >>',
    21: `<< /Title (x) /Parent 20 0 R /A ${action} >>`,
  }),
  'a kid of the tree of scripts': (action) => ({
    ...catalog('/Names << /JavaScript << /Kids [20 0 R 21 0 R] >> >>'),
    20: '<< /Kids [21 0 R 20 0 R] >>',
    21: `<< /Names [(a) ${action}] >>`,
  }),
  'a kid of the tree of destinations': (action) => ({
    ...catalog('/Names << /Dests << /Kids [20 0 R] >> >>'),
    20: `<< /Names [(a) << /D [3 0 R /Fit] /X ${action} >>] >>`,
  }),
  'a step of a presentation': (action) => page(`/PresSteps << /NA ${action} /PA ${action} >>`),
  'a media annotation': (action) =>
    page(`/Annots [<< /Subtype /Screen /Rect [0 0 9 9] /A ${action} >>]`),
  'the use of a layer': (action) => ({
    ...catalog('/OCProperties << /OCGs [20 0 R] /D << >> >>'),
    20: `<< /Type /OCG /Name (x) /Usage << /X ${action} >> >>`,
  }),
  'a thread': (action) => ({
    ...catalog('/Threads [20 0 R]'),
    20: `<< /F 21 0 R /I << /X ${action} >> >>`,
    21: '<< /T 20 0 R /N 21 0 R /V 21 0 R /P 3 0 R /R [0 0 9 9] >>',
  }),
  'private data': (action) => page(`/PieceInfo << /App << /Private ${action} >> >>`),
  'the resources of an appearance': (action) => ({
    ...page('/Annots [<< /Subtype /Square /Rect [0 0 9 9] /AP << /N 20 0 R >> >>]'),
    20: streamText(
      `/Subtype /Form /BBox [0 0 9 9] /Resources << /X << /Annots [<< /Subtype /Link /A ${action} >>] >> >>`,
      '0 0 9 9 re f',
    ),
  }),
  'a structure element': (action) => ({
    ...catalog('/StructTreeRoot 20 0 R'),
    20: '<< /Type /StructTreeRoot /K 21 0 R >>',
    21: `<< /S /P /P 20 0 R /K 0 /Pg 3 0 R /A << /O /Layout /X ${action} >> >>`,
  }),
  'the scripts of an FDF in the file': (action) =>
    catalog(`/FDF << /JavaScript << /Before ${action} /Doc [(a) ${action}] >> >>`),
}

const pages: ObjectBodies = {
  1: '<< /Type /Catalog /Pages 2 0 R >>',
  2: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents 5 0 R >>',
  5: streamText('', '0 0 9 9 re f'),
}

function catalog(entries: string): ObjectBodies {
  return { ...pages, 1: `<< /Type /Catalog /Pages 2 0 R ${entries} >>` }
}

function page(entries: string): ObjectBodies {
  return {
    ...pages,
    3: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents 5 0 R ${entries} >>`,
  }
}

function link(entries: string): ObjectBodies {
  return { ...page('/Annots [4 0 R]'), 4: `<< /Subtype /Link /Rect [0 0 9 9] ${entries} >>` }
}

function field(ofWidget: string, ofParent: string): ObjectBodies {
  return {
    ...page('/Annots [4 0 R]'),
    1: '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [6 0 R] /CO [6 0 R] >> >>',
    4: `<< /Subtype /Widget /Rect [0 0 9 9] /Parent 6 0 R ${ofWidget} >>`,
    6: `<< /T (f) /FT /Tx /Kids [4 0 R] ${ofParent} >>`,
  }
}

type Place = (action: string) => ObjectBodies

/** How the action is hidden where it sits (trust, 5.3). */
const disguises: Readonly<Record<string, (place: Place, payload: Payload) => Uint8Array>> = {
  'in the open': (place, { action, more }) => pdfText({ ...place(action), ...more }),
  'behind references': (place, { action, more }) =>
    pdfText({ ...place('71 0 R'), 70: action, 71: '70 0 R', ...more }),
  'in an object stream': (place, { action, more }) =>
    pdfInObjectStream({ ...place('70 0 R'), 70: action, ...more }),
  'under escaped names': (place, { action, more }) =>
    pdfText(escapedAll({ ...place(action), ...more })),
  'as the dictionary of a stream': (place, { action, more }) => {
    const direct = action.startsWith('<<')
    const body = direct ? streamText(action.slice(2, -2), '') : action
    return pdfText({ ...place('70 0 R'), 70: body, ...more })
  },
  'in a later save': (place, { action, more }) =>
    withUpdate(pdfText(pages), { ...place(action), ...more }),
}

/** Every name but those of streams, of which the length and the filter have to be found. */
function escapedAll(bodies: ObjectBodies): ObjectBodies {
  return Object.fromEntries(
    Object.entries(bodies).map(([number, body]) => [
      number,
      body.includes('endstream')
        ? body
        : body.replace(
            /\/([A-Za-z])([A-Za-z0-9]*)/g,
            (_, first: string, rest: string) => `/#${first.charCodeAt(0).toString(16)}${rest}`,
          ),
    ]),
  )
}

/** Whether the canary stands in the bytes or in a stream, plain, in UTF-16 or in hexadecimal digits. */
function holdsCanary(output: Uint8Array): boolean {
  const all = everythingIn(output)
  const digits = hex(canary)
  const wide = Buffer.from(canary, 'utf16le').swap16()
  const forms = [canary, wide.toString('latin1'), digits, wide.toString('hex')]
  return forms.some((form) => all.includes(form) || all.includes(form.toUpperCase()))
}

/** Which booleans a second look at the output would set. */
function removals(security: Security): string[] {
  return Object.entries(security).flatMap(([flag, value]) =>
    value === true && flag.endsWith('Removed') ? [flag] : [],
  )
}

test.each(addresses)('nothing is left of $what', async ({ action, flag }) => {
  const { findings, output, hits } = await cleaned(pdfText(link(`/A ${action}`)))
  expect(holdsCanary(output)).toBe(false)
  expect(hits).toEqual([])
  expect(findings.security[flag]).toBe(true)
})

/** Private data goes as a whole with the metadata, later in the pipeline. */
const cleanedHere = Object.entries(positions).filter(([where]) => where !== 'private data')

describe.each(Object.entries(disguises))('%s', (_, disguise) => {
  test.each(cleanedHere)('nothing is left of an action at %s', async (_where, place) => {
    for (const payload of payloads) {
      const { findings, output, hits } = await cleaned(disguise(place, payload))
      expect.soft(holdsCanary(output), payload.what).toBe(false)
      expect.soft(hits, payload.what).toEqual([])
      expect.soft(findings.security[payload.flag], payload.what).toBe(true)

      const again = await cleaned(output)
      expect.soft(again.results, payload.what).toEqual(['none', 'no_forms'])
      expect.soft(removals(again.findings.security), payload.what).toEqual([])
    }
  })
})

test.each(Object.entries(positions))(
  'the whole pipeline takes an action out of %s, and finds nothing in what it made',
  async (_, place) => {
    for (const { what, flag, action, more } of payloads.slice(-5)) {
      const once = await normalized(pdfText({ ...place(action), ...more }))
      expect.soft(holdsCanary(once.output), what).toBe(false)
      expect.soft(once.security[flag], what).toBe(true)
      expect.soft(scanOutput(once.output), what).toEqual([])
      const twice = await normalized(once.output)
      expect.soft(Buffer.compare(twice.output, once.output), what).toBe(0)
      expect.soft(removals(twice.security), what).toEqual([])
    }
  },
)

/** Things that are no actions, or sit where no action does. */
const others: readonly (readonly [string, Flag | null, Uint8Array])[] = [
  ...[
    ['the catalog', catalog],
    ['a page', page],
    ['an annotation', link],
    [
      'a structure tree',
      (af: string) => catalog(`/StructTreeRoot << /Type /StructTreeRoot ${af} >>`),
    ],
    [
      'an XObject',
      (af: string): ObjectBodies => ({
        ...page('/Resources << /XObject << /X 20 0 R >> >>'),
        20: streamText(`/Subtype /Form /BBox [0 0 9 9] ${af}`, '0 0 9 9 re f'),
      }),
    ],
  ].map(([where, place]) => {
    const attach = place as (entries: string) => ObjectBodies
    const file = streamText('/Type /EmbeddedFile /Subtype /text#2Fplain', canary)
    const bodies = {
      ...attach('/AF [60 0 R]'),
      60: `<< /Type /Filespec /F (${canary}) /EF << /F 61 0 R >> >>`,
      61: file,
    }
    return [
      `a file that only ${String(where)} is associated with`,
      'embeddedFilesRemoved',
      pdfText(bodies),
    ] as const
  }),
  [
    'a document in the document',
    'embeddedFilesRemoved',
    pdfText({
      ...catalog('/Names << /EmbeddedFiles << /Kids [20 0 R] >> >> /Collection << /D (a) >>'),
      20: '<< /Kids [20 0 R 21 0 R] >>',
      21: '<< /Names [(a) << /EF << /UF 22 0 R >> >>] >>',
      22: streamText(
        '/Type /EmbeddedFile',
        Buffer.from(pdfText(catalog(`/OpenAction << /S /JavaScript /JS (${canary}) >>`))).toString(
          'latin1',
        ),
      ),
    }),
  ],
  [
    'related files',
    'embeddedFilesRemoved',
    pdfText({
      ...link('/FS << /Type /Filespec /F (a) /RF << /F [(a) 61 0 R] >> >>'),
      61: streamText('/Type /EmbeddedFile', canary),
    }),
  ],
  ...(['an annotation', 'an outline item'] as const).map((holder) => {
    const element = '/S /P /P 3 0 R /K 0 /Pg 3 0 R'
    const action = `/A << /S /Sound /Sound 60 0 R ${element.replace('/S /P ', '')} >>`
    const bodies =
      holder === 'an annotation'
        ? link(`${element} ${action}`)
        : {
            ...catalog('/Outlines 20 0 R'),
            20: '<< /First 21 0 R /Last 21 0 R /Count 1 >>',
            21: `<< /Title (x) /Parent 20 0 R ${element} ${action} >>`,
          }
    return [
      `an action that passes itself off as structure, in ${holder} that does too`,
      'richMediaRemoved',
      pdfText({ ...bodies, 60: streamText('/Type /Sound /R 8000', canary) }),
    ] as const
  }),
  [
    'a file in a dictionary that a stream brings',
    'embeddedFilesRemoved',
    pdfText({
      ...link('/FS << /Type /Filespec /F (a) /EF 60 0 R >>'),
      60: streamText('/F 61 0 R', ''),
      61: streamText('', canary),
    }),
  ],
  [
    'triggers in a dictionary that a stream brings',
    'openActionsRemoved',
    pdfText({
      ...page('/AA 60 0 R'),
      60: streamText(`/O << /S /URI /URI (https://example.org/${canary}) >>`, ''),
    }),
  ],
  [
    'commands that fetch pages of the web',
    null,
    pdfText(
      catalog(
        `/SpiderInfo << /V 1.25 /C [<< /URL (http://example.org/${canary}) /P (${canary}) >>] >>`,
      ),
    ),
  ],
  [
    'a script in the matrix of a font',
    'javascriptRemoved',
    pdfText({
      ...page('/Resources << /Font << /F 20 0 R >> >>'),
      20: `<< /Type /Font /Subtype /Type1 /BaseFont /F /FontMatrix [1 2 3 4 5 (1\\); ${canary}//)] >>`,
    }),
  ],
  [
    'a colour profile of another file',
    'embeddedFilesRemoved',
    pdfText(
      catalog(
        `/OutputIntents [<< /S /GTS_PDFX /OutputConditionIdentifier (x) /DestOutputProfileRef << /URLs [<< /FS /URL /F (http://example.org/${canary}) >>] >> >>]`,
      ),
    ),
  ],
  [
    'a link that the document follows when it opens, after a destination',
    'openActionsRemoved',
    pdfText(
      catalog(
        `/OpenAction << /S /GoTo /D [3 0 R /Fit] /Next << /S /URI /URI (https://example.org/${canary}) >> >>`,
      ),
    ),
  ],
  [
    'media in a stream that stands as an annotation',
    'richMediaRemoved',
    pdfText({
      ...page('/Annots [20 0 R]'),
      20: streamText(
        `/Type /Annot /Subtype /Movie /Rect [0 0 9 9] /Movie << /F (${canary}) >>`,
        '',
      ),
    }),
  ],
  [
    'a script of a 3D stream',
    'javascriptRemoved',
    pdfText({
      ...page('/Annots [<< /Subtype /3D /Rect [0 0 9 9] /3DD 61 0 R >>]'),
      61: streamText('/Type /3D /Subtype /U3D /OnInstantiate 62 0 R', canary),
      62: streamText('', canary),
    }),
  ],
  [
    'XFA in one stream',
    'javascriptRemoved',
    pdfText({
      ...pages,
      1: '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [] /XFA 61 0 R >> >>',
      61: streamText('', `<template><event><script>${canary}</script></event></template>`),
    }),
  ],
  [
    'XFA in packets',
    'javascriptRemoved',
    pdfText({
      ...pages,
      1: '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [] /XFA [(config) 61 0 R (template) 62 0 R] >> >>',
      61: streamText('/Type /EmbeddedFile', `<config>${canary}</config>`),
      62: streamText(
        '/Filter /ASCIIHexDecode',
        `${hex(`<t:template><t:script>${canary}</t:script></t:template>`)}>`,
      ),
    }),
  ],
  [
    'the values of a form: text, defaults, rich text and options',
    'acroformFlattened',
    pdfText({
      ...field(
        `/F 2 /MK << /CA (${canary}) >> /TU (${canary})`,
        `/V (${canary}) /DV (${canary}) /RV (${canary}) /Opt [(${canary})]`,
      ),
    }),
  ],
  [
    'a password',
    'acroformFlattened',
    pdfText(field('', `/Ff 8192 /V (${canary}) /DA (/Helv 9 Tf)`)),
  ],
  [
    'what an earlier save held',
    null,
    withUpdate(pdfText(link(`/A << /S /JavaScript /JS (${canary}) >>`)), pages),
  ],
  [
    'an object that the table calls free',
    null,
    freed(pdfText({ ...pages, 50: `<< /S /JavaScript /JS (${canary}) >>` }), 50),
  ],
  [
    'an object that nothing refers to',
    'javascriptRemoved',
    pdfText({ ...pages, 50: `<< /S /JavaScript /JS (${canary}) >>` }),
  ],
  [
    'a key that stands twice',
    'javascriptRemoved',
    pdfText(link(`/A << /S /GoTo /D [3 0 R /Fit] >> /A << /S /JavaScript /JS (${canary}) >>`)),
  ],
  ['bytes behind the end', null, Buffer.concat([pdfText(pages), Buffer.from(`\n${canary}\n`)])],
  [
    'comments',
    null,
    Buffer.from(
      Buffer.from(pdfText(pages))
        .toString('latin1')
        .replace('%PDF-1.7\n', `%PDF-1.7\n%${canary}\n`),
      'latin1',
    ),
  ],
]

/** The file with the entry of one object turned into a free one. */
function freed(file: Uint8Array, number: number): Uint8Array {
  const text = Buffer.from(file).toString('latin1')
  const entry = new RegExp(`\\n${number} 1\\n\\d{10} 00000 n`)
  return Buffer.from(text.replace(entry, `\n${number} 1\n0000000000 00001 f`), 'latin1')
}

test.each(others)('nothing is left of %s', async (_, flag, file) => {
  expect(holdsCanary(file) || flag !== null).toBe(true)
  const once = await normalized(file)
  expect(holdsCanary(once.output)).toBe(false)
  expect(flag === null || once.security[flag]).toBe(true)
  expect(scanOutput(once.output)).toEqual([])
  const twice = await normalized(once.output)
  expect(Buffer.compare(twice.output, once.output)).toBe(0)
  expect(removals(twice.security)).toEqual([])
})

async function normalized(file: Uint8Array): Promise<{ output: Uint8Array; security: Security }> {
  const outcome = await normalize(file, {
    linearize: false,
    removeAnnotations: false,
    signedPdfPolicy: 'reject',
    pdfaPolicy: 'preserve',
  })
  if (outcome.kind !== 'normalized') throw new Error(outcome.failure.message)
  return { output: outcome.output, security: outcome.security }
}
