// Before every `npm start`. A service without its portal is better than none: whatever is missing here is said, and the
// service starts all the same.
// The service's own setting of this name says nothing about how its pages are built.
process.env['NODE_ENV'] = 'production'

const say = (text: string) => process.stderr.write(`${text}\n`)

try {
  // Not at the top: without the development dependencies there is no Vite.
  const { ensureBuilt } = await import('./ensure-built.ts')
  await ensureBuilt(say)
} catch (error) {
  say(`The portal could not be built: ${error instanceof Error ? error.message : String(error)}`)
}
