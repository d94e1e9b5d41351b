import { Stack } from '@mantine/core'
import { artifacts } from '@pdfnorm/contracts/endpoint/artifacts'
import { attestations } from '@pdfnorm/contracts/endpoint/attestations'
import { reports } from '@pdfnorm/contracts/endpoint/reports'
import { submissions } from '@pdfnorm/contracts/endpoint/submissions'
import { CallSnippet } from '../calls/call-snippet.tsx'

/** How a program reads what the page shows. */
export function SubmissionCalls({
  submissionId,
  hash,
}: {
  submissionId: string
  hash: string | undefined
}) {
  return (
    <Stack gap={0}>
      <CallSnippet
        call={{ endpoint: submissions.getSubmission, path: { submissionId } }}
        label="Read this submission"
      />
      {hash !== undefined && (
        <>
          <CallSnippet
            call={{ endpoint: artifacts.downloadArtifact, path: { hash } }}
            label="Download the file"
          />
          <CallSnippet
            call={{ endpoint: reports.getReport, path: { hash } }}
            label="Read the report"
          />
          <CallSnippet
            call={{ endpoint: attestations.getCertificate, path: { normalizedSha256: hash } }}
            label="Fetch the certificate"
          />
        </>
      )}
    </Stack>
  )
}
