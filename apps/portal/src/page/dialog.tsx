import type { ModalProps } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'

// Few visits come to a dialog: what draws its window does not stand in the way of the page.
const DialogWindow = lazy(async () => ({
  default: (await import('./dialog-window.tsx')).DialogWindow,
}))

/** A dialog over the page. Loaded when it first opens; it stays from then on, so that it closes as it opened. */
export function Dialog(props: ModalProps) {
  const [wanted, setWanted] = useState(props.opened)
  if (props.opened && !wanted) setWanted(true)
  if (!wanted) return null
  return (
    <Suspense fallback={null}>
      <DialogWindow {...props} />
    </Suspense>
  )
}
