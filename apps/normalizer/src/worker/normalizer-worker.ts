import { normalize } from '../normalize.ts'
import { serveDocuments } from './serve-documents.ts'
import { warmUp } from './warm-up.ts'

// What a worker process of the pool runs.
await warmUp()
await serveDocuments(normalize)
