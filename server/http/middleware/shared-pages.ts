/**
 * CORS (decisions 8): answered to nobody but to pages of the origins that are listed with an integration, whose API key stands in the
 * address, for CAD push, and without a cookie: what a browser adds by itself must never open anything for a foreign page.
 */
import type { IncomingMessage } from 'node:http'
import type { FrameContext } from '../context.ts'
import { firstOfEach, parseQuery } from '../target.ts'

/** Whether pages of the origin may use the API key. */
export type MayShare = (apiKey: string, origin: string) => Promise<boolean>

const PREFIX = '/cadservice/'
const METHODS = 'GET, POST'
const HEADERS = 'Content-Type, Idempotency-Key, X-Correlation-Id'
const TOLD = 'Location, Retry-After, X-Correlation-Id'
/** Seconds; a key that is taken away stops working at once all the same. */
const REMEMBERED = '600'

/** The API key that a request names in its address; null: none, or it is not for CAD push. */
export function keyInAddress(request: IncomingMessage): string | null {
  const url = request.url ?? ''
  return url.startsWith(PREFIX) ? (firstOfEach(parseQuery(url))['apikey'] ?? null) : null
}

/** @returns whether the page may read the answer, which then says so. */
export async function sharesWith(ctx: FrameContext, origin: string, mayShare: MayShare): Promise<boolean> {
  const { req, res } = ctx
  const key = keyInAddress(req)
  if (key === null || req.headers.cookie !== undefined || !(await mayShare(key, origin))) return false
  res.setHeader('Access-Control-Allow-Origin', origin)
  res.setHeader('Access-Control-Expose-Headers', TOLD)
  res.setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
  res.setHeader('Vary', 'Origin')
  return true
}

/** Whether a browser only asks what it may do. */
export const isPreflight = ({ req, method }: FrameContext): boolean =>
  method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined

export const PREFLIGHT_HEADERS = {
  'Access-Control-Allow-Methods': METHODS,
  'Access-Control-Allow-Headers': HEADERS,
  'Access-Control-Max-Age': REMEMBERED,
  'Cache-Control': 'no-store',
} as const
