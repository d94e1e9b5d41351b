import { inSpan } from '../tracing.ts'
import type { ObjectStore } from './object-store.ts'

/** What goes to the storage and is waited for. */
const traced = [
  'adopt',
  'put',
  'putStream',
  'read',
  'openStream',
  'sizeOf',
  'delete',
] as const satisfies readonly (keyof ObjectStore)[]

/** The same store, with a span around each call. */
export function traceObjectStore(objects: ObjectStore): ObjectStore {
  const names = new Set<string | symbol>(traced)
  return new Proxy(objects, {
    get(store, name) {
      const member: unknown = Reflect.get(store, name, store)
      if (typeof member !== 'function') return member
      const call = (...parameters: unknown[]): unknown => Reflect.apply(member, store, parameters)
      if (!names.has(name)) return call
      return (...parameters: unknown[]) =>
        inSpan({ name: `storage ${String(name)}`, kind: 'client' }, async () => call(...parameters))
    },
  })
}
