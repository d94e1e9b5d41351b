import { leastRole } from '../schema/member.ts'
import {
  ChangeOrganizationRequest,
  ChangeOrganizationSettingsRequest,
  OrganizationResponse,
} from '../schema/organization.ts'
import { refusals } from '../schema/problem.ts'
import type { EndpointMetadata } from './endpoint-metadata.ts'
import { bodyRefusals, changeRefusals, memberRefusals } from './endpoint-refusals.ts'
import { rest, strict } from './rest.ts'

/** Interface, section 4.6. */
export const organization = rest.router(
  {
    getOrganization: {
      method: 'GET',
      path: '/api/portal/organization',
      summary: 'Read the organization',
      description: 'The organization of the signed-in member.',
      metadata: {
        auth: 'bearer',
        role: leastRole.readOrganization,
        rateLimit: 'portal',
      } as const satisfies EndpointMetadata,
      responses: { 200: OrganizationResponse, ...refusals(...memberRefusals) },
    },

    changeOrganization: {
      method: 'PUT',
      path: '/api/portal/organization',
      summary: 'Rename the organization',
      description: 'Sets its name and its slug. Its internal name stays.',
      metadata: {
        auth: 'bearer',
        role: leastRole.changeOrganization,
        rateLimit: 'portal',
      } as const satisfies EndpointMetadata,
      body: ChangeOrganizationRequest,
      responses: {
        200: OrganizationResponse,
        ...refusals(...changeRefusals, ...bodyRefusals, 'SLUG_TAKEN'),
      },
    },

    changeOrganizationSettings: {
      method: 'PUT',
      path: '/api/portal/organization/settings',
      summary: 'Change the settings',
      description: 'Contact address and regions. What is left out stays as it is.',
      metadata: {
        auth: 'bearer',
        role: leastRole.changeOrganization,
        rateLimit: 'portal',
        faults: {
          'body.contact_email': 'INVALID_EMAIL',
          'body.default_region': 'INVALID_REGION',
          'body.allowed_regions': 'INVALID_REGION',
        },
      } as const satisfies EndpointMetadata,
      body: ChangeOrganizationSettingsRequest,
      responses: {
        200: OrganizationResponse,
        ...refusals(
          ...changeRefusals,
          ...bodyRefusals,
          'INVALID_EMAIL',
          'INVALID_REGION',
          'REGION_NOT_ALLOWED',
        ),
      },
    },

    deactivateOrganization: {
      method: 'POST',
      path: '/api/portal/organization/deactivate',
      summary: 'Deactivate the organization',
      description:
        'Irreversible. All API keys are revoked and nothing can be changed or normalized any more; reading goes on.',
      metadata: {
        auth: 'bearer',
        role: leastRole.deactivateOrganization,
        rateLimit: 'portal',
      } as const satisfies EndpointMetadata,
      body: rest.noBody(),
      responses: { 200: OrganizationResponse, ...refusals(...changeRefusals) },
    },
  },
  strict,
)
