import { Button, Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { organization as endpoints } from '@pdfnorm/contracts/endpoint/organization'
import type {
  ChangeOrganizationSettingsRequest,
  OrganizationResponse,
} from '@pdfnorm/contracts/schema/organization'
import { regions } from '@pdfnorm/contracts/schema/region'
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
import { regionNames } from './region-names.ts'
import { changedSettings, SettingsFields, settingsFields } from './settings-fields.ts'

const fieldOf = {
  contact_email: 'contactEmail',
  default_region: 'defaultRegion',
  allowed_regions: 'allowedRegions',
  REGION_NOT_ALLOWED: 'defaultRegion',
}

export function SettingsForm({ organization }: { organization: OrganizationResponse }) {
  const form = useForm<SettingsFields>({
    initialValues: settingsFields(organization),
    validate: schemaResolver(SettingsFields, { sync: true }),
  })
  const change = useMutation({
    mutationFn: (request: ChangeOrganizationSettingsRequest) =>
      rpc.organization.changeSettings.mutate(request),
    onSuccess: (changed) => {
      queryClient.setQueryData(organizationQuery.queryKey, changed)
      form.setInitialValues(settingsFields(changed))
      form.setValues(settingsFields(changed))
      void announce('The settings are saved.')
    },
    onError: (error) => form.setErrors(formProblem(error, fieldOf).byField),
  })
  const request = changedSettings(organization, form.values)
  const { allowed_regions: allowed = organization.allowedRegions } = request
  const [first] = allowed

  return (
    <Section title="Contact and regions">
      <form noValidate onSubmit={form.onSubmit(() => change.mutate(request))}>
        <Stack maw={formWidth}>
          <TextInput
            label="Contact address"
            description="Where notices about webhooks and data protection go. May be empty."
            type="email"
            autoComplete="email"
            {...form.getInputProps('contactEmail')}
          />
          <Checkbox.Group
            label="Allowed regions"
            description="Where documents may be kept. What is kept already stays where it is."
            {...form.getInputProps('allowedRegions')}
          >
            <Stack gap="xs" mt="xs">
              {regions.map((region) => (
                <Checkbox
                  key={region}
                  value={region}
                  label={`${regionNames[region]} (${region})`}
                />
              ))}
            </Stack>
          </Checkbox.Group>
          <NativeSelect
            label="Default region"
            description="Where a document goes that is sent without a region."
            {...form.getInputProps('defaultRegion')}
            data={[
              {
                value: '',
                label: `The first allowed${first ? `: ${regionNames[first]}` : ' one'}`,
              },
              ...regions.map((region) => ({
                value: region,
                label: `${regionNames[region]} (${region})`,
                disabled: !allowed.includes(region),
              })),
            ]}
          />
          <ProblemAlert error={formProblem(change.error, fieldOf).rest} />
          <Group>
            <Button
              type="submit"
              loading={change.isPending}
              disabled={Object.keys(request).length === 0}
            >
              Save the settings
            </Button>
          </Group>
          <CallSnippet call={{ endpoint: endpoints.changeOrganizationSettings, body: request }} />
        </Stack>
      </form>
    </Section>
  )
}
