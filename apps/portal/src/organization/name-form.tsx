import { Button, Group, Stack, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { organization as endpoints } from '@pdfnorm/contracts/endpoint/organization'
import {
  ChangeOrganizationRequest,
  type OrganizationResponse,
} from '@pdfnorm/contracts/schema/organization'
import { useMutation } from '@tanstack/react-query'
import { CallSnippet } from '../calls/call-snippet.tsx'
import { announce } from '../page/announce.ts'
import { formWidth } from '../page/form-width.ts'
import { Section } from '../page/section.tsx'
import { formProblem } from '../problem/form-problem.ts'
import { ProblemAlert } from '../problem/problem-alert.tsx'
import { queryClient } from '../session/query-client.ts'
import { rpc } from '../session/rpc.ts'
import { organizationQuery } from '../shell/queries.ts'

const fieldOf = { name: 'name', slug: 'slug', SLUG_TAKEN: 'slug' }

export function NameForm({ organization }: { organization: OrganizationResponse }) {
  const form = useForm({
    initialValues: { name: organization.name, slug: organization.slug },
    validate: schemaResolver(ChangeOrganizationRequest, { sync: true }),
    transformValues: ({ name, slug }) => ({ name: name.trim(), slug: slug.trim() }),
  })
  const change = useMutation({
    mutationFn: (request: ChangeOrganizationRequest) => rpc.organization.change.mutate(request),
    onSuccess: (changed) => {
      queryClient.setQueryData(organizationQuery.queryKey, changed)
      const values = { name: changed.name, slug: changed.slug }
      form.setInitialValues(values)
      form.setValues(values)
      void announce('The name is saved.')
    },
    onError: (error) => form.setErrors(formProblem(error, fieldOf).byField),
  })

  return (
    <Section title="Name">
      <form noValidate onSubmit={form.onSubmit((values) => change.mutate(values))}>
        <Stack maw={formWidth}>
          <TextInput
            label="Name of the organization"
            description="It stands in mails and on this portal."
            autoComplete="organization"
            dir="auto"
            {...form.getInputProps('name')}
          />
          <TextInput
            label="Short name"
            description="3 to 50 characters of a–z, 0–9 and hyphens. The internal name stays."
            autoCapitalize="none"
            spellCheck={false}
            {...form.getInputProps('slug')}
          />
          <ProblemAlert error={formProblem(change.error, fieldOf).rest} />
          <Group>
            <Button type="submit" loading={change.isPending} disabled={!form.isDirty()}>
              Save the name
            </Button>
          </Group>
          <CallSnippet
            call={{ endpoint: endpoints.changeOrganization, body: form.getTransformedValues() }}
          />
        </Stack>
      </form>
    </Section>
  )
}
