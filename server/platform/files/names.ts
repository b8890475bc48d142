import { isUtf8 } from 'node:buffer'

/**
 * The name of a file as text for people: itself where it is UTF-8, else with every byte outside ASCII as `\xHH` and `\` doubled.
 * Only for showing: two names of other bytes may look alike, so the bytes stay a file's identity.
 */
export function shownName(name: Buffer): string {
  if (isUtf8(name)) return name.toString('utf8')
  let shown = ''
  for (const byte of name) {
    if (byte === 0x5c) shown += '\\\\'
    else if (byte >= 0x20 && byte < 0x7f) shown += String.fromCharCode(byte)
    else shown += `\\x${byte.toString(16).padStart(2, '0')}`
  }
  return shown
}

/** A path likewise, each name for itself: one that is not UTF-8 does not make its folders unreadable. */
export function shownPath(path: Buffer): string {
  if (isUtf8(path)) return path.toString('utf8')
  const parts: string[] = []
  for (let from = 0; from <= path.length; ) {
    const slash = path.indexOf(0x2f, from)
    const to = slash === -1 ? path.length : slash
    parts.push(shownName(path.subarray(from, to)))
    from = to + 1
  }
  return parts.join('/')
}
