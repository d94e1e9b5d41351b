import { NativeSelect, Paper, Stack, Switch, Title } from '@mantine/core'
import { PdfaPolicy, SignedPdfPolicy } from '@pdfnorm/contracts/schema/normalize-request'
import { useSuspenseQuery } from '@tanstack/react-query'
import { organizationQuery } from '../shell/queries.ts'

/** The choices of an upload, by the names of the form's fields (interface, section 4.2). */
export interface DocumentOptions {
  linearize: boolean
  remove_annotations: boolean
  signed_pdf_policy: SignedPdfPolicy
  pdfa_policy: PdfaPolicy
  region: string | null
}

export const defaultOptions: DocumentOptions = {
  linearize: true,
  remove_annotations: false,
  signed_pdf_policy: 'reject',
  pdfa_policy: 'preserve',
  region: null,
}

/** The fields of the form that differ from what the service does without them. */
export function changedFields(options: DocumentOptions): Record<string, string> {
  return Object.fromEntries(
    Object.entries(options)
      .filter(([name, value]) => value !== defaultOptions[name as keyof DocumentOptions])
      .map(([name, value]) => [name, String(value)]),
  )
}

const signedWords: Record<SignedPdfPolicy, string> = {
  reject: 'Reject the document',
  strip: 'Take the signatures out',
  preserve: "Keep the file's own bytes",
}

const pdfaWords: Record<PdfaPolicy, string> = {
  preserve: 'Keep its conformance',
  normalize_anyway: 'Normalize it anyway',
}

export function DocumentOptionsForm({
  options,
  onChange,
}: {
  options: DocumentOptions
  onChange: (options: DocumentOptions) => void
}) {
  const { data: organization } = useSuspenseQuery(organizationQuery)
  const change = (changed: Partial<DocumentOptions>) => onChange({ ...options, ...changed })
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Title order={2} size="h5">
          Options
        </Title>
        <Switch
          label="Linearize, so that a viewer shows the first page early"
          checked={options.linearize}
          onChange={(event) => change({ linearize: event.currentTarget.checked })}
        />
        <Switch
          label="Take all annotations out"
          checked={options.remove_annotations}
          onChange={(event) => change({ remove_annotations: event.currentTarget.checked })}
        />
        <NativeSelect
          label="If it is signed"
          data={SignedPdfPolicy.options.map((value) => ({ value, label: signedWords[value] }))}
          value={options.signed_pdf_policy}
          onChange={(event) =>
            change({ signed_pdf_policy: SignedPdfPolicy.parse(event.currentTarget.value) })
          }
        />
        <NativeSelect
          label="If it claims PDF/A"
          data={PdfaPolicy.options.map((value) => ({ value, label: pdfaWords[value] }))}
          value={options.pdfa_policy}
          onChange={(event) => change({ pdfa_policy: PdfaPolicy.parse(event.currentTarget.value) })}
        />
        <NativeSelect
          label="Region"
          data={[
            {
              value: '',
              label: `The organization's: ${organization.defaultRegion ?? organization.allowedRegions[0] ?? ''}`,
            },
            ...organization.allowedRegions,
          ]}
          value={options.region ?? ''}
          onChange={(event) => change({ region: event.currentTarget.value || null })}
        />
      </Stack>
    </Paper>
  )
}
