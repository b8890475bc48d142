/**
 * JSON as it comes in. The platform's parser keeps the last of two members with one name and knows no depth: two readers of one text
 * could then see two different things, which evidence cannot have.
 */
import { type Fault, fault } from '../../shared/contract/errors.ts'

export const MAX_DEPTH = 64

const QUOTE = 0x22
const BACKSLASH = 0x5c

/**
 * @throws Fault InvalidModel, naming what is wrong and where. A member named `__proto__` stays: the parser makes it a member of its own
 * like any other, and names in free-form objects are the caller's.
 */
export function parseJson(text: string): unknown {
  // Before anything else: a million brackets keep the platform's parser busy for a second, and everybody waits.
  if (isTooDeep(text)) throw invalid('', `The body is nested deeper than ${MAX_DEPTH} levels.`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalid('', 'The body is not JSON.')
  }
  // Only now: the walk below relies on a text that is well formed.
  walk(text)
  return value
}

interface Level {
  /** Names seen, for an object; null for an array. */
  readonly names: Set<string> | null
  /** Where this level hangs, for the message. */
  readonly path: string
  name: string
  index: number
}

/** Walks well-formed JSON. @throws Fault for a member that is there twice */
function walk(text: string): void {
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
    } else if (code === 0x2c && level !== undefined) {
      if (level.names === null) level.index++
      else nameNext = true
    }
  }
}

/** Of any text, well formed or not. */
function isTooDeep(text: string): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = endOfString(text, at)
      if (at === -1) return false
    } else if (code === 0x7b || code === 0x5b) {
      if (++depth > MAX_DEPTH) return true
    } else if (code === 0x7d || code === 0x5d) depth--
  }
  return false
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
