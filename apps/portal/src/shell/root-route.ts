import { createRootRoute } from '@tanstack/react-router'
import { FramelessMissingPage } from './frameless.tsx'

export const rootRoute = createRootRoute({ notFoundComponent: FramelessMissingPage })
