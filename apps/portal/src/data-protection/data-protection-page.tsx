import { useSuspenseQuery } from '@tanstack/react-query'
import { Page } from '../page/page.tsx'
import { WhomToAsk } from '../page/whom-to-ask.tsx'
import { useMay } from '../session/use-session.ts'
import { DeletionSection } from './deletion-section.tsx'
import { ErasureSection } from './erasure-section.tsx'
import { ExportSection } from './export-section.tsx'
import { dataRequestsQuery } from './queries.ts'
import { Section } from '../page/section.tsx'

export function DataProtectionPage() {
  const may = useMay()
  return (
    <Page
      title="Data protection"
      lead="Take everything along, have the documents erased, or leave with all of it."
    >
      {may('exportData') ? <Requests /> : <NotForMembers />}
    </Page>
  )
}

function Requests() {
  const may = useMay()
  const { data } = useSuspenseQuery(dataRequestsQuery)
  return (
    <>
      <ExportSection latest={data.export} />
      {may('eraseContent') ? (
        <ErasureSection latest={data.erasure} />
      ) : (
        <Section title="Erase all documents">
          <WhomToAsk deed="eraseContent">Only the owner has the documents erased.</WhomToAsk>
        </Section>
      )}
      {may('deleteAccount') ? (
        <DeletionSection latest={data.deletion} />
      ) : (
        <Section title="Delete the organization">
          <WhomToAsk deed="deleteAccount">Only the owner deletes the organization.</WhomToAsk>
        </Section>
      )}
    </>
  )
}

function NotForMembers() {
  return (
    <>
      <Section title="Export">
        <WhomToAsk deed="exportData">
          An admin or the owner gets everything that the organization has, as one ZIP file.
        </WhomToAsk>
      </Section>
      <Section title="Erasure and deletion">
        <WhomToAsk deed="eraseContent">
          The owner has all documents erased, or the organization deleted.
        </WhomToAsk>
      </Section>
    </>
  )
}
