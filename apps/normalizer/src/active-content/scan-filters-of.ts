import type { ScanFilter } from './scan-filter.ts'
import type { ScannedDictionary, ScannedValue } from './scan-syntax.ts'

type Entries = ScannedDictionary['entries']

/**
 * The filters of a stream (ISO 32000-2, table 5), in the order in which they are undone.
 *
 * @param resolve gives the value that a reference stands for, and every other value back
 */
export function scanFiltersOf(
  entries: Entries,
  resolve: (value: ScannedValue | undefined) => ScannedValue | undefined,
): ScanFilter[] {
  const names = listOf(resolve(entries.get('Filter')))
  const parameters = listOf(resolve(entries.get('DecodeParms') ?? entries.get('DP')))
  return names.flatMap((item, index) => {
    const name = resolve(item)
    if (name?.type !== 'name') return []
    const own = resolve(parameters[index])
    const numberOf = (key: string, otherwise: number): number => {
      const value = own?.type === 'dictionary' ? resolve(own.dictionary.entries.get(key)) : null
      return value?.type === 'number' ? value.value : otherwise
    }
    return {
      name: name.value,
      predictor: numberOf('Predictor', 1),
      colors: numberOf('Colors', 1),
      bitsPerComponent: numberOf('BitsPerComponent', 8),
      columns: numberOf('Columns', 1),
      earlyChange: numberOf('EarlyChange', 1) !== 0,
    }
  })
}

/** Whether filters or parameters stand in other objects, which may come after the stream. */
export function hasFilterElsewhere({ entries }: ScannedDictionary): boolean {
  return ['Filter', 'DecodeParms', 'DP'].some((key) => isElsewhere(entries.get(key)))
}

function isElsewhere(value: ScannedValue | undefined): boolean {
  const values = value?.type === 'array' ? value.items : [value]
  return values.some(
    (item) =>
      item?.type === 'reference' ||
      (item?.type === 'dictionary' &&
        [...item.dictionary.entries.values()].some(({ type }) => type === 'reference')),
  )
}

/** Whether a numbered object can be a filter, its parameters, a list of either or a number in parameters. */
export function mayBeOfFilter(value: ScannedValue): boolean {
  if (value.type === 'dictionary') {
    return parameterKeys.some((key) => value.dictionary.entries.has(key))
  }
  return value.type === 'name' || value.type === 'number' || value.type === 'array'
}

const parameterKeys = ['Predictor', 'EarlyChange']

function listOf(value: ScannedValue | undefined): readonly (ScannedValue | undefined)[] {
  return value?.type === 'array' ? value.items : [value]
}
