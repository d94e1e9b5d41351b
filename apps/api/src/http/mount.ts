import { contract } from '@pdfnorm/contracts/endpoint/contract'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
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
import { validationRefusal } from './validation-refusal.ts'

/** What answers the endpoints of one group; an endpoint that is left out is not built yet. */
export type Routes<Group extends AppRouter> = {
  [Key in keyof Group]?: Group[Key] extends AppRoute
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

/** Runs before every endpoint; the endpoint is the matched one. */
export type EndpointMiddleware = (
  endpoint: MountedEndpoint,
  req: Request,
  res: Response,
) => Promise<Refusal | null>

/**
 * Mounts every endpoint of the contract: its middleware in order, then validation, then its route.
 * One without a route answers 501 to those who may call it.
 */
export function mount(
  app: Express,
  platform: Platform,
  groups: readonly MountableGroup[],
  middleware: readonly EndpointMiddleware[],
): void {
  const built = new Map(groups.flatMap((group) => Object.entries(group.make(platform))))
  for (const group of Object.values<AppRouter>(contract)) {
    createExpressEndpoints<AppRouter>(group, withUnbuilt(platform, group, built), app, {
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

/** Completes a group: what has no route answers 501 before its request is validated. */
function withUnbuilt(
  platform: Platform,
  group: AppRouter,
  built: ReadonlyMap<string, unknown>,
): Parameters<typeof createExpressEndpoints<AppRouter>>[1] {
  const answer: RequestHandler = (req, res) => {
    const detail = 'This endpoint is promised and not built yet.'
    sendRefusal(platform.config, { req, res }, new Refusal('NOT_IMPLEMENTED', detail))
  }
  const notBuilt = {
    middleware: [answer],
    handler: () => Promise.reject(new Error('An endpoint that is not built was reached')),
  }
  const complete = Object.keys(group).map((key) => [key, built.get(key) ?? notBuilt])
  // ts-rest types a router by its literal contract; here it is any group, whose routes `routes`
  // has checked against it.
  return Object.fromEntries(complete) as Record<string, never>
}
