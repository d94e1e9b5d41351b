import { Badge, Button, Code, Group, Stack } from '@mantine/core'
import type { ApiKeyResponse } from '@pdfnorm/contracts/schema/api-key'
import type { ReactNode } from 'react'
import { ListRow } from '../page/list-row.tsx'
import { When } from '../page/when.tsx'
import { standingOf } from './queries.ts'

/** What somebody does with a key; null: they may not. */
export type OnKey = ((apiKey: ApiKeyResponse) => void) | null

export function ApiKeyList({
  keys,
  onRotate,
  onRevoke,
}: {
  keys: readonly ApiKeyResponse[]
  onRotate: OnKey
  onRevoke: OnKey
}) {
  return (
    <Stack component="ul" aria-label="API keys" gap={0} m={0} p={0}>
      {keys.map((apiKey) => (
        <ListRow
          key={apiKey.id}
          name={apiKey.name}
          badges={
            <Group gap={6}>
              {apiKey.scopes.map((scope) => (
                <Badge key={scope} variant="default" tt="none" fw={500}>
                  {scope}
                </Badge>
              ))}
              <Standing apiKey={apiKey} />
            </Group>
          }
          facts={
            <>
              <Code>{apiKey.keyPrefix}…</Code> · {lastUse(apiKey)} · created{' '}
              <When at={apiKey.createdAt} withTime={false} />
              {expiry(apiKey)}
            </>
          }
          actions={
            apiKey.isActive && (
              <>
                {onRotate && (
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={`Rotate ${apiKey.name}`}
                    onClick={() => onRotate(apiKey)}
                  >
                    Rotate
                  </Button>
                )}
                {onRevoke && (
                  <Button
                    size="xs"
                    variant="light"
                    color="red"
                    aria-label={`Revoke ${apiKey.name}`}
                    onClick={() => onRevoke(apiKey)}
                  >
                    Revoke
                  </Button>
                )}
              </>
            )
          }
        />
      ))}
    </Stack>
  )
}

/** From here on somebody should know about it. */
const soonMs = 7 * 24 * 60 * 60 * 1000

function Standing({ apiKey }: { apiKey: ApiKeyResponse }) {
  const standing = standingOf(apiKey)
  const isEnding =
    standing === 'working' &&
    apiKey.expiresAt !== null &&
    Date.parse(apiKey.expiresAt) - Date.now() < soonMs
  if (standing === 'working' && !isEnding) return null
  const { color, label } = looks[standing]
  return (
    <Badge color={color} variant="light" tt="none">
      {label}
    </Badge>
  )
}

const looks = {
  working: { color: 'yellow', label: 'Ends soon' },
  expired: { color: 'orange', label: 'Expired' },
  revoked: { color: 'gray', label: 'Revoked' },
} as const

function lastUse({ lastUsedAt }: ApiKeyResponse): ReactNode {
  if (lastUsedAt === null) return 'never used'
  return (
    <>
      last used <When at={lastUsedAt} />
    </>
  )
}

function expiry(apiKey: ApiKeyResponse): ReactNode {
  const standing = standingOf(apiKey)
  if (apiKey.expiresAt === null || standing === 'revoked') return null
  return (
    <>
      {' '}
      · {standing === 'expired' ? 'expired' : 'expires'} <When at={apiKey.expiresAt} />
    </>
  )
}
