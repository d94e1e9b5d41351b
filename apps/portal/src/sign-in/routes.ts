import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { z } from 'zod'
import { openSession } from '../session/session.ts'
import { visitorRoute } from '../shell/visitor-route.ts'
import { pathHere } from './path-here.ts'

/** Whoever is signed in has nothing to do on these pages. @param href within the portal */
async function goOnIfSignedIn(href = '/') {
  if ((await openSession().catch(() => null)) !== null) throw redirect({ href, replace: true })
}

const signInRoute = createRoute({
  getParentRoute: () => visitorRoute,
  path: '/sign-in',
  validateSearch: z.object({
    from: z.string().optional().catch(undefined).transform(pathHere),
    reason: z.enum(['password-set', 'invitation-accepted']).optional().catch(undefined),
  }),
  beforeLoad: ({ search }) => goOnIfSignedIn(search.from),
  component: lazyRouteComponent(() => import('./sign-in-page.tsx'), 'SignInPage'),
})

const signUpRoute = createRoute({
  getParentRoute: () => visitorRoute,
  path: '/sign-up',
  beforeLoad: () => goOnIfSignedIn(),
  component: lazyRouteComponent(() => import('./sign-up-page.tsx'), 'SignUpPage'),
})

const forgotPasswordRoute = createRoute({
  getParentRoute: () => visitorRoute,
  path: '/forgot-password',
  component: lazyRouteComponent(() => import('./forgot-password-page.tsx'), 'ForgotPasswordPage'),
})

const resendVerificationRoute = createRoute({
  getParentRoute: () => visitorRoute,
  path: '/resend-verification',
  component: lazyRouteComponent(
    () => import('./resend-verification-page.tsx'),
    'ResendVerificationPage',
  ),
})

/** The addresses in mails: apps/api/src/mail/token-mail.ts writes them. */
const verifyEmailRoute = createRoute({
  getParentRoute: () => visitorRoute,
  path: '/verify-email',
  component: lazyRouteComponent(() => import('./verify-email-page.tsx'), 'VerifyEmailPage'),
})

const resetPasswordRoute = createRoute({
  getParentRoute: () => visitorRoute,
  path: '/reset-password',
  component: lazyRouteComponent(() => import('./reset-password-page.tsx'), 'ResetPasswordPage'),
})

const acceptInviteRoute = createRoute({
  getParentRoute: () => visitorRoute,
  path: '/accept-invite',
  component: lazyRouteComponent(() => import('./accept-invite-page.tsx'), 'AcceptInvitePage'),
})

export const signInRoutes = [
  signInRoute,
  signUpRoute,
  forgotPasswordRoute,
  resendVerificationRoute,
  verifyEmailRoute,
  resetPasswordRoute,
  acceptInviteRoute,
] as const
