import type { ObjectStore } from '../src/artifact/object-store.ts'

/** A storage in which something else happens. */
export function storageThat(objects: ObjectStore, changes: Partial<ObjectStore>): ObjectStore {
  return new Proxy(objects, {
    get(target, name) {
      if (Object.hasOwn(changes, name)) return Reflect.get(changes, name)
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
