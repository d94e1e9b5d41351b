import { Container, Stack } from '@mantine/core'
import { ProblemPage } from '../problem/problem-page.tsx'
import { Brand } from './brand.tsx'

/** Stands where a whole frame would that could not be drawn, as when the service does not answer. */
export function FramelessProblemPage({ error }: { error: unknown }) {
  return (
    <Container size={1120} py="lg">
      <Stack gap="xl">
        <header>
          <Brand />
        </header>
        <main>
          <ProblemPage error={error} />
        </main>
      </Stack>
    </Container>
  )
}
