import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'examples',
    include: ['test/**/*.test.ts'],
    globalSetup: '../test/runtimes/install-runtimes.ts',
    // Packing the client and starting servers take their time on a busy machine.
    testTimeout: 30_000,
    hookTimeout: 120_000,
  },
})
