import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'api',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/postgres.ts'],
    // Starting a database, hashing passwords and normalizing take their time on a busy machine.
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
