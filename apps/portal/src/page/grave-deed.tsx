import { Button, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { TablerIcon } from '@tabler/icons-react'
import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { organizationQuery } from '../shell/queries.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

/**
 * A button for what harms the whole organization for good: it asks for the organization's short name before it goes on.
 *
 * @param label what it does @param title the question @param action the answer that does it
 * @param children what will be, so that nobody learns it afterwards
 */
export function GraveDeed({
  label,
  Icon,
  title,
  action,
  onConfirm,
  children,
}: {
  label: string
  Icon: TablerIcon
  title: string
  action: string
  onConfirm: () => Promise<void>
  children: ReactNode
}) {
  const [isAsking, { open, close }] = useDisclosure(false)
  const { data: organization } = useSuspenseQuery(organizationQuery)
  const deed = useMutation({ mutationFn: onConfirm, onSuccess: close })
  return (
    <Group>
      <Button
        color="red"
        variant="light"
        onClick={open}
        leftSection={<Icon size={16} aria-hidden />}
      >
        {label}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => {
          close()
          deed.reset()
        }}
        onConfirm={() => deed.mutate()}
        title={title}
        action={action}
        typed={organization.slug}
        pending={deed.isPending}
        error={deed.error}
      >
        {children}
      </ConfirmDialog>
    </Group>
  )
}
