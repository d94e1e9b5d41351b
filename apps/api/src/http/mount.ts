import { contract } from '@pdfnorm/contracts/endpoint/contract'
import type { Refusal } from '@pdfnorm/contracts/schema/problem'
import { type AppRoute, type AppRouter, isAppRoute } from '@ts-rest/core'
import {
  type AppRouteImplementation,
  type AppRouteOptions,
  createExpressEndpoints,
  RequestValidationError,
  type TsRestRequestHandler,
} from '@ts-rest/express'
import type { ErrorRequestHandler, Express, Request, RequestHandler, Response } from 'express'
import type { Platform } from '../platform.ts'
import type { MountedEndpoint } from '../mounted-endpoint.ts'
import { sendRefusal } from './problem-response.ts'
import { validationRefusal } from '../validation-refusal.ts'

/** What answers the endpoints of one group. */
export type Routes<Group extends AppRouter> = {
  [Key in keyof Group]: Group[Key] extends AppRoute
    ? AppRouteImplementation<Group[Key]> | AppRouteOptions<Group[Key]>
    : never
}

/** Declares the routes of a group: `routes(apiKeys, (platform) => ({ listApiKeys: async … }))`. */
export function routes<Group extends AppRouter>(
  _group: Group,
  make: (platform: Platform) => Routes<Group>,
): MountableGroup {
  return { make }
}

/** Routes by the key of their endpoint, which is unique in the whole contract (its operationId). */
export interface MountableGroup {
  make(platform: Platform): Readonly<Record<string, unknown>>
}

export type MountableGroups = Readonly<Record<keyof typeof contract, MountableGroup>>

/** Runs before every endpoint; the endpoint is the matched one. */
export type EndpointMiddleware = (
  endpoint: MountedEndpoint,
  req: Request,
  res: Response,
) => Promise<Refusal | null>

const groupNames = Object.keys(contract) as (keyof typeof contract)[]

/** Mounts every endpoint of the contract: its middleware in order, then validation, then its route. */
export function mount(
  app: Express,
  platform: Platform,
  groups: MountableGroups,
  middleware: readonly EndpointMiddleware[],
): void {
  for (const name of groupNames) {
    // ts-rest types a router by its literal contract; here it is any group, whose routes `routes`
    // has checked against it.
    const made = groups[name].make(platform) as Record<string, never>
    createExpressEndpoints<AppRouter>(contract[name], made, app, {
      logInitialization: false,
      // A promise is checked where it is kept: an answer that breaks it is a fault of the service.
      responseValidation: true,
      globalMiddleware: middleware.map((step) => adapt(platform, step)),
      // The application's error handler answers; see validationHandler.
      requestValidationErrorHandler: (error, _req, _res, next) => next(error),
    })
  }
}

/** Every endpoint of the contract, for the answers to other methods and for tests that count. */
export function mountedEndpoints(): MountedEndpoint[] {
  return Object.values(contract)
    .flatMap((group) => Object.values<AppRoute | AppRouter>(group))
    .filter((endpoint) => isAppRoute(endpoint))
}

/** Answers a request that its contract does not accept, with every fault of it. */
export function validationHandler(platform: Platform): ErrorRequestHandler {
  return (error, req, res, next) => {
    if (!(error instanceof RequestValidationError)) return next(error)
    sendRefusal(platform.config, { req, res }, validationRefusal(endpointOf(req), error, req))
  }
}

/** The matched endpoint of a request. */
function endpointOf(req: object): MountedEndpoint {
  if (!('tsRestRoute' in req)) throw new Error('The request matched no endpoint')
  return req.tsRestRoute as MountedEndpoint
}

function adapt(platform: Platform, step: EndpointMiddleware): TsRestRequestHandler<AppRouter> {
  const handler: RequestHandler = async (req, res, next) => {
    const refusal = await step(endpointOf(req), req, res)
    if (refusal === null) return next()
    sendRefusal(platform.config, { req, res }, refusal)
  }
  return handler as TsRestRequestHandler<AppRouter>
}
