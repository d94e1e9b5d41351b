import { AsyncLocalStorage } from 'node:async_hooks'

/** What is being done right now, for logs and for what it leaves to others. */
export interface Activity {
  /** The request that began it, also where a job goes on with it. */
  readonly requestId?: string
  /** Facts that each line of the log carries, such as the job. */
  readonly facts?: Readonly<Record<string, string | number>>
}

const activities = new AsyncLocalStorage<Activity>()

/** Runs `work` as this activity, and all that it begins and waits for. */
export function during<Result>(activity: Activity, work: () => Result): Result {
  return activities.run(activity, work)
}

export function currentActivity(): Activity {
  return activities.getStore() ?? {}
}
