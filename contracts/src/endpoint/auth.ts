import { leastRole } from '../schema/member.ts'
import { Message } from '../schema/message.ts'
import { refusals } from '../schema/problem.ts'
import {
  AcceptInviteRequest,
  ForgotPasswordRequest,
  LoginRequest,
  refreshCookie,
  RegisterRequest,
  RegisterResponse,
  ResendVerificationRequest,
  ResetPasswordRequest,
  SessionTokens,
  VerifyEmailRequest,
} from '../schema/session.ts'
import type { EndpointMetadata } from './endpoint-metadata.ts'
import { bodyRefusals, memberRefusals, publicRefusals } from './endpoint-refusals.ts'
import { rest, strict } from './rest.ts'

/** Interface, section 4.1; decision 3.7. */
export const auth = rest.router(
  {
    registerOrganization: {
      method: 'POST',
      path: '/api/auth/register',
      summary: 'Register an organization',
      description:
        'Creates an organization on the free plan and its owner, and sends the owner a mail that verifies the ' +
        'address. Nothing waits for the verification.',
      metadata: {
        auth: 'none',
        rateLimit: 'register',
        faults: { 'body.ownerEmail': 'INVALID_EMAIL', 'body.ownerPassword': 'WEAK_PASSWORD' },
      } as const satisfies EndpointMetadata,
      body: RegisterRequest,
      responses: {
        200: RegisterResponse,
        ...refusals(
          ...publicRefusals,
          ...bodyRefusals,
          'INVALID_EMAIL',
          'EMAIL_TAKEN',
          'SLUG_TAKEN',
          'WEAK_PASSWORD',
          'CAPTCHA_FAILED',
        ),
      },
    },

    login: {
      method: 'POST',
      path: '/api/auth/login',
      summary: 'Sign in',
      description:
        'Answers with an access token for the portal endpoints and sets the refresh token as a cookie. An ' +
        'unknown address and a wrong password get the same answer.',
      metadata: {
        auth: 'none',
        rateLimit: 'login',
        responseHeaders: { 200: ['Set-Cookie', 'Cache-Control'] },
      } as const satisfies EndpointMetadata,
      body: LoginRequest,
      responses: {
        200: SessionTokens,
        ...refusals(...publicRefusals, ...bodyRefusals, 'INVALID_CREDENTIALS'),
      },
    },

    refreshSession: {
      method: 'POST',
      path: '/api/auth/refresh',
      summary: 'Renew the access token',
      description:
        'Takes the refresh token from its cookie and replaces it: each is good for one use. One that was used ' +
        'before ends the session.',
      metadata: {
        auth: 'none',
        cookie: refreshCookie.name,
        rateLimit: 'public',
        responseHeaders: { 200: ['Set-Cookie', 'Cache-Control'] },
      } as const satisfies EndpointMetadata,
      body: rest.noBody(),
      responses: {
        200: SessionTokens,
        ...refusals(...publicRefusals, 'INVALID_REFRESH_TOKEN'),
      },
    },

    logout: {
      method: 'POST',
      path: '/api/auth/logout',
      summary: 'Sign out',
      description: 'Ends the session at once and clears the cookie.',
      metadata: {
        auth: 'bearer',
        role: leastRole.signOut,
        rateLimit: 'portal',
        responseHeaders: { 200: ['Set-Cookie'] },
      } as const satisfies EndpointMetadata,
      body: rest.noBody(),
      responses: { 200: Message, ...refusals(...memberRefusals) },
    },

    forgotPassword: {
      method: 'POST',
      path: '/api/auth/forgot-password',
      summary: 'Ask for a mail that resets the password',
      description: 'Answers the same whether or not the address is registered.',
      metadata: {
        auth: 'none',
        rateLimit: 'forgotPassword',
        faults: { 'body.email': 'INVALID_EMAIL' },
      } as const satisfies EndpointMetadata,
      body: ForgotPasswordRequest,
      responses: {
        200: Message,
        ...refusals(...publicRefusals, ...bodyRefusals, 'INVALID_EMAIL'),
      },
    },

    resetPassword: {
      method: 'POST',
      path: '/api/auth/reset-password',
      summary: 'Set a new password',
      description: 'Takes the token from the mail. Every session of the user ends.',
      metadata: {
        auth: 'none',
        rateLimit: 'public',
        faults: { 'body.token': 'TOKEN_INVALID', 'body.newPassword': 'WEAK_PASSWORD' },
      } as const satisfies EndpointMetadata,
      body: ResetPasswordRequest,
      responses: {
        200: Message,
        ...refusals(
          ...publicRefusals,
          ...bodyRefusals,
          'TOKEN_INVALID',
          'TOKEN_EXPIRED',
          'WEAK_PASSWORD',
        ),
      },
    },

    verifyEmail: {
      method: 'POST',
      path: '/api/auth/verify-email',
      summary: 'Verify an e-mail address',
      description: 'Takes the token from the mail, which is good for 24 hours.',
      metadata: {
        auth: 'none',
        rateLimit: 'public',
        faults: { 'body.token': 'TOKEN_INVALID' },
      } as const satisfies EndpointMetadata,
      body: VerifyEmailRequest,
      responses: {
        200: Message,
        ...refusals(...publicRefusals, ...bodyRefusals, 'TOKEN_INVALID', 'TOKEN_EXPIRED'),
      },
    },

    resendVerification: {
      method: 'POST',
      path: '/api/auth/resend-verification',
      summary: 'Ask again for the mail that verifies an address',
      description:
        'Answers the same whether or not the address is registered or verified. Links that were sent before go on ' +
        'working.',
      metadata: {
        auth: 'none',
        rateLimit: 'resendVerification',
        faults: { 'body.email': 'INVALID_EMAIL' },
      } as const satisfies EndpointMetadata,
      body: ResendVerificationRequest,
      responses: {
        200: Message,
        ...refusals(...publicRefusals, ...bodyRefusals, 'INVALID_EMAIL'),
      },
    },

    acceptInvite: {
      method: 'POST',
      path: '/api/auth/accept-invite',
      summary: 'Accept an invitation',
      description:
        'Takes the token from the invitation, which is good for 48 hours, and sets the password of the new member.',
      metadata: {
        auth: 'none',
        rateLimit: 'public',
        faults: { 'body.token': 'TOKEN_INVALID', 'body.password': 'WEAK_PASSWORD' },
      } as const satisfies EndpointMetadata,
      body: AcceptInviteRequest,
      responses: {
        200: Message,
        ...refusals(
          ...publicRefusals,
          ...bodyRefusals,
          'TOKEN_INVALID',
          'TOKEN_EXPIRED',
          'WEAK_PASSWORD',
          'EMAIL_TAKEN',
          'ORGANIZATION_INACTIVE',
        ),
      },
    },
  },
  strict,
)
