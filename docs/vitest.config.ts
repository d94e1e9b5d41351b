import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'docs',
    include: ['test/**/*.test.ts'],
    // A browser takes its time on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
