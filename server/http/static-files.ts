/** Serves the UI's files (decisions 1) for GET outside the API's prefixes. Other addresses that accept text/html get index.html. */
import type { BytesAnswer, BytesRequest } from './bytes.ts'
import type { Site, SiteFile } from '../platform/files/static-files.ts'

/** @param tiles origin of the configured map server, from which images may be loaded; null for none */
export const pagePolicy = (tiles: string | null): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    `img-src 'self' blob: data:${tiles === null ? '' : ` ${tiles}`}`,
    "media-src 'self' blob:",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-src 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ')

interface Deps {
  /** Null when the renderer was not built. */
  readonly files: Site | null
  readonly tiles: string | null
}

const NOT_BUILT =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Sallyport</title><p>The station runs. Its pages were not built: run <code>npm run build</code>, then start it again.</p><p>The interfaces are described at <a href="/docs">/docs</a>.</p>'

export function createSite({ files, tiles }: Deps): (request: BytesRequest) => Promise<BytesAnswer | null> {
  const policy = pagePolicy(tiles)
  return async ({ method, url, headers }) => {
    const path = url.split(/[?#]/, 1)[0] ?? '/'
    const file = files?.(path) ?? null
    if (file !== null) return answer(method, headers, file, policy)
    if (!/\btext\/html\b/.test(headers.accept ?? '')) return null
    const page = files?.('/index.html') ?? null
    if (page !== null) return answer(method, headers, page, policy)
    const body = method === 'HEAD' ? undefined : NOT_BUILT
    return {
      status: 200,
      headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' },
      ...(body === undefined ? {} : { body }),
    }
  }
}

function answer(method: string, headers: BytesRequest['headers'], file: SiteFile, policy: string): BytesAnswer {
  const page = file.type.startsWith('text/html')
  const common = {
    ETag: file.etag,
    'Cache-Control': file.hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    Vary: 'Accept-Encoding',
    ...(page
      ? {
          'Content-Security-Policy': policy,
          'Cross-Origin-Opener-Policy': 'same-origin',
          'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), usb=(), payment=(), fullscreen=(self)',
        }
      : {}),
  }
  if (headers['if-none-match'] === file.etag) return { status: 304, headers: common }
  const accepted = String(headers['accept-encoding'] ?? '')
  // The page itself is never compressed: it is small, and compression over TLS leaks secrets beside chosen text (BREACH, promise S14).
  const [coding, bytes] =
    !page && file.brotli !== null && /\bbr\b/.test(accepted)
      ? (['br', file.brotli] as const)
      : !page && file.gzip !== null && /\bgzip\b/.test(accepted)
        ? (['gzip', file.gzip] as const)
        : ([null, file.bytes] as const)
  return {
    status: 200,
    headers: {
      ...common,
      'Content-Type': file.type,
      'Content-Length': String(bytes.length),
      ...(coding === null ? {} : { 'Content-Encoding': coding }),
    },
    ...(method === 'HEAD' ? {} : { body: bytes }),
  }
}
