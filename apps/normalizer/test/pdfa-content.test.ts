import { describe, expect, test } from 'vitest'
import type { Flavour } from '../src/pdfa/flavour.ts'
import { type PdfBody, stream } from './fixture/build-pdf.ts'
import { failedRules } from './fixture/failed-rules.ts'
import { dictionary, iccProfile, type PdfaChanges, pdfaDocument } from './fixture/pdfa-document.ts'

describe('colour spaces of the device', () => {
  const without = { catalog: { OutputIntents: null } }

  test('rely on an output intent wherever they are set or painted in, and not where they are only defined', () => {
    const ofContent = (content: string, changes: PdfaChanges = {}): string[] =>
      failed('2b', { ...without, content, ...changes })
    expect(ofContent('0 0 1 1 re f')).toEqual(['6.2.4.3 t4'])
    expect(ofContent('0 0 1 1 re n')).toEqual([])
    expect(ofContent('0 0 1 1 re W n')).toEqual([])
    expect(ofContent('1 0 0 rg')).toEqual(['6.2.4.3 t2'])
    expect(ofContent('0 0 0 1 K')).toEqual(['6.2.4.3 t3'])
    expect(ofContent('/DeviceRGB cs')).toEqual(['6.2.4.3 t2'])
    expect(ofContent('q', { resources: { ColorSpace: '<< /C /DeviceRGB >>' } })).toEqual([])
    expect(ofContent('q 1 0 0 rg Q S')).toEqual(['6.2.4.3 t2', '6.2.4.3 t4'])
    expect(ofContent('BI /W 1 /H 1 /BPC 8 /CS /RGB ID abc EI')).toEqual(['6.2.4.3 t2'])
    expect(ofContent('/S sh', { resources: { Shading: `<< /S ${shading} >>` } })).toEqual([
      '6.2.4.3 t2',
    ])
  })

  test('are named by the clauses of each part', () => {
    const content = '1 0 0 rg 0 0 0 1 k 0 g'
    expect(failed('1b', { ...without, content })).toEqual([
      '6.2.3.3 t1',
      '6.2.3.3 t2',
      '6.2.3.3 t3',
    ])
    expect(failed('4', { ...without, content })).toEqual(['6.2.4.3 t2', '6.2.4.3 t3', '6.2.4.3 t4'])
    expect(failed('4', { content })).toEqual(['6.2.4.3 t3'])
  })

  test('are replaced by defaults in the resources of the same content', () => {
    const resources = { ColorSpace: `<< /DefaultGray ${icc} /DefaultRGB ${icc} >>` }
    const content = '1 0 0 rg f 0 g f /C cs'
    expect(failed('2b', { ...without, content, resources, objects: profiles })).toEqual([])
    const drawn = { ...resources, XObject: '<< /X 20 0 R >>' }
    const form = (entries: string): PdfaChanges => ({
      ...without,
      content: '/X Do',
      resources: drawn,
      objects: { ...profiles, 20: formXObject('1 0 0 rg', entries) },
    })
    expect(failed('2b', form(''))).toEqual(['6.2.4.3 t2'])
    expect(failed('2b', form(`/Resources << /ColorSpace << /DefaultRGB ${icc} >> >>`))).toEqual([])
  })

  test('are judged as parts of other colour spaces, under the clause of those as well', () => {
    const set = (space: string): string[] =>
      failed('2b', {
        ...without,
        content: '/C cs',
        resources: { ColorSpace: `<< /C ${space} >>` },
      })
    expect(set(`[/Separation /A /DeviceCMYK ${tint}]`)).toEqual(['6.2.4.3 t3', '6.2.4.4 t3'])
    expect(set('[/Indexed /DeviceRGB 0 <000000>]')).toEqual(['6.2.4.3 t2', '6.2.4.5 t1'])
    expect(set('[/Pattern /DeviceRGB]')).toEqual([])
    expect(set('[/Lab << /WhitePoint [1 1 1] >>]')).toEqual([])
  })

  test('count in part 4 where the group is of such a colour space', () => {
    const grouped = (content: string, space: string, type = '/S /Transparency'): string[] =>
      failed('4', {
        ...without,
        content,
        page: { Group: `<< ${type} /CS ${space} >>` },
        objects: profiles,
      })
    expect(grouped('1 0 0 rg', icc)).toEqual([])
    expect(grouped('1 0 0 rg', icc, '')).toEqual(['6.2.4.3 t2'])
    expect(grouped('1 0 0 rg', icc, '/S /Other')).toEqual(['6.2.4.3 t2'])
    expect(grouped('0 0 0 1 k', icc)).toEqual(['6.2.4.3 t3'])
    expect(grouped('0 g', icc)).toEqual(['6.2.4.3 t4'])
    expect(grouped('1 0 0 rg', '[/CalRGB << /WhitePoint [1 1 1] >>]')).toEqual([])
    expect(grouped('1 0 0 rg', '/DeviceRGB')).toEqual(['6.2.4.3 t2', '6.2.9 t3'])
    const inForm = (isolation: string): string[] =>
      failed('4', {
        ...without,
        content: '/X Do',
        page: { Group: `<< /S /Transparency /CS ${cmyk} >>` },
        resources: { XObject: '<< /X 20 0 R >>' },
        objects: {
          ...profiles,
          20: formXObject('1 0 0 rg', `/Group << /S /Transparency /CS ${icc} ${isolation} >>`),
        },
      })
    expect(inForm('/I true')).toEqual([])
    expect(inForm('')).toEqual(['6.2.4.3 t2'])
  })
})

