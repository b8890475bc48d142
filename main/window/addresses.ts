/** Which addresses a window may show, ask for, or hand to the system's browser. Compared as origins, never as text. */

/** Pages outside that the product itself points to. */
const OUTSIDE: ReadonlySet<string> = new Set(['https://www.openstreetmap.org', 'https://www.apache.org'])

export type Verdict = 'stay' | 'outside' | 'refused'

/** `stay`: the station's own. `outside`: may be opened in the system's browser. */
export function judgeAddress(address: string, station: string): Verdict {
  const origin = originOf(address)
  if (origin === station) return 'stay'
  return origin !== null && OUTSIDE.has(origin) ? 'outside' : 'refused'
}

/** Whether a page may ask for this at all: the station, what the page itself made, and the map server that was configured. */
export function mayRequest(address: string, station: string, tiles: string | null): boolean {
  const scheme = address.slice(0, address.indexOf(':') + 1)
  if (scheme === 'data:' || scheme === 'blob:' || scheme === 'devtools:' || address === 'about:blank') return true
  const origin = originOf(address)?.replace(/^ws/, 'http') ?? null
  return origin === station || (tiles !== null && origin === tiles)
}

/** @returns null for what has none (`data:`, `javascript:`, nonsense) and for addresses that carry a user name. */
export function originOf(address: string): string | null {
  const url = URL.parse(address)
  if (url === null || url.username !== '' || url.password !== '') return null
  if (url.protocol === 'ws:' || url.protocol === 'wss:') return `${url.protocol}//${url.host}`
  return url.origin === 'null' ? null : url.origin
}
