import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Call } from './call.ts'
import type { LedgerEntry } from './format.ts'

export interface Tally {
  add(call: Call, entry: LedgerEntry): void
  /** Writes the counted denials. */
  stop(): Promise<void>
}

interface Window {
  /** Monotonic milliseconds. */
  readonly since: number
  call: Call
  firstUtc: string
  lastUtc: string
  count: number
  readonly kinds: Map<string, { entry: LedgerEntry; count: number }>
}

interface Deps {
  readonly clock: Clock
  readonly log: Log
  readonly write: (call: Call, entry: LedgerEntry) => Promise<unknown>
}

const MINUTE = 60_000
/** More sources than this within a minute are counted together, so that unknown callers cannot fill the memory. */
const MOST_SOURCES = 5000
const MOST_KINDS = 20
const OTHERS = 'others'

/**
 * Unauthenticated denials (decisions 12). The first one of a source is written at once; those of the following minute become one entry with
 * `detail: { count, firstUtc, lastUtc, kinds? }`. It has their action and reason when these are all the same, otherwise `access.denied` with
 * `kinds`. Requests do not wait for these entries. One that cannot be written is logged and counted again.
 */
export function createTally({ clock, log, write }: Deps): Tally {
  const windows = new Map<string, Window>()
  const writing = new Set<Promise<unknown>>()
  let timer: NodeJS.Timeout | null = null

  const send = (call: Call, entry: LedgerEntry, lost: () => void): void => {
    const done: Promise<unknown> = write(call, entry)
      .catch((error: unknown) => {
        lost()
        log.error(
          { err: error, action: entry.action, source: call.source },
          'A denial could not be written into the ledger',
        )
      })
      .finally(() => writing.delete(done))
    writing.add(done)
  }
  const close = (source: string, window: Window): void => {
    windows.delete(source)
    if (window.count === 0) return
    // Denials that could not be written are counted with the next ones.
    send(window.call, summary(source, window), () => windows.has(source) || windows.set(source, window))
  }
  const sweep = (): void => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    for (const [source, window] of windows) if (clock.monotonic() - window.since >= MINUTE) close(source, window)
    if (windows.size > 0) arm()
  }
  const arm = (): void => {
    if (timer !== null) return
    const oldest = windows.values().next().value as Window
    timer = setTimeout(sweep, Math.min(MINUTE, Math.max(50, oldest.since + MINUTE - clock.monotonic())))
    timer.unref()
  }

  return {
    add: (call, entry) => {
      sweep()
      const source = windows.has(call.source) || windows.size < MOST_SOURCES ? call.source : OTHERS
      const denial: LedgerEntry = { ...entry, outcome: entry.outcome ?? 'denied' }
      const window = windows.get(source)
      if (window !== undefined) return count(window, denial, isoMillis(clock.now()))
      const opened = emptyWindow({ ...call, source }, clock)
      windows.set(source, opened)
      arm()
      send(call, { ...denial, detail: { ...denial.detail, count: 1 } }, () => count(opened, denial, opened.firstUtc))
    },
    stop: async () => {
      if (timer !== null) clearTimeout(timer)
      for (const [source, window] of windows) close(source, window)
      await Promise.all(writing)
    },
  }
}

function emptyWindow(call: Call, clock: Clock): Window {
  const now = isoMillis(clock.now())
  return { since: clock.monotonic(), call, firstUtc: now, lastUtc: now, count: 0, kinds: new Map() }
}

function count(window: Window, entry: LedgerEntry, now: string): void {
  if (window.count === 0) window.firstUtc = now
  window.lastUtc = now
  window.count += 1
  const kindName = `${entry.action} ${entry.reason ?? ''}`
  const kind = window.kinds.has(kindName) || window.kinds.size < MOST_KINDS ? kindName : OTHERS
  const known = window.kinds.get(kind)
  if (known === undefined) window.kinds.set(kind, { entry, count: 1 })
  else known.count += 1
}

function summary(source: string, { kinds, count: total, firstUtc, lastUtc }: Window): LedgerEntry {
  const [first] = kinds.values()
  const detail = { count: total, firstUtc, lastUtc }
  const object = { type: 'source', id: source, name: '' }
  if (kinds.size === 1 && first !== undefined) {
    const { action, outcome, reason } = first.entry
    return { action, object, detail, ...(outcome && { outcome }), ...(reason !== undefined && { reason }) }
  }
  return {
    action: 'access.denied',
    object,
    outcome: 'denied',
    detail: { ...detail, kinds: [...kinds].map(([kind, { count: times }]) => ({ kind: kind.trim(), count: times })) },
  }
}