describe('ICC profiles', () => {
  const used = (flavour: Flavour, profile: Buffer, entries = '/N 3'): string[] =>
    failed(flavour, {
      content: '/C cs',
      resources: { ColorSpace: '<< /C [/ICCBased 20 0 R] >>' },
      objects: { 20: stream(profile, entries) },
    })

  test('of colour spaces are of a version, a class and a space that each part knows', () => {
    expect(used('1b', iccProfile({ version: 4.2 }))).toEqual(['6.2.3.2 t1'])
    expect(used('2b', iccProfile({ version: 4.2 }))).toEqual([])
    expect(used('2b', iccProfile({ version: 5 }))).toEqual(['6.2.4.2 t1'])
    expect(used('4', iccProfile({ deviceClass: 'link' }))).toEqual(['6.2.4.2 t1'])
    expect(used('2b', iccProfile({ colourSpace: 'HSV ' }))).toEqual(['6.2.4.2 t1'])
    expect(used('1b', iccProfile(), '/N 4')).toEqual(['6.2.3.2 t2'])
    expect(used('2b', iccProfile(), '/N 4')).toEqual([])
    expect(used('2b', Buffer.alloc(0))).toEqual(['6.2.4.2 t1'])
  })

  test('of output intents are of devices that put out, and one for all intents', () => {
    const output = (flavour: Flavour, profile: Buffer): string[] =>
      failed(flavour, { content: 'q Q', outputProfile: stream(profile, '/N 3') })
    expect(output('1b', iccProfile({ version: 4 }))).toEqual(['6.2.2 t1'])
    expect(output('2b', iccProfile({ version: 4 }))).toEqual([])
    expect(output('2b', iccProfile({ deviceClass: 'scnr' }))).toEqual(['6.2.3 t1'])
    const second = (profile: string): string[] =>
      failed('2b', {
        catalog: {
          OutputIntents: `[${intent('GTS_PDFA1', '6 0 R')} ${intent('GTS_PDFX', profile)}]`,
        },
        objects: { 20: stream(iccProfile(), '/N 3') },
      })
    expect(second('6 0 R')).toEqual([])
    expect(second('20 0 R')).toEqual(['6.2.3 t2'])
  })

  test('of CMYK are not those of the output intent in part 4, and do not overprint in a mode of their own', () => {
    const profile = iccProfile({ deviceClass: 'prtr', colourSpace: 'CMYK' })
    const changes: PdfaChanges = {
      content: '/C cs f',
      outputProfile: stream(profile, '/N 4'),
      resources: { ColorSpace: '<< /C [/ICCBased 20 0 R] >>' },
    }
    const same = { ...changes, objects: { 20: stream(profile, '/N 4') } }
    expect(failed('4', same)).toEqual(['6.2.4.2 t3'])
    expect(failed('2b', same)).toEqual([])
    const other = iccProfile({ deviceClass: 'prtr', colourSpace: 'CMYK', version: 4 })
    expect(failed('4', { ...changes, objects: { 20: stream(other, '/N 4') } })).toEqual([])
    const overprinting = (parameters: string, content: string): string[] =>
      failed('2b', {
        ...same,
        content,
        resources: { ...changes.resources, ExtGState: `<< /G << ${parameters} >> >>` },
      })
    expect(overprinting('/OP true /OPM 1', '/G gs /C cs f')).toEqual(['6.2.4.2 t2'])
    expect(overprinting('/OP true /OPM 1', '/G gs /C cs n')).toEqual([])
    expect(overprinting('/OP true /op false /OPM 1', '/G gs /C cs f')).toEqual([])
    expect(overprinting('/OP true /OPM 0', '/G gs /C cs f')).toEqual([])
  })
})

