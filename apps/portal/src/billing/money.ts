import type { BillingInterval } from '@pdfnorm/contracts/schema/billing'
import { monthsPaidPerYear, type Plan } from '@pdfnorm/contracts/schema/plan'

/** US dollars for people: whole ones, cents, and the tenths of a cent that one document may cost. */
export function money(usd: number): string {
  const minimumFractionDigits = Number.isInteger(usd) ? 0 : 2
  return new Intl.NumberFormat('en', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits,
    maximumFractionDigits: 3,
  }).format(usd)
}

/** What a plan costs each time that it is paid. */
export function priceOf({ pricePerMonthUsd }: Plan, interval: BillingInterval): number {
  return pricePerMonthUsd * (interval === 'year' ? monthsPaidPerYear : 1)
}
