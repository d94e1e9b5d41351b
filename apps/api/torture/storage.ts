import { mkdir, readdir, rename, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The local storage of the service, behind its back. */
export class Storage {
  readonly #dataDirectory: string
  readonly #root: string

  /** @param dataDirectory the service's DATA_DIR, before it is started for the first time */
  constructor(dataDirectory: string) {
    this.#dataDirectory = dataDirectory
    this.#root = join(dataDirectory, 'disk')
  }

  /** The service finds its objects behind a link, which can lead elsewhere from one moment to the next. */
  async connect(): Promise<void> {
    await mkdir(this.#root)
    await writeFile(join(this.#dataDirectory, 'broken'), '')
    await this.heal()
  }

  /** From now on every access fails: the directory is something else. */
  fail(): Promise<void> {
    return this.#leadTo('broken')
  }

  heal(): Promise<void> {
    return this.#leadTo('disk')
  }

  async #leadTo(target: string): Promise<void> {
    const link = join(this.#dataDirectory, 'objects')
    await symlink(target, `${link}.new`)
    await rename(`${link}.new`, link)
  }

  /** Names of uploads that have not become objects. */
  staged(): Promise<string[]> {
    return readdir(join(this.#root, '.incoming'))
  }

  /** Makes them as old as if the process that they belonged to had died a day ago. */
  async ageStaged(): Promise<void> {
    const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1000)
    for (const name of await this.staged()) {
      await utimes(join(this.#root, '.incoming', name), yesterday, yesterday)
    }
  }

  /** Objects and their sizes in bytes. */
  async objects(): Promise<Map<string, number>> {
    const entries = await readdir(this.#root, { recursive: true, withFileTypes: true })
    const files = entries.filter(
      (entry) => entry.isFile() && !entry.parentPath.includes('.incoming'),
    )
    const sizes = await Promise.all(
      files.map(async ({ parentPath, name }) => {
        const path = join(parentPath, name)
        return [path.slice(this.#root.length + 1), (await stat(path)).size] as const
      }),
    )
    return new Map(sizes)
  }
}