test('separations of one name are alike, and the spot colours of DeviceN are described', () => {
  const set = (...spaces: string[]): string[] =>
    failed('2b', {
      content: spaces.map((_, index) => `/C${index} cs`).join(' '),
      resources: {
        ColorSpace: `<< ${spaces.map((space, index) => `/C${index} ${space}`).join(' ')} >>`,
      },
    })
  const separation = (name: string, exponent: number): string =>
    `[/Separation /${name} /DeviceRGB << /FunctionType 2 /Domain [0 1] /N ${exponent} >>]`
  expect(set(separation('A', 1), separation('A', 1))).toEqual([])
  expect(set(separation('A', 1), separation('B', 2))).toEqual([])
  expect(set(separation('A', 1), separation('A', 2))).toEqual(['6.2.4.4 t2'])
  expect(set(separation('#FF', 1))).toEqual(['6.1.8 t1'])

  const several = (names: string, attributes: string): string =>
    `[/DeviceN [${names}] /DeviceRGB ${tint} << ${attributes} >>]`
  expect(set(several('/A /Cyan', ''))).toEqual(['6.2.4.4 t1'])
  expect(set(several('/Cyan /None', ''))).toEqual([])
  expect(set(several('/A', `/Colorants << /A ${separation('A', 1)} >>`))).toEqual([])
  const many = several('/Cyan '.repeat(9), '')
  expect(set(many)).toEqual([])
  expect(failed('1b', { content: '/C cs', resources: { ColorSpace: `<< /C ${many} >>` } })).toEqual(
    ['6.1.12 t9'],
  )
})

