/** The `Content-Disposition` of a file whose name a stranger chose (docs/guarantees.md, "Served files"; RFC 6266, RFC 8187). */

/** Nothing else is ever shown in place. */
export const INLINE_TYPES: ReadonlySet<string> = new Set([
  'video/mp4',
  'video/webm',
  'image/jpeg',
  'image/png',
  'image/webp',
  'audio/wav',
  'audio/x-wav',
  'audio/vnd.wave',
  'audio/mpeg',
  'audio/mp4',
  'audio/x-m4a',
])

const MAX_NAME = 255

/** Two forms: plain ASCII for old readers, and the whole name percent-encoded. Neither can hold a line break or a quote. */
export function contentDisposition(name: string, inline: boolean): string {
  const safe = harmless(name)
  const ascii = safe.replaceAll(/[^\x20-\x7e]/g, '_').replaceAll(/["\\%]/g, '_')
  const encoded = encodeURIComponent(safe).replaceAll(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${inline ? 'inline' : 'attachment'}; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

/**
 * Without control characters, path separators, and the marks that turn the reading direction (U+202E makes `gpj.exe` of `exe.jpg`); never
 * empty, never a dot name.
 */
function harmless(name: string): string {
  const cleaned = name
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/gu, '')
    .replaceAll(/[/\\]/g, '_')
    .trim()
  const short = [...cleaned].slice(0, MAX_NAME).join('')
  return short === '' || /^\.+$/.test(short) ? 'file' : short
}

/** A type that is no media type becomes the one for plain bytes. */
export function safeType(type: string): string {
  return /^[A-Za-z0-9!#$&^_.+-]{1,127}\/[A-Za-z0-9!#$&^_.+-]{1,127}$/.test(type)
    ? type.toLowerCase()
    : 'application/octet-stream'
}
