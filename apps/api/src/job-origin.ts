import { z } from 'zod'
import { currentActivity } from './activity.ts'
import { currentTraceparent } from './tracing.ts'

/** Where a job comes from: it goes on with the request and the trace that sent it. */
const JobOrigin = z.object({
  requestId: z.string().optional(),
  /** W3C Trace Context, 3.2. */
  traceparent: z.string().optional(),
})
export type JobOrigin = z.infer<typeof JobOrigin>

/** Beside the payload, in a place that no payload has. */
const originField = '$origin'

export function originOfNow(): JobOrigin {
  const { requestId } = currentActivity()
  const traceparent = currentTraceparent()
  return {
    ...(requestId !== undefined && { requestId }),
    ...(traceparent !== undefined && { traceparent }),
  }
}

export function withOrigin(payload: object, origin: JobOrigin): object {
  return Object.keys(origin).length === 0 ? payload : { ...payload, [originField]: origin }
}

/** What the job of another version, or of a schedule, does not have is left out. */
export function originOf(data: object): JobOrigin {
  const { success, data: origin } = JobOrigin.safeParse(Reflect.get(data, originField))
  return success ? origin : {}
}