describe('content streams', () => {
  test('have only operators that exist, also between BX and EX', () => {
    expect(failed('1b', { content: 'foo' })).toEqual(['6.2.10 t1'])
    expect(failed('2b', { content: 'BX foo EX' })).toEqual(['6.2.2 t1'])
    expect(failed('4', { content: ') f' })).toEqual(['6.2.2 t1'])
    expect(failed('2b', { content: 'BX EX (foo) Tj % foo' })).toEqual([])
  })

  test('nest q at most 28 times, each content for itself', () => {
    expect(failed('2b', { content: 'q '.repeat(28) })).toEqual([])
    expect(failed('1b', { content: 'q '.repeat(29) })).toEqual(['6.1.12 t8'])
    expect(failed('2b', { content: 'q '.repeat(29) })).toEqual(['6.1.13 t8'])
    expect(failed('4', { content: 'q '.repeat(29) })).toEqual([])
    expect(
      failed('2b', {
        ...drawing(formXObject('q '.repeat(20))),
        content: `${'q '.repeat(20)} /X Do`,
      }),
    ).toEqual([])
  })

  test('keep the limits of numbers, strings and names in operands that are used', () => {
    expect(failed('2b', { content: '99999999999 w' })).toEqual(['6.1.13 t1'])
    expect(failed('2b', { content: '99999999999' })).toEqual([])
    expect(failed('1b', { content: '32768.5 w' })).toEqual(['6.1.12 t2'])
    expect(failed('1b', { content: '32768 w' })).toEqual([])
    expect(failed('2b', { content: `/${'a'.repeat(128)} BMC EMC` })).toEqual(['6.1.13 t4'])
    expect(failed('2b', { content: '<123> Tj' })).toEqual(['6.1.6 t1'])
    expect(failed('4', { content: '/A << /B <1g> >> BDC EMC' })).toEqual(['6.1.5 t2'])
  })

  test('have the resources that they name: their own, and none of the page', () => {
    const parameters = '<< /ExtGState << /G << >> >> >>'
    const inherited = {
      page: { Resources: null },
      content: '/G gs',
      objects: { 2: `<< /Type /Pages /Kids [3 0 R] /Count 1 /Resources ${parameters} >>` },
    }
    expect(failed('1b', inherited)).toEqual([])
    expect(failed('2b', inherited)).toEqual(['6.2.2 t2'])
    expect(failed('2b', { ...inherited, content: 'q Q' })).toEqual([])
    const inForm = (entries: string): PdfaChanges => {
      const base = drawing(formXObject('/G gs', entries))
      return { ...base, resources: { ...base.resources, ExtGState: '<< /G << >> >>' } }
    }
    expect(failed('2b', inForm(''))).toEqual(['6.2.2 t2'])
    expect(failed('2b', inForm('/Resources << >>'))).toEqual(['6.2.2 t2'])
    expect(failed('2b', inForm(`/Resources ${parameters}`))).toEqual([])
    const base = drawing(formXObject('/X Do', '/Resources << /XObject << /X 99 0 R >> >>'))
    expect(failed('2b', base)).toEqual(['6.2.2 t2'])
    for (const content of ['/G gs', '/X Do', '/C cs', 'BT /F 1 Tf ET', '/S sh', '/A /M BDC EMC']) {
      expect(failed('4', { content })).toEqual(['6.2.2 t3'])
      expect(failed('2b', { content })).toEqual([])
    }
    expect(failed('4', { content: 'q Q', page: { Resources: null } })).toEqual(['6.2.2 t3'])
  })

  test('name languages by tags and replace text without private characters', () => {
    const content = '/Span << /Lang (a_b) /ActualText <FEFFE000> >> BDC EMC'
    expect(failed('1a', { content })).toEqual(['6.8.4 t1'])
    expect(failed('2a', { content })).toEqual(['6.7.4 t1'])
    expect(failed('2b', { content })).toEqual([])
    expect(failed('4', { content })).toEqual(['6.2.10.8 t1'])
  })
})

