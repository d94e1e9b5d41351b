/**
 * Node's own modules where the runtime has them: Node, Bun, Deno, and workers in Node's compatibility mode. It is
 * not an import, so no bundler for browsers meets one.
 */
export function nodeModules(): Pick<NodeJS.Process, 'getBuiltinModule'> | null {
  if (typeof process === 'undefined') return null
  // Not every imitation of `process` has it.
  return typeof process.getBuiltinModule === 'function' ? process : null
}

/** A variable of the environment, where there is one. */
export function environmentVariable(name: string): string | undefined {
  return typeof process === 'undefined' ? undefined : process.env?.[name]
}

/** Of the runtimes only Node's fetch keeps what it has sent of a stream, as the standard says. */
export function keepsStreams(): boolean {
  // Node 20 has no `navigator`.
  return nodeModules() !== null && /^(Node\.js\/|$)/.test(userAgent())
}

/** Browsers can upload a stream over HTTP/2 at most; every other runtime can always. */
export function isBrowser(): boolean {
  return userAgent().startsWith('Mozilla/')
}

function userAgent(): string {
  return typeof navigator === 'undefined' ? '' : (navigator.userAgent ?? '')
}
