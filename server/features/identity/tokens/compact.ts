/** Compact JWS (RFC 7515), read strictly: a token has one spelling, so that no variation counts as another token. */

/** Characters. The station's tokens have about 1,000. Only certificates in headers need more, and those are refused. */
const MOST_CHARACTERS = 16_384
const SHAPE = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/

export interface Compact {
  readonly text: string
  /** The signed text: header and payload as received. */
  readonly signingInput: string
  readonly header: Readonly<Record<string, unknown>>
  readonly payload: Readonly<Record<string, unknown>>
}

/** Null unless the text is three canonical base64url parts, of which the first two are JSON objects without repeated members. Checks no signature. */
export function readCompact(text: string): Compact | null {
  if (text.length > MOST_CHARACTERS || !SHAPE.test(text)) return null
  const [head = '', body = '', signature = ''] = text.split('.')
  if (!isCanonical(signature)) return null
  const header = readObject(head)
  const payload = readObject(body)
  return header === null || payload === null ? null : { text, signingInput: `${head}.${body}`, header, payload }
}

/** The last character of base64url carries bits that decoders ignore; only one spelling has them zero. */
const isCanonical = (part: string): boolean => Buffer.from(part, 'base64url').toString('base64url') === part

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function readObject(part: string): Record<string, unknown> | null {
  if (!isCanonical(part)) return null
  try {
    const json = utf8.decode(Buffer.from(part, 'base64url'))
    const value: unknown = JSON.parse(json)
    if (typeof value !== 'object' || value === null || Array.isArray(value) || hasRepeatedMember(json)) return null
    return value as Record<string, unknown>
  } catch {
    return null
  }
}

const PIECE = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\]]/g

/**
 * Whether any object names a member twice. JSON.parse takes the last value, other parsers the first: one could be checked and the other
 * used. @param json valid JSON.
 */
export function hasRepeatedMember(json: string): boolean {
  const open: Set<string>[] = []
  for (const [piece, text, colon] of json.matchAll(PIECE)) {
    if (piece === '{' || piece === '[') open.push(new Set())
    else if (piece === '}' || piece === ']') open.pop()
    else if (text !== undefined && colon !== undefined) {
      const name = JSON.parse(text) as string
      const members = open.at(-1)
      if (members?.has(name) === true) return true
      members?.add(name)
    }
  }
  return false
}
