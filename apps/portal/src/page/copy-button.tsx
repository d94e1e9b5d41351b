import { ActionIcon, CopyButton as Copying } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'

/** Copies a text. @param what it is, for whoever hears the button */
export function CopyButton({ text, what }: { text: string; what: string }) {
  return (
    <Copying value={text} timeout={2000}>
      {({ copied, copy }) => (
        <ActionIcon
          variant="default"
          onClick={copy}
          aria-label={copied ? `Copied ${what}` : `Copy ${what}`}
          title={copied ? 'Copied' : 'Copy'}
        >
          {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
        </ActionIcon>
      )}
    </Copying>
  )
}
