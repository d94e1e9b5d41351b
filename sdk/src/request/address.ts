/**
 * `/api/batches/{batchId}` with the values in place of their names.
 *
 * @throws {TypeError} when a value would make it the address of something else: nothing, `.` and `..` are taken out of
 *   an address however they are encoded (URL Standard, 4.4)
 */
export function fillPath(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? ''
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`${JSON.stringify(value)} is no ${name}`)
    return encodeURIComponent(value)
  })
}

/** The service's address without a slash at its end. */
export function serviceAddress(baseUrl: string | undefined): string {
  if (baseUrl === undefined) throw new TypeError('Give baseUrl, or set PDFNORM_BASE_URL')
  if (/^https?:\/\/[^/?#]/.test(baseUrl) && URL.canParse(baseUrl))
    return baseUrl.replace(/\/+$/, '')
  throw new TypeError(`baseUrl is an address as https://pdfnorm.example, not ${baseUrl}`)
}

export function queryString(values: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`
}
