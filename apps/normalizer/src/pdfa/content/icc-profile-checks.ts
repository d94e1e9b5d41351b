import type { Place } from '../failures.ts'
import { RuleSet } from '../rule.ts'
import type { Validation } from '../validation.ts'
import type { IccProfile } from './icc-profile.ts'

/** Judges a profile as that of an output intent or of a colour space. */
export function checkProfile(
  validation: Validation,
  use: 'output' | 'input',
  profile: IccProfile,
  place: Place,
): void {
  validation.check(use === 'output' ? outputProfileRules : inputProfileRules, profile, place)
  validation.check(profileRules, profile, place)
}

const outputClasses: ReadonlySet<string | null> = new Set(['prtr', 'mntr'])
const outputSpaces: ReadonlySet<string | null> = new Set(['RGB ', 'CMYK', 'GRAY'])
const inputClasses: ReadonlySet<string | null> = new Set(['prtr', 'mntr', 'scnr', 'spac'])
const inputSpaces: ReadonlySet<string | null> = new Set(['RGB ', 'CMYK', 'GRAY', 'Lab '])

function isOutput({ deviceClass, colourSpace }: IccProfile): boolean {
  return outputClasses.has(deviceClass) && outputSpaces.has(colourSpace)
}

function isInput({ deviceClass, colourSpace }: IccProfile): boolean {
  return inputClasses.has(deviceClass) && inputSpaces.has(colourSpace)
}

function isOlderThan({ majorVersion }: IccProfile, major: number): boolean {
  return majorVersion !== null && majorVersion < major
}

function found({ deviceClass, colourSpace, majorVersion }: IccProfile): string {
  const part = (text: string | null): string => (text === null ? 'none' : JSON.stringify(text))
  return `class ${part(deviceClass)}, space ${part(colourSpace)}, version ${majorVersion ?? 'none'}`
}

const outputProfileRules = new RuleSet<IccProfile>('output profile', [
  {
    clauses: { '1': '6.2.2 t1' },
    description:
      'The profile of an output intent is one of an output or display device for gray, RGB or CMYK, of ICC version 2',
    holds: (profile) => isOutput(profile) && isOlderThan(profile, 3),
    found,
  },
  {
    clauses: { '2-4': '6.2.3 t1' },
    description:
      'The profile of an output intent is one of an output or display device for gray, RGB or CMYK, of at most ICC version 4',
    holds: (profile) => isOutput(profile) && isOlderThan(profile, 5),
    found,
  },
])

const inputProfileRules = new RuleSet<IccProfile>('profile of a colour space', [
  {
    clauses: { '1': '6.2.3.2 t1' },
    description:
      'The profile of an ICC-based colour space is one of a device or colour space for gray, RGB, CMYK or Lab, of ICC version 2',
    holds: (profile) => isInput(profile) && isOlderThan(profile, 3),
    found,
  },
  {
    clauses: { '2-4': '6.2.4.2 t1' },
    description:
      'The profile of an ICC-based colour space is one of a device or colour space for gray, RGB, CMYK or Lab, of at most ICC version 4',
    holds: (profile) => isInput(profile) && isOlderThan(profile, 5),
    found,
  },
])

const spacesByComponents: Readonly<Partial<Record<number, readonly string[]>>> = {
  1: ['GRAY'],
  3: ['RGB ', 'Lab '],
  4: ['CMYK'],
}

const profileRules = new RuleSet<IccProfile>('ICC profile', [
  {
    clauses: { '1': '6.2.3.2 t2' },
    description: 'A profile has as many components as its colour space (/N)',
    holds: ({ components, colourSpace }) =>
      components !== null &&
      colourSpace !== null &&
      spacesByComponents[components]?.includes(colourSpace) === true,
    found: ({ components, colourSpace }) =>
      `${components ?? 'none'} for ${JSON.stringify(colourSpace)}`,
  },
])
