import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { organizationQuery } from '../shell/queries.ts'
import type { Returned } from './processor-page.ts'
import { billingQuery, chargesQuery } from './queries.ts'

const askAgainMs = 2000
const patienceMs = 60_000

/**
 * The plan and its subscription. Whoever comes back from the processor may be here before its report is; so for a
 * minute it is asked again.
 */
export function useBilling(returned: Returned | undefined) {
  const [openedAt] = useState(Date.now)
  const { data: billing, dataUpdatedAt } = useSuspenseQuery({
    ...billingQuery,
    refetchInterval: ({ state }) =>
      mayChange(returned, state.data) && state.dataUpdatedAt - openedAt < patienceMs
        ? askAgainMs
        : false,
  })
  const { data: organization } = useSuspenseQuery(organizationQuery)
  const queryClient = useQueryClient()
  const isChanged = organization.planTier !== billing.planTier
  useEffect(() => {
    if (!isChanged) return
    void queryClient.invalidateQueries({ queryKey: organizationQuery.queryKey })
    void queryClient.invalidateQueries({ queryKey: chargesQuery.queryKey })
    void queryClient.invalidateQueries({ queryKey: ['statistics'] })
  }, [queryClient, isChanged])
  return { billing, organization, isLate: dataUpdatedAt - openedAt >= patienceMs }
}

function mayChange(
  returned: Returned | undefined,
  billing: { paymentSubscriptionId: string | null } | undefined,
): boolean {
  return returned === 'managed' || (returned === 'paid' && billing?.paymentSubscriptionId === null)
}
