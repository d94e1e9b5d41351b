import { objectHeaderEndingAt } from '../pdf/reading/object-scan.ts'

/** First bytes of formats that a file is made into a PDF's companion with (polyglots). */
const magics: readonly (readonly [string, string])[] = [
  ['PK\x03\x04', 'a ZIP archive'],
  ['MZ', 'a Windows program'],
  ['\x7fELF', 'an ELF program'],
  ['Rar!', 'a RAR archive'],
  ['7z\xbc\xaf\x27\x1c', 'a 7-Zip archive'],
  ['GIF8', 'a GIF image'],
  ['\x89PNG', 'a PNG image'],
  ['<html', 'an HTML page'],
  ['<script', 'a script'],
  ['<?php', 'a PHP script'],
  ['#!', 'a script'],
]

/** The kind of file that data begins as, white space before it passed over; null if none that matters. */
export function foreignFormat(data: Uint8Array): string | null {
  const head = latin1(data.subarray(0, 64)).trimStart().toLowerCase()
  const found = magics.find(([magic]) => head.startsWith(magic.toLowerCase()))
  return found === undefined ? null : found[1]
}

/** Whether `N G obj` stands in the half-open range of the bytes. */
export function holdsObject(bytes: Uint8Array, start: number, end: number): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, end)
  for (
    let at = buffer.indexOf('obj', start, 'latin1');
    at >= 0;
    at = buffer.indexOf('obj', at + 3, 'latin1')
  ) {
    const header = objectHeaderEndingAt(bytes, at)
    if (header !== null && header.start >= start) return true
  }
  return false
}

/** Whether one of the words stands in the data. */
export function holdsAny(data: Uint8Array, words: readonly string[]): boolean {
  const buffer = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  return words.some((word) => buffer.includes(word, 0, 'latin1'))
}

function latin1(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('latin1')
}
