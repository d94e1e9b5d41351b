/*
 * Packs Adobe's CMap resources into the files of src/pdf/font/data, from a folder that has them by collection
 * (`Adobe-Japan1/90ms-RKSJ-H`, …) together with the maps to Unicode (`Adobe-Japan1/Adobe-Japan1-UCS2`): the projects
 * cmap-resources and mapping-resources-pdf of adobe-type-tools, or the package poppler-data of Debian.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { readCharacterCodeMap, textOfCode } from '../src/pdf/font/character-code-map.ts'

const collections = ['Japan1', 'GB1', 'CNS1', 'Korea1', 'KR']
const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('usage: character-collections.ts FOLDER')

for (const collection of collections) {
  const resources = join(folder, `Adobe-${collection}`)
  const lines = [texts(readFileSync(join(resources, `Adobe-${collection}-UCS2`)))]
  for (const name of readdirSync(resources).toSorted()) {
    if (/(^|-)[HV]$/.test(name)) lines.push(encoding(name, readFileSync(join(resources, name))))
  }
  const packed = brotliCompressSync(Buffer.from(lines.join('\n')), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 22 },
  })
  const file = new URL(`../src/pdf/font/data/${collection.toLowerCase()}.br`, import.meta.url)
  writeFileSync(file, packed)
  process.stdout.write(`${collection}: ${lines.length - 1} encodings, ${packed.length} bytes\n`)
}

/** The texts of the identifiers from 0 on, with tabulators between them. */
function texts(resource: Uint8Array): string {
  const { texts: table } = readCharacterCodeMap(resource)
  const all: string[] = []
  for (let identifier = 0; identifier <= 0xffff; identifier++) {
    const text = textOfCode(table, identifier) ?? ''
    all.push(/[\t\n]/.test(text) ? ' ' : text)
  }
  while (all.at(-1) === '') all.pop()
  return all.join('\t')
}

/** Name, the encoding that it builds on, code spaces and ranges; numbers in base 36, as differences. */
function encoding(name: string, resource: Uint8Array): string {
  const map = readCharacterCodeMap(resource)
  const spaces = map.codeSpaces.map(({ bytes, low, high }) =>
    [bytes, low, high].map(digits).join(','),
  )
  let lastCode = 0
  let lastIdentifier = 0
  const ranges: string[] = []
  for (const { low, high, first } of map.identifiers.entries()) {
    ranges.push([low - lastCode, high - low, first - lastIdentifier].map(digits).join(','))
    lastCode = high
    lastIdentifier = first + high - low
  }
  const vertical = map.isVertical ? 'V' : 'H'
  return [name, map.basedOn ?? '', vertical, spaces.join(' '), ranges.join(' ')].join('\t')
}

function digits(value: number): string {
  return value.toString(36)
}
