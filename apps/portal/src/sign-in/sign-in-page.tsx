import { Alert, Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconCheck } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { ProblemAlert } from '../problem/problem-alert.tsx'
import { signIn } from '../session/session.ts'
import { PageLink } from '../page/page-link.tsx'
import { VisitorPage } from './visitor-page.tsx'

const route = getRouteApi('/visitor/sign-in')

const reasons = {
  'password-set': 'The password is set. Sign in with it.',
  'invitation-accepted': 'The invitation is accepted. Sign in with your address and the password.',
}

export function SignInPage() {
  const { from, reason } = route.useSearch()
  const router = useRouter()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '', password: '' },
    validate: {
      email: (email) => (email.trim() === '' ? 'Enter your e-mail address' : null),
      password: (password) => (password === '' ? 'Enter your password' : null),
    },
  })
  const attempt = useMutation({
    mutationFn: signIn,
    onSuccess: () => router.history.replace(from ?? '/'),
  })

  return (
    <VisitorPage title="Sign in">
      {reason !== undefined && (
        <Alert color="green" icon={<IconCheck aria-hidden />}>
          {reasons[reason]}
        </Alert>
      )}
      <form
        noValidate
        onSubmit={form.onSubmit(({ email, password }) =>
          attempt.mutate({ email: email.trim(), password }),
        )}
      >
        <Stack>
          <TextInput
            label="E-mail address"
            type="email"
            autoComplete="username"
            key={form.key('email')}
            {...form.getInputProps('email')}
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            key={form.key('password')}
            visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
            {...form.getInputProps('password')}
          />
          <ProblemAlert error={attempt.error} />
          <Button type="submit" loading={attempt.isPending}>
            Sign in
          </Button>
        </Stack>
      </form>
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          New here?{' '}
          <PageLink to="/sign-up" inherit>
            Register
          </PageLink>
        </Text>
        <PageLink to="/forgot-password" size="sm">
          Forgot the password?
        </PageLink>
      </Group>
    </VisitorPage>
  )
}
