import { z } from 'zod'
import { Health, Readiness } from '../schema/health.ts'
import { refusals } from '../schema/problem.ts'
import type { EndpointMetadata } from './endpoint-metadata.ts'
import { rest } from './rest.ts'

const anywhere = refusals('UNKNOWN_API_VERSION', 'INTERNAL_ERROR')

const open = { auth: 'none', rateLimit: null } as const satisfies EndpointMetadata

/**
 * What operators and tools ask the process itself (decisions, section 7). These stand outside the contract that
 * is mounted: they answer also when nothing else can.
 */
export const operations = rest.router({
  getHealth: {
    method: 'GET',
    path: '/healthz',
    summary: 'Is the process up',
    description: 'Answers as long as the process does.',
    metadata: open,
    responses: { 200: Health, ...anywhere },
  },
  getReadiness: {
    method: 'GET',
    path: '/readyz',
    summary: 'Can the service do its work',
    description: 'Asks the database, the storage and the queue.',
    metadata: open,
    responses: {
      200: Readiness,
      503: rest.otherResponse({ contentType: 'application/json', body: Readiness }),
      ...anywhere,
    },
  },
  getMetrics: {
    method: 'GET',
    path: '/metrics',
    summary: 'Read the metrics',
    description: 'In the text format of Prometheus.',
    metadata: open,
    responses: {
      200: rest.otherResponse({
        contentType: 'text/plain; version=0.0.4; charset=utf-8',
        body: z.string().meta({ examples: ['# TYPE process_cpu_seconds_total counter\n'] }),
      }),
      ...anywhere,
    },
  },
  getOpenapi: {
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'Read this document',
    description: 'The OpenAPI 3.1 document of the service.',
    metadata: open,
    responses: {
      200: z.looseObject({ openapi: z.string().meta({ examples: ['3.1.1'] }) }),
      ...anywhere,
    },
  },
  getDocs: {
    method: 'GET',
    path: '/docs',
    summary: 'Read the documentation',
    description: 'The reference for people.',
    metadata: open,
    responses: {
      200: rest.otherResponse({
        contentType: 'text/html; charset=utf-8',
        body: z.string().meta({ examples: ['<!doctype html>'] }),
      }),
      ...anywhere,
    },
  },
})
