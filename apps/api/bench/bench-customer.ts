import { NormalizeResponse } from '@pdfnorm/contracts/schema/normalize-response'
import { CreatedApiKey } from '@pdfnorm/contracts/schema/api-key'
import { RegisterResponse, SessionTokens } from '@pdfnorm/contracts/schema/session'
import { Submission } from '@pdfnorm/contracts/schema/submission'
import type { Database } from '../torture/database.ts'

/** An organization on the largest plan. */
export class BenchCustomer {
  readonly #url: string
  readonly #apiKey: string
  readonly #accessToken: string

  private constructor(url: string, apiKey: string, accessToken: string) {
    this.#url = url
    this.#apiKey = apiKey
    this.#accessToken = accessToken
  }

  static async register(url: string, database: Database): Promise<BenchCustomer> {
    const email = 'bench@example.com'
    const password = 'a passphrase for the bench'
    const { organization } = RegisterResponse.parse(
      await post(`${url}/api/auth/register`, {
        orgName: 'Bench',
        orgSlug: 'bench',
        ownerEmail: email,
        ownerPassword: password,
      }),
    )
    await database.query(`update organization set plan_tier = 'pro' where id = $1`, [
      organization.id,
    ])
    const login = SessionTokens.parse(await post(`${url}/api/auth/login`, { email, password }))
    const key = CreatedApiKey.parse(
      await post(
        `${url}/api/portal/api-keys`,
        { name: 'bench', scopes: ['normalize', 'read'] },
        { authorization: `Bearer ${login.access_token}` },
      ),
    )
    return new BenchCustomer(url, key.fullKey, login.access_token)
  }

  get keyHeader(): { 'x-api-key': string } {
    return { 'x-api-key': this.#apiKey }
  }

  /** POST as the owner in the portal. */
  postAsOwner(path: string, body: object): Promise<unknown> {
    return post(this.#url + path, body, { authorization: `Bearer ${this.#accessToken}` })
  }

  /** POST with the API key. */
  postWithKey(path: string, body: object): Promise<unknown> {
    return post(this.#url + path, body, this.keyHeader)
  }

  async get(path: string): Promise<unknown> {
    const response = await fetch(this.#url + path, { headers: this.keyHeader })
    if (!response.ok) throw new Error(`${path} answered ${response.status}`)
    return response.json()
  }

  async submit(
    bytes: Uint8Array<ArrayBuffer>,
    fields: Readonly<Record<string, string>> = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<NormalizeResponse> {
    const form = new FormData()
    form.append('file', new Blob([bytes], { type: 'application/pdf' }), 'bench.pdf')
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    const response = await fetch(`${this.#url}/api/normalize`, {
      method: 'POST',
      headers: { ...this.keyHeader, ...headers },
      body: form,
    })
    return NormalizeResponse.parse(await response.json())
  }

  async submission(submissionId: string): Promise<Submission> {
    return Submission.parse(await this.get(`/api/submissions/${submissionId}`))
  }
}

async function post(
  url: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return response.json()
}
