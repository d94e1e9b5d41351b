import { useEffect } from 'react'
import { queryClient } from '../session/query-client.ts'
import { currentSession, renewSession } from '../session/session.ts'
import { useSession } from '../session/use-session.ts'
import { teamQuery, useOwnMember } from './queries.ts'

/**
 * Somebody else may change the role of who is signed in. The server goes by it at once; the token says it when it is
 * renewed, and the list of the team when it is read. Whichever is behind is asked for again.
 */
export function useRoleInStep(): void {
  const inToken = useSession()?.role
  const inTeam = useOwnMember()?.role
  useEffect(() => {
    if (inToken === undefined || inTeam === undefined || inToken === inTeam) return
    const catchUp = async () => {
      const renewed = await renewSession(currentSession())
      if (renewed === null || renewed.role === inTeam) return
      await queryClient.invalidateQueries({ queryKey: teamQuery.queryKey })
    }
    catchUp().catch(() => undefined)
  }, [inToken, inTeam])
}
