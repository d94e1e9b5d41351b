import { ensureBuilt } from './ensure-built.ts'

// The service's own setting of this name says nothing about how its pages are built.
process.env['NODE_ENV'] = 'production'
await ensureBuilt()
