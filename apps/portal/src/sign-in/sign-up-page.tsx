import { Button, Code, PasswordInput, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { auth } from '@pdfnorm/contracts/endpoint/auth'
import { limits } from '@pdfnorm/contracts/schema/limit'
import { plans } from '@pdfnorm/contracts/schema/plan'
import { RegisterRequest } from '@pdfnorm/contracts/schema/session'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { CallSnippet } from '../calls/call-snippet.tsx'
import { formProblem } from '../problem/form-problem.ts'
import { ProblemAlert } from '../problem/problem-alert.tsx'
import { callApi } from '../session/call-api.ts'
import { signIn } from '../session/session.ts'
import { captchaOfPage } from './captcha-of-page.ts'
import { slugOfName } from './slug-of-name.ts'
import { PageLink } from '../page/page-link.tsx'
import { VisitorPage } from './visitor-page.tsx'

const fieldOf = {
  orgName: 'orgName',
  orgSlug: 'orgSlug',
  ownerEmail: 'ownerEmail',
  ownerPassword: 'ownerPassword',
  SLUG_TAKEN: 'orgSlug',
  EMAIL_TAKEN: 'ownerEmail',
  WEAK_PASSWORD: 'ownerPassword',
  CAPTCHA_FAILED: 'captcha',
}

// Few services ask for one.
const Captcha = lazy(async () => ({ default: (await import('./captcha.tsx')).Captcha }))
const captcha = captchaOfPage()

export function SignUpPage() {
  const router = useRouter()
  const [captchaToken, setCaptchaToken] = useState('')
  // A token counts once, whatever becomes of the registration: after a refusal there is another captcha.
  const [attempt, setAttempt] = useState(0)
  const form = useForm({
    initialValues: { orgName: '', orgSlug: '', ownerEmail: '', ownerPassword: '' },
    validate: schemaResolver(RegisterRequest, { sync: true }),
    transformValues: (values) => ({ ...values, ownerEmail: values.ownerEmail.trim() }),
    onValuesChange: ({ orgName }, { orgName: former }) => {
      // It follows the name until somebody writes their own.
      const { orgSlug } = form.getValues()
      if (orgName !== former && orgSlug === slugOfName(former)) {
        form.setFieldValue('orgSlug', slugOfName(orgName))
      }
    },
  })
  const register = useMutation({
    mutationFn: async (request: RegisterRequest) => {
      await callApi(auth.registerOrganization, request)
      await signIn({ email: request.ownerEmail, password: request.ownerPassword })
    },
    onSuccess: () => router.history.replace('/'),
    onError: (error) => {
      form.setErrors(formProblem(error, fieldOf).byField)
      setCaptchaToken('')
      setAttempt((former) => former + 1)
    },
  })
  const { orgSlug } = form.values

  return (
    <VisitorPage
      title="Register"
      lead={`An organization of your own, on the free plan: ${plans.free.monthlyDocuments} documents a month.`}
    >
      <form
        noValidate
        onSubmit={form.onSubmit((values) => {
          if (captcha === null) register.mutate(values)
          else if (captchaToken === '') form.setFieldError('captcha', 'Solve the captcha first.')
          else register.mutate({ ...values, captchaToken })
        })}
      >
        <Stack>
          <TextInput
            label="Name of the organization"
            autoComplete="organization"
            {...form.getInputProps('orgName')}
          />
          <TextInput
            label="Short name"
            description="3 to 50 characters of a–z, 0–9 and hyphens"
            autoCapitalize="none"
            spellCheck={false}
            {...form.getInputProps('orgSlug')}
          />
          {orgSlug !== '' && (
            <Text size="sm" c="dimmed" aria-live="polite">
              In addresses it will be <Code>{orgSlug}</Code>
            </Text>
          )}
          <TextInput
            label="Your e-mail address"
            type="email"
            autoComplete="username"
            {...form.getInputProps('ownerEmail')}
          />
          <PasswordInput
            label="Password"
            description={`At least ${limits.passwordMinCharacters} characters; a few words are easy to keep in mind`}
            autoComplete="new-password"
            visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
            {...form.getInputProps('ownerPassword')}
          />
          {captcha !== null && (
            <Suspense fallback={<Skeleton height={70} />}>
              <Captcha
                key={attempt}
                captcha={captcha}
                error={form.errors['captcha']}
                onToken={setCaptchaToken}
              />
            </Suspense>
          )}
          <ProblemAlert error={formProblem(register.error, fieldOf).rest} />
          <Button type="submit" loading={register.isPending}>
            Register
          </Button>
        </Stack>
      </form>
      <Text size="sm">
        Registered already?{' '}
        <PageLink to="/sign-in" inherit>
          Sign in
        </PageLink>
      </Text>
      <CallSnippet
        call={{
          endpoint: auth.registerOrganization,
          body: {
            orgName: form.values.orgName || 'Acme',
            orgSlug: orgSlug || 'acme',
            ownerEmail: form.values.ownerEmail || 'ada@example.com',
            ownerPassword: '…',
          },
        }}
        label="Register"
      />
    </VisitorPage>
  )
}
