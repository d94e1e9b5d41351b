import { Badge, Group, List, Paper, Stack, Text, Title } from '@mantine/core'
import type { NormalizeResponse } from '@pdfnorm/contracts/schema/normalize-response'
import type { TamperSeverity } from '@pdfnorm/contracts/schema/tamper-analysis'
import type { ReactNode } from 'react'

type Found = Pick<
  NormalizeResponse,
  'status' | 'security' | 'validation' | 'tamperAnalysis' | 'warnings' | 'failure'
>

/** What was found in the document and what was done about it, in words. */
export function Findings({ found }: { found: Found }) {
  const { tamperAnalysis, warnings, failure, security } = found
  const deeds = deedsOf(found)
  const signatures =
    'signatureVerificationResults' in security ? (security.signatureVerificationResults ?? []) : []
  return (
    <Paper withBorder p="md">
      <Stack gap="md">
        <Title order={2} size="h5">
          Findings
        </Title>
        {failure !== null && (
          <Section title={found.status === 'REJECTED' ? 'Refused by policy' : 'Not normalized'}>
            <Text size="sm">
              <Badge color="red" variant="light" tt="none" mr={6}>
                {failure.code}
              </Badge>
              {failure.message}
            </Text>
          </Section>
        )}
        {tamperAnalysis !== null && (
          <Section title="Tampering">
            <Text size="sm">
              {tamperAnalysis.anomaliesDetected === 0
                ? 'No anomaly was found.'
                : `Risk ${tamperAnalysis.riskLevel}: ${tamperAnalysis.anomaliesDetected} found.`}
            </Text>
            <Stack gap="xs" mt={6}>
              {tamperAnalysis.anomalies.map((anomaly, index) => (
                <Text size="sm" key={index} component="div" style={{ overflowWrap: 'anywhere' }}>
                  <Badge color={severityColors[anomaly.severity]} variant="light" tt="none" mr={6}>
                    {anomaly.severity}
                  </Badge>
                  {anomaly.description}
                  {anomaly.location !== null && (
                    <Text span c="dimmed" inherit>
                      {' '}
                      ({anomaly.location})
                    </Text>
                  )}
                </Text>
              ))}
            </Stack>
          </Section>
        )}
        {deeds.length > 0 && (
          <Section title="What was changed">
            <List size="sm">
              {deeds.map((deed) => (
                <List.Item key={deed}>{deed}</List.Item>
              ))}
            </List>
          </Section>
        )}
        {signatures.length > 0 && (
          <Section title="Signatures">
            <Stack gap={4}>
              {signatures.map((signature, index) => (
                <Text size="sm" key={index} component="div" style={{ overflowWrap: 'anywhere' }}>
                  <Group gap={6} component="span" display="inline-flex">
                    <Badge color={signature.valid ? 'green' : 'red'} variant="light" tt="none">
                      {signature.valid ? 'valid' : 'not valid'}
                    </Badge>
                  </Group>{' '}
                  <bdi>{signature.signerName ?? signature.fieldName}</bdi>
                </Text>
              ))}
            </Stack>
          </Section>
        )}
        {warnings.length > 0 && (
          <Section title="Warnings">
            <List size="sm">
              {warnings.map(({ code, message }, index) => (
                <List.Item key={index}>
                  {message}{' '}
                  <Text span c="dimmed" inherit>
                    {code}
                  </Text>
                </List.Item>
              ))}
            </List>
          </Section>
        )}
        {failure === null && deeds.length === 0 && warnings.length === 0 && (
          <Text size="sm">Nothing had to be taken out or repaired.</Text>
        )}
      </Stack>
    </Paper>
  )
}

const severityColors: Record<TamperSeverity, string> = {
  low: 'gray',
  medium: 'yellow',
  high: 'orange',
  critical: 'red',
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <Title order={3} size="h6" mb={4}>
        {title}
      </Title>
      {children}
    </div>
  )
}

const deedWords = {
  javascriptRemoved: 'JavaScript was taken out',
  openActionsRemoved: 'Actions on opening were taken out',
  embeddedFilesRemoved: 'Embedded files were taken out',
  richMediaRemoved: 'Rich media was taken out',
  launchActionsRemoved: 'Actions that start programs were taken out',
  incrementalUpdatesRemoved: 'Earlier revisions were taken out',
  acroformFlattened: 'The form was flattened: what it showed is part of the pages',
  annotationsRemoved: 'Annotations were taken out',
  digitalSignaturesRemoved: 'Signatures were taken out',
  xrefRebuilt: 'The cross-reference table was rebuilt',
  objectStreamsRegenerated: 'Object streams were written anew',
  brokenReferencesDetected: 'Broken references were repaired',
  nonEmbeddedFontsDetected: 'Some fonts are not embedded',
  pdfaPreserved: 'PDF/A conformance was kept',
} as const

function deedsOf({ security, validation }: Found): string[] {
  const facts: Record<string, unknown> = { ...security, ...validation }
  return Object.entries(deedWords).flatMap(([fact, words]) => (facts[fact] === true ? words : []))
}
