import { Modal, type ModalProps } from '@mantine/core'

/** The window of a dialog. Where the focus goes after it: use-return-of-focus.ts */
export function DialogWindow(props: ModalProps) {
  return (
    <Modal
      centered
      returnFocus={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
      styles={{ title: { fontWeight: 650 } }}
      {...props}
    />
  )
}
