import { isTerminal } from '@pdfnorm/contracts/schema/submission'
import type { NormalizeResponse } from '@pdfnorm/contracts/schema/normalize-response'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { queryClient } from '../session/query-client.ts'
import { submissionQuery } from '../submissions/queries.ts'
import { submitDocument } from './submit-document.ts'

/** One document on its way through the service. */
export interface Trial {
  file: File
  /** How much of it was sent, from 0 to 1. */
  sent: number
  /** As soon as the service has answered; of one that goes on in the background, as it is by now. */
  response: NormalizeResponse | undefined
  hasEnded: boolean
  error: Error | null
}

/** Takes documents one at a time. */
export function useTrial(): {
  trial: Trial | null
  start: (file: File, fields: Record<string, string>) => void
  clear: () => void
} {
  const [file, setFile] = useState<File | null>(null)
  const [sent, setSent] = useState(0)
  const running = useRef<AbortController>(null)
  const submitting = useMutation({
    mutationFn: ({ file, fields }: { file: File; fields: Record<string, string> }) => {
      running.current?.abort()
      running.current = new AbortController()
      const { signal } = running.current
      return submitDocument(file, fields, { signal, onProgress: setSent })
    },
    onSuccess: () => {
      for (const queryKey of [['statistics'], ['submissions'], ['billing']]) {
        void queryClient.invalidateQueries({ queryKey })
      }
    },
  })

  const answer = submitting.data
  const isBackground = answer !== undefined && !isTerminal(answer.status)
  const followed = useQuery({
    ...submissionQuery(answer?.submissionId ?? ''),
    enabled: isBackground,
  })
  const response = isBackground ? (followed.data ?? answer) : answer

  return {
    trial:
      file === null
        ? null
        : {
            file,
            sent,
            response,
            hasEnded: response !== undefined && isTerminal(response.status),
            error: submitting.error ?? followed.error,
          },
    start(file, fields) {
      setFile(file)
      setSent(0)
      submitting.mutate({ file, fields })
    },
    clear() {
      running.current?.abort()
      submitting.reset()
      setFile(null)
    },
  }
}
