import { Container, Group } from '@mantine/core'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { ButtonLink } from '../page/button-link.tsx'
import { useSession } from '../session/use-session.ts'
import { Brand } from './brand.tsx'
import { ColorSchemeSwitch } from './color-scheme-switch.tsx'
import { MemberLayout } from './member-layout.tsx'

/** The frame around a page that everybody may open. */
export function OpenLayout() {
  return useSession() === null ? <VisitorFrame /> : <MemberLayout />
}

function VisitorFrame() {
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  return (
    <Container size={1120} py="lg">
      <Group component="header" justify="space-between" mb="xl">
        <Brand />
        <Group gap="sm">
          <ButtonLink to="/sign-in" search={{ from: pathname }} variant="default">
            Sign in
          </ButtonLink>
          <ColorSchemeSwitch />
        </Group>
      </Group>
      <main>
        <Outlet />
      </main>
    </Container>
  )
}
