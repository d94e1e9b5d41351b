import {
  type HeaderObject,
  OpenApiBuilder,
  type PathItemObject,
  type SecuritySchemeObject,
} from 'openapi3-ts/oas31'
import type { z } from 'zod'
import { documentedEndpoints } from '../src/endpoint/endpoint-list.ts'
import { responseHeaders } from '../src/endpoint/response-headers.ts'
import { ApiVersion, currentApiVersion } from '../src/schema/api-version.ts'
import { CertificateClaims, CertificateHeader } from '../src/schema/certificate.ts'
import { limits } from '../src/schema/limit.ts'
import {
  Problem,
  type ProblemCode,
  problemCodes,
  problemPath,
  problems,
} from '../src/schema/problem.ts'
import { refreshCookie } from '../src/schema/session.ts'
import { describeOperation } from './operation.ts'
import { SchemaComponents } from './schema-components.ts'
import { shareRefusals } from './shared-refusals.ts'
import { describeWebhooks } from './webhooks.ts'

/** The OpenAPI 3.1 document of every endpoint and event, as it is written to `docs/openapi.json`. */
export function openapiDocument(): string {
  const components = new SchemaComponents()
  const builder = OpenApiBuilder.create()
    .addOpenApiVersion('3.1.1')
    .addInfo({
      title: 'pdfnorm',
      version: documentVersion,
      description: introduction,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    })
    .addServer({ url: '/', description: 'The service that serves this document.' })

  for (const [name, description] of Object.entries(groups)) builder.addTag({ name, description })
  const paths = shareRefusals(pathItems(components))
  for (const [path, item] of Object.entries(paths.items)) builder.addPath(path, item)
  for (const [name, response] of paths.shared) builder.addResponse(name, response)
  for (const [name, item] of Object.entries(describeWebhooks(components))) {
    builder.addWebhook(name, item)
  }

  for (const schema of [Problem, CertificateHeader, CertificateClaims, ApiVersion]) {
    components.add(schema, 'output')
  }
  for (const [id, schema] of Object.entries(components.sorted())) builder.addSchema(id, schema)
  for (const [name, scheme] of Object.entries(securitySchemes)) {
    builder.addSecurityScheme(name, scheme)
  }
  const used = JSON.stringify(builder.getSpec())
  for (const [name, header] of Object.entries(headerObjects())) {
    if (used.includes(`"#/components/headers/${name}"`)) builder.addHeader(name, header)
  }
  for (const code of problemCodes) {
    if (used.includes(`"#/components/examples/${code}"`)) {
      builder.addExample(code, problemExample(code))
    }
  }
  return builder.getSpecAsJson(undefined, 2) + '\n'
}

/** The date of the interface as package managers take it for a version: without hyphens and leading zeros. */
const documentVersion = currentApiVersion.split('-').map(Number).join('.')

const introduction = `Normalizes PDF files: what comes out is one canonical file without active content, addressed by the SHA-256 of its content, with a report, a signed attestation and a certificate.

HEAD works wherever GET does. Fields that this document does not name are ignored in requests and may be added to answers. Times are ISO 8601 in UTC. Every refusal is a problem document (RFC 9457) with a \`code\`.

Two headers may stand in every request, best set once for a client: \`Api-Version\`, the version of the interface to answer with (an ApiVersion; by default the one at which the API key was created), and \`X-Request-Id\`, an id of your own of up to ${limits.requestIdMaxCharacters} letters, digits, dots, hyphens and underscores, which the answer repeats.`

/** A group of endpoints is a tag. */
const groups: Record<string, string> = {
  auth: 'Register, sign in, and what is done without being signed in.',
  normalize: 'Hand in a PDF.',
  submissions: 'What became of an upload.',
  reports: 'What the pipeline did.',
  artifacts: 'The normalized files.',
  batches: 'Groups of submissions.',
  attestations: 'Attestations, certificates, and the public keys that verify them.',
  organization: 'The organization and its settings.',
  apiKeys: 'The keys of programs.',
  billing: 'Plan, usage and payment.',
  webhooks: 'Who is told when a submission ends.',
  dataProtection: 'Export, erasure and deletion.',
  team: 'The members of an organization and their roles.',
  statistics: 'Figures of the organization.',
  memberDocuments: 'Documents of somebody who is signed in.',
  operations: 'What operators and tools ask the process itself.',
}

const securitySchemes: Record<string, SecuritySchemeObject> = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description:
      'A key of the form `pdfnorm_…`, also accepted as `Authorization: Bearer pdfnorm_…`. A requirement names the scope that the key must have.',
  },
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'The access token of a signed-in member, good for 15 minutes. A requirement names the least role.',
  },
  refreshToken: {
    type: 'apiKey',
    in: 'cookie',
    name: refreshCookie.name,
    description: 'The refresh token that signing in has set.',
  },
  stripeSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'Stripe-Signature',
    description: "Stripe's signature over the body as it was sent.",
  },
}

function pathItems(components: SchemaComponents): Record<string, PathItemObject> {
  const items: Record<string, PathItemObject> = {}
  for (const endpoint of documentedEndpoints()) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    items[path] = {
      ...items[path],
      [endpoint.method.toLowerCase()]: describeOperation(endpoint, components),
    }
  }
  return items
}

function headerObjects(): Record<string, HeaderObject> {
  return Object.fromEntries(
    Object.entries(responseHeaders).map(([name, { description, schema, example }]) => [
      name,
      { description, schema: { ...schema }, example } satisfies HeaderObject,
    ]),
  )
}

function problemExample(code: ProblemCode): { summary: string; value: z.infer<typeof Problem> } {
  const { status, title } = problems[code]
  return {
    summary: title,
    value: {
      type: `https://pdfnorm.example${problemPath(code)}`,
      title,
      status,
      ...(status === 500 ? {} : { detail: `${title}.` }),
      code,
      requestId: '0199c8a4-6e02-7b19-8c41-fa5e5f0c2b00',
      ...(code === 'VALIDATION_ERROR' ? { errors: [faultExample] } : {}),
    },
  }
}

const faultExample = {
  location: 'query.page_size',
  code: 'too_big',
  message: 'Too big: expected number to be <=100',
}
