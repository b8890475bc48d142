/**
 * Parses incoming JSON more strictly than JSON.parse, which keeps the last of two members with the same name and has no limit of depth.
 * With duplicate members two readers of one text could see different values, which is not acceptable for evidence.
 */
import { type Fault, fault } from '../../shared/kernel/errors.ts'

export const MAX_DEPTH = 64

/** Most members of objects and elements of arrays in a body (decisions 13). */
export const MOST_PARTS = 200_000

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a

/** Size of a JSON text, counted in one pass before it is parsed. */
export interface JsonSize {
  /** Members of objects and elements of arrays. */
  readonly parts: number
  /** Members of objects alone. */
  readonly members: number
}

/**
 * Counts in one pass over any bytes, valid JSON or not.
 * @throws Fault InvalidModel for too deep nesting, BodyTooLarge for too many parts
 */
export function sizeOfJson(bytes: Uint8Array, most = MOST_PARTS): JsonSize {
  let depth = 0
  let parts = 0
  let members = 0
  /** A bracket was opened and nothing has followed it yet. */
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
 * A member named `__proto__` stays: JSON.parse makes it an own member like any other, and free-form objects may have any names.
 * @throws Fault InvalidModel with problem and path; BodyTooLarge
 */
export const parseJson = (text: string, mostParts = MOST_PARTS): unknown =>
  parseSized(text, sizeOfJson(new TextEncoder().encode(text), mostParts))

/** As `parseJson`, for a text of known size. */
export function parseSized(text: string, { members }: JsonSize): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalid('', 'The body is not JSON.')
  }
  // JSON.parse keeps the last of two members with the same name, so the value then has fewer members than the text.
  if (countMembers(value) !== members) refuseDuplicateMembers(text)
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
  /** Names found so far in an object; null for an array. */
  readonly names: Set<string> | null
  /** Path of this level, for the message. */
  readonly path: string
  name: string
  index: number
}

/** Walks valid JSON member by member. @throws Fault for the first duplicate member */
function refuseDuplicateMembers(text: string): void {
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

/** @returns the position of the closing quote, or -1 */
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
