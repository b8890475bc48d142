import type { Middleware } from '../context.ts'

/** Default headers: they keep browsers from treating JSON as a page. The headers of an answer replace them. */
export const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const

export const securityHeaders: Middleware = async (ctx, next) => {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) ctx.res.setHeader(name, value)
  await next()
}
