/** Says in a corner of the page that something was done; screen readers read it out. */
export async function announce(message: string): Promise<void> {
  const { notifications } = await import('@mantine/notifications')
  notifications.show({ message, withBorder: true, closeButtonProps: { 'aria-label': 'Close' } })
}
