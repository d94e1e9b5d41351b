import { type Region, regions } from '@pdfnorm/contracts/schema/region'

/** Where the buckets of an `s3:` STORAGE_URL are, and how they are spoken to. */
export interface S3Location {
  readonly bucket: string
  /** Stands before every key; empty, or with a slash at its end. */
  readonly keyPrefix: string
  /** Absent: the endpoint of AWS for the region. */
  readonly endpoint: string | undefined
  /** Where clients reach the same buckets, for presigned downloads. */
  readonly publicEndpoint: string | undefined
  /** What signatures name. */
  readonly signingRegion: string
  /** Whether the bucket stands in the path and not in the host. */
  readonly pathStyle: boolean
}

/**
 * Reads `s3://pdfnorm-{region}/prefix?endpoint=…&public_endpoint=…&signing_region=…&path_style=true`: one bucket per
 * region, whose name, like each value, takes the region in the place of `{region}`. Credentials are those of the
 * environment (AWS_ACCESS_KEY_ID …) or of the machine, as every AWS SDK finds them.
 *
 * @throws Error which says what is wrong with the URL
 */
export function readS3Location(storageUrl: string): ReadonlyMap<Region, S3Location> {
  const url = new URL(storageUrl)
  for (const name of url.searchParams.keys()) {
    if (!parameters.includes(name)) {
      throw new Error(`does not know the parameter ${name}; it takes ${parameters.join(', ')}`)
    }
  }
  if (url.username !== '' || url.password !== '') {
    throw new Error('must not hold credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
  }
  if (!url.host.includes(placeholder)) {
    throw new Error(`must name a bucket per region, such as s3://pdfnorm-${placeholder}`)
  }
  return new Map(regions.map((region) => [region, locationOf(url, region)]))
}

const placeholder = '{region}'
const parameters = ['endpoint', 'public_endpoint', 'signing_region', 'path_style']

/** AWS's rules for names, which every other server keeps too. */
const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/

function locationOf(url: URL, region: Region): S3Location {
  const of = (text: string) => text.replaceAll(placeholder, region)
  const parameter = (name: string) => {
    const value = url.searchParams.get(name)
    return value === null ? undefined : of(value)
  }
  const bucket = of(url.host)
  if (!bucketName.test(bucket)) throw new Error(`names ${bucket}, which cannot be a bucket`)
  const endpoint = httpUrl(parameter('endpoint'))
  const pathStyle = parameter('path_style') ?? String(endpoint !== undefined)
  if (pathStyle !== 'true' && pathStyle !== 'false') {
    throw new Error('must have path_style=true or path_style=false')
  }
  return {
    bucket,
    keyPrefix: url.pathname.replace(/^\/+/, '').replace(/([^/])$/, '$1/'),
    endpoint,
    publicEndpoint: httpUrl(parameter('public_endpoint')) ?? endpoint,
    signingRegion: parameter('signing_region') ?? region,
    pathStyle: pathStyle === 'true',
  }
}

function httpUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text
  throw new Error(`has an endpoint that is no URL with http: or https:: ${text}`)
}
