import { expect, test } from 'vitest'
import { quotaCycle } from './quota.ts'

test('a cycle begins at the moment of registration and lasts a month', () => {
  const registeredAt = new Date('2026-11-21T12:30:00.000Z')

  expect(quotaCycle(registeredAt, registeredAt)).toEqual({
    startsAt: registeredAt,
    endsAt: new Date('2026-12-21T12:30:00.000Z'),
  })
  expect(quotaCycle(registeredAt, new Date('2026-12-21T12:29:59.999Z')).startsAt).toEqual(
    registeredAt,
  )
  expect(quotaCycle(registeredAt, new Date('2026-12-21T12:30:00.000Z')).startsAt).toEqual(
    new Date('2026-12-21T12:30:00.000Z'),
  )
})

test('an organization registered on the 31st starts on the last day of shorter months', () => {
  const registeredAt = new Date('2027-01-31T08:00:00.000Z')

  expect(quotaCycle(registeredAt, new Date('2027-03-01T00:00:00.000Z'))).toEqual({
    startsAt: new Date('2027-02-28T08:00:00.000Z'),
    endsAt: new Date('2027-03-31T08:00:00.000Z'),
  })
  expect(quotaCycle(registeredAt, new Date('2027-04-30T08:00:00.000Z')).startsAt).toEqual(
    new Date('2027-04-30T08:00:00.000Z'),
  )
})

test('cycles follow each other without a gap through a leap year', () => {
  const registeredAt = new Date('2027-08-30T23:59:59.000Z')
  let cycle = quotaCycle(registeredAt, registeredAt)

  for (let month = 0; month < 24; month += 1) {
    const next = quotaCycle(registeredAt, cycle.endsAt)
    expect(next.startsAt).toEqual(cycle.endsAt)
    expect(next.endsAt.getTime()).toBeGreaterThan(next.startsAt.getTime())
    cycle = next
  }
  expect(cycle.startsAt).toEqual(new Date('2029-08-30T23:59:59.000Z'))
})
