import { MissingPage } from '../page/missing-page.tsx'
import { ProblemPage } from '../problem/problem-page.tsx'

/** An address that leads nowhere: no frame stands around it. */
export function FramelessMissingPage() {
  return (
    <main>
      <MissingPage />
    </main>
  )
}

/** A frame that could not be drawn, as when the service does not answer. */
export function FramelessProblemPage({ error }: { error: unknown }) {
  return (
    <main>
      <ProblemPage error={error} />
    </main>
  )
}
