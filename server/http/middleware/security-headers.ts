import type { Middleware } from '../context.ts'

/** For answers that say nothing else: JSON is never a page, whatever a browser makes of it. An answer's own headers replace these. */
export const securityHeaders: Middleware = async (ctx, next) => {
  ctx.res.setHeader('X-Content-Type-Options', 'nosniff')
  ctx.res.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'")
  ctx.res.setHeader('X-Frame-Options', 'DENY')
  ctx.res.setHeader('Referrer-Policy', 'no-referrer')
  ctx.res.setHeader('Cross-Origin-Resource-Policy', 'same-origin')
  await next()
}
