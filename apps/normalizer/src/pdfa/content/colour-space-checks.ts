import type { ContentBudget } from '../../pdf/content/content-budget.ts'
import { PdfName, type PdfObject, type PdfStream } from '../../pdf/object.ts'
import type { Place } from '../failures.ts'
import { RuleSet } from '../rule.ts'
import type { Validation } from '../validation.ts'
import { type ColourSpace, isDeviceName } from './colour-space.ts'
import type { IccProfiles } from './icc-profile.ts'
import { checkProfile } from './icc-profile-checks.ts'
import type { OutputIntents } from './output-intents.ts'
import { SeparationChecks } from './separation-checks.ts'
import { checkUnicodeName } from '../text-rules.ts'

/** What a colour space is judged by, beside itself. */
export interface ColourContext {
  readonly output: OutputIntents
  readonly blending: BlendingSpace
}

/** The colour space in which a transparency group is composed, as far as part 4 lets it stand for an output intent. */
export interface BlendingSpace {
  /** Such as `RGB ` or `CMYK`; `CalRGB` for that family; null without one. */
  readonly colourSpace: string | null
  readonly profile: PdfStream | null
}

export const noBlendingSpace: BlendingSpace = { colourSpace: null, profile: null }

/** Colour spaces where they are set, painted in or belong to something that is painted (ISO 32000-2, 8.6). */
export class ColourSpaceChecks {
  readonly #validation: Validation
  readonly #profiles: IccProfiles
  readonly #budget: ContentBudget
  readonly #separations: SeparationChecks

  constructor(validation: Validation, profiles: IccProfiles, budget: ContentBudget) {
    this.#validation = validation
    this.#profiles = profiles
    this.#budget = budget
    this.#separations = new SeparationChecks(validation, budget)
  }

  /**
   * Judges the colour space and those that it is made of.
   *
   * @throws {ContentBudgetError} when colour spaces share so much that they never end
   */
  check(
    space: ColourSpace,
    context: ColourContext,
    place: Place,
    role: ColourSpaceRole = 'its own',
  ): void {
    const pending: ColourSpacePart[] = [{ space, role }]
    const seen = new Set<ColourSpace>([space])
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { failures } = this.#validation
      const failed = failures.count
      const parts = this.#checkOne(next.space, context, place)
      this.#budget.spend(parts.length * partBytes)
      if (failures.count > failed) this.#checkRole(next, context, place)
      for (const part of parts) {
        if (seen.has(part.space)) continue
        seen.add(part.space)
        pending.push(part)
      }
    }
  }

  /** What cannot be used by itself cannot be used as a part of anything; the standard says so of each. */
  #checkRole({ space, role }: ColourSpacePart, { output }: ColourContext, place: Place): void {
    this.#validation.check(roleRules, role, place)
    if (isDeviceName(space.family)) this.#validation.check(reliedOnRules, output, place)
  }

  /** Paint in this colour space replaces, or lets through, what is below it. */
  checkOverprint(space: ColourSpace, overprintMode: number, place: Place): void {
    if (!this.isCmykProfile(space)) return
    this.#validation.check(overprintRules, { overprintMode }, place)
  }

  /** Whether it is ICC-based with four components. */
  isCmykProfile(space: ColourSpace): boolean {
    if (space.family !== 'ICCBased' || space.profile === null) return false
    return this.#profiles.read(space.profile).components === 4
  }

  /** What a group with this colour space composes in. */
  blendingSpaceOf(space: ColourSpace): BlendingSpace {
    if (space.family === 'CalRGB') return { colourSpace: 'CalRGB', profile: null }
    if (space.family !== 'ICCBased' || space.profile === null) return noBlendingSpace
    const { stream, colourSpace } = this.#profiles.read(space.profile)
    return { colourSpace, profile: stream }
  }

  /** Returns what it is made of. */
  #checkOne(
    space: ColourSpace,
    { output, blending }: ColourContext,
    place: Place,
  ): ColourSpacePart[] {
    const validation = this.#validation
    switch (space.family) {
      case 'DeviceGray':
      case 'DeviceRGB':
      case 'DeviceCMYK': {
        const facts = { output: output.colourSpace, blending: blending.colourSpace }
        validation.check(deviceRules[space.family], facts, place)
        return []
      }
      case 'ICCBased': {
        if (space.profile === null) return []
        const profile = this.#profiles.read(space.profile)
        checkProfile(validation, 'input', profile, place)
        if (validation.part === 4 && profile.components === 4) {
          const reserved = [output.profile, blending.profile].filter((one) => one !== null)
          const isReserved = reserved.some((one) => this.#profiles.areSame(one, profile.stream))
          validation.check(cmykProfileRules, { isReserved }, place)
        }
        return []
      }
      case 'Indexed':
        return partsOf([space.base], 'base')
      case 'Separation':
        if (space.name instanceof PdfName) checkUnicodeName(validation, space.name.value, place)
        this.#separations.check(space, place)
        return partsOf([space.alternate], 'alternate')
      case 'DeviceN': {
        for (const name of space.colorants) {
          if (name instanceof PdfName) checkUnicodeName(validation, name.value, place)
        }
        const missing = space.colorants.filter(
          (name) => !isDescribed(name, space.described, space.processComponents),
        )
        validation.check(deviceNRules, { colorants: space.colorants.length, missing }, place)
        return [
          ...partsOf([space.alternate], 'alternate'),
          ...partsOf([...space.separations, space.process], 'its own'),
        ]
      }
      default:
        return []
    }
  }
}

/** What a colour space belongs to. */
type ColourSpaceRole = 'its own' | 'group' | 'alternate' | 'base'

