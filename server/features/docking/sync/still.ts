/** Tells which files of a watched folder are complete: unchanged for a while, and without the name of an unfinished file. */

import { dockReason } from '../../../../shared/messages/dock-reasons.ts'

/** As programs call a file that they have not finished; it gets its own name when it is whole. */
const UNFINISHED = /\.(part|partial|tmp|temp|crdownload|filepart|download|opdownload|!ut|aria2|swp|lock)$/i
const OF_AN_EDITOR = /^(~\$|\.~|\._)/

/** @returns in a sentence, or null */
export const whyUnfinished = (name: string): string | null =>
  UNFINISHED.test(name) || OF_AN_EDITOR.test(name) ? dockReason('unfinishedName') : null

/** Length and time of an entry: another length or time means another file. Folders have none. */
export interface Sight {
  readonly key: string
  readonly mark: string
  readonly unfinished: boolean
}

/** A file with the name of an unfinished one that is unchanged for an hour was abandoned. It is listed, so that people see it. */
const LEFT_LYING_MS = 3_600_000
/** What could not be read is tried again after this. */
const AGAIN_MS = 3_600_000

interface Known {
  readonly mark: string
  /** Monotonic milliseconds: when it is tried again; null: never, for the station has it or has listed it. */
  readonly again: number | null
}

/** One folder over time. It has no effect but its own memory. */
export function createStillness(stillMs: number) {
  let seen = new Map<string, Sight & { readonly since: number }>()
  const known = new Map<string, Known>()
  const isDue = (one: Sight & { readonly since: number }, at: number): boolean => {
    if (at - one.since < (one.unfinished ? Math.max(stillMs, LEFT_LYING_MS) : stillMs)) return false
    const before = known.get(one.key)
    return before === undefined || before.mark !== one.mark || (before.again !== null && at >= before.again)
  }
  return {
    /** Everything that lies there now. @param at monotonic milliseconds */
    saw: (sights: Iterable<Sight>, at: number): void => {
      const now = new Map<string, Sight & { readonly since: number }>()
      for (const sight of sights) {
        const before = seen.get(sight.key)
        now.set(sight.key, { ...sight, since: before !== undefined && before.mark === sight.mark ? before.since : at })
      }
      seen = now
    },
    /** What became of it. A failure is tried again later, and at once when the file is another one. */
    settled: (key: string, mark: string, failed: boolean, at: number): void => {
      known.set(key, { mark, again: failed ? at + AGAIN_MS : null })
    },
    /** Keys of the files to take now. */
    due: (at: number): Set<string> => {
      const keys = new Set<string>()
      for (const one of seen.values()) if (isDue(one, at)) keys.add(one.key)
      return keys
    },
    /** The folder is away: what comes back is looked at anew. */
    forget: (): void => {
      seen = new Map()
    },
  }
}

export type Stillness = ReturnType<typeof createStillness>
