import { Button, FileButton, Paper, Stack, Text } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { type DragEvent, type ReactNode, useState } from 'react'

/**
 * Takes one file: dropped, or chosen with the button, which is what the keyboard reaches.
 *
 * @param accept as of an input element, such as `application/pdf,.pdf`
 */
export function DropArea({
  accept,
  label,
  action,
  onFile,
  children,
}: {
  accept: string
  label: string
  action: string
  onFile: (file: File) => void
  children?: ReactNode
}) {
  const [isOver, setOver] = useState(false)
  const take = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file !== undefined) onFile(file)
  }
  return (
    <Paper
      withBorder
      p={{ base: 'lg', sm: 'xl' }}
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
      onDrop={take}
    >
      <Stack align="center" gap="sm" ta="center">
        <IconFileUpload size={40} stroke={1.4} aria-hidden />
        <Text fw={600}>{label}</Text>
        <FileButton onChange={(file) => file && onFile(file)} accept={accept}>
          {(props) => <Button {...props}>{action}</Button>}
        </FileButton>
        {children}
      </Stack>
    </Paper>
  )
}
