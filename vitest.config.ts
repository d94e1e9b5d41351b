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
    reporters: ['default', new ClosingLine()],
  },
})
