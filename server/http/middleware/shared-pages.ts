/**
 * CORS (decisions 8), for CAD push only. A page of another origin may read answers when an integration lists that origin, the address
 * contains the API key of this integration, and the request has no cookie. Credentials that a browser adds itself must never give a foreign
 * page access.
 */
import type { IncomingMessage } from 'node:http'
import type { FrameContext } from '../context.ts'
import { firstOfEach, parseQuery } from '../target.ts'

/** Whether pages of the origin may use the API key. */
export type MayShare = (apiKey: string, origin: string) => Promise<boolean>

const PREFIX = '/cadservice/'
const METHODS = 'GET, POST'
const HEADERS = 'Content-Type, Idempotency-Key, X-Correlation-Id'
const EXPOSED_HEADERS = 'Location, Retry-After, X-Correlation-Id'
/** Seconds that a browser remembers the preflight. A revoked key stops working at once all the same. */
const PREFLIGHT_SECONDS = '600'

/** The API key in the address of a request; null when there is none or the request is not CAD push. */
export function keyInAddress(request: IncomingMessage): string | null {
  const url = request.url ?? ''
  return url.startsWith(PREFIX) ? (firstOfEach(parseQuery(url))['apikey'] ?? null) : null
}

/** Sets the CORS headers when the page may read the answer. @returns whether it may */
export async function allowPage(ctx: FrameContext, origin: string, mayShare: MayShare): Promise<boolean> {
  const { req, res } = ctx
  const key = keyInAddress(req)
  if (key === null || req.headers.cookie !== undefined || !(await mayShare(key, origin))) return false
  res.setHeader('Access-Control-Allow-Origin', origin)
  res.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS)
  res.setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
  res.setHeader('Vary', 'Origin')
  return true
}

/** Whether the request is a CORS preflight. */
export const isPreflight = ({ req, method }: FrameContext): boolean =>
  method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined

export const PREFLIGHT_HEADERS = {
  'Access-Control-Allow-Methods': METHODS,
  'Access-Control-Allow-Headers': HEADERS,
  'Access-Control-Max-Age': PREFLIGHT_SECONDS,
  'Cache-Control': 'no-store',
} as const
