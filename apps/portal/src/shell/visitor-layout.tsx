import { Anchor, Box, Center, Group, Paper, Stack, Text } from '@mantine/core'
import { Outlet } from '@tanstack/react-router'
import { PageLink } from '../page/page-link.tsx'
import { Brand } from './brand.tsx'
import { ColorSchemeSwitch } from './color-scheme-switch.tsx'

/** One card in the middle, for the pages before a sign-in. */
export function VisitorLayout() {
  return (
    <Center mih="100dvh" p="md">
      <Stack w="100%" maw={440} gap="lg">
        <Group component="header" justify="space-between">
          <Brand />
          <ColorSchemeSwitch />
        </Group>
        <Paper component="main" withBorder shadow="sm" p={{ base: 'lg', xs: 'xl' }}>
          <Outlet />
        </Paper>
        <Box component="footer">
          <Text size="sm" c="dimmed" ta="center">
            One canonical, attested file out of any PDF.
            <br />
            <Anchor href="/docs">Documentation</Anchor>
            {' · '}
            <PageLink to="/certificate-check">Check a certificate</PageLink>
          </Text>
        </Box>
      </Stack>
    </Center>
  )
}
