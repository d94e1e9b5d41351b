import type { IncomingMessage } from 'node:http'
import type { ApiVersion } from '@pdfnorm/contracts/schema/api-version'
import type { ApiKeyCaller, Caller, MemberCaller } from '../caller.ts'

/** What the service knows about a request beside its bytes. */
export interface RequestContext {
  requestId: string
  apiVersion: ApiVersion
  caller: Caller | null
}

const contexts = new WeakMap<IncomingMessage, RequestContext>()

export function openContext(request: IncomingMessage, context: RequestContext): void {
  contexts.set(request, context)
}

/** @throws Error for a request that did not come through the application */
export function contextOf(request: IncomingMessage): RequestContext {
  const context = contexts.get(request)
  if (context === undefined) throw new Error('The request has no context')
  return context
}

/** Whoever calls an endpoint whose metadata asks for credentials. */
export function callerOf(request: IncomingMessage): Caller {
  const { caller } = contextOf(request)
  if (caller === null) throw new Error('The endpoint asks for no credentials')
  return caller
}

/** The program that calls an endpoint whose metadata asks for an API key. */
export function apiKeyCallerOf(request: IncomingMessage): ApiKeyCaller {
  const { caller } = contextOf(request)
  if (caller?.kind !== 'api-key') throw new Error('The endpoint is not one for API keys')
  return caller
}

/** The person who calls an endpoint whose metadata asks for an access token. */
export function memberCallerOf(request: IncomingMessage): MemberCaller {
  const { caller } = contextOf(request)
  if (caller?.kind !== 'member') throw new Error('The endpoint is not one for members')
  return caller
}
