import { NavLink, Stack, Text } from '@mantine/core'
import { Link, useRouterState } from '@tanstack/react-router'
import { areas } from './areas.ts'

export function Navigation() {
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const isHere = (to: string) => pathname === to || (to !== '/' && pathname.startsWith(`${to}/`))
  return (
    <Stack component="nav" aria-label="Areas" gap="md">
      {areas.map((group) => (
        <div key={group.name}>
          <Text size="xs" fw={600} c="dimmed" px="sm" pb={4}>
            {group.name}
          </Text>
          {group.areas.map(({ to, label, Icon }) => (
            <NavLink
              key={to}
              component={Link}
              to={to}
              label={label}
              active={isHere(to)}
              aria-current={isHere(to) ? 'page' : undefined}
              leftSection={<Icon size={18} stroke={1.6} aria-hidden />}
              py={7}
              style={{ borderRadius: 'var(--mantine-radius-sm)' }}
            />
          ))}
        </div>
      ))}
    </Stack>
  )
}
