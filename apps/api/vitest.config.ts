import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'api',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/postgres.ts'],
    // Files of one process share its modules, as the requests of a service do: loading them for each file is a quarter
    // of the work. Each test still has a database, a directory and a port of its own.
    isolate: false,
    // Starting a database, hashing passwords and normalizing take their time on a busy machine.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
  },
})
