import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { ProblemAlert } from '../problem/problem-alert.tsx'
import { Dialog } from './dialog.tsx'

/**
 * Asks before something is done that cannot be taken back.
 *
 * @param typed what has to be typed first, where the harm is great
 */
export function ConfirmDialog({
  opened,
  onClose,
  title,
  ...question
}: Question & {
  opened: boolean
  title: string
}) {
  return (
    <Dialog opened={opened} onClose={onClose} title={title}>
      <Question onClose={onClose} {...question} />
    </Dialog>
  )
}

interface Question {
  onClose: () => void
  onConfirm: () => void
  action: string
  typed?: string
  pending?: boolean
  error?: unknown
  children: ReactNode
}

/** Apart from the dialog, which keeps nothing of it when it closes: what was typed counts once. */
function Question({
  onClose,
  onConfirm,
  action,
  typed,
  pending = false,
  error = null,
  children,
}: Question) {
  const [text, setText] = useState('')
  return (
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
          <Button
            variant="default"
            onClick={onClose}
            data-autofocus={typed === undefined || undefined}
          >
            Cancel
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
  )
}
