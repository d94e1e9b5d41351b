import { defineConfig, type UserConfig } from 'tsdown'

const library: UserConfig = {
  entry: ['src/index.ts', 'src/webhooks.ts', 'src/express.ts', 'src/verify.ts'],
  platform: 'neutral',
  target: 'es2022',
  // Of the tests no declarations are written.
  tsconfig: 'tsconfig.build.json',
  dts: true,
  // Editors read the comments of the declarations.
  outputOptions: { comments: { jsdoc: false, annotation: true, legal: true } },
}

const modules: UserConfig = { ...library, format: 'esm' }

// The copy for those who still `require` is read by nobody.
const commonJs: UserConfig = {
  ...library,
  format: 'cjs',
  clean: false,
  minify: true,
}

const commandLine: UserConfig = {
  entry: 'src/cli.ts',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  dts: false,
  clean: false,
  fixedExtension: false,
  minify: true,
  plugins: [
    {
      name: 'the library stands beside the command line',
      resolveId: (id) => (id.endsWith('/index.ts') ? { id: './index.js', external: true } : null),
    },
  ],
}

// oxlint-disable-next-line import/no-default-export -- tsdown reads the default export
export default defineConfig([modules, commonJs, commandLine])
