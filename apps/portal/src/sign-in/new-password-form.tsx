import { Button, PasswordInput, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { limits } from '@pdfnorm/contracts/schema/limit'
import { NewPassword } from '@pdfnorm/contracts/schema/session'
import type { UseMutationResult } from '@tanstack/react-query'
import { formProblem } from '../problem/form-problem.ts'
import { ProblemAlert } from '../problem/problem-alert.tsx'

/** Sets a password. @param field what the request calls it */
export function NewPasswordForm({
  setting,
  field,
  action,
}: {
  setting: UseMutationResult<unknown, Error, string>
  field: string
  action: string
}) {
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { password: '' },
    validate: {
      password: (password) => NewPassword.safeParse(password).error?.issues[0]?.message ?? null,
    },
  })
  const problem = formProblem(setting.error, { [field]: 'password', WEAK_PASSWORD: 'password' })

  return (
    <form noValidate onSubmit={form.onSubmit(({ password }) => setting.mutate(password))}>
      <Stack>
        <PasswordInput
          label="New password"
          description={`At least ${limits.passwordMinCharacters} characters; a few words are easy to keep in mind`}
          autoComplete="new-password"
          key={form.key('password')}
          visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
          {...form.getInputProps('password')}
          error={form.errors['password'] ?? problem.byField['password']}
        />
        <ProblemAlert error={problem.rest} />
        <Button type="submit" loading={setting.isPending}>
          {action}
        </Button>
      </Stack>
    </form>
  )
}
