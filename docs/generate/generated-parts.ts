import { documentedSettings } from '@pdfnorm/api/environment'
import { isAtLeast, leastRole, memberRoles } from '@pdfnorm/contracts/schema/member'
import { pipelineStages, stageResults } from '@pdfnorm/contracts/schema/pipeline-stage'
import { PlanTier, plans } from '@pdfnorm/contracts/schema/plan'
import { rateLimits } from '@pdfnorm/contracts/schema/rate-limit'

/** Parts of pages that are made out of the contracts and the configuration, by the name that stands before them. */
const parts: Readonly<Record<string, () => string>> = {
  settings: settingTables,
  plans: planTable,
  'rate-limits': rateLimitTable,
  roles: roleTable,
  stages: stageTable,
}

const generatedPart = /(<!-- generated: ([\w-]+) -->\n)[^]*?(<!-- \/generated -->)/g

/**
 * A page whose generated parts are as they have to be.
 *
 * @throws {Error} for a part that nothing generates
 */
export function withGeneratedParts(page: string): string {
  return page.replaceAll(generatedPart, (_, begin: string, name: string, end: string) => {
    const part = parts[name]
    if (part === undefined) throw new Error(`Nothing generates ${name}`)
    return `${begin}\n${part()}\n\n${end}`
  })
}

function settingTables(): string {
  const groups = documentedSettings().map(({ group, settings }) => {
    const rows = settings.map(({ name, standard, description }) => [
      `\`${name}\``,
      standard,
      description,
    ])
    return `## ${group}\n\n${table(['variable', 'default', 'meaning'], rows)}`
  })
  return groups.join('\n\n')
}

function planTable(): string {
  const rows: [string, ...string[]][] = [
    ['documents a month', ...ofPlans(({ monthlyDocuments }) => grouped(monthlyDocuments))],
    ['largest file', ...ofPlans(({ maxFileBytes }) => mebibytes(maxFileBytes))],
    ['documents in work at once', ...ofPlans(({ concurrentJobs }) => String(concurrentJobs))],
    ['kept for', ...ofPlans(({ retentionDays }) => `${retentionDays} days`)],
    ['US dollars a month', ...ofPlans(({ pricePerMonthUsd }) => String(pricePerMonthUsd))],
    [
      'a document beyond the quota',
      ...ofPlans(({ overagePerDocumentUsd: rate }) =>
        rate === null ? '402 `QUOTA_EXCEEDED`' : rate.toFixed(3),
      ),
    ],
  ]
  return table(['', ...PlanTier.options], rows)
}

function ofPlans(cell: (plan: (typeof plans)[PlanTier]) => string): string[] {
  return PlanTier.options.map((tier) => cell(plans[tier]))
}

function rateLimitTable(): string {
  const counted = {
    read: 'reading with an API key',
    normalize: '`POST /api/normalize` and `POST /api/batches`',
    portal: 'the portal',
    public: 'key sets and other open endpoints',
    register: '`POST /api/auth/register`',
    login: '`POST /api/auth/login`',
    forgotPassword: '`POST /api/auth/forgot-password`',
    resendVerification: '`POST /api/auth/resend-verification`',
    invite: '`POST /api/portal/team/invite`',
  } satisfies Record<keyof typeof rateLimits, string>
  const owners = { address: 'address', 'api-key': 'API key', member: 'member' }
  const rows = Object.entries(counted).map(([name, what]) => {
    const { requests, windowSeconds, per } = rateLimits[name as keyof typeof rateLimits]
    return [what, String(requests), window(windowSeconds), owners[per]]
  })
  return table(['what', 'requests', 'in', 'for each'], rows)
}

function roleTable(): string {
  const things = {
    readOrganization: 'see the organization',
    readDocuments: 'see submissions, batches, reports and files',
    normalizeDocuments: 'send documents in, in the playground',
    readStatistics: 'see statistics',
    readBilling: 'see plan and usage',
    readTeam: 'see the team',
    readWebhooks: 'see webhooks',
    readApiKeys: 'see API keys (never their secrets)',
    signOut: 'sign out',
    changeOrganization: 'change name, slug, regions and settings',
    changeApiKeys: 'create, rotate and revoke API keys',
    changeWebhooks: 'create, change, test and delete webhooks',
    readWebhookSecrets: 'see and rotate signing secrets',
    readDeliveries: 'see deliveries and dead letters',
    replayDeadLetters: 'replay dead letters',
    inviteMembers: 'invite',
    removeMembers: 'remove members and withdraw invitations',
    changeRoles: 'change roles between member and admin',
    exportData: 'export all data',
    deactivateOrganization: 'deactivate the organization',
    buyPlan: 'buy, change and cancel a plan',
    eraseContent: 'erase all documents',
    deleteAccount: 'delete the account, and cancel that',
    transferOwnership: 'give the ownership away',
  } satisfies Record<keyof typeof leastRole, string>
  const rows = Object.entries(things).map(([name, what]) => {
    const least = leastRole[name as keyof typeof leastRole]
    return [what, ...memberRoles.map((role) => (isAtLeast(role, least) ? 'yes' : ''))]
  })
  return table(['', ...memberRoles], rows)
}

function stageTable(): string {
  const does = {
    PdfaDetection: 'reads the version and a claim to be PDF/A',
    TamperDetection: 'looks for traces of tampering in the original bytes',
    StructuralRepair: 'mends what had to be mended to read the file',
    DigitalSignatureDetection: 'verifies signatures',
    ActiveContentRemoval: 'removes what makes a viewer act',
    AcroFormHandling: 'turns form fields into content',
    MetadataCanonical: 'writes metadata from one record',
    FontResourceValidation: 'looks for fonts that are not in the file',
    FinalRewrite: 'writes the canonical file and examines it again',
    ContentHash: 'hashes the text of the finished file',
  } satisfies Record<(typeof pipelineStages)[number], string>
  const rows = pipelineStages.map((name, number) => [
    `[${number} ${name}](#${number}-${name.toLowerCase()})`,
    does[name],
    stageResults[name].map((result) => `\`${result}\``).join(', '),
  ])
  return table(['stage', 'what it does', 'result'], rows)
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')
}

function grouped(number: number): string {
  return number.toLocaleString('en')
}

function mebibytes(bytes: number): string {
  return `${bytes / 1_048_576} MB`
}

function window(seconds: number): string {
  if (seconds === 60) return 'a minute'
  return seconds === 3600 ? 'an hour' : `${seconds / 60} minutes`
}
