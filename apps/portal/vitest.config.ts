import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'portal',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['../api/test/postgres.ts', 'test/built-portal.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
