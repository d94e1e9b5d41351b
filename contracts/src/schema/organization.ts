import { z } from 'zod'
import { IsoDateTime, Uuid } from './identifier.ts'
import { limits } from './limit.ts'
import { Email } from './member.ts'
import { PlanTier } from './plan.ts'
import { Region } from './region.ts'
import { storedLine } from './stored-text.ts'

/** 3 to 50 characters (decision 3.10). */
export const Slug = z
  .string()
  .regex(
    /^[a-z0-9](?:[a-z0-9-]{1,48}[a-z0-9])$/,
    'must be 3 to 50 characters of a–z, 0–9 and hyphens, with no hyphen first or last',
  )
  .meta({ id: 'Slug', description: '3 to 50 characters, for addresses.', examples: ['acme'] })
export type Slug = z.infer<typeof Slug>

/** Slugs that would read as a part of the service. */
export const reservedSlugs = [
  'admin',
  'api',
  'app',
  'billing',
  'docs',
  'help',
  'login',
  'mail',
  'pdfnorm',
  'portal',
  'root',
  'security',
  'status',
  'support',
  'system',
  'www',
] as const

export const OrganizationName = storedLine(z.string().trim().min(1).max(limits.nameMaxCharacters))

export const OrganizationResponse = z
  .object({
    id: Uuid,
    name: z.string(),
    slug: Slug,
    schemaName: z.string().meta({
      description: 'The immutable internal name.',
      examples: ['org_0199c8a46f1e7c3a9d520b6f6f0d3c11'],
    }),
    contactEmail: Email.nullable(),
    defaultRegion: Region.nullable(),
    allowedRegions: z.array(Region),
    planTier: PlanTier,
    monthlyDocLimit: z.int().nonnegative(),
    isActive: z.boolean(),
    createdAt: IsoDateTime,
  })
  .meta({
    id: 'OrganizationResponse',
    description: 'An organization.',
    examples: [
      {
        id: '0199c8a4-6f1e-7c3a-9d52-0b6f6f0d3c11',
        name: 'Acme',
        slug: 'acme',
        schemaName: 'org_0199c8a46f1e7c3a9d520b6f6f0d3c11',
        contactEmail: 'ada@example.com',
        defaultRegion: null,
        allowedRegions: ['ca-central-1', 'us-east-2', 'eu-central-1'],
        planTier: 'free',
        monthlyDocLimit: 100,
        isActive: true,
        createdAt: '2026-11-01T09:30:00.000Z',
      },
    ],
  })
export type OrganizationResponse = z.infer<typeof OrganizationResponse>

export const ChangeOrganizationRequest = z.object({ name: OrganizationName, slug: Slug }).meta({
  id: 'ChangeOrganizationRequest',
  description: "The organization's new name and slug.",
  examples: [{ name: 'Acme', slug: 'acme' }],
})
export type ChangeOrganizationRequest = z.infer<typeof ChangeOrganizationRequest>

export const ChangeOrganizationSettingsRequest = z
  .object({
    contact_email: Email.nullable().optional(),
    default_region: Region.nullable()
      .optional()
      .meta({ description: 'One of the allowed regions; null: the first of them.' }),
    allowed_regions: z.array(Region).min(1).optional(),
  })
  .meta({
    id: 'ChangeOrganizationSettingsRequest',
    description: 'What is left out stays as it is.',
    examples: [{ default_region: 'eu-central-1', allowed_regions: ['eu-central-1'] }],
  })
export type ChangeOrganizationSettingsRequest = z.infer<typeof ChangeOrganizationSettingsRequest>
