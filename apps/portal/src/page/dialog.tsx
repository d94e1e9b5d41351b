import type { ModalProps } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useReturnOfFocus } from './use-return-of-focus.ts'

// Few visits come to a dialog: what draws its window does not stand in the way of the page.
const DialogWindow = lazy(async () => ({
  default: (await import('./dialog-window.tsx')).DialogWindow,
}))

/**
 * A dialog over the page. Loaded when it first opens; it stays from then on, so that it closes as it opened.
 *
 * @param isKept only its own buttons close it: a slip of the hand does not end what is shown once
 */
export function Dialog({ isKept = false, ...props }: ModalProps & { isKept?: boolean }) {
  const [wanted, setWanted] = useState(props.opened)
  if (props.opened && !wanted) setWanted(true)
  useReturnOfFocus(props.opened)
  if (!wanted) return null
  return (
    <Suspense fallback={null}>
      <DialogWindow
        withCloseButton={!isKept}
        closeOnClickOutside={!isKept}
        closeOnEscape={!isKept}
        {...props}
      />
    </Suspense>
  )
}
