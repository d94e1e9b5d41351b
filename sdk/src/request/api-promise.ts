import type { Answered } from './send.ts'

/** The data of an answer; {@link withResponse} also gives the answer itself, for its status and headers. */
export interface ApiPromise<Data> extends Promise<Data> {
  withResponse(): Promise<Answered<Data>>
}

export function apiPromise<Data>(answer: Promise<Answered<Data>>): ApiPromise<Data> {
  const data = answer.then(({ data }) => data)
  const withResponse = () => {
    // Whoever asks for both looks at `answer` alone; its failure is not unhandled in `data`.
    data.catch(() => {})
    return answer
  }
  return Object.assign(data, { withResponse })
}