/** What judging a part costs, as bytes of content. */
const partBytes = 64

interface ColourSpacePart {
  readonly space: ColourSpace
  readonly role: ColourSpaceRole
}

function partsOf(
  spaces: readonly (ColourSpace | null)[],
  role: ColourSpaceRole,
): ColourSpacePart[] {
  return spaces.filter((space) => space !== null).map((space) => ({ space, role }))
}

/** ISO 32000-2, 8.6.6.5. The four process colorants need no description. */
function isDescribed(
  name: PdfObject,
  described: ReadonlySet<string>,
  process: ReadonlySet<string>,
): boolean {
  if (!(name instanceof PdfName)) return false
  return known.has(name.value) || described.has(name.value) || process.has(name.value)
}

const known: ReadonlySet<string> = new Set(['Cyan', 'Magenta', 'Yellow', 'Black', 'None'])

interface DeviceSpace {
  /** The colour space of the output intent that holds for the page. */
  readonly output: string | null
  /** Of the transparency group that holds it. */
  readonly blending: string | null
}

const deviceRules = {
  DeviceRGB: new RuleSet<DeviceSpace>('RGB of the device', [
    {
      clauses: { '1': '6.2.3.3 t1', '2-3': '6.2.4.3 t2' },
      description: 'DeviceRGB is used with an RGB output intent, or with a default for it',
      holds: ({ output }) => output === 'RGB ',
    },
    {
      clauses: { '4': '6.2.4.3 t2' },
      description:
        'DeviceRGB is used with an RGB output intent, in a group of an RGB colour space, or with a default for it',
      holds: ({ output, blending }) =>
        output === 'RGB ' || blending === 'RGB ' || blending === 'CalRGB',
    },
  ]),
  DeviceCMYK: new RuleSet<DeviceSpace>('CMYK of the device', [
    {
      clauses: { '1': '6.2.3.3 t2', '2-3': '6.2.4.3 t3' },
      description: 'DeviceCMYK is used with a CMYK output intent, or with a default for it',
      holds: ({ output }) => output === 'CMYK',
    },
    {
      clauses: { '4': '6.2.4.3 t3' },
      description:
        'DeviceCMYK is used with a CMYK output intent, in a group of a CMYK colour space, or with a default for it',
      holds: ({ output, blending }) => output === 'CMYK' || blending === 'CMYK',
    },
  ]),
  DeviceGray: new RuleSet<DeviceSpace>('gray of the device', [
    {
      clauses: { '1': '6.2.3.3 t3', '2-3': '6.2.4.3 t4', '4': '6.2.4.3 t4' },
      description: 'DeviceGray is used with an output intent, or with a default for it',
      holds: ({ output }) => output !== null,
    },
  ]),
}

/** Offered where the colour space was found to break another rule. */
const roleRules = new RuleSet<ColourSpaceRole>('part of a colour space or group', [
  {
    clauses: { '1': '6.2.3.4 t1', '2-4': '6.2.4.4 t3' },
    description:
      'The alternate colour space of Separation and DeviceN is one that may be used by itself',
    holds: (role) => role !== 'alternate',
  },
  {
    clauses: { '2-4': '6.2.4.5 t1' },
    description: 'The base of an Indexed colour space is one that may be used by itself',
    holds: (role) => role !== 'base',
  },
  {
    clauses: { '2-3': '6.2.10 t3', '4': '6.2.9 t3' },
    description: 'The colour space of a transparency group is one that may be used by itself',
    holds: (role) => role !== 'group',
  },
])

/** Offered where a device colour space has nothing to rely on. */
const reliedOnRules = new RuleSet<OutputIntents>('output intents that device colours rely on', [
  {
    clauses: { '1': '6.2.2 t3', '2-3': '6.2.3 t4', '4': '6.2.3 t4' },
    description: 'The output intent on which device colours rely is one for PDF/A (GTS_PDFA1)',
    holds: ({ isForeign }) => !isForeign,
  },
])

const overprintRules = new RuleSet<{ readonly overprintMode: number }>('overprinting CMYK', [
  {
    clauses: { '2-4': '6.2.4.2 t2' },
    description: 'Where ICC-based CMYK overprints, the overprint mode (/OPM) is 0',
    holds: ({ overprintMode }) => overprintMode === 0,
  },
])

const cmykProfileRules = new RuleSet<{ readonly isReserved: boolean }>('ICC-based CMYK', [
  {
    clauses: { '4': '6.2.4.2 t3' },
    description:
      'The profile of an ICC-based CMYK colour space is another than that of the output intent or of the group that holds it',
    holds: ({ isReserved }) => !isReserved,
  },
])

interface DeviceN {
  readonly colorants: number
  /** Colorants that nothing describes. */
  readonly missing: readonly PdfObject[]
}

const deviceNRules = new RuleSet<DeviceN>('DeviceN colour space', [
  {
    clauses: { '1': '6.1.12 t9' },
    description: 'A DeviceN colour space has at most 8 colorants',
    holds: ({ colorants }) => colorants <= 8,
    found: ({ colorants }) => String(colorants),
  },
  {
    clauses: { '2-3': '6.1.13 t9' },
    description: 'A DeviceN colour space has at most 32 colorants',
    holds: ({ colorants }) => colorants <= 32,
    found: ({ colorants }) => String(colorants),
  },
  {
    clauses: { '2-4': '6.2.4.4 t1' },
    description: 'Every spot colour of a DeviceN colour space is described under /Colorants',
    holds: ({ missing }) => missing.length === 0,
  },
])
