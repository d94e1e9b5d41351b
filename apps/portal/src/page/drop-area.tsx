import { Button, FileButton, Text } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { DropFrame } from './drop-frame.tsx'

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
  const take = ([file]: readonly File[]) => {
    if (file !== undefined) onFile(file)
  }
  return (
    <DropFrame onFiles={take} p={{ base: 'lg', sm: 'xl' }}>
      <IconFileUpload size={40} stroke={1.4} aria-hidden />
      <Text fw={600}>{label}</Text>
      <FileButton onChange={(file) => file && onFile(file)} accept={accept}>
        {(props) => <Button {...props}>{action}</Button>}
      </FileButton>
      {children}
    </DropFrame>
  )
}
