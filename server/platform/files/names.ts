import { isUtf8 } from 'node:buffer'

/**
 * A file name as text for people: unchanged when it is UTF-8, otherwise with every byte outside ASCII as `\xHH` and `\` doubled.
 * For display only: different names may look alike, so the bytes remain the identity of a file.
 */
export function displayName(name: Buffer): string {
  if (isUtf8(name)) return name.toString('utf8')
  let shown = ''
  for (const byte of name) {
    if (byte === 0x5c) shown += '\\\\'
    else if (byte >= 0x20 && byte < 0x7f) shown += String.fromCharCode(byte)
    else shown += `\\x${byte.toString(16).padStart(2, '0')}`
  }
  return shown
}

/** The same for a path, name by name, so that one name that is not UTF-8 does not affect the others. */
export function displayPath(path: Buffer): string {
  if (isUtf8(path)) return path.toString('utf8')
  const parts: string[] = []
  for (let from = 0; from <= path.length; ) {
    const slash = path.indexOf(0x2f, from)
    const to = slash === -1 ? path.length : slash
    parts.push(displayName(path.subarray(from, to)))
    from = to + 1
  }
  return parts.join('/')
}
