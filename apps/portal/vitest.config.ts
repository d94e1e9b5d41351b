import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'portal',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['../api/test/postgres.ts', 'test/built-portal.ts'],
    // As for the service, whose modules these tests load; the browser is shared, too.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
  },
})
