import { Badge, Paper, Stack, Text, Title } from '@mantine/core'
import type { NormalizeResponse } from '@pdfnorm/contracts/schema/normalize-response'
import type { TamperAnalysis, TamperSeverity } from '@pdfnorm/contracts/schema/tamper-analysis'
import type { ValidationInfo } from '@pdfnorm/contracts/schema/validation-findings'
import type { ReactNode } from 'react'
import { PdfaFindings } from './pdfa-findings.tsx'
import { ShortenedList } from './shortened-list.tsx'
import { SignatureList } from './signature-list.tsx'

type Found = Pick<
  NormalizeResponse,
  'status' | 'security' | 'validation' | 'tamperAnalysis' | 'warnings' | 'failure'
>

/** What was found in the document and what was done about it, in words. */
export function Findings({ found }: { found: Found }) {
  const { tamperAnalysis, warnings, failure, security, validation } = found
  const deeds = found.status === 'SUCCESS' ? deedsOf(found) : []
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
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              <Badge color="red" variant="light" tt="none" mr={6}>
                {failure.code}
              </Badge>
              {failure.message}
            </Text>
          </Section>
        )}
        {tamperAnalysis !== null && (
          <Section title="Tampering">
            <Tampering analysis={tamperAnalysis} />
          </Section>
        )}
        {deeds.length > 0 && (
          <Section title="What was done">
            <ShortenedList entries={deeds} most={deeds.length} />
          </Section>
        )}
        {signatures.length > 0 && (
          <Section title="Signatures">
            <SignatureList signatures={signatures} />
          </Section>
        )}
        {found.status === 'SUCCESS' && claimsPdfa(validation) && (
          <Section title="PDF/A">
            <PdfaFindings validation={validation} warnings={warnings} />
          </Section>
        )}
        {warnings.length > 0 && (
          <Section title={warnings.length === 1 ? 'A warning' : `${warnings.length} warnings`}>
            <ShortenedList
              entries={warnings.map(({ code, message }) => (
                <>
                  {message}{' '}
                  <Text span c="dimmed" size="xs">
                    {code}
                  </Text>
                </>
              ))}
            />
          </Section>
        )}
        {failure === null && deeds.length === 0 && warnings.length === 0 && (
          <Text size="sm">Nothing had to be taken out or repaired.</Text>
        )}
      </Stack>
    </Paper>
  )
}

function claimsPdfa(validation: Found['validation']): validation is ValidationInfo {
  return 'pdfaDeclared' in validation && validation.pdfaDeclared
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

function Tampering({
  analysis: { anomaliesDetected, anomalies, riskLevel },
}: {
  analysis: TamperAnalysis
}) {
  if (anomaliesDetected === 0) return <Text size="sm">No anomaly was found.</Text>
  return (
    <>
      <Text size="sm" mb={6}>
        {anomaliesDetected === 1
          ? 'One anomaly was found'
          : `${anomaliesDetected.toLocaleString('en')} anomalies were found`}
        ; the risk is {riskLevel}.
      </Text>
      <ShortenedList
        entries={anomalies.map(({ severity, description, location }) => (
          <>
            <Badge color={severityColors[severity]} variant="light" tt="none" mr={6}>
              {severity}
            </Badge>
            {description}
            {location !== null && (
              <Text span c="dimmed" inherit>
                {' '}
                ({location})
              </Text>
            )}
          </>
        ))}
      />
    </>
  )
}

const severityColors: Record<TamperSeverity, string> = {
  low: 'gray',
  medium: 'yellow',
  high: 'orange',
  critical: 'red',
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
} as const

function deedsOf({ security, validation }: Found): string[] {
  const facts: Record<string, unknown> = { ...security, ...validation }
  return Object.entries(deedWords).flatMap(([fact, words]) => (facts[fact] === true ? words : []))
}
