import { setTimeout as delay } from 'node:timers/promises'
import { Batch } from '@pdfnorm/contracts/schema/batch'
import { plans } from '@pdfnorm/contracts/schema/plan'
import { isTerminal, Submission } from '@pdfnorm/contracts/schema/submission'
import type { Customer } from './customer.ts'
import { type Dice, throwDice } from './dice.ts'
import { drawDocument, oversizeDocument, type TortureDocument } from './documents.ts'
import type { TorturedService } from './service.ts'
import { type Errand, submit } from './submitting.ts'

/** What the clients did, and what they were told. */
export interface LoadReport {
  errands: Errand[]
  batches: { customer: Customer; batchId: string; webhookPath: string | null }[]
  replays: number
  cuts: number
  /** Requests without an answer that helps, by how they failed. */
  failures: Map<string, number>
  complaints: string[]
}

/** Clients of all customers, which go on until they are told to stop and then finish what they have begun. */
export class Load {
  readonly report: LoadReport = {
    errands: [],
    batches: [],
    replays: 0,
    cuts: 0,
    failures: new Map(),
    complaints: [],
  }
  readonly #service: TorturedService
  readonly #clients: Promise<void>[]
  #isOver = false
  #count = 0

  constructor(service: TorturedService, customers: readonly Customer[], seed: number) {
    this.#service = service
    this.#clients = customers.flatMap((customer, index) => {
      // More than may run at once, so that some wait.
      const clients = Math.min(10, plans[customer.planTier].concurrentJobs + 3)
      return Array.from({ length: clients }, (_, client) =>
        this.#work(customer, throwDice(seed + index * 100 + client + 1)),
      )
    })
  }

  /** Resolves when every document has its answer. */
  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#clients)
  }

  async #work(customer: Customer, dice: Dice): Promise<void> {
    let batch: { batchId: string; left: number } | null = null
    while (!this.#isOver) {
      if (batch === null && dice.percent(10)) batch = await this.#openBatch(customer, dice)
      const document = this.#draw(customer, dice)
      const errand = this.#newErrand(customer, dice, document, batch?.batchId ?? null)
      await this.#untilAnswered(errand, document.bytes, dice)
      if (dice.percent(10) && !errand.refused) {
        await this.#untilAnswered(errand, document.bytes, dice)
      }
      if (errand.refused) await delay(500)
      else await this.#followed(errand, dice)
      if (batch !== null) batch = batch.left > 1 ? { ...batch, left: batch.left - 1 } : null
    }
  }

  #draw(customer: Customer, dice: Dice): TortureDocument {
    this.#count += 1
    if (customer.planTier === 'free' && dice.percent(3)) {
      return oversizeDocument(this.#count, plans.free.maxFileBytes)
    }
    return drawDocument(dice, this.#count)
  }

  #newErrand(
    customer: Customer,
    dice: Dice,
    { sha256, end, code }: TortureDocument,
    batchId: string | null,
  ): Errand {
    const { receiver } = this.#service
    const key = `key-${this.#count}`
    const errand: Errand = {
      customer,
      key,
      document: { sha256, end, code },
      batchId,
      webhookUrl: dice.percent(30) ? `${receiver.url}/of/${customer.name}/${key}` : null,
      respondAsync: dice.percent(30),
      submissionId: null,
      accepted: null,
      refused: false,
    }
    this.report.errands.push(errand)
    return errand
  }

  /** Sends the same again, to whichever process, until one takes it. */
  async #untilAnswered(errand: Errand, bytes: Uint8Array<ArrayBuffer>, dice: Dice): Promise<void> {
    const isFirst = errand.submissionId === null
    for (let wait = 100; ; wait = Math.min(wait * 2, 1000)) {
      // Some go away before their answer; what has begun by then is theirs all the same.
      const cutAfterMs = isFirst && wait === 100 && dice.percent(10) ? dice.between(1, 120) : null
      const reply = await submit(errand, bytes, dice.pick(this.#service.urls), cutAfterMs)
      if (reply.kind === 'wrong') this.report.complaints.push(reply.complaint)
      if (reply.kind === 'accepted' && reply.replayed) this.report.replays += 1
      if (reply.kind !== 'failed') return
      if (cutAfterMs === null) this.#note(reply.how)
      else this.report.cuts += 1
      await delay(wait)
    }
  }

  /** Asks for its end for a while, as most clients do. */
  async #followed({ submissionId, customer }: Errand, dice: Dice): Promise<void> {
    if (submissionId === null || dice.percent(20)) return
    const givesUpAt = Date.now() + 10_000
    while (Date.now() < givesUpAt) {
      const record = await this.#read(dice, `/api/submissions/${submissionId}`, customer)
      if (record !== null && isTerminal(Submission.parse(record).status)) return
      await delay(200)
    }
  }

  async #openBatch(customer: Customer, dice: Dice) {
    const { receiver, urls } = this.#service
    const path = `/of/${customer.name}/batch-${this.report.batches.length}`
    const webhookPath = dice.percent(70) ? path : null
    try {
      const response = await fetch(`${dice.pick(urls)}/api/batches`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'X-Api-Key': customer.apiKey },
        body: JSON.stringify(
          webhookPath === null ? {} : { webhook_url: receiver.url + webhookPath },
        ),
        signal: AbortSignal.timeout(10_000),
      })
      if (response.status !== 201) return null
      const { batchId } = Batch.parse(await response.json())
      this.report.batches.push({ customer, batchId, webhookPath })
      return { batchId, left: dice.between(1, 8) }
    } catch {
      return null
    }
  }

  async #read(dice: Dice, path: string, { apiKey }: Customer): Promise<unknown> {
    try {
      const response = await fetch(dice.pick(this.#service.urls) + path, {
        headers: { 'X-Api-Key': apiKey },
        signal: AbortSignal.timeout(5000),
      })
      const body: unknown = await response.json()
      if (response.status < 500 && !response.ok) {
        this.report.complaints.push(`${path} was answered ${response.status}`)
      }
      return response.ok ? body : null
    } catch {
      return null
    }
  }

  #note(failure: string): void {
    const { failures } = this.report
    failures.set(failure, (failures.get(failure) ?? 0) + 1)
  }
}
