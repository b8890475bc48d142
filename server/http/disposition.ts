/** `Content-Disposition` for file names from untrusted sources (docs/guarantees.md, "Served files"; RFC 6266, RFC 8187). */

/** The only types that a browser may display; all others are downloaded. */
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

/** Gives the name twice: as ASCII for old clients, and whole in percent encoding. Neither form can contain a line break or a quote. */
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
 * Removes control characters, path separators and marks that change the reading direction (U+202E shows `exe.jpg` as `gpj.exe`). The
 * result is never empty and never a dot name.
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

/** Replaces an invalid media type by application/octet-stream. */
export function safeType(type: string): string {
  return /^[A-Za-z0-9!#$&^_.+-]{1,127}\/[A-Za-z0-9!#$&^_.+-]{1,127}$/.test(type)
    ? type.toLowerCase()
    : 'application/octet-stream'
}
