import type { ServerInferResponses } from '@ts-rest/core'
import { expect, test } from 'vitest'
import type { contract } from '../src/endpoint/contract.ts'
import {
  Problem,
  problemCodes,
  problemPath,
  problemResponse,
  problems,
  Refusal,
  refusals,
} from '../src/schema/problem.ts'

const at = { baseUrl: 'https://pdfnorm.example', requestId: 'req-1' }

test.each(problemCodes)('the refusal %s is a problem document with its own status', (code) => {
  const { status, body } = problemResponse(new Refusal(code, 'Because.'), at)

  expect(status).toBe(problems[code].status)
  expect(Problem.parse(body)).toEqual(body)
  expect(body.type).toBe(`https://pdfnorm.example${problemPath(code)}`)
  expect(refusals(code)[status]?.safeParse(body).success).toBe(true)
})

test('every code has a documentation page of its own', () => {
  expect(problemPath('QUOTA_EXCEEDED')).toBe('/docs/errors/quota-exceeded')
  expect(new Set(problemCodes.map(problemPath)).size).toBe(problemCodes.length)
})

test('a refusal of a request that is not valid lists every fault', () => {
  const errors = [
    { location: 'body.orgSlug', code: 'invalid_format', message: 'Not a slug' },
    { location: 'body.ownerEmail', code: 'INVALID_EMAIL', message: 'Not an address' },
  ]
  const { body } = problemResponse(new Refusal('VALIDATION_ERROR', 'Two faults.', { errors }), at)
  expect(body.errors).toEqual(errors)
})

test('a fault of the service says nothing about its cause', () => {
  const { body } = problemResponse(new Refusal('INTERNAL_ERROR', 'password=hunter2'), at)
  expect(JSON.stringify(body)).not.toContain('hunter2')
})

test('the codes of one status share one schema that takes no other code', () => {
  const { 404: notFound } = refusals('NOT_FOUND', 'EXPIRED', 'QUOTA_EXCEEDED')
  const accepts = (code: 'NOT_FOUND' | 'EXPIRED' | 'NO_PENDING_DELETION') =>
    notFound.safeParse(problemResponse(new Refusal(code, 'Gone.'), at).body).success

  expect(accepts('NOT_FOUND')).toBe(true)
  expect(accepts('EXPIRED')).toBe(true)
  expect(accepts('NO_PENDING_DELETION')).toBe(false)
})

test('a refusal that the endpoint does not list does not compile', () => {
  type Answer = ServerInferResponses<typeof contract.submissions.getSubmission>
  const listed: Answer = problemResponse(new Refusal('NOT_FOUND', 'No such submission.'), at)
  // @ts-expect-error a code within a status that the endpoint lists
  const otherCode: Answer = problemResponse(new Refusal('EXPIRED', 'Over.'), at)
  // @ts-expect-error a status that the endpoint does not list
  const otherStatus: Answer = problemResponse(new Refusal('QUOTA_EXCEEDED', 'Used up.'), at)

  expect([listed, otherCode, otherStatus].map(({ status }) => status)).toEqual([404, 404, 402])
})

test('a use case that gives one code is not taken for one that gives another', () => {
  // @ts-expect-error the code is part of the type
  const refusal: Refusal<'NOT_FOUND'> = new Refusal('EXPIRED', 'Over.')
  expect(refusal.code).toBe('EXPIRED')
})