describe('transparency', () => {
  const parameters = (given: string, content = '/G gs 1 0 0 rg 0 0 1 1 re f'): PdfaChanges => ({
    content,
    resources: { ExtGState: `<< /G << ${given} >> >>` },
  })

  test('does not exist in part 1', () => {
    expect(failed('1b', parameters('/ca 0.5'))).toEqual(['6.4 t6'])
    expect(failed('1b', parameters('/CA 0.5'))).toEqual(['6.4 t5'])
    expect(failed('1b', parameters('/ca 1.0 /CA 1 /BM /Compatible /SMask /None'))).toEqual([])
    expect(failed('1b', parameters('/BM /Multiply'))).toEqual(['6.4 t4'])
    expect(failed('1b', parameters('/SMask << /S /Alpha >>'))).toEqual(['6.4 t1'])
    expect(failed('1b', { page: { Group: '<< /S /Transparency >>' } })).toEqual(['6.4 t3'])
    expect(failed('1b', drawing(image('/SMask 21 0 R'), { 21: image() }))).toEqual(['6.4 t2'])
    expect(failed('1b', parameters('/ca 0.5', 'q Q'))).toEqual([])
  })

  test('has blend modes that ISO 32000 knows', () => {
    expect(failed('2b', parameters('/BM /Luminosity'))).toEqual([])
    expect(failed('2b', parameters('/BM /Foo'))).toEqual(['6.2.10 t1'])
    expect(failed('4', parameters('/BM /Foo'))).toEqual(['6.2.9 t1'])
    expect(failed('2b', parameters('/BM [/Foo /Normal]'))).toEqual(['6.2.10 t1'])
  })

  test('asks without an output intent for a group with a colour space, once something is painted with it', () => {
    const gray = { ColorSpace: `<< /DefaultGray ${icc} >>` }
    const painted = (given: string, content: string, page = {}): string[] =>
      failed('2b', {
        content,
        page,
        catalog: { OutputIntents: null },
        resources: {
          ...gray,
          ExtGState: `<< /G << ${given} >> >>`,
          XObject: '<< /X 20 0 R /Y 21 0 R >>',
        },
        objects: {
          ...profiles,
          20: formXObject('', '/Group << /S /Transparency >>'),
          21: formXObject(''),
        },
      })
    expect(painted('/ca 0.5', '/G gs f')).toEqual(['6.2.10 t2'])
    expect(painted('/ca 0.5', '/G gs S')).toEqual([])
    expect(painted('/ca 0.5', '/G gs n')).toEqual([])
    expect(painted('/CA 0.5', '/G gs S')).toEqual(['6.2.10 t2'])
    expect(painted('/BM /Multiply', '/G gs f')).toEqual(['6.2.10 t2'])
    expect(painted('/BM /Multiply', 'q /G gs Q f')).toEqual([])
    expect(painted('/SMask << /S /Alpha >>', '/G gs /Y Do')).toEqual(['6.2.10 t2'])
    expect(painted('', '/X Do')).toEqual(['6.2.10 t2'])
    expect(painted('', '/Y Do')).toEqual([])
    const group = { Group: `<< /S /Transparency /CS ${icc} >>` }
    expect(painted('/ca 0.5', '/G gs f', group)).toEqual([])
    expect(painted('', '/X Do', { Group: '<< /S /Transparency >>' })).toEqual(['6.2.10 t2'])
  })
})

test('graphics state parameters leave transfer functions and halftones to the device', () => {
  const set = (flavour: Flavour, parameters: string): string[] =>
    failed(flavour, {
      content: '/G gs',
      resources: { ExtGState: `<< /G << ${parameters} >> >>` },
    })
  expect(set('1b', '/TR /Identity')).toEqual(['6.2.8 t1'])
  expect(set('2b', '/TR2 /Identity')).toEqual(['6.2.5 t2'])
  expect(set('2b', '/TR2 /Default')).toEqual([])
  expect(set('2b', '/HTP 1')).toEqual(['6.2.5 t3'])
  expect(set('4', '/HTP 1')).toEqual([])
  expect(set('4', '/HTO [0 0]')).toEqual(['6.2.5 t3'])
  expect(set('2b', '/HT << /HalftoneType 6 >>')).toEqual(['6.2.5 t4'])
  expect(set('2b', '/HT << /HalftoneType 1 /HalftoneName (x) >>')).toEqual(['6.2.5 t5'])
  expect(set('2b', '/HT /Default')).toEqual([])
  expect(set('2b', '/HT /Own')).toEqual(['6.2.5 t4', '6.2.5 t5'])
  const plain = '<< /HalftoneType 1 >>'
  expect(set('2b', `/HT << /HalftoneType 5 /Default ${plain} >>`)).toEqual([])
  expect(set('2b', `/HT << /HalftoneType 5 /Default ${plain} /Spot ${plain} >>`)).toEqual([
    '6.2.5 t6',
  ])
  expect(set('1b', '/RI /Custom')).toEqual(['6.2.8 t3', '6.2.9 t1'])
  expect(set('2b', '/RI /Custom')).toEqual(['6.2.6 t1'])
  expect(set('4', '/RI /Custom')).toEqual([])
})

