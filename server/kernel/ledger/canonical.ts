import canonicalize from 'canonicalize'

/** Deeper than anything that is kept; also what ends a cycle. */
const MOST_LEVELS = 64

/** The value has no one JSON form. `path` says where, e.g. `$.detail.when`. */
export class NotCanonical extends Error {
  override readonly name = 'NotCanonical'
  readonly path: string
  constructor(path: string, what: string) {
    super(`${path} ${what}`)
    this.path = path
  }
}

/**
 * Canonical JSON (RFC 8785). Stricter than the library, which drops `undefined`, calls `toJSON` and turns boxed values into plain ones:
 * what is hashed must be exactly what was meant. @throws NotCanonical for everything that is not plain JSON.
 */
export function canonicalJson(value: unknown): string {
  refuseWhatIsNotJson(value, '$', 0)
  return canonicalize(value) as string
}

/** A copy that later changes of the original do not reach. @throws NotCanonical */
export function canonicalCopy<T>(value: T): T {
  return JSON.parse(canonicalJson(value)) as T
}

/**
 * Whether `text` is the canonical form of `parsed`, which must come from `JSON.parse(text)`.
 * Fast for the usual case: JSON.stringify writes strings and numbers as RFC 8785 does, so that equal text with sorted members is
 * canonical. Members that look like integers are reordered by the parser and lone surrogates are escaped; those go the long way.
 */
export function isCanonical(text: string, parsed: unknown): boolean {
  if (sortedThroughout(parsed) && !text.includes('\\ud') && JSON.stringify(parsed) === text) return true
  try {
    return canonicalJson(parsed) === text
  } catch {
    return false
  }
}

function sortedThroughout(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return true
  if (Array.isArray(value)) return value.every(sortedThroughout)
  let before: string | null = null
  for (const key in value) {
    if (before !== null && before >= key) return false
    before = key
    const member = (value as Record<string, unknown>)[key]
    if (member !== null && typeof member === 'object' && !sortedThroughout(member)) return false
  }
  return true
}

function refuseWhatIsNotJson(value: unknown, path: string, level: number): void {
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
  if (Array.isArray(value)) refuseInArray(value, path, level)
  else refuseInObject(value, path, level)
}

function refuseInArray(value: readonly unknown[], path: string, level: number): void {
  for (let index = 0; index < value.length; index++) refuseWhatIsNotJson(value[index], `${path}[${index}]`, level + 1)
}

function refuseInObject(value: object, path: string, level: number): void {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) throw new NotCanonical(path, 'is not a plain object')
  if (Object.getOwnPropertySymbols(value).length > 0) throw new NotCanonical(path, 'has members that are symbols')
  for (const [key, member] of Object.entries(value)) {
    if (!key.isWellFormed()) throw new NotCanonical(path, 'has a member whose name holds half a surrogate pair')
    refuseWhatIsNotJson(member, `${path}.${key}`, level + 1)
  }
}
