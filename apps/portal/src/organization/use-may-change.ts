import type { leastRole } from '@pdfnorm/contracts/schema/member'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useMay } from '../session/use-session.ts'
import { organizationQuery } from '../shell/queries.ts'

/** Whether the signed-in member may change something: the role is enough, and the organization is not deactivated. */
export function useMayChange(): ReturnType<typeof useMay> {
  const may = useMay()
  const { data: organization } = useSuspenseQuery(organizationQuery)
  return (deed: keyof typeof leastRole) => organization.isActive && may(deed)
}
