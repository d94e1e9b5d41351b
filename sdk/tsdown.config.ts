import { defineConfig } from 'tsdown'

// oxlint-disable-next-line import/no-default-export -- tsdown reads the default export
export default defineConfig({
  entry: ['src/index.ts', 'src/webhooks.ts', 'src/express.ts', 'src/verify.ts'],
  format: ['esm', 'cjs'],
  platform: 'neutral',
  target: 'es2022',
  dts: true,
  clean: true,
  // Editors read the comments of the declarations.
  outputOptions: { comments: { jsdoc: false, annotation: true, legal: true } },
  publint: { strict: true },
})
