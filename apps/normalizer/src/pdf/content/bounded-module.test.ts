import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { withMemoryMaximum } from './bounded-module.ts'

const engine = readFileSync(createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm'))

test('only the maximum of the memory changes in a module', () => {
  const bounded = withMemoryMaximum(engine, 256 * 1024 * 1024)

  const changed = [...bounded.keys()].filter((at) => bounded[at] !== engine[at])
  expect(bounded).toHaveLength(engine.length)
  expect(changed.length).toBeGreaterThan(0)
  expect(changed.length).toBeLessThanOrEqual(3)
})

test('a module without memory, and a maximum above its own, are refused', () => {
  const noSections = engine.subarray(0, 8)

  expect(() => withMemoryMaximum(noSections, 1)).toThrow('declares no memory')
  expect(() => withMemoryMaximum(engine, 2 ** 40)).toThrow('larger than what the module declares')
})
