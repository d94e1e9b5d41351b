import { describe, expect, test } from 'vitest'
import { readPdf } from '../src/pdf/reading/read-pdf.ts'
import type { Flavour } from '../src/pdfa/flavour.ts'
import { validatePdfa } from '../src/pdfa/validate-pdfa.ts'
import { stream } from './fixture/build-pdf.ts'
import { type PdfaChanges, pdfaDocument, xmpPacket } from './fixture/pdfa-document.ts'

/** The tests of clauses that a document fails, such as `6.6.4 t2`, each once. */
function failed(flavour: Flavour, changes: PdfaChanges): string[] {
  const { errors } = validatePdfa(readPdf(pdfaDocument(flavour, changes)), flavour)
  return [...new Set(errors.map((error) => /^ISO \S+ (\S+ t\d+)/.exec(error)?.[1] ?? error))]
}

const namespaces = {
  dc: 'http://purl.org/dc/elements/1.1/',
  xmp: 'http://ns.adobe.com/xap/1.0/',
  xmpMM: 'http://ns.adobe.com/xap/1.0/mm/',
  xmpRights: 'http://ns.adobe.com/xap/1.0/rights/',
  xmpTPg: 'http://ns.adobe.com/xap/1.0/t/pg/',
  xmpDM: 'http://ns.adobe.com/xmp/1.0/DynamicMedia/',
  stDim: 'http://ns.adobe.com/xap/1.0/sType/Dimensions#',
  pdf: 'http://ns.adobe.com/pdf/1.3/',
  photoshop: 'http://ns.adobe.com/photoshop/1.0/',
  exif: 'http://ns.adobe.com/exif/1.0/',
  pdfaid: 'http://www.aiim.org/pdfa/ns/id/',
  pdfaExtension: 'http://www.aiim.org/pdfa/ns/extension/',
  pdfaSchema: 'http://www.aiim.org/pdfa/ns/schema#',
  pdfaProperty: 'http://www.aiim.org/pdfa/ns/property#',
  pdfaType: 'http://www.aiim.org/pdfa/ns/type#',
  pdfaField: 'http://www.aiim.org/pdfa/ns/field#',
  own: 'urn:own/',
  part: 'urn:part/',
}

