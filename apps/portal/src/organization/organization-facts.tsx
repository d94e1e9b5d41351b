import { Code, Group, Stack, Text } from '@mantine/core'
import type { OrganizationResponse } from '@pdfnorm/contracts/schema/organization'
import type { ReactNode } from 'react'
import { planName } from '../billing/plan-name.ts'
import { CopyButton } from '../page/copy-button.tsx'
import { PageLink } from '../page/page-link.tsx'
import { Section } from '../page/section.tsx'
import { When } from '../page/when.tsx'
import { regionNames } from './region-names.ts'

/** What is known of the organization. @param complete also what a form shows where it can be changed */
export function OrganizationFacts({
  organization,
  complete,
}: {
  organization: OrganizationResponse
  complete: boolean
}) {
  const { allowedRegions, contactEmail, createdAt, defaultRegion, id, monthlyDocLimit } =
    organization
  const [first] = allowedRegions
  return (
    <Section title="About the organization">
      <Stack component="dl" gap="sm" m={0}>
        {complete && (
          <>
            <Fact name="Name">
              <span dir="auto">{organization.name}</span>
            </Fact>
            <Fact name="Short name">{organization.slug}</Fact>
            <Fact name="Contact address">{contactEmail ?? 'none'}</Fact>
            <Fact name="Allowed regions">
              {allowedRegions.map((region) => `${regionNames[region]} (${region})`).join(', ')}
            </Fact>
            <Fact name="Default region">
              {defaultRegion === null
                ? `the first allowed one${first ? `, ${regionNames[first]}` : ''}`
                : `${regionNames[defaultRegion]} (${defaultRegion})`}
            </Fact>
          </>
        )}
        <Fact name="Plan">
          {planName(organization.planTier)}, {monthlyDocLimit.toLocaleString('en')} documents a
          month.{' '}
          <PageLink to="/billing" inherit>
            Plan and usage
          </PageLink>
        </Fact>
        <Fact name="Registered">
          <When at={createdAt} />
        </Fact>
        <Fact name="Id">
          <Copied text={id} what="the organization's id" />
        </Fact>
        <Fact name="Internal name">
          <Copied text={organization.schemaName} what="the internal name" />
        </Fact>
      </Stack>
    </Section>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Group gap="xs" align="baseline" style={{ rowGap: 0 }}>
      <Text component="dt" size="sm" c="dimmed" w={140}>
        {name}
      </Text>
      <Text
        component="dd"
        size="sm"
        m={0}
        style={{ flex: '1 1 220px', minWidth: 0, overflowWrap: 'anywhere' }}
      >
        {children}
      </Text>
    </Group>
  )
}

function Copied({ text, what }: { text: string; what: string }) {
  return (
    <Group gap={4} wrap="nowrap" component="span">
      <Code style={{ overflowWrap: 'anywhere' }}>{text}</Code>
      <CopyButton text={text} what={what} />
    </Group>
  )
}
