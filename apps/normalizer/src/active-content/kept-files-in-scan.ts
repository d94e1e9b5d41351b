import { createHash } from 'node:crypto'
import type { ScannedDictionary, ScannedValue } from './scan-syntax.ts'

/**
 * The embedded files that an output may hold, as the second scan meets them: streams by the hash of their data, then the
 * specifications that lead to nothing else, then the lists that hold nothing but these.
 */
export class KeptFilesInScan {
  readonly #sha256: ReadonlySet<string>
  readonly #streams = new Set<number>()
  readonly #specifications = new Set<number>()

  constructor(sha256: ReadonlySet<string>) {
    this.#sha256 = sha256
  }

  get isAwaited(): boolean {
    return this.#sha256.size > 0
  }

  /** Whether the stream's data is that of a file that may be there. */
  meetsFile(number: number, data: Uint8Array | null): boolean {
    if (data === null) return false
    const isKept = this.#sha256.has(createHash('sha256').update(data).digest('hex'))
    if (isKept) this.#streams.add(number)
    return isKept
  }

  /** To be told of every dictionary in question when all streams have been met. */
  meetsSpecification({ entries, object, isObject }: ScannedDictionary): void {
    const files = entries.get('EF')
    if (!isObject || object === null || !files || !this.#isOfKeptStreams(files)) return
    if ([...entries.keys()].every((key) => specificationKeys.has(key))) {
      this.#specifications.add(object)
    }
  }

  /** Whether the entry leads to kept files alone; to be asked when all specifications have been met. */
  allows({ isObject, object }: ScannedDictionary, key: string, value: ScannedValue): boolean {
    switch (key) {
      case 'EF':
        return isObject && object !== null && this.#specifications.has(object)
      case 'AF':
        return value.type === 'array' && isShort(value.items) && value.items.every(this.#isKept)
      case 'EmbeddedFiles':
        return value.type === 'dictionary' && this.#isTreeOfKept(value.dictionary)
      default:
        return false
    }
  }

  #isOfKeptStreams(files: ScannedValue): boolean {
    if (files.type !== 'dictionary' || files.dictionary.entries.size === 0) return false
    return [...files.dictionary.entries].every(
      ([key, value]) =>
        (key === 'F' || key === 'UF') &&
        value.type === 'reference' &&
        this.#streams.has(value.number),
    )
  }

  #isTreeOfKept({ entries }: ScannedDictionary): boolean {
    const names = entries.get('Names')
    if (entries.size !== 1 || names?.type !== 'array' || !isShort(names.items)) return false
    return names.items.every((item, at) =>
      at % 2 === 0 ? item.type === 'string' : this.#isKept(item),
    )
  }

  readonly #isKept = (value: ScannedValue): boolean =>
    value.type === 'reference' && this.#specifications.has(value.number)
}

const specificationKeys = new Set(['Type', 'F', 'UF', 'AFRelationship', 'Desc', 'EF'])

/** The scan keeps the first items of longer lists only; an empty one leads to no kept file. */
function isShort(items: readonly ScannedValue[]): boolean {
  return items.length > 0 && items.length <= 60
}
