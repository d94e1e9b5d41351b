import { defineConfig } from 'tsdown'

// oxlint-disable-next-line import/no-default-export -- tsdown reads the default export
export default defineConfig({
  entry: 'src/index.ts',
  format: ['esm', 'cjs'],
  platform: 'neutral',
  target: 'es2022',
  dts: true,
  clean: true,
  publint: { strict: true },
})
