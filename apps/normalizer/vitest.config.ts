import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'normalizer',
    // Files of one process share its modules: the engine keeps no state, and loading it for each file takes its time.
    isolate: false,
    // Processes and large documents take their time on a busy machine.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
  },
})
