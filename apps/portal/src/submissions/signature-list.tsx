import { Badge, Group, Stack, Text } from '@mantine/core'
import type { SignatureVerification } from '@pdfnorm/contracts/schema/signature-verification'
import { When } from '../page/when.tsx'

/** The signatures that the original had: whose, and whether they held. */
export function SignatureList({ signatures }: { signatures: readonly SignatureVerification[] }) {
  return (
    <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
      {signatures.map((signature, index) => (
        <li key={index}>
          <SignatureEntry signature={signature} />
        </li>
      ))}
    </Stack>
  )
}

function SignatureEntry({
  signature: { valid, signerName, fieldName, signedAt, certificateExpired },
}: {
  signature: SignatureVerification
}) {
  const name = signerName === null ? null : commonName(signerName)
  return (
    <>
      <Group gap={6} wrap="nowrap" align="flex-start">
        <Badge color={valid ? 'green' : 'red'} variant="light" tt="none" mt={1}>
          {valid ? 'valid' : 'not valid'}
        </Badge>
        <Text size="sm" style={{ overflowWrap: 'anywhere', minWidth: 0 }}>
          <bdi>{name ?? fieldName}</bdi>
          {signedAt !== null && (
            <>
              , <When at={signedAt} />
            </>
          )}
          {certificateExpired && ', with a certificate that has expired'}
        </Text>
      </Group>
      {signerName !== null && signerName !== name && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          <bdi>{signerName}</bdi>
        </Text>
      )}
    </>
  )
}

/** The common name of a subject (RFC 4514); the whole subject where it has none. */
function commonName(subject: string): string {
  const [, name] = /(?:^|[,+])CN=((?:\\.|[^,+\\])*)/.exec(subject) ?? []
  return name?.replaceAll(/\\([^0-9a-fA-F])/g, '$1') ?? subject
}
