import { Grid, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Findings } from '../submissions/findings.tsx'
import { fetchArtifact } from '../submissions/fetch-artifact.ts'
import { Output } from '../submissions/output.tsx'
import { PageComparison } from '../submissions/page-comparison.tsx'
import { reportQuery } from '../submissions/queries.ts'
import { StageList } from '../submissions/stage-list.tsx'
import { useRevealedStages } from './use-revealed-stages.ts'
import { useStageAtWork } from './use-stage-at-work.ts'
import type { Trial } from './use-trial.ts'

/** What became of the document, as far as it is known. */
// oxlint-disable-next-line import/no-default-export -- React loads lazily what is exported by default
export default function TrialResult({ trial }: { trial: Trial }) {
  const { file, response, hasEnded } = trial
  const atWork = useStageAtWork(trial)
  const hash = response?.normalized?.sha256
  const report = useQuery({ ...reportQuery(hash ?? ''), enabled: hash !== undefined })
  const normalized = useQuery({
    queryKey: ['artifact', hash],
    queryFn: () => fetchArtifact(hash ?? ''),
    enabled: hash !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const revealed = useRevealedStages(report.data?.stages)

  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Stack gap="lg">
          <StageList
            stages={revealed.stages}
            running={atWork ?? revealed.running}
            endedIn={response?.failure?.stage}
          />
          {hasEnded && response && <Output response={response} />}
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Stack gap="lg">
          {hasEnded && response && <Findings found={response} />}
          <PageComparison
            documents={[
              { id: `before ${file.name} ${file.lastModified}`, label: 'Before', bytes: file },
              ...(response?.normalized
                ? [
                    {
                      id: `after ${response.normalized.sha256}`,
                      label: 'After',
                      bytes: normalized.isError ? null : normalized.data,
                    },
                  ]
                : []),
            ]}
          />
        </Stack>
      </Grid.Col>
    </Grid>
  )
}
