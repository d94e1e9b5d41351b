import { billOverage } from '../billing/bill-overage.ts'
import { job } from './job.ts'

/** Charges the overage of one cycle after its end. */
export const billOverageJob = job('bill-overage', billOverage)
