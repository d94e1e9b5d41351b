import { Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { apiKeys } from '@pdfnorm/contracts/endpoint/api-keys'
import type { ApiKeyResponse } from '@pdfnorm/contracts/schema/api-key'
import { limits } from '@pdfnorm/contracts/schema/limit'
import { IconKey, IconSearch } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { CallSnippet } from '../calls/call-snippet.tsx'
import { EmptyState } from '../page/empty-state.tsx'
import { Page } from '../page/page.tsx'
import { Pages } from '../page/pages.tsx'
import { Section } from '../page/section.tsx'
import { WhomToAsk } from '../page/whom-to-ask.tsx'
import { useMay } from '../session/use-session.ts'
import { organizationQuery } from '../shell/queries.ts'
import { ApiKeyList, type OnKey } from './api-key-list.tsx'
import { apiKeysQuery } from './queries.ts'

// What only an admin's click needs does not stand in the way of the list.
const CreateKeyDialog = lazy(async () => ({
  default: (await import('./create-key-dialog.tsx')).CreateKeyDialog,
}))
const RotateKeyDialog = lazy(async () => ({
  default: (await import('./rotate-key-dialog.tsx')).RotateKeyDialog,
}))
const RevokeKeyDialog = lazy(async () => ({
  default: (await import('./revoke-key-dialog.tsx')).RevokeKeyDialog,
}))

const route = getRouteApi('/member/api-keys')

/** What somebody is about to do, and to which key. */
type Intent =
  | { deed: 'create' }
  | { deed: 'rotate'; apiKey: ApiKeyResponse }
  | { deed: 'revoke'; apiKey: ApiKeyResponse }

export function ApiKeysPage() {
  const { data: keys } = useSuspenseQuery(apiKeysQuery)
  const { data: organization } = useSuspenseQuery(organizationQuery)
  const mayEver = useMay()('changeApiKeys')
  const mayChange = mayEver && organization.isActive
  const [intent, setIntent] = useState<Intent | null>(null)
  const close = () => setIntent(null)
  const create = (
    <Button onClick={() => setIntent({ deed: 'create' })}>
      {keys.length === 0 ? 'Create the first key' : 'Create a key'}
    </Button>
  )

  return (
    <Page
      title="API keys"
      lead="A program shows its key with every request. Give each program one of its own, so that it can be replaced by itself."
      actions={mayChange && keys.length > 0 && create}
    >
      {keys.length === 0 ? (
        <EmptyState
          Icon={IconKey}
          title="There is no key yet"
          text={
            mayChange
              ? 'With a key, a program submits documents and reads what became of them. It takes a name and a click.'
              : 'With a key, a program submits documents and reads what became of them. Until there is one, documents can be tried out in the playground.'
          }
        >
          {mayChange && create}
        </EmptyState>
      ) : (
        <KeyList
          keys={keys}
          onRotate={mayChange ? (apiKey) => setIntent({ deed: 'rotate', apiKey }) : null}
          onRevoke={mayChange ? (apiKey) => setIntent({ deed: 'revoke', apiKey }) : null}
        />
      )}
      {!mayEver && (
        <WhomToAsk deed="changeApiKeys">
          An admin or the owner creates, rotates and revokes keys.
        </WhomToAsk>
      )}
      <Stack gap={0}>
        <CallSnippet call={{ endpoint: apiKeys.listApiKeys }} label="List the keys" />
        {mayChange && (
          <CallSnippet
            call={{
              endpoint: apiKeys.createApiKey,
              body: { name: 'Production', scopes: ['normalize', 'read'] },
            }}
            label="Create a key"
          />
        )}
      </Stack>
      <Suspense>
        {intent?.deed === 'create' && <CreateKeyDialog onClose={close} />}
        {intent?.deed === 'rotate' && <RotateKeyDialog apiKey={intent.apiKey} onClose={close} />}
        {intent?.deed === 'revoke' && <RevokeKeyDialog apiKey={intent.apiKey} onClose={close} />}
      </Suspense>
    </Page>
  )
}

/** With more than so many, one looks for a key rather than reading; and no page shows more than so many at once. */
const searchedFrom = 10
const keysPerPage = 50

function KeyList({
  keys,
  onRotate,
  onRevoke,
}: {
  keys: readonly ApiKeyResponse[]
  onRotate: OnKey
  onRevoke: OnKey
}) {
  const { show } = route.useSearch()
  const navigate = route.useNavigate()
  const [part, setPart] = useState('')
  const [page, setPage] = useState(1)
  const working = keys.filter(({ isActive }) => isActive)
  const ended = keys.filter(({ isActive }) => !isActive)
  const chosen = show === 'ended' ? ended : working
  const wanted = part.trim().toLowerCase()
  const found = chosen.filter(
    ({ name, keyPrefix }) =>
      name.toLowerCase().includes(wanted) || keyPrefix.toLowerCase().includes(wanted),
  )
  // A page may go with its last key.
  const at = Math.min(page, Math.max(1, Math.ceil(found.length / keysPerPage)))
  return (
    <Section
      title="Keys"
      aside={
        <Text size="sm" c="dimmed">
          {working.length} of at most {limits.apiKeysPerOrganization} work
        </Text>
      }
    >
      <Group gap="sm">
        <SegmentedControl
          aria-label="Which keys"
          data={[
            { value: 'working', label: `Working (${working.length})` },
            { value: 'ended', label: `Ended (${ended.length})` },
          ]}
          value={show ?? 'working'}
          onChange={(value) => {
            setPage(1)
            void navigate({ search: value === 'ended' ? { show: value } : {}, replace: true })
          }}
        />
        {chosen.length > searchedFrom && (
          <TextInput
            aria-label="Find a key"
            placeholder="Find by a part of the name"
            leftSection={<IconSearch size={16} aria-hidden />}
            style={{ flex: '1 1 240px' }}
            value={part}
            onChange={(event) => {
              setPage(1)
              setPart(event.currentTarget.value)
            }}
          />
        )}
      </Group>
      {found.length === 0 ? (
        <Text size="sm" c="dimmed" role="status">
          {nothingFound(show === 'ended', wanted)}
        </Text>
      ) : (
        <ApiKeyList
          keys={found.slice((at - 1) * keysPerPage, at * keysPerPage)}
          onRotate={onRotate}
          onRevoke={onRevoke}
        />
      )}
      <Pages total={found.length} perPage={keysPerPage} page={at} onChange={setPage} />
    </Section>
  )
}

function nothingFound(isEnded: boolean, wanted: string): string {
  if (wanted !== '') return 'No key has this in its name.'
  return isEnded
    ? 'No key was revoked or has expired.'
    : 'No key works. The programs of the organization are refused.'
}
