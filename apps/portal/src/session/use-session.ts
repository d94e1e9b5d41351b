import { isAtLeast, leastRole } from '@pdfnorm/contracts/schema/member'
import { useSyncExternalStore } from 'react'
import { currentSession, onSessionChange, type Session } from './session.ts'

/** Who is signed in; null while the page is being left. */
export function useSession(): Session | null {
  return useSyncExternalStore(onSessionChange, currentSession)
}

/** Whether the signed-in member may do something: the entry of the table that the server enforces. */
export function useMay(): (deed: keyof typeof leastRole) => boolean {
  const session = useSession()
  return (deed) => session !== null && isAtLeast(session.role, leastRole[deed])
}
