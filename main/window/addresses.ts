/** Decides which addresses a window may show, request, or open in the system's browser. Addresses are compared as origins, never as text. */

/** External origins to which the product links. */
const OUTSIDE: ReadonlySet<string> = new Set(['https://www.openstreetmap.org', 'https://www.apache.org'])

export type Verdict = 'stay' | 'outside' | 'refused'

/** `stay`: an address of the station. `outside`: may be opened in the system's browser. */
export function judgeAddress(address: string, station: string): Verdict {
  const origin = originOf(address)
  if (origin === station) return 'stay'
  return origin !== null && OUTSIDE.has(origin) ? 'outside' : 'refused'
}

/** Whether a page may request an address: of the station, of its own data, or of the configured map server. */
export function mayRequest(address: string, station: string, tiles: string | null): boolean {
  const scheme = address.slice(0, address.indexOf(':') + 1)
  if (scheme === 'data:' || scheme === 'blob:' || scheme === 'devtools:' || address === 'about:blank') return true
  const origin = originOf(address)?.replace(/^ws/, 'http') ?? null
  return origin === station || (tiles !== null && origin === tiles)
}

/** @returns null for addresses without an origin (`data:`, `javascript:`, invalid ones) and for those with a user name */
export function originOf(address: string): string | null {
  const url = URL.parse(address)
  if (url === null || url.username !== '' || url.password !== '') return null
  if (url.protocol === 'ws:' || url.protocol === 'wss:') return `${url.protocol}//${url.host}`
  return url.origin === 'null' ? null : url.origin
}
