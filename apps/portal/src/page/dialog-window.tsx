import { Modal, type ModalProps } from '@mantine/core'

/** The window of a dialog. */
export function DialogWindow(props: ModalProps) {
  return <Modal centered closeButtonProps={{ 'aria-label': 'Close' }} {...props} />
}
