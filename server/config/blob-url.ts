import { z } from 'zod'

/** Where blobs lie in an object store: `s3://bucket/prefix?endpoint=https://…&region=…&pathStyle=true`. */
export interface BlobUrl {
  readonly bucket: string
  /** Empty, or with a slash at its end. */
  readonly prefix: string
  /** Null for Amazon's own. */
  readonly endpoint: string | null
  readonly region: string
  readonly pathStyle: boolean
}

const PARAMETERS = new Set(['endpoint', 'region', 'pathStyle'])
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const PREFIX = /^([A-Za-z0-9][A-Za-z0-9._-]*\/)*$/
const THIS_MACHINE = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** @returns a sentence when the address cannot be used */
function read(text: string): BlobUrl | string {
  const url = URL.parse(text)
  if (url === null || url.protocol !== 's3:') return 'must be s3://bucket/prefix?endpoint=https://…&region=…'
  if (url.username !== '' || url.password !== '')
    return 'must not hold credentials; give them as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'
  for (const name of url.searchParams.keys()) if (!PARAMETERS.has(name)) return `has an unknown parameter, ${name}`
  if (!BUCKET.test(url.hostname)) return 'must name a bucket in lower case'
  const prefix = url.pathname.replace(/^\/|\/$/g, '')
  if (!PREFIX.test(prefix === '' ? '' : `${prefix}/`))
    return 'must have a prefix of letters, digits, dots, dashes and slashes only'
  const endpoint = url.searchParams.get('endpoint')
  if (endpoint !== null) {
    const host = URL.parse(endpoint)
    if (host === null || !['https:', 'http:'].includes(host.protocol)) return 'must have an endpoint https://…'
    // Evidence must not cross a network in the clear, where anybody may also change it.
    if (host.protocol === 'http:' && !THIS_MACHINE.has(host.hostname))
      return 'must have an https endpoint; http is for this machine only'
  }
  const style = url.searchParams.get('pathStyle') ?? 'false'
  if (style !== 'true' && style !== 'false') return 'must have pathStyle=true or pathStyle=false'
  return {
    bucket: url.hostname,
    prefix: prefix === '' ? '' : `${prefix}/`,
    endpoint,
    region: url.searchParams.get('region') ?? 'us-east-1',
    pathStyle: style === 'true',
  }
}

export const BlobUrl = z.string().transform((text, context): BlobUrl => {
  const url = read(text)
  if (typeof url !== 'string') return url
  context.addIssue({ code: 'custom', message: url })
  return z.NEVER
})
