/**
 * The version of all rights: who is enabled, in which groups and policies, and which programs work in whose name. What is remembered about
 * rights counts as long as the version is the same. It lies in memory that all threads share, and changes with the commit itself.
 */
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
  /** After the end of its transaction, whichever it is. Does nothing where nothing has begun. */
  end(): void
}

export function rightsVersion(memory = new SharedArrayBuffer(4)): RightsVersion {
  // Odd while a change is under way. There is one writer.
  const cell = new Int32Array(memory)
  const isUnderWay = (): boolean => Atomics.load(cell, 0) % 2 !== 0
  return {
    memory,
    stable: () => {
      const version = Atomics.load(cell, 0)
      return version % 2 === 0 ? version : null
    },
    begin: () => {
      if (!isUnderWay()) Atomics.add(cell, 0, 1)
    },
    end: () => {
      if (isUnderWay()) Atomics.add(cell, 0, 1)
    },
  }
}
