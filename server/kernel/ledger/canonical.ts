import canonicalize from 'canonicalize'

/** Deeper than any stored value. The limit also ends cycles. */
const MOST_LEVELS = 64

/** The value has no canonical JSON form. `path` says where, such as `$.detail.when`. */
export class NotCanonical extends Error {
  override readonly name = 'NotCanonical'
  readonly path: string
  constructor(path: string, what: string) {
    super(`${path} ${what}`)
    this.path = path
  }
}

/**
 * Canonical JSON (RFC 8785). Stricter than the library, which drops `undefined`, calls `toJSON` and unboxes values. Hashes must cover exactly
 * the given value. @throws NotCanonical for everything that is not plain JSON
 */
export function canonicalJson(value: unknown): string {
  requireJson(value, '$', 0)
  return canonicalize(value) as string
}

/**
 * Whether `text` is the canonical form of `parsed`, which must come from `JSON.parse(text)`.
 * The fast path: JSON.stringify writes strings and numbers as RFC 8785 does, so equal text with sorted members is canonical. Members that
 * look like integers are reordered by the parser, and lone surrogates are escaped. Such texts take the slow path.
 */
export function isCanonical(text: string, parsed: unknown): boolean {
  if (hasSortedNames(parsed) && !text.includes('\\ud') && JSON.stringify(parsed) === text) return true
  try {
    return canonicalJson(parsed) === text
  } catch {
    return false
  }
}

function hasSortedNames(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return true
  if (Array.isArray(value)) return value.every(hasSortedNames)
  let before: string | null = null
  for (const key in value) {
    if (before !== null && before >= key) return false
    before = key
    const member = (value as Record<string, unknown>)[key]
    if (member !== null && typeof member === 'object' && !hasSortedNames(member)) return false
  }
  return true
}

function requireJson(value: unknown, path: string, level: number): void {
  if (value === null || typeof value === 'boolean') return
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw new NotCanonical(path, 'holds half a surrogate pair')
    return
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new NotCanonical(path, `is ${value}, which JSON does not have`)
    return
  }
  if (typeof value !== 'object') throw new NotCanonical(path, `is of type ${typeof value}, which JSON does not have`)
  if (level >= MOST_LEVELS) throw new NotCanonical(path, `lies deeper than ${MOST_LEVELS} levels or in a cycle`)
  if (Array.isArray(value)) requireJsonArray(value, path, level)
  else requireJsonObject(value, path, level)
}

function requireJsonArray(value: readonly unknown[], path: string, level: number): void {
  for (let index = 0; index < value.length; index++) requireJson(value[index], `${path}[${index}]`, level + 1)
}

function requireJsonObject(value: object, path: string, level: number): void {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) throw new NotCanonical(path, 'is not a plain object')
  if (Object.getOwnPropertySymbols(value).length > 0) throw new NotCanonical(path, 'has members that are symbols')
  for (const [key, member] of Object.entries(value)) {
    if (!key.isWellFormed()) throw new NotCanonical(path, 'has a member whose name holds half a surrogate pair')
    requireJson(member, `${path}.${key}`, level + 1)
  }
}
