import { createRoute } from '@tanstack/react-router'
import { MissingPage } from '../page/missing-page.tsx'
import { openRoute } from './open-route.ts'

/** Every address that leads nowhere, in the frame of whoever came to it. */
export const missingRoute = createRoute({
  getParentRoute: () => openRoute,
  path: '$',
  component: MissingPage,
})
