import { nodeModules } from '../runtime.ts'

/** A SHA-256 that takes its bytes in pieces. */
export interface Sha256 {
  update(bytes: Uint8Array): void
  /** 64 lower-case hexadecimal digits; nothing can be added after it. */
  hex(): string
}

/** Node's own, where the runtime has it. */
export function nodeSha256(): Sha256 | null {
  const crypto = nodeModules()?.getBuiltinModule('node:crypto')
  if (crypto === undefined) return null
  const hash = crypto.createHash('sha256')
  return { update: (bytes) => void hash.update(bytes), hex: () => hash.digest('hex') }
}
