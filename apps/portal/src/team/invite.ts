import type { Invitation, InviteMemberRequest } from '@pdfnorm/contracts/schema/member'
import { queryClient } from '../session/query-client.ts'
import { rpc } from '../session/rpc.ts'
import { teamQuery } from '../shell/queries.ts'

/** Sends an invitation, or another link to somebody who is invited, and has the team read again. */
export async function invite(request: InviteMemberRequest): Promise<Invitation> {
  const invitation = await rpc.team.invite.mutate(request)
  await queryClient.invalidateQueries({ queryKey: teamQuery.queryKey })
  return invitation
}
