import { type Config, ConfigurationError, readConfig } from './config.ts'
import { type RunningService, startService } from './start-service.ts'

/** One Ctrl-C arrives several times: from the terminal, and from each npm in between. */
const sameKeypressMs = 1000

/** A process of the service: reads the settings, starts, and ends on SIGTERM and SIGINT. */
export async function runProcess(environment: NodeJS.ProcessEnv): Promise<void> {
  const config = configOrExit(environment)
  let stopping = false
  let starting: Promise<RunningService> | undefined
  const unwanted = new AbortController()

  let firstSignalAt = 0
  const end = async () => {
    if (stopping) {
      // A later signal does not wait for the drain.
      if (Date.now() - firstSignalAt > sameKeypressMs) process.exit(130)
      return
    }
    stopping = true
    firstSignalAt = Date.now()
    unwanted.abort()
    const service = await starting?.catch(() => undefined)
    await service?.stop()
    process.exit(0)
  }
  process.on('SIGTERM', () => void end())
  process.on('SIGINT', () => void end())

  starting = startService(config, unwanted.signal)
  try {
    const { port, lost } = await starting
    if (!stopping && port !== null && config.processRole !== 'worker') {
      process.stdout.write(welcome(config))
    }
    fail(await lost)
  } catch (error) {
    if (stopping) return
    fail(error)
  }
}

function configOrExit(environment: NodeJS.ProcessEnv): Config {
  try {
    return readConfig(environment)
  } catch (error) {
    if (error instanceof ConfigurationError) fail(error)
    throw error
  }
}

function fail(error: unknown): never {
  process.stderr.write(`${messageOf(error)}\n`)
  process.exit(1)
}

function messageOf(error: unknown): string {
  if (error instanceof ConfigurationError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** Where the service is, and the three steps to a first normalized document. */
function welcome({ baseUrl, dataDirectory }: Config): string {
  return `
pdfnorm is at ${baseUrl} (reference: ${baseUrl}/docs; data: ${dataDirectory})

  1. Register:      curl ${baseUrl}/api/auth/register -H 'Content-Type: application/json' \\
                      -d '{"orgName":"Acme","orgSlug":"acme","ownerEmail":"you@example.com","ownerPassword":"a good long passphrase"}'
  2. Create a key:  TOKEN=$(curl -s ${baseUrl}/api/auth/login -H 'Content-Type: application/json' \\
                      -d '{"email":"you@example.com","password":"a good long passphrase"}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
                    KEY=$(curl -s ${baseUrl}/api/portal/api-keys -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
                      -d '{"name":"first","scopes":["normalize","read"]}' | sed 's/.*"fullKey":"\\([^"]*\\)".*/\\1/')
  3. Normalize:     curl ${baseUrl}/api/normalize -H "X-Api-Key: $KEY" -F file=@in.pdf

`
}
