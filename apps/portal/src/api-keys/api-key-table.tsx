import { Badge, Button, Code, Group, Table, Text } from '@mantine/core'
import type { ApiKeyResponse } from '@pdfnorm/contracts/schema/api-key'
import { When } from '../page/when.tsx'
import { WideTable } from '../page/wide-table.tsx'
import { type ApiKeyStanding, standingOf } from './queries.ts'

/** @param onRotate null: the member may not */
export function ApiKeyTable({
  keys,
  onRotate,
  onRevoke,
}: {
  keys: readonly ApiKeyResponse[]
  onRotate: ((apiKey: ApiKeyResponse) => void) | null
  onRevoke: ((apiKey: ApiKeyResponse) => void) | null
}) {
  const hasActions = onRotate !== null && keys.some(({ isActive }) => isActive)
  return (
    <WideTable minWidth={hasActions ? 820 : 680} label="API keys">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Key</Table.Th>
          <Table.Th>May</Table.Th>
          <Table.Th>Last used</Table.Th>
          <Table.Th>Created</Table.Th>
          <Table.Th>Expires</Table.Th>
          {hasActions && <Table.Th ta="end">Actions</Table.Th>}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {keys.map((apiKey) => (
          <Table.Tr key={apiKey.id}>
            <Table.Td maw={260}>
              <Text size="sm" fw={600} dir="auto" style={{ overflowWrap: 'anywhere' }}>
                {apiKey.name}
              </Text>
              <Code>{apiKey.keyPrefix}…</Code>
            </Table.Td>
            <Table.Td>{apiKey.scopes.join(', ')}</Table.Td>
            <Table.Td>
              {apiKey.lastUsedAt === null ? 'never' : <When at={apiKey.lastUsedAt} />}
            </Table.Td>
            <Table.Td>
              <When at={apiKey.createdAt} withTime={false} />
            </Table.Td>
            <Table.Td>
              <Expiry apiKey={apiKey} />
            </Table.Td>
            {hasActions && (
              <Table.Td>
                <Group gap="xs" justify="flex-end" wrap="nowrap">
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={`Rotate ${apiKey.name}`}
                    onClick={() => onRotate(apiKey)}
                  >
                    Rotate
                  </Button>
                  <Button
                    size="xs"
                    variant="light"
                    color="red"
                    aria-label={`Revoke ${apiKey.name}`}
                    onClick={() => onRevoke?.(apiKey)}
                  >
                    Revoke
                  </Button>
                </Group>
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </WideTable>
  )
}

const endings = {
  expired: { color: 'orange', label: 'Expired' },
  revoked: { color: 'gray', label: 'Revoked' },
} as const satisfies Record<Exclude<ApiKeyStanding, 'working'>, object>

/** From here on somebody should know about it. */
const soonMs = 7 * 24 * 60 * 60 * 1000

function Expiry({ apiKey }: { apiKey: ApiKeyResponse }) {
  const standing = standingOf(apiKey)
  if (standing !== 'working') {
    const { color, label } = endings[standing]
    return (
      <Badge color={color} variant="light" tt="none">
        {label}
      </Badge>
    )
  }
  if (apiKey.expiresAt === null) return 'never'
  return (
    <>
      <When at={apiKey.expiresAt} />
      {Date.parse(apiKey.expiresAt) - Date.now() < soonMs && (
        <Badge color="yellow" variant="light" tt="none" display="block" mt={2}>
          Ends soon
        </Badge>
      )}
    </>
  )
}
