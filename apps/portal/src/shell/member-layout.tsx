import { AppShell, Burger, Container, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { useFocusAfterDeeds } from '../page/use-focus-after-deeds.ts'
import { Account } from './account.tsx'
import { Brand } from './brand.tsx'
import { Navigation } from './navigation.tsx'
import { StandingNotices } from './standing-notices.tsx'
import { useRoleInStep } from './use-role-in-step.ts'

const Announcements = lazy(() => import('./announcements.tsx'))

/** The frame around every page of a signed-in member: navigation, account, page. */
export function MemberLayout() {
  const [isOpen, { toggle, close }] = useDisclosure(false)
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  useEffect(close, [close, pathname])
  useRoleInStep()
  useFocusAfterDeeds()

  return (
    <AppShell
      header={{ height: { base: 56, md: 0 } }}
      navbar={{ width: 248, breakpoint: 'md', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', md: 'xl' }}
    >
      <Suspense>
        <Announcements />
      </Suspense>
      <a className="skip-link" href="#page">
        Skip to the page
      </a>
      <AppShell.Header hiddenFrom="md" px="md">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Brand />
          <Burger
            opened={isOpen}
            onClick={toggle}
            size="sm"
            aria-label={isOpen ? 'Close the navigation' : 'Open the navigation'}
            aria-expanded={isOpen}
            aria-controls="navigation"
          />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar id="navigation" p="md">
        <AppShell.Section visibleFrom="md" mb="md">
          <Brand />
        </AppShell.Section>
        <AppShell.Section grow style={{ overflowY: 'auto' }}>
          <Navigation />
        </AppShell.Section>
        <AppShell.Section pt="sm">
          <Account />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="page" tabIndex={-1} style={{ outline: 'none' }}>
        <Container size={1120} p={0}>
          <StandingNotices />
          <Outlet />
        </Container>
      </AppShell.Main>
    </AppShell>
  )
}
