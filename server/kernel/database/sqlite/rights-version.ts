/**
 * The version of all rights: who is enabled, in which groups and policies, and which programs work in whose name. What is remembered about
 * rights counts as long as the version is the same. It lies in memory that all threads share, and changes with the commit itself.
 */
import { resolve } from 'node:path'

const TABLES = ['principals', 'memberships', 'policy_members', 'token_families'] as const
const NAMES_ONE = new RegExp(`\\b(?:${TABLES.join('|')})\\b`, 'i')

/** Whether a statement that writes may change a right. One that only names such a table counts too. */
export const mayChangeRights = (sql: string): boolean => NAMES_ONE.test(sql)

export interface RightsVersion {
  /** For another thread. */
  readonly memory: SharedArrayBuffer
  /** Null: a change of rights is under way, and nothing that is remembered counts. */
  stable(): number | null
  /** Before the first statement that may change a right. */
  begin(): void
  /** After the end of its transaction, whichever it is. Does nothing where this connection has begun nothing. */
  end(): void
}

const byFile = new Map<string, SharedArrayBuffer>()

/** One for each file: databases that one process opens on it know of each other's changes. */
export function rightsVersionOf(file: string): RightsVersion {
  const place = resolve(file)
  const memory = byFile.get(place) ?? newMemory()
  byFile.set(place, memory)
  return rightsVersion(memory)
}

/** One for each connection. */
export function rightsVersion(memory = newMemory()): RightsVersion {
  const cells = new Int32Array(memory)
  let begun = false
  return {
    memory,
    stable: () => {
      const version = Atomics.load(cells, VERSION)
      return Atomics.load(cells, UNDER_WAY) === 0 ? version : null
    },
    begin: () => {
      if (begun) return
      begun = true
      Atomics.add(cells, UNDER_WAY, 1)
    },
    end: () => {
      if (!begun) return
      begun = false
      Atomics.add(cells, VERSION, 1)
      Atomics.sub(cells, UNDER_WAY, 1)
    },
  }
}

const VERSION = 0
const UNDER_WAY = 1
const newMemory = (): SharedArrayBuffer => new SharedArrayBuffer(8)
