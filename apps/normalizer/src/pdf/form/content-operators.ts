import type { Matrix } from './normal-appearance.ts'

/** One component for DeviceGray, three for DeviceRGB, four for DeviceCMYK (ISO 32000-2, 8.6.4), each from 0 to 1. */
export type Color =
  | readonly [number]
  | readonly [number, number, number]
  | readonly [number, number, number, number]

export type Point = readonly [x: number, y: number]

export function fillColor(color: Color): string {
  return operator({ 1: 'g', 3: 'rg', 4: 'k' }[color.length], ...color)
}

export function strokeColor(color: Color): string {
  return operator({ 1: 'G', 3: 'RG', 4: 'K' }[color.length], ...color)
}

/** Operands and operator as content has them: numbers in plain decimals. */
export function operator(name: string, ...operands: readonly number[]): string {
  return [...operands.map(plainNumber), name].join(' ')
}

export function transformed(matrix: Matrix): string {
  return operator('cm', ...matrix)
}

/** Between `q` and `Q`. */
export function isolated(operators: readonly string[]): string[] {
  return ['q', ...operators, 'Q']
}

export function line(from: Point, to: Point): string[] {
  return [operator('m', ...from), operator('l', ...to), 'S']
}

/** Nothing for a solid line. */
export function dashPattern(lengths: readonly number[]): string[] {
  return lengths.length === 0 ? [] : [`[${lengths.map(plainNumber).join(' ')}] 0 d`]
}

export function filledRectangle(
  color: Color,
  [x, y, width, height]: readonly [number, number, number, number],
): string[] {
  return [fillColor(color), operator('re', x, y, Math.max(0, width), Math.max(0, height)), 'f']
}

export function filledPolygon(color: Color, points: readonly Point[]): string[] {
  const path = points.map((point, index) => operator(index === 0 ? 'm' : 'l', ...point))
  return [fillColor(color), ...path, 'h', 'f']
}

/** A circle out of four curves. */
export function circle([x, y]: Point, radius: number): string[] {
  const near = radius * circleControl
  return [
    operator('m', x + radius, y),
    operator('c', x + radius, y + near, x + near, y + radius, x, y + radius),
    operator('c', x - near, y + radius, x - radius, y + near, x - radius, y),
    operator('c', x - radius, y - near, x - near, y - radius, x, y - radius),
    operator('c', x + near, y - radius, x + radius, y - near, x + radius, y),
    'h',
  ]
}

/** How far the control points of a quarter of a circle stand from its ends, for a radius of 1. */
const circleControl = (4 / 3) * (Math.SQRT2 - 1)

/** 7.3.3 knows no exponents; a ten-thousandth of a point is nothing that anyone sees. */
function plainNumber(value: number): string {
  const rounded = Math.round(value * 10_000) / 10_000
  return Math.abs(rounded) < 1e15 ? String(rounded === 0 ? 0 : rounded) : '0'
}