function description(...content: string[]): string {
  const declared = Object.entries(namespaces).map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`)
  return `<rdf:Description rdf:about=""${declared.join('')}>${content.join('')}</rdf:Description>`
}

function element(name: string, content: string): string {
  return `<${name}>${content}</${name}>`
}

function array(form: 'Bag' | 'Seq' | 'Alt', ...items: string[]): string {
  return element(`rdf:${form}`, items.map((item) => element('rdf:li', item)).join(''))
}

function fields(name: string, ...content: string[]): string {
  return `<${name} rdf:parseType="Resource">${content.join('')}</${name}>`
}

function alternative(text: string): string {
  return `<rdf:Alt><rdf:li xml:lang="x-default">${text}</rdf:li></rdf:Alt>`
}

describe('a property of a predefined schema has the type that the schema gives it', () => {
  test.each([
    ['dc:title', alternative('Text'), 'Text'],
    ['dc:creator', array('Seq', 'One', 'Other'), array('Bag', 'One')],
    ['dc:subject', array('Bag', 'one'), array('Seq', 'one')],
    ['dc:format', 'application/pdf', 'pdf'],
    ['xmp:CreateDate', '2004-01-02T03:04:05.6+01:00', '2004/01/02'],
    ['xmp:CreateDate', '2004', '2004-01-02T03:04:05Z '],
    ['xmpRights:Marked', 'True', 'true'],
    ['xmpTPg:NPages', '-1', '1.0'],
    ['exif:GPSLatitude', '12,34.56N', '12,34.56'],
    ['pdf:Keywords', 'one, other', array('Bag', 'one')],
  ])('%s: %s, not %s', (name, right, wrong) => {
    for (const flavour of ['1b', '2b', '3b'] as const) {
      const type = flavour === '1b' ? '6.7.2 t4' : '6.6.2.3.1 t2'
      expect(failed(flavour, { descriptions: description(element(name, right)) })).toEqual([])
      expect(failed(flavour, { descriptions: description(element(name, wrong)) })).toEqual([type])
    }
  })

  test('a structure has the fields of its type and no others, and may leave them out', () => {
    const size = (...content: string[]) => ({
      descriptions: description(fields('xmpTPg:MaxPageSize', ...content)),
    })

    expect(failed('2b', size('<stDim:w>1.5</stDim:w>'))).toEqual([])
    expect(failed('2b', size())).toEqual([])
    expect(failed('2b', size('<stDim:w>wide</stDim:w>'))).toEqual(['6.6.2.3.1 t2'])
    expect(failed('2b', size('<stDim:depth>1</stDim:depth>'))).toEqual(['6.6.2.3.1 t2'])
    expect(failed('2b', size('<xmp:w>1</xmp:w>'))).toEqual(['6.6.2.3.1 t2'])
  })

  test('part 1 refers to the XMP Specification of 2004, parts 2 and 3 to that of 2005', () => {
    const added = { descriptions: description('<xmp:Rating>3</xmp:Rating>') }
    const removed = { descriptions: description('<exif:MakerNote>note</exif:MakerNote>') }
    const changed = {
      descriptions: description(element('photoshop:SupplementalCategories', array('Bag', 'one'))),
    }

    expect(failed('1b', added)).toEqual(['6.7.2 t3', '6.7.2 t4'])
    expect(failed('2b', added)).toEqual([])
    expect(failed('1b', removed)).toEqual([])
    expect(failed('2b', removed)).toEqual(['6.6.2.3.1 t1', '6.6.2.3.1 t2'])
    expect(failed('1b', changed)).toEqual(['6.7.2 t4'])
    expect(failed('2b', changed)).toEqual([])
  })

  test('part 4 takes any property', () => {
    const descriptions = description('<own:any>1</own:any>', '<dc:title>Text</dc:title>')

    expect(failed('4', { descriptions })).toEqual([])
  })

  test('qualifiers, URIs and attributes are other spellings of a value', () => {
    const spellings = [
      '<xmpTPg:NPages xml:lang="en">1</xmpTPg:NPages>',
      '<xmpTPg:NPages rdf:resource="1"/>',
      '<xmpTPg:NPages rdf:value="1" own:note="x"/>',
      fields('xmpTPg:NPages', '<rdf:value>1</rdf:value>', '<own:note>x</own:note>'),
      '<xmpTPg:NPages><!-- one -->1</xmpTPg:NPages>',
    ]

    for (const spelling of spellings) {
      expect(failed('1b', { descriptions: description(spelling) })).toEqual([])
    }
  })
})

/** The clauses on the use of schemas and on their description both say so. */
const undefinedProperty = ['6.6.2.3.1 t1', '6.6.2.3.1 t2', '6.6.2.3.2 t2']

describe('extension schemas', () => {
  const property = (type: string, ...changes: string[]): string =>
    fields(
      'rdf:li',
      '<pdfaProperty:name>prop</pdfaProperty:name>',
      element('pdfaProperty:valueType', type),
      '<pdfaProperty:category>external</pdfaProperty:category>',
      '<pdfaProperty:description>A property</pdfaProperty:description>',
      ...changes,
    )
  const valueType = fields(
    'rdf:li',
    '<pdfaType:type>Part</pdfaType:type>',
    '<pdfaType:namespaceURI>urn:part/</pdfaType:namespaceURI>',
    '<pdfaType:prefix>part</pdfaType:prefix>',
    '<pdfaType:description>A part</pdfaType:description>',
    element(
      'pdfaType:field',
      element(
        'rdf:Seq',
        fields(
          'rdf:li',
          '<pdfaField:name>number</pdfaField:name>',
          '<pdfaField:valueType>Integer</pdfaField:valueType>',
          '<pdfaField:description>Its number</pdfaField:description>',
        ) +
          fields(
            'rdf:li',
            '<pdfaField:name>parts</pdfaField:name>',
            '<pdfaField:valueType>bag Part</pdfaField:valueType>',
            '<pdfaField:description>What it has</pdfaField:description>',
          ),
      ),
    ),
  )
  const schema = (properties: string, types = ''): string =>
    description(
      element(
        'pdfaExtension:schemas',
        element(
          'rdf:Bag',
          fields(
            'rdf:li',
            '<pdfaSchema:schema>Own</pdfaSchema:schema>',
            '<pdfaSchema:namespaceURI>urn:own/</pdfaSchema:namespaceURI>',
            '<pdfaSchema:prefix>own</pdfaSchema:prefix>',
            element('pdfaSchema:property', element('rdf:Seq', properties)),
            types === '' ? '' : element('pdfaSchema:valueType', element('rdf:Seq', types)),
          ),
        ),
      ),
    )
  const use = (content: string): string => description(element('own:prop', content))

  test('define properties of the packet, in any case and as choices and arrays', () => {
    for (const [type, value] of [
      ['Text', 'any'],
      ['closed Choice of Integer', '1'],
      ['Bag Integer', array('Bag', '1', '2')],
      ['seq open choice of Text', array('Seq', 'any')],
      ['Lang Alt', alternative('any')],
    ] as const) {
      const descriptions = schema(property(type)) + use(value)
      expect(failed('1b', { descriptions })).toEqual([])
      expect(failed('2b', { descriptions })).toEqual([])
    }
    expect(failed('2b', { descriptions: use('any') })).toEqual(undefinedProperty)
    const unknown = description('<dc:unknown>any</dc:unknown>')
    expect(failed('2b', { descriptions: unknown })).toEqual(['6.6.2.3.1 t1', '6.6.2.3.1 t2'])
    const wrong = schema(property('Integer')) + use('any')
    expect(failed('1b', { descriptions: wrong })).toEqual(['6.7.2 t4'])
  })

  test('define types with fields, also such as hold themselves', () => {
    const part = (...content: string[]) =>
      description(fields('own:prop', ...content)) + schema(property('Part'), valueType)
    const inner = element(
      'part:parts',
      element('rdf:Bag', fields('rdf:li', '<part:number>2</part:number>')),
    )

    expect(failed('2b', { descriptions: part('<part:number>1</part:number>', inner) })).toEqual([])
    const text = part(inner.replace('2', 'two'))
    expect(failed('2b', { descriptions: text })).toEqual(['6.6.2.3.1 t2'])
    const unknown = part('<part:name>1</part:name>')
    expect(failed('1b', { descriptions: unknown })).toEqual(['6.7.2 t4'])
  })

  test.each([
    ['the container is a bag', /rdf:Bag/g, 'rdf:Seq', 1],
    ['it has its prefix', /pdfaExtension/g, 'pdfaextension', 1],
    ['a schema is named', /<pdfaSchema:schema>.*<\/pdfaSchema:schema>/, '', 2],
    ['a prefix is text', /(<pdfaSchema:prefix>)own/, `$1${array('Bag', 'own')}`, 4],
    ['the properties are ordered', /rdf:Seq/g, 'rdf:Bag', 5],
    ['the category is external or internal', /external/, 'other', 9],
    [
      'a property is described',
      /<pdfaProperty:description>.*?<\/pdfaProperty:description>/,
      '',
      10,
    ],
  ])('%s', (_, from, to, number) => {
    const descriptions = schema(property('Text')).replace(from, to) + use('any')

    expect(failed('1b', { descriptions })).toEqual([`6.7.8 t${number + 1}`])
    expect(failed('3b', { descriptions })).toEqual([`6.6.2.3.3 t${number}`])
  })

  test('of types that nothing defines and of fields that no table has there is none', () => {
    const unknownType = schema(property('Part'))
    const unknownField = schema(property('Text', '<pdfaProperty:note>x</pdfaProperty:note>'))

    expect(failed('1b', { descriptions: unknownType })).toEqual(['6.7.8 t9'])
    expect(failed('2b', { descriptions: unknownType })).toEqual(['6.6.2.3.3 t8'])
    expect(failed('1b', { descriptions: unknownField })).toEqual(['6.7.8 t1'])
    expect(failed('2b', { descriptions: unknownField })).toEqual(['6.6.2.3.2 t1'])
  })

  test('of the document count for the metadata of a page, which is judged from part 2 on', () => {
    const page = (descriptions: string, own: string): PdfaChanges => ({
      descriptions,
      page: { Metadata: '20 0 R' },
      objects: {
        20: stream(xmpPacket('2b', own), '/Type /Metadata /Subtype /XML'),
      },
    })

    expect(failed('2b', page(schema(property('Text')), use('any')))).toEqual([])
    expect(failed('2b', page('', use('any')))).toEqual(undefinedProperty)
    expect(failed('2b', page(use('any'), schema(property('Text'))))).toEqual(undefinedProperty)
    expect(failed('1b', page('', use('any')))).toEqual([])
    expect(failed('4', page('', '<broken>'))).toEqual(['6.7.2.1 t4', '6.7.2.1 t5'])
  })
})

describe('the packet', () => {
  test('its header has neither bytes nor encoding', () => {
    const header = (attribute: string): PdfaChanges => ({
      xmp: (packet) => packet.replace('?>', ` ${attribute}?>`),
    })

    expect(failed('1b', header('bytes="1000"'))).toEqual(['6.7.5 t1'])
    expect(failed('2b', header("encoding='UTF-8'"))).toEqual(['6.6.2.1 t3'])
    expect(failed('4', header('bytes="1000"'))).toEqual(['6.7.2.1 t2'])
  })

  test('is in UTF-8 from part 2 on', () => {
    const utf16 = (packet: string) => Buffer.from(packet, 'utf16le')
    const utf32 = (packet: string) => {
      const characters = Uint32Array.from(packet, (one) => one.codePointAt(0) ?? 0)
      return new Uint8Array(characters.buffer)
    }

    for (const xmp of [utf16, utf32]) {
      expect(failed('1b', { xmp })).toEqual([])
      expect(failed('2b', { xmp })).toEqual(['6.6.2.1 t5'])
      expect(failed('4', { xmp })).toEqual(['6.7.2.1 t5'])
    }
  })

  test.each([
    ['a tag that is not closed', description('<dc:source>')],
    ['text between properties', description('text')],
    ['a property twice', description('<dc:source>1</dc:source>', '<dc:source>2</dc:source>')],
    ['an attribute without namespace', '<rdf:Description rdf:about="" note="x"/>'],
    ['an item without its array', description(element('dc:subject', '<rdf:li>x</rdf:li>'))],
    ['a typed node among the descriptions', '<own:Thing xmlns:own="urn:own/"/>'],
    ['a literal that is XML', description('<dc:source rdf:parseType="Literal">x</dc:source>')],
    ['a prefix that nothing declares', '<rdf:Description rdf:about="" none:note="x"/>'],
    ['attributes without space', '<rdf:Description rdf:about=""xml:lang="en"/>'],
    ['an entity that nothing declares', description('<dc:source>&copy;</dc:source>')],
  ])('is not valid with %s', (_, descriptions) => {
    expect(failed('1b', { descriptions })).toEqual(['6.7.9 t1', '6.7.11 t1'])
  })

  test('may be padded with zeros and wrapped in anything', () => {
    expect(failed('1b', { xmp: (packet) => `${packet}\0\0\n` })).toEqual([])
    const wrapped = (packet: string) => packet.replaceAll('xmpmeta', 'wrapper')
    expect(failed('1b', { xmp: wrapped })).toEqual([])
  })

  test('entities that grow, endless depth and endless attributes end as what is not valid', () => {
    const laughs = `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "${'&a;'.repeat(1000)}">]>`
    const attributes = Array.from({ length: 200_000 }, (_, index) => ` own:a${index}="1"`).join('')
    const hostile: ((packet: string) => string)[] = [
      (packet) => laughs + packet,
      (packet) => packet.replace('<rdf:Description', '<a>'.repeat(100_000)),
      (packet) => packet.replace('rdf:about=""', `xmlns:own="urn:own/"${attributes}`),
      (packet) => packet.replace('<rdf:Description', '&'.repeat(1_000_000)),
    ]

    for (const xmp of hostile) expect(failed('1b', { xmp })).toEqual(['6.7.9 t1', '6.7.11 t1'])
  })

  test('is a stream of the catalog that says what it is, in part 1 without a filter', () => {
    const absent = { catalog: { Metadata: null } }

    expect(failed('1b', absent)).toEqual(['6.7.2 t1'])
    expect(failed('2b', absent)).toEqual(['6.6.2.1 t1'])
    expect(failed('4', { metadata: { Subtype: null } })).toEqual(['6.7.2.1 t1'])
    const hexadecimal = {
      xmp: (packet: string) => `${Buffer.from(packet).toString('hex')}>`,
      metadata: { Filter: '/ASCIIHexDecode' },
    }
    expect(failed('1b', hexadecimal)).toEqual(['6.7.2 t2'])
    expect(failed('2b', hexadecimal)).toEqual([])
  })
})

describe('the identification', () => {
  const changed =
    (from: string | RegExp, to: string): ((packet: string) => string) =>
    (packet) =>
      packet.replaceAll(from, to)

  test('is found as attributes, too', () => {
    const xmp = changed(
      /<rdf:Description.*<\/rdf:Description>/gs,
      `<rdf:Description rdf:about="" xmlns:pdfaid="${namespaces.pdfaid}" pdfaid:part="2" pdfaid:conformance="B"/>`,
    )

    expect(failed('2b', { xmp })).toEqual([])
  })

  test('names the part and a level that includes the flavour, in capitals', () => {
    expect(failed('1b', { xmp: changed('>1<', '>2<') })).toEqual(['6.7.11 t2'])
    expect(failed('2b', { xmp: changed('>B<', '>A<') })).toEqual([])
    expect(failed('2u', { xmp: changed('>U<', '>B<') })).toEqual(['6.6.4 t3'])
    expect(failed('3b', { xmp: changed('>B<', '>b<') })).toEqual(['6.6.4 t3'])
    expect(failed('4', { xmp: changed('>4<', '>4x<') })).toEqual(['6.7.3 t2'])
    const level = '<pdfaid:conformance>B</pdfaid:conformance>'
    expect(failed('4', { descriptions: description(level) })).toEqual(['6.7.3 t3'])
    expect(failed('4', { xmp: changed('>2020<', '>2021<') })).toEqual(['6.7.3 t5'])
  })

  test('is in its namespace, under the prefix pdfaid', () => {
    expect(failed('4', { xmp: changed('/ns/id/', '/ns/id#') })).toEqual(['6.7.3 t1'])
    expect(failed('1b', { xmp: changed('pdfaid', 'id') })).toEqual(['6.7.11 t4', '6.7.11 t5'])
    expect(failed('4', { xmp: changed('pdfaid', 'id') })).toEqual(['6.7.3 t4', '6.7.3 t6'])
    const amendment = `<id:amd xmlns:id="${namespaces.pdfaid}">1</id:amd>`
    expect(failed('2b', { descriptions: description(amendment) })).toEqual(['6.6.4 t6'])
  })
})

describe('the document information dictionary', () => {
  const withInfo = (info: string, descriptions: string): PdfaChanges => ({
    trailer: { Info: '20 0 R' },
    objects: { 20: `<< ${info} >>` },
    descriptions,
  })

  test.each([
    ['/Title (Text)', element('dc:title', alternative('Text')), 2],
    ['/Title <FEFF00C400620063>', element('dc:title', alternative('Äbc')), 2],
    ['/Title (Text\\000)', element('dc:title', alternative('Text')), 2],
    ['/Author (One)', element('dc:creator', array('Seq', 'One')), 3],
    ['/Subject (Text)', element('dc:description', alternative('Text')), 4],
    ['/Keywords (one, other)', '<pdf:Keywords>one, other</pdf:Keywords>', 5],
    ['/Creator (Writer)', '<xmp:CreatorTool>Writer</xmp:CreatorTool>', 6],
    ['/Producer (Library)', '<pdf:Producer>Library</pdf:Producer>', 7],
    ["/CreationDate (D:20040102030405+01'00')", date('Create', '2004-01-02T02:04:05Z'), 1],
    ['/CreationDate (D:20040102)', date('Create', '2004-01-02'), 1],
    ['/ModDate (D:20040102030405Z)', date('Modify', '2004-01-02T03:04:05+00:00'), 8],
  ])('%s of part 1 says what XMP says', (info, property, number) => {
    const other = property.replace(/Text|Äbc|One|one|Writer|Library|2004/, '2005')

    expect(failed('1b', withInfo(info, description(property)))).toEqual([])
    const told = ['6.1.5 t1', `6.7.3 t${number}`]
    expect(failed('1b', withInfo(info, description(other)))).toEqual(told)
    expect(failed('1b', withInfo(info, ''))).toEqual(told)
    expect(failed('2b', withInfo(info, ''))).toEqual([])
  })

  function date(name: string, text: string): string {
    return element(`xmp:${name}Date`, text)
  }

  test('an author is the only creator, and a title is that for any language', () => {
    const authors = description(element('dc:creator', array('Seq', 'One', 'Other')))
    const titles = description(
      element(
        'dc:title',
        '<rdf:Alt><rdf:li xml:lang="en">Text</rdf:li><rdf:li xml:lang="x-default">Wort</rdf:li></rdf:Alt>',
      ),
    )

    expect(failed('1b', withInfo('/Author (One)', authors))).toEqual(['6.1.5 t1', '6.7.3 t3'])
    expect(failed('1b', withInfo('/Title (Wort)', titles))).toEqual([])
    expect(failed('1b', withInfo('/Title (Text)', titles))).toEqual(['6.1.5 t1', '6.7.3 t2'])
  })

  test('is compared with bytes that are no UTF-8 as Windows-1252', () => {
    const title = element(
      'dc:title',
      '<rdf:Alt><rdf:li xml:lang="x-default">5 € é</rdf:li></rdf:Alt>',
    )
    const inBytes = (packet: string) => {
      const mixed = Buffer.from(packet.replace('€', '\u0080'), 'latin1')
      return mixed.subarray(mixed.indexOf('<x:xmpmeta'))
    }
    const changes = { ...withInfo('/Title (5 \\240 \\351)', description(title)), xmp: inBytes }

    expect(failed('1b', changes)).toEqual([])
  })

  test('of part 4 has ModDate only', () => {
    const info = (entries: string): PdfaChanges => ({
      ...withInfo(entries, ''),
      catalog: { PieceInfo: '<< >>' },
    })

    expect(failed('4', info('/ModDate (D:20040102)'))).not.toContain('6.1.3 t5')
    expect(failed('4', info('/ModDate (D:20040102) /Title (x)'))).toContain('6.1.3 t5')
    expect(failed('4', info(''))).toContain('6.1.3 t5')
  })
})
