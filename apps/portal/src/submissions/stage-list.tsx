import { Group, Loader, Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { pipelineStages, skippedStageResult } from '@pdfnorm/contracts/schema/pipeline-stage'
import { IconAlertTriangle, IconCheck, IconMinus, IconX } from '@tabler/icons-react'
import type { Report } from '@pdfnorm/contracts/schema/report'
import { useId } from 'react'

/** What the pipeline did so far, as a list of its ten stages. */
export interface PipelineState {
  /** Of a success: what each stage reports. */
  stages?: Report['stages'] | undefined
  /** The name of the stage in which it ended without one; null: it came to none. */
  endedIn?: string | null | undefined
  /** The index of the stage that it is in; null: it is not in one, or nobody knows which. */
  running?: number | null
}

const names: Record<(typeof pipelineStages)[number], string> = {
  PdfaDetection: 'PDF/A detection',
  TamperDetection: 'Tamper detection',
  StructuralRepair: 'Structural repair',
  DigitalSignatureDetection: 'Digital signatures',
  ActiveContentRemoval: 'Active content',
  AcroFormHandling: 'Forms',
  MetadataCanonical: 'Metadata',
  FontResourceValidation: 'Fonts',
  FinalRewrite: 'Final rewrite',
  ContentHash: 'Content hash',
}

type Mark = 'done' | 'notable' | 'ended' | 'running' | 'open' | 'skipped'

export function StageList({ stages, endedIn, running = null }: PipelineState) {
  const heading = useId()
  const endedAt = pipelineStages.findIndex((name) => name === endedIn)
  const endedBefore = endedIn === null
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h5" mb="sm" id={heading}>
        The ten stages
      </Title>
      {endedBefore && (
        <Text size="sm" mb="sm">
          It was turned away before the first of them.
        </Text>
      )}
      <Stack component="ol" aria-labelledby={heading} gap={6} m={0} p={0}>
        {pipelineStages.map((name, index) => {
          const stage = stages?.[index]
          const mark = markOf({ index, result: stage?.result, endedAt, running })
          return (
            <Group component="li" key={name} gap="xs" wrap="nowrap" align="flex-start">
              <StageMark mark={mark} />
              <Text size="sm" style={{ flex: '1 1 auto', minWidth: 0 }}>
                <Text span c="dimmed" inherit>
                  {index}
                </Text>{' '}
                {names[name]}{' '}
                <Text span c="dimmed" inherit style={{ overflowWrap: 'anywhere' }}>
                  {stage ? inWords(stage.result) : words[mark]}
                </Text>
              </Text>
              <Text size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
                {stage && stage.result !== skippedStageResult && durationOf(stage)}
              </Text>
            </Group>
          )
        })}
      </Stack>
    </Paper>
  )
}

const words: Record<Mark, string> = {
  done: '',
  notable: '',
  ended: 'ended here',
  running: 'at work',
  open: '',
  skipped: 'not reached',
}

function markOf({
  index,
  result,
  endedAt,
  running,
}: {
  index: number
  result: string | undefined
  endedAt: number
  running: number | null
}): Mark {
  if (result !== undefined) {
    if (result === skippedStageResult) return 'skipped'
    return quiet.has(result) || /^(?:sha256:|pdf_|pdfa_)/.test(result) ? 'done' : 'notable'
  }
  if (endedAt >= 0) return index < endedAt ? 'done' : index === endedAt ? 'ended' : 'skipped'
  if (running !== null) return index < running ? 'done' : index === running ? 'running' : 'open'
  return 'open'
}

/** Results that say that nothing had to be done. */
const quiet = new Set([
  'clean',
  'none',
  'no_forms',
  'normalized',
  'all_embedded',
  'no_fonts',
  'success',
  'image_only',
])

const looks = {
  done: { color: 'green', Icon: IconCheck },
  notable: { color: 'yellow', Icon: IconAlertTriangle },
  ended: { color: 'red', Icon: IconX },
  open: { color: 'gray', Icon: IconMinus },
  skipped: { color: 'gray', Icon: IconMinus },
} as const

function StageMark({ mark }: { mark: Mark }) {
  if (mark === 'running') return <Loader size={20} aria-hidden />
  const { color, Icon } = looks[mark]
  return (
    <ThemeIcon size={20} radius="xl" variant="light" color={color} aria-hidden>
      <Icon size={13} stroke={2.4} />
    </ThemeIcon>
  )
}

function durationOf({ durationMs }: Report['stages'][number]): string {
  return durationMs === 0 ? '< 1 ms' : `${durationMs.toLocaleString('en')} ms`
}

/** A result as people say it; of a whole hash the beginning is enough here. */
function inWords(result: string): string {
  const [, major, minor] = /^pdf_(\d+)_(\d+)$/.exec(result) ?? []
  if (major !== undefined) return `PDF ${major}.${minor}`
  if (result.startsWith('pdfa_')) return `PDF/A-${result.slice('pdfa_'.length)}`
  if (result.startsWith('sha256:')) return `${result.slice(0, 19)}…`
  if (result.startsWith('missing_')) return `${result.slice('missing_'.length)} not embedded`
  return result.replaceAll('_', ' ')
}
