import { Code, List, Paper, Stack, Table, Text, ThemeIcon, Title } from '@mantine/core'
import { IconCheck, IconMinus, IconX } from '@tabler/icons-react'
import { sizeOf } from '../page/size-of.ts'
import { When } from '../page/when.tsx'
import { type Check, checks, type ProvenFacts, type Verdict } from './verify-proof.ts'

const words: Record<Check, string> = {
  form: 'It is a certificate or an attestation of a normalization',
  key: 'It names a key that this service publishes',
  signature: 'Its signature verifies with that key: nothing was changed since',
  file: 'The PDF is the certified file, byte for byte',
}

const looks = {
  passed: { color: 'green', Icon: IconCheck, said: 'Passed' },
  failed: { color: 'red', Icon: IconX, said: 'Failed' },
  untried: { color: 'gray', Icon: IconMinus, said: 'Not tried' },
} as const

export function VerdictView({ verdict, pdfName }: { verdict: Verdict; pdfName: string }) {
  const { failed, facts } = verdict
  return (
    <Stack gap="lg">
      <Paper
        withBorder
        p="lg"
        style={{ borderColor: `var(--mantine-color-${failed === null ? 'green' : 'red'}-6)` }}
      >
        <Stack gap="md">
          <Title order={2} size="h4" style={{ overflowWrap: 'anywhere' }}>
            {failed === null ? (
              <>
                <bdi>{pdfName}</bdi> is genuine
              </>
            ) : (
              titleOf(failed.check)
            )}
          </Title>
          {failed !== null && (
            <div style={{ overflowWrap: 'anywhere' }}>
              <Text>{failed.reason}</Text>
              <Text mt={4}>{failed.advice}</Text>
            </div>
          )}
          <List listStyleType="none" spacing="xs" aria-label="The checks">
            {checks.map((check) => (
              <CheckLine key={check} check={check} outcome={outcomeOf(check, failed)} />
            ))}
          </List>
        </Stack>
      </Paper>
      {facts !== null && <Facts facts={facts} />}
    </Stack>
  )
}

function titleOf(check: Check): string {
  return check === 'file' ? 'This is not the certified file' : 'The certificate does not hold'
}

function outcomeOf(check: Check, failed: Verdict['failed']): keyof typeof looks {
  if (failed === null) return 'passed'
  const distance = checks.indexOf(check) - checks.indexOf(failed.check)
  if (distance === 0) return 'failed'
  return distance < 0 ? 'passed' : 'untried'
}

function CheckLine({ check, outcome }: { check: Check; outcome: keyof typeof looks }) {
  const { color, Icon, said } = looks[outcome]
  return (
    <List.Item
      icon={
        <ThemeIcon variant="light" color={color} size={24} radius="xl" role="img" aria-label={said}>
          <Icon size={16} aria-hidden />
        </ThemeIcon>
      }
    >
      <Text size="sm" {...(outcome === 'untried' && { c: 'dimmed' })}>
        {words[check]}
      </Text>
    </List.Item>
  )
}

function Facts({ facts }: { facts: ProvenFacts }) {
  const rows = [
    { name: 'Signed by', value: facts.issuer },
    { name: 'Signed', value: <When at={facts.signedAt} /> },
    { name: 'With the key', value: <Hash text={facts.keyId} /> },
    { name: 'Attestation', value: <Hash text={facts.id} /> },
    {
      name: 'Certified file',
      value: (
        <>
          {sizeOf(facts.normalizedSizeBytes)}, SHA-256 <Hash text={facts.normalizedSha256} />
        </>
      ),
    },
    {
      name: 'Made of',
      value: (
        <>
          {sizeOf(facts.originalSizeBytes)}, SHA-256 <Hash text={facts.originalSha256} />
        </>
      ),
    },
  ]
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        What the {facts.kind} says
      </Title>
      <Table layout="fixed">
        <Table.Tbody>
          {rows.map(({ name, value }) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" w={{ base: 110, sm: 160 }} style={{ verticalAlign: 'top' }}>
                {name}
              </Table.Th>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  )
}

function Hash({ text }: { text: string }) {
  return <Code style={{ overflowWrap: 'anywhere' }}>{text}</Code>
}
