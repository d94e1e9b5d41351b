import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'sdk',
    include: ['test/**/*.test.ts'],
    globalSetup: '../test/runtimes/install-runtimes.ts',
    // Packing the package and starting processes take their time on a busy machine.
    testTimeout: 30_000,
    hookTimeout: 120_000,
  },
})