test('external objects that are drawn are images and forms that show themselves', () => {
  const drawn = (body: PdfBody, flavour: Flavour = '2b'): string[] => failed(flavour, drawing(body))
  expect(drawn(formXObject('', '/OPI << >>'))).toEqual(['6.2.9.1 t1'])
  expect(drawn(formXObject('', '/Subtype2 /PS'), '1b')).toEqual(['6.2.5 t1'])
  expect(drawn(formXObject('', '/Ref << >>'), '4')).toEqual(['6.2.8.2 t1'])
  expect(drawn(stream('x', '/Subtype /PS'))).toEqual(['6.2.9.3 t1'])
  expect(drawn(stream('x', '/Subtype /PS'), '4')).toEqual([])
  expect(drawn(image('/Alternates []'))).toEqual(['6.2.8.1 t1'])
  expect(drawn(image('/OPI << >>'), '1b')).toEqual(['6.2.4 t2'])
  expect(drawn(image('/Interpolate true'), '4')).toEqual(['6.2.7.1 t3'])
  expect(drawn(image('/Intent /Custom'))).toEqual(['6.2.6 t1'])
  expect(drawn(image('', 3))).toEqual(['6.2.8.1 t4'])
  expect(drawn(image('', 16))).toEqual([])
  expect(drawn(image('', 16), '1b')).toEqual(['6.2.4 t4'])
  const masked = drawing(image('/Mask 21 0 R'), { 21: image('/ImageMask true') })
  expect(failed('2b', masked)).toEqual(['6.2.8.1 t5'])
  const undrawn = { ...drawing(image('/Alternates []')), content: 'q Q' }
  expect(failed('2b', undrawn)).toEqual([])
})

test('inline images have filters of their own, without LZW', () => {
  const inline = (flavour: Flavour, filter: string): string[] =>
    failed(flavour, { content: `BI /W 1 /H 1 /BPC 8 /CS /G /F ${filter} ID a EI` })
  expect(inline('1b', '/LZW')).toEqual(['6.1.10 t2'])
  expect(inline('2b', '[/AHx /LZWDecode]')).toEqual(['6.1.10 t1'])
  expect(inline('4', '/JPXDecode')).toEqual(['6.1.9 t1'])
  expect(inline('1b', '/JPXDecode')).toEqual([])
  expect(inline('2b', '[/A85 /Fl]')).toEqual([])
})

test('JPEG 2000 images say in their boxes what part 2 asks for', () => {
  const drawn = (boxes: Buffer, entries = ''): string[] =>
    failed('2b', drawing(stream(jpeg2000(boxes), `/Subtype /Image /Filter /JPXDecode ${entries}`)))
  const header = (channels: number, depth: number): Buffer =>
    box('ihdr', [0, 0, 0, 1, 0, 0, 0, 1, 0, channels, depth - 1, 7, 0, 0])
  const colour = (approximation: number, space: number, method = 1): Buffer =>
    box('colr', [method, 0, approximation, 0, 0, 0, space])
  const all = (...parts: Buffer[]): Buffer => Buffer.concat(parts)
  expect(drawn(all(header(3, 8), colour(0, 16)))).toEqual([])
  expect(drawn(all(header(2, 8), colour(0, 16)))).toEqual(['6.2.8.3 t1'])
  expect(drawn(all(header(3, 8), colour(1, 16), colour(1, 16)))).toEqual(['6.2.8.3 t2'])
  expect(drawn(all(header(3, 8), colour(0, 16), colour(1, 16)))).toEqual([])
  expect(drawn(all(header(3, 8), colour(0, 16, 4)))).toEqual(['6.2.8.3 t3'])
  expect(drawn(all(header(3, 8), colour(0, 16, 4)), '/ColorSpace /DeviceRGB')).toEqual([])
  expect(drawn(all(header(3, 8), colour(0, 19)))).toEqual(['6.2.8.3 t4'])
  expect(drawn(all(header(3, 39), colour(0, 16)))).toEqual(['6.2.8.3 t5'])
  expect(drawn(all(header(4, 8), colour(0, 12)))).toEqual(['6.2.4.3 t3'])
})

