/**
 * Fixed windows (interface, section 8; decision 1.6). An endpoint names the one that counts its requests.
 * `per` is what has a counter of its own.
 */
export const rateLimits = {
  register: { requests: 3, windowSeconds: 60 * 60, per: 'address' },
  login: { requests: 5, windowSeconds: 15 * 60, per: 'address' },
  forgotPassword: { requests: 3, windowSeconds: 60 * 60, per: 'address' },
  resendVerification: { requests: 3, windowSeconds: 60 * 60, per: 'address' },
  read: { requests: 600, windowSeconds: 60, per: 'api-key' },
  normalize: { requests: 120, windowSeconds: 60, per: 'api-key' },
  portal: { requests: 300, windowSeconds: 60, per: 'member' },
  invite: { requests: 60, windowSeconds: 60 * 60, per: 'member' },
  public: { requests: 600, windowSeconds: 60, per: 'address' },
} as const satisfies Record<string, RateLimit>

export interface RateLimit {
  readonly requests: number
  readonly windowSeconds: number
  readonly per: 'address' | 'api-key' | 'member'
}

export type RateLimitName = keyof typeof rateLimits
