import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { ClosingLine } from './test/closing-line.ts'

export default defineConfig({
  test: {
    projects: [
      'contracts',
      'apps/*',
      'sdk',
      'examples',
      'docs',
      { test: { name: 'repository', include: ['test/**/*.test.ts'] } },
    ],
    // Tests wait for browsers, databases and processes more than they compute; one core would be left idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    reporters: ['default', new ClosingLine()],
  },
})