describe('content that is drawn by content', () => {
  test('is judged in tilings, in glyphs and in appearances, and only there', () => {
    const tiling = (entries: string): PdfBody =>
      stream('foo 0 0 0 1 k', `/PatternType 1 ${entries}`)
    const withPattern = (content: string, entries: string): string[] =>
      failed('2b', {
        content,
        resources: { Pattern: '<< /P 20 0 R >>' },
        objects: { 20: tiling(entries) },
      })
    expect(withPattern('/Pattern cs /P scn', '/PaintType 1')).toEqual(['6.2.2 t1', '6.2.4.3 t3'])
    expect(withPattern('/Pattern cs /P scn', '/PaintType 2')).toEqual(['6.2.2 t1'])
    expect(withPattern('/Pattern cs', '/PaintType 1')).toEqual([])

    const glyphs = (content: string, glyph: string): string[] =>
      failed('2b', {
        content,
        resources: { Font: '<< /F 20 0 R >>' },
        objects: { 20: dictionary(type3), 21: stream(glyph) },
      })
    expect(glyphs('BT /F 1 Tf (A) Tj ET', '0 0 d0 0 0 0 1 k')).toEqual(['6.2.4.3 t3'])
    expect(glyphs('BT /F 1 Tf (A) Tj ET', '0 0 0 0 1 1 d1 0 0 0 1 k')).toEqual([])
    expect(glyphs('BT /F 1 Tf ET', 'foo')).toEqual([])
  })

  test('ends, however forms draw each other', () => {
    const resources = (number: number): string => `/Resources << /XObject << /X ${number} 0 R >> >>`
    const doubling = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        20 + index,
        formXObject('/X Do /X Do', resources(index === 39 ? 20 : 21 + index)),
      ]),
    )
    expect(failed('2b', drawing(formXObject('/X Do', resources(20))))).toEqual([])
    const changes = { content: '/X Do', resources: { XObject: '<< /X 20 0 R >>' } }
    expect(failed('2b', { ...changes, objects: doubling })).toEqual([])
  })
})

/** The rules that a document with these changes breaks, such as `6.2.4.3 t2`. */
function failed(flavour: Flavour, changes: PdfaChanges): string[] {
  return failedRules(pdfaDocument(flavour, changes), flavour)
}

const icc = '[/ICCBased 30 0 R]'
const cmyk = '[/ICCBased 31 0 R]'
const profiles: Record<number, PdfBody> = {
  30: stream(iccProfile(), '/N 3'),
  31: stream(iccProfile({ deviceClass: 'prtr', colourSpace: 'CMYK' }), '/N 4'),
}
const shading = '<< /ShadingType 2 /ColorSpace /DeviceRGB >>'
const tint = '<< /FunctionType 2 /Domain [0 1] /N 1 >>'

function intent(kind: string, profile: string): string {
  return `<< /S /${kind} /OutputConditionIdentifier (x) /DestOutputProfile ${profile} >>`
}

function formXObject(content: string, entries = ''): PdfBody {
  return stream(content, `/Subtype /Form /BBox [0 0 9 9] ${entries}`)
}

function image(entries = '', bits = 8): PdfBody {
  const space = entries.includes('ImageMask') ? '' : '/ColorSpace /DeviceRGB'
  return stream(
    'abc',
    `/Subtype /Image /Width 1 /Height 1 /BitsPerComponent ${bits} ${space} ${entries}`,
  )
}

/** A page that draws the object. */
function drawing(body: PdfBody, others: Readonly<Record<number, PdfBody>> = {}): PdfaChanges {
  return {
    content: '/X Do',
    resources: { XObject: '<< /X 20 0 R >>' },
    objects: { 20: body, ...others },
  }
}

const type3 = {
  Type: '/Font',
  Subtype: '/Type3',
  FontBBox: '[0 0 1 1]',
  FontMatrix: '[1 0 0 1 0 0]',
  FirstChar: '65',
  LastChar: '65',
  Widths: '[0]',
  Encoding: '<< /Type /Encoding /Differences [65 /A] >>',
  CharProcs: '<< /A 21 0 R >>',
  Resources: '<< >>',
}

/** ISO/IEC 15444-1, annex I. */
function jpeg2000(headers: Buffer): Buffer {
  const signature = box('jP  ', [0x0d, 0x0a, 0x87, 0x0a])
  return Buffer.concat([signature, box('jp2h', [...headers]), box('jp2c', [])])
}

function box(type: string, data: readonly number[]): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(8 + data.length)
  return Buffer.concat([length, Buffer.from(type, 'latin1'), Buffer.from(data)])
}
