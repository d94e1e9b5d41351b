import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  root: at('.'),
  plugins: [react()],
  resolve: {
    alias: [
      // The client's sources: the portal is built also where the package is not.
      { find: /^@pdfnorm\/sdk\/(.*)$/, replacement: at('../../sdk/src/$1.ts') },
      { find: '@ts-rest/core', replacement: at('build/contract-builder.ts') },
    ],
  },
  // The server puts the nonce of each answer in its place (apps/api/src/http/portal.ts).
  html: { cspNonce: 'nonce-of-the-answer' },
  build: {
    target: 'es2022',
    // A data: address for a picture would need a hole in the policy.
    assetsInlineLimit: 0,
    manifest: true,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1500,
    rolldownOptions: {
      output: {
        // Browsers fetch six files at a time over HTTP/1.1: what every page needs is one file, and what the same pages
        // need is another one.
        codeSplitting: {
          groups: [
            { name: 'portal', tags: ['$initial'] },
            { name: 'shared', minShareCount: 2, entriesAware: true },
          ],
        },
      },
    },
  },
})
