import {
  Alert,
  Button,
  Group,
  Paper,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  Title,
} from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconFileAlert } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { OpenPdf } from './open-pdf.ts'

/** A document to be shown: its name, and its bytes as soon as they are there. */
export interface ShownDocument {
  label: string
  bytes: Blob | null | undefined
  /** Tells the documents apart. */
  id: string
}

/** The same page of one or two documents side by side. */
export function PageComparison({ documents }: { documents: readonly ShownDocument[] }) {
  const [page, setPage] = useState(1)
  const [counts, setCounts] = useState<Record<string, number>>({})
  const pages = Math.max(1, ...documents.map(({ id }) => counts[id] ?? 1))
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h5">
            Pages
          </Title>
          <Group gap="xs" display={pages === 1 ? 'none' : undefined}>
            <Button
              variant="default"
              size="compact-md"
              // Not disabled: it would lose the focus at the first page.
              aria-disabled={page <= 1}
              {...(page <= 1 && { 'data-disabled': true })}
              onClick={() => setPage(Math.max(1, page - 1))}
              aria-label="Previous page"
            >
              <IconChevronLeft size={16} aria-hidden />
            </Button>
            <Text size="sm" aria-live="polite" style={{ fontVariantNumeric: 'tabular-nums' }}>
              Page {page} of {pages}
            </Text>
            <Button
              variant="default"
              size="compact-md"
              aria-disabled={page >= pages}
              {...(page >= pages && { 'data-disabled': true })}
              onClick={() => setPage(Math.min(pages, page + 1))}
              aria-label="Next page"
            >
              <IconChevronRight size={16} aria-hidden />
            </Button>
          </Group>
        </Group>
        <SimpleGrid cols={{ base: 1, xs: documents.length }} spacing="md">
          {documents.map((document) => (
            <DocumentPage
              key={document.id}
              document={document}
              page={page}
              onOpen={(count) => setCounts((known) => ({ ...known, [document.id]: count }))}
            />
          ))}
        </SimpleGrid>
      </Stack>
    </Paper>
  )
}

function DocumentPage({
  document: { label, bytes, id },
  page,
  onOpen,
}: {
  document: ShownDocument
  page: number
  onOpen: (count: number) => void
}) {
  const opened = useQuery({
    queryKey: ['pdf', id],
    queryFn: async (): Promise<OpenPdf> => {
      if (!bytes) throw new Error('There is nothing to open')
      const { openPdf } = await import('./open-pdf.ts')
      return openPdf(new Uint8Array(await bytes.arrayBuffer()))
    },
    enabled: Boolean(bytes),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const count = opened.data?.pages
  const tell = useRef(onOpen)
  useEffect(() => {
    tell.current = onOpen
  })
  useEffect(() => {
    if (count !== undefined) tell.current(count)
  }, [count])

  return (
    <Stack gap={6} component="figure" m={0}>
      <Text size="sm" fw={600} component="figcaption">
        {label}
      </Text>
      {opened.isError || bytes === null ? (
        <Alert color="gray" icon={<IconFileAlert aria-hidden />}>
          This one cannot be shown.
        </Alert>
      ) : opened.data === undefined ? (
        <Skeleton height={320} />
      ) : (
        <PageCanvas pdf={opened.data} page={page} label={label} />
      )}
    </Stack>
  )
}

function PageCanvas({ pdf, page, label }: { pdf: OpenPdf; page: number; label: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [isFaulty, setFaulty] = useState(false)
  useEffect(() => {
    const target = canvas.current
    if (target === null || page > pdf.pages) return undefined
    const drawing = pdf.draw(page, target)
    setFaulty(false)
    drawing.done.catch(() => setFaulty(!drawing.isCancelled()))
    return () => drawing.cancel()
  }, [pdf, page])

  if (page > pdf.pages) return <Text c="dimmed">It has no page {page}.</Text>
  return (
    <>
      <canvas
        ref={canvas}
        role="img"
        aria-label={`Page ${page}: ${label}`}
        style={{
          width: '100%',
          border: '1px solid var(--mantine-color-default-border)',
          background: '#fff',
        }}
      />
      {isFaulty && <Text c="dimmed">This page cannot be drawn.</Text>}
    </>
  )
}
