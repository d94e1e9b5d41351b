import type { CompletedSubmission, SentWith } from '../index.ts'
import { adviceForFailure } from './advice.ts'
import { withoutControls } from './terminal.ts'

type Ended = CompletedSubmission & SentWith

/** What became of a file, as programs read it. */
export function submissionFacts(submission: Ended, output: string): object {
  if (submission.status === 'SUCCESS') return { output, ...submission }
  return { output: null, ...submission, advice: adviceForFailure(submission.failure.code) }
}

/** The same as people read it. */
export function submissionText(input: string, submission: Ended, output: string): string {
  const warnings = submission.warnings.map(({ code, message }) => `  ${message} (${code})`)
  if (submission.status === 'SUCCESS') {
    const size = `${Math.ceil(submission.outputSizeBytes / 1024).toLocaleString('en')} KiB`
    const facts = `${size}, ${submission.processingTimeMs} ms, ${submission.outputHash}`
    return withoutControls([`${input} → ${output}  ${facts}`, ...warnings].join('\n'))
  }
  const { code, message } = submission.failure
  const advice = adviceForFailure(code)
  return withoutControls(
    [
      `${input}: ${submission.status} ${message} (${code})`,
      ...(advice === null ? [] : [`  ${advice}`]),
      `  submission: ${submission.submissionId}`,
    ].join('\n'),
  )
}
