import { runProcess } from './run-process.ts'

// A worker is the service in the role of one.
await runProcess({ ...process.env, PROCESS_ROLE: 'worker' })
