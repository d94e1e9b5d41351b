/** What an outgoing request may reach. */
export interface OutgoingPolicy {
  /** Whether addresses of our own network may be reached too, for development. */
  readonly allowPrivate: boolean
  readonly httpsOnly: boolean
  /** Who answers for names; absent: the name servers of this machine. */
  readonly resolver?: HostResolver
}

/** As `Resolver` of node:dns/promises. */
export interface HostResolver {
  resolve4(name: string): Promise<string[]>
  resolve6(name: string): Promise<string[]>
}

/** Why an address is refused, whoever asks and however often. */
export type OutgoingRefusalCode =
  | 'URL_INVALID'
  | 'SCHEME_FORBIDDEN'
  | 'CREDENTIALS_FORBIDDEN'
  | 'PORT_FORBIDDEN'
  | 'ADDRESS_FORBIDDEN'

/** Why a request came to no answer. */
export type OutgoingFailureCode =
  | OutgoingRefusalCode
  | 'NAME_NOT_RESOLVED'
  | 'CONNECTION_FAILED'
  | 'TLS_FAILED'
  | 'INVALID_RESPONSE'
  | 'TIMEOUT'
  | 'ABORTED'

export interface OutgoingRefusal {
  readonly code: OutgoingRefusalCode
  /** A sentence for whoever gave the address; it names no address that a name was found to have. */
  readonly text: string
}

/** Carries a reason through callbacks of sockets and resolvers; it does not leave this folder. */
export class OutgoingFailure extends Error {
  readonly code: OutgoingFailureCode

  constructor(code: OutgoingFailureCode, text: string) {
    super(text)
    this.name = 'OutgoingFailure'
    this.code = code
  }
}

/** One sentence for all ways to an address of our own network. */
export const addressForbidden = {
  code: 'ADDRESS_FORBIDDEN',
  text: 'The host is not, or not only, at an address of the public internet.',
} as const satisfies OutgoingRefusal
