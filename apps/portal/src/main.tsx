import '@mantine/core/styles.css'
import './shell/focus.css'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { config as zodConfig } from 'zod'
import { faultWords } from './problem/fault-words.ts'
import { router } from './router.tsx'
import { Providers } from './shell/providers.tsx'
import { queryClient } from './session/query-client.ts'
import { currentSession, mayBeSignedIn, onSessionChange, openSession } from './session/session.ts'

// The policy of the page lets no text become a program, which zod would try.
zodConfig({ jitless: true, customError: faultWords })

// Asked while the program of the page is on its way, for which the router would wait until there is an answer.
void openSession().catch(() => undefined)
if (mayBeSignedIn()) {
  const [routes] = router.getMatchedRoutes(location.pathname)
  for (const route of routes) router.loadRouteChunk(route)?.catch(() => undefined)
}

let signedIn: string | null = null
onSessionChange(() => {
  const memberId = currentSession()?.memberId ?? null
  // What one member has read is not for the next one. The page that shows it is left first: it would ask for it again.
  if (memberId === null) void router.invalidate().finally(() => queryClient.clear())
  else if (signedIn !== null && signedIn !== memberId) queryClient.clear()
  signedIn = memberId
})

// After an update the files of the former one are gone: the page is loaded again, as it is by now. Once: a file that
// cannot be loaded then either is a fault, which the page tells.
const loadedAgainKey = 'pdfnorm.loaded-again'
const patienceMs = 30_000
addEventListener('vite:preloadError', () => {
  const loadedAgainAt = Number(sessionStorage.getItem(loadedAgainKey) ?? 0)
  if (Date.now() - loadedAgainAt < patienceMs) return
  sessionStorage.setItem(loadedAgainKey, String(Date.now()))
  location.reload()
})

// A file that is dropped beside its place would take the place of the page.
for (const name of ['dragover', 'drop'] as const) {
  addEventListener(name, (event) => {
    if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'none'
  })
}

const root = document.querySelector('#root')
if (root === null) throw new Error('The page has no place for the portal')
createRoot(root).render(
  <Providers>
    <RouterProvider router={router} />
  </Providers>,
)
