import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { digitalSignatureDetection } from '../src/stages/3-digital-signature-detection.ts'
import { openedDocument } from './fixture/document.ts'
import { signedPdf } from './fixture/signed-pdf.ts'

// Processes are started, and a busy machine takes its time over each.
vi.setConfig({ testTimeout: 60_000 })

const hasOpenssl = spawnSync('openssl', ['version']).status === 0
const withoutOpenssl = hasOpenssl ? '' : ' (skipped: openssl is not installed)'

describe.runIf(hasOpenssl)(`a signature that openssl made${withoutOpenssl}`, () => {
  test.each([
    ['RSA', 'sha256', ['-newkey', 'rsa:2048']],
    ['RSA with SHA-512 and a key identifier', 'sha512', ['-newkey', 'rsa:2048'], ['-keyid']],
    ['RSA-PSS', 'sha256', ['-newkey', 'rsa:2048'], ['-keyopt', 'rsa_padding_mode:pss']],
    [
      'RSA-PSS with another hash function in the mask',
      'sha256',
      ['-newkey', 'rsa:2048'],
      ['-keyopt', 'rsa_padding_mode:pss', '-keyopt', 'rsa_mgf1_md:sha1'],
    ],
    [
      'RSA-PSS by a key for it alone, with another hash function in the mask',
      'sha256',
      ['-newkey', 'rsa-pss'],
      ['-keyopt', 'rsa_mgf1_md:sha512'],
    ],
    ['ECDSA on P-384', 'sha384', ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-384']],
    [
      'ECDSA on brainpool',
      'sha256',
      ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:brainpoolP256r1'],
    ],
    ['without signed attributes', 'sha256', ['-newkey', 'rsa:2048'], ['-noattr']],
  ] as const)('is valid: %s', async (_, digest, key, options: readonly string[] = []) => {
    const folder = mkdtempSync(join(tmpdir(), 'pdfnorm-'))
    try {
      const path = (name: string): string => join(folder, name)
      const files = ['-keyout', path('key'), '-out', path('certificate')]
      const subject = ['-subj', '/O=Test, Inc./CN=Ada Signer']
      openssl(['req', '-x509', '-nodes', '-days', '30', ...subject, ...key, ...files])

      const bytes = await signedPdf((signed) => {
        writeFileSync(path('data'), signed)
        const signer = ['-signer', path('certificate'), '-inkey', path('key')]
        const form = ['-binary', '-outform', 'DER', '-md', digest, '-in', path('data')]
        openssl(['cms', '-sign', ...form, ...signer, ...options, '-out', path('cms')])
        return readFileSync(path('cms'))
      })
      const document = openedDocument(bytes, { signedPdfPolicy: 'preserve' })
      await digitalSignatureDetection.run(document)
      expect(document.findings.security.signatureVerificationResults).toMatchObject([
        { valid: true, reason: null, signerName: 'CN=Ada Signer,O=Test\\, Inc.' },
      ])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

function openssl(parameters: readonly string[]): void {
  const { status, stderr } = spawnSync('openssl', parameters)
  if (status !== 0) throw new Error(stderr.toString())
}
