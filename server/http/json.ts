/**
 * JSON as it comes in. The platform's parser keeps the last of two members with one name and knows no depth: two readers of one text
 * could then see two different things, which evidence cannot have.
 */
import { type Fault, fault } from '../../shared/kernel/errors.ts'

export const MAX_DEPTH = 64

/** Members of objects and elements of arrays, in all, that a body may have (decisions 13). */
export const MOST_PARTS = 200_000

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a

/** What one pass over the bytes of a JSON text finds out before anything is built from it. */
export interface JsonSize {
  /** Members of objects and elements of arrays. */
  readonly parts: number
  /** Members of objects alone. */
  readonly members: number
}

/**
 * One pass, of any bytes, well formed or not.
 * @throws Fault InvalidModel where they are nested too deep, BodyTooLarge where they have too many parts
 */
export function sizeOfJson(bytes: Uint8Array, most = MOST_PARTS): JsonSize {
  let depth = 0
  let parts = 0
  let members = 0
  /** A bracket was opened and nothing stands behind it yet. */
  let opened = false
  for (let at = 0; at < bytes.length; at++) {
    const code = bytes[at] as number
    if (code <= 0x20) continue
    if (code === 0x7d || code === 0x5d) {
      depth--
      opened = false
      continue
    }
    if (opened) {
      parts++
      opened = false
    }
    if (code === QUOTE) {
      at++
      while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
    } else if (code === COMMA) parts++
    else if (code === COLON) members++
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > MAX_DEPTH) throw invalid('', `The body is nested deeper than ${MAX_DEPTH} levels.`)
      opened = true
    }
  }
  if (parts > most)
    throw fault('BodyTooLarge', `A body here may have ${most} members and elements in all; this one has ${parts}.`)
  return { parts, members }
}

/**
 * @throws Fault InvalidModel, naming what is wrong and where; BodyTooLarge. A member named `__proto__` stays: the parser makes it a member
 * of its own like any other, and names in free-form objects are the caller's.
 */
export const parseJson = (text: string, mostParts = MOST_PARTS): unknown =>
  parseSized(text, sizeOfJson(new TextEncoder().encode(text), mostParts))

/** As `parseJson`, of a text that has been looked at. */
export function parseSized(text: string, { members }: JsonSize): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalid('', 'The body is not JSON.')
  }
  // Of two members with one name the platform's parser keeps the last: then the value has fewer members than the text.
  if (countMembers(value) !== members) refuseDoubles(text)
  return value
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) {
    for (const one of value as unknown[]) count += countMembers(one)
    return count
  }
  for (const one of Object.values(value)) count += 1 + countMembers(one)
  return count
}

interface Level {
  /** Names seen, for an object; null for an array. */
  readonly names: Set<string> | null
  /** Where this level hangs, for the message. */
  readonly path: string
  name: string
  index: number
}

/** Walks well-formed JSON, member by member. @throws Fault for the first member that is there twice */
function refuseDoubles(text: string): void {
  const levels: Level[] = []
  let nameNext = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const level = levels.at(-1)
    if (code === QUOTE) {
      const end = endOfString(text, at)
      if (nameNext && level?.names) {
        const name = text.slice(at + 1, end)
        level.name = name.includes('\\') ? (JSON.parse(text.slice(at, end + 1)) as string) : name
        if (level.names.has(level.name)) throw invalid(join(level.path, level.name), 'The member is there twice.')
        level.names.add(level.name)
        nameNext = false
      }
      at = end
    } else if (code === 0x7b || code === 0x5b) {
      const path =
        level === undefined
          ? ''
          : level.names === null
            ? join(level.path, String(level.index))
            : join(level.path, level.name)
      levels.push({ names: code === 0x7b ? new Set() : null, path, name: '', index: 0 })
      nameNext = code === 0x7b
    } else if (code === 0x7d || code === 0x5d) {
      levels.pop()
      nameNext = false
    } else if (code === COMMA && level !== undefined) {
      if (level.names === null) level.index++
      else nameNext = true
    }
  }
}

/** @returns where the closing quote is; -1 when there is none. */
function endOfString(text: string, start: number): number {
  let end = start + 1
  for (;;) {
    end = text.indexOf('"', end)
    if (end === -1) return -1
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++
    if (slashes % 2 === 0) return end
    end++
  }
}

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)

function invalid(path: string, message: string): Fault {
  return fault('InvalidModel', 'The body cannot be read.', [{ Path: path, Message: message }])
}
