import type { WaitPreference } from '../submission/accept-request.ts'

/** What one may ask to wait, in seconds; the service waits shorter anyway. */
const longestWaitSeconds = 86_400

/**
 * Reads `respond-async` and `wait` of the header Prefer (RFC 7240, sections 4.1 and 4.3). A preference that is unknown
 * or malformed is as if it were not there (section 2); of several with one name the first counts.
 */
export function readWaitPreference(header: string | undefined): WaitPreference {
  const preferences = new Map<string, string>()
  for (const item of (header ?? '').split(',')) {
    // Parameters follow after a semicolon; the two preferences have none.
    const [preference = ''] = item.split(';')
    const [name = '', value = ''] = preference.split('=').map((part) => part.trim())
    const key = name.toLowerCase()
    if (!preferences.has(key)) preferences.set(key, value.replaceAll('"', ''))
  }

  const wait = preferences.get('wait')
  return {
    respondAsync: preferences.has('respond-async'),
    waitMs:
      wait !== undefined && /^\d{1,9}$/.test(wait)
        ? Math.min(Number(wait), longestWaitSeconds) * 1000
        : null,
  }
}
