import { Button, FileButton, Text } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { DropFrame } from './drop-frame.tsx'
import { sizeOf } from './size-of.ts'

/**
 * Takes one file: dropped, or chosen with the button, which is what the keyboard reaches.
 *
 * @param accept as of an input element, such as `application/pdf,.pdf`
 * @param mostBytes what is larger is refused here, before it is sent for nothing
 */
export function DropArea({
  accept,
  label,
  action,
  mostBytes,
  onFile,
  children,
}: {
  accept: string
  label: string
  action: string
  mostBytes: number
  onFile: (file: File) => void
  children?: ReactNode
}) {
  const [refusal, setRefusal] = useState<ReactNode>(null)
  const take = (files: readonly File[]) => {
    const [file] = files
    if (file === undefined) return
    const why = refusalOf(file, files.length, mostBytes)
    setRefusal(why)
    if (why === null) onFile(file)
  }
  return (
    <DropFrame onFiles={take} p={{ base: 'lg', sm: 'xl' }}>
      <IconFileUpload size={40} stroke={1.4} aria-hidden />
      <Text fw={600}>{label}</Text>
      <FileButton onChange={(file) => file && take([file])} accept={accept}>
        {(props) => <Button {...props}>{action}</Button>}
      </FileButton>
      {refusal !== null && (
        <Text
          size="sm"
          c="var(--mantine-color-error)"
          role="alert"
          style={{ overflowWrap: 'anywhere' }}
        >
          {refusal}
        </Text>
      )}
      {children}
    </DropFrame>
  )
}

function refusalOf(file: File, dropped: number, mostBytes: number): ReactNode {
  if (dropped > 1) return `One document at a time: ${dropped} were dropped.`
  if (file.size <= mostBytes) return null
  return (
    <>
      <bdi>{file.name}</bdi> has {sizeOf(file.size)}; the plan takes files of up to{' '}
      {sizeOf(mostBytes)}.
    </>
  )
}
