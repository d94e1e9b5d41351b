import { Alert, Anchor, Code, Stack, Text } from '@mantine/core'
import { problemPath, problems } from '@pdfnorm/contracts/schema/problem'
import { IconAlertCircle } from '@tabler/icons-react'
import { problemOf } from './problem-of.ts'

/** Why something did not work, what to do about it, and the id of the request. @param error null: nothing is shown */
export function ProblemAlert({ error }: { error: unknown }) {
  if (error === null || error === undefined) return null
  const { code, message, requestId, faults, retryAfterSeconds } = problemOf(error)
  // Then all that there is to say is when.
  const isOnlyEarly = code === 'RATE_LIMITED' && retryAfterSeconds !== null
  return (
    <Alert
      color="red"
      role="alert"
      icon={<IconAlertCircle aria-hidden />}
      title={code === null ? 'That did not work' : problems[code].title}
    >
      <Stack gap={6}>
        {faults.length === 0 && !isOnlyEarly && <Text size="sm">{message}</Text>}
        {faults.length > 0 && (
          <ul style={{ margin: 0, paddingInlineStart: 18 }}>
            {faults.map((fault) => (
              <li key={`${fault.location} ${fault.code}`}>
                <Text size="sm">
                  <Code>{fault.location.replace('body.', '')}</Code> {fault.message}
                </Text>
              </li>
            ))}
          </ul>
        )}
        {retryAfterSeconds !== null && (
          <Text size="sm">It may work again in {inWords(retryAfterSeconds)}.</Text>
        )}
        {(code !== null || requestId !== null) && (
          <Text size="xs">
            {code !== null && (
              <Anchor href={problemPath(code)} target="_blank" inherit>
                What {code} means
              </Anchor>
            )}
            {code !== null && requestId !== null && ' · '}
            {requestId !== null && (
              <>
                request{' '}
                <Code fz="xs" p={0} bg="none" style={{ overflowWrap: 'anywhere' }}>
                  {requestId}
                </Code>
              </>
            )}
          </Text>
        )}
      </Stack>
    </Alert>
  )
}

function inWords(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, seconds)} seconds`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`
}
