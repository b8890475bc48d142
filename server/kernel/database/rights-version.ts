/**
 * The version of all rights: enabled accounts, groups, policies, and authorised programs. Cached rights are valid while the version is the
 * same. On SQLite it is in memory shared by all threads and changes with the commit itself; on PostgreSQL it is in the database
 * (postgres/schema/changes.ts).
 */
import { resolve } from 'node:path'

export const RIGHTS_TABLES = ['principals', 'memberships', 'policy_members', 'token_families'] as const
const NAMES_ONE = new RegExp(`\\b(?:${RIGHTS_TABLES.join('|')})\\b`, 'i')

/** Whether a writing statement may change a right. A statement that only names such a table counts too. */
export const mayChangeRights = (sql: string): boolean => NAMES_ONE.test(sql)

export interface RightsVersion {
  /** To be passed to another thread. */
  readonly memory: SharedArrayBuffer
  /** Null during a change of rights, when caches must not be used. */
  stable(): number | null
  /** To be called before the first statement that may change a right. */
  begin(): void
  /** To be called after the transaction has ended, by commit or rollback. Does nothing without a `begin` of this connection. */
  end(): void
}

const byFile = new Map<string, SharedArrayBuffer>()

/** One version for each file, so that all databases opened on it in one process see each other's changes. */
export function rightsVersionOf(file: string): RightsVersion {
  const place = resolve(file)
  const memory = byFile.get(place) ?? newMemory()
  byFile.set(place, memory)
  return rightsVersion(memory)
}

/** The access of one connection to the version. */
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
