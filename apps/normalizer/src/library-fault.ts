/**
 * Whether a library threw this, by the place on top of its stack. What a library makes of bytes that it cannot read is no
 * fault of ours: the document is malformed in a way that the library has no word for.
 */
export function isLibraryFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const place = error.stack?.split('\n').find((line) => /^\s+at /.test(line))
  return place !== undefined && place.replaceAll('\\', '/').includes('/node_modules/')
}
