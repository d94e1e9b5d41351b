import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { ProblemAlert } from '../problem/problem-alert.tsx'

/**
 * Asks before something is done that cannot be taken back.
 *
 * @param typed what has to be typed first, where the harm is great
 */
export function ConfirmDialog({
  opened,
  onClose,
  onConfirm,
  title,
  action,
  typed,
  pending = false,
  error = null,
  children,
}: {
  opened: boolean
  onClose: () => void
  onConfirm: () => void
  title: string
  action: string
  typed?: string
  pending?: boolean
  error?: unknown
  children: ReactNode
}) {
  const [text, setText] = useState('')
  const close = () => {
    setText('')
    onClose()
  }
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={title}
      centered
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onConfirm()
        }}
      >
        <Stack>
          <Text component="div" size="sm">
            {children}
          </Text>
          {typed !== undefined && (
            <TextInput
              label={`Type “${typed}” to go on`}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              autoComplete="off"
              data-autofocus
            />
          )}
          <ProblemAlert error={error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Leave it
            </Button>
            <Button
              type="submit"
              color="red"
              loading={pending}
              disabled={typed !== undefined && text !== typed}
            >
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
