import { useDisclosure } from '@mantine/hooks'
import type { TeamMember } from '@pdfnorm/contracts/schema/member'
import { useState } from 'react'

/** A dialog about one of the team. */
export interface DialogAbout {
  /** Of whom it is, or was while it closes; null before it was open. */
  subject: TeamMember | null
  opened: boolean
  open: (subject: TeamMember) => void
  close: () => void
}

export function useDialogAbout(): DialogAbout {
  const [subject, setSubject] = useState<TeamMember | null>(null)
  const [opened, { open, close }] = useDisclosure(false)
  return {
    subject,
    opened,
    open: (member) => {
      setSubject(member)
      open()
    },
    close,
  }
}
