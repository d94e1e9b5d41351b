import { Paper, type PaperProps, Stack } from '@mantine/core'
import { type ReactNode, useState } from 'react'

/** A place that files are dropped on, and that shows when they are above it. */
export function DropFrame({
  onFiles,
  children,
  ...frame
}: Pick<PaperProps, 'p'> & {
  onFiles: (files: readonly File[]) => void
  children: ReactNode
}) {
  const [isOver, setOver] = useState(false)
  return (
    <Paper
      withBorder
      h="100%"
      {...frame}
      style={{
        borderStyle: 'dashed',
        borderWidth: 2,
        background: isOver ? 'var(--mantine-primary-color-light)' : undefined,
      }}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        onFiles([...event.dataTransfer.files])
      }}
    >
      <Stack align="center" justify="center" gap="sm" ta="center" h="100%">
        {children}
      </Stack>
    </Paper>
  )
}
