import type { Principal } from '../../../shared/kernel/principal.ts'
import type { Database } from '../../kernel/database/database.ts'
import type { JobQueue } from '../../kernel/jobs/queue.ts'
import type { JobView } from '../../kernel/jobs/types.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import type { Log } from '../../platform/log/log.ts'
import type { ServerEvent } from '../../http/event-stream.ts'
import {
  evidenceOfResources,
  lastNotice,
  lastSeq,
  ledgerTail,
  noticesNow,
  noticesSince,
  type TailEntry,
} from './station.store.ts'
import type { StationOut, StationState } from './station.service.ts'

/** Events that the window receives without a request. */
export interface StationEvents {
  /** @param principal gets its own notices and figures besides the common events. @returns a function that ends the subscription */
  subscribe(principal: Principal, send: (event: ServerEvent) => boolean): () => void
}

interface Deps {
  db: Database
  jobs: Pick<JobQueue, 'watch'>
  state: Pick<StationState, 'atLarge' | 'figuresOf'>
  /** Whether an action changes something; reads are not sent. */
  isChange: (action: string) => boolean
  clock: Clock
  log: Log
}

interface Told {
  readonly principal: Principal
  readonly key: string
  readonly at: number
}

const NEVER = { key: '', at: Number.NEGATIVE_INFINITY }

/** Four times a second, and never the same evidence twice in one round. */
const ROUND_MS = 250
/** Milliseconds between checks of the state, and at least between two messages to one listener. */
const STATE_MS = 2500
const STATE_APART_MS = 5000
const MOST_ENTRIES = 1000
/** The longest time, or number of entries, between a page's reading of a list and the start of its stream. */
const RECENT_MS = 5000
const RECENT_ENTRIES = 300
/** Bytes. Smaller changes of the free space are not sent. */
const WORTH_TELLING = 64 * 1024 * 1024

/**
 * Changes are read from the ledger, which contains each one with its commit, and from the job queue. One round serves all listeners; without
 * listeners nothing is read.
 */
export function createStationEvents({ db, jobs, state, isChange, clock, log }: Deps): StationEvents {
  const listeners = new Map<(event: ServerEvent) => boolean, Told>()
  const resources = new Set<number>()
  const states = new Map<string, JobView['state']>()
  let ending: (() => void) | null = null
  let seen: number | null = null
  let noticed: number | null = null

  const tell = (event: ServerEvent): void => {
    for (const send of listeners.keys()) send(event)
  }
  const tellState = async (): Promise<void> => {
    const due = [...listeners].filter(([, { at }]) => clock.monotonic() - at >= STATE_APART_MS)
    if (due.length === 0) return
    // Read once they are due: what they are told is not older than that.
    const atLarge = await state.atLarge()
    for (const [send, told] of due) {
      const now = { ...atLarge, ...(await state.figuresOf(told.principal)) }
      const key = comparable(now)
      if (told.key === key || listeners.get(send) !== told) continue
      listeners.set(send, { ...told, key, at: clock.monotonic() })
      send({ event: 'station', data: now })
    }
  }
  /** Sends new notices, and those marked as seen on another page, only to their recipients. */
  const tellNotices = async (people: Set<string>): Promise<void> => {
    noticed ??= await lastNotice(db.read)
    const found = await noticesSince(db.read, noticed)
    noticed = Math.max(noticed, ...found.map(({ last }) => last))
    for (const { principalId } of found) people.add(String(principalId))
    for (const who of people) {
      const theirs = [...listeners].filter(([, { principal }]) => principal.id === who)
      if (theirs.length === 0) continue
      const { unseen, newest } = await noticesNow(db.read, Number(who))
      const data = { Unseen: unseen, Newest: newest === null ? null : String(newest) }
      for (const [send] of theirs) send({ event: 'notice', data })
    }
  }
  const changed = async (): Promise<void> => {
    seen ??= await lastSeq(db.read)
    const entries = await ledgerTail(db.read, seen, MOST_ENTRIES)
    seen = entries.at(-1)?.seq ?? seen
    const moved = new Set(resources)
    resources.clear()
    await tellNotices(await tellChanges(entries, moved, tell))
  }
  /** @returns whose notices were marked as seen */
  const tellChanges = async (
    entries: readonly TailEntry[],
    resources: Set<number>,
    tell: (event: ServerEvent) => void,
  ): Promise<Set<string>> => {
    const evidence = new Set<string>()
    const cases = new Set<string>()
    const people = new Set<string>()
    let dispatch = false
    let asked = false
    for (const { type, id, action } of entries) {
      if (action === 'notice.seen') people.add(id)
      if (!isChange(action ?? '')) continue
      if (type === 'evidence') evidence.add(id)
      else if (type === 'case') cases.add(id)
      else if (type.startsWith('cad')) dispatch = true
      else if (type === 'review') asked = true
      else if (type === 'resource' && Number.isSafeInteger(Number(id))) resources.add(Number(id))
    }
    for (const id of await evidenceOfResources(db.read, [...resources])) evidence.add(String(id))
    for (const EvidenceId of evidence) tell({ event: 'evidence', data: { EvidenceId } })
    for (const CaseId of cases) tell({ event: 'case', data: { CaseId } })
    if (dispatch) tell({ event: 'dispatch', data: {} })
    // Not which: whoever may see any of them asks for the list.
    if (asked) tell({ event: 'review', data: {} })
    return people
  }
  /** Sends the changes between the page's own reading and the start of this stream, which it would otherwise miss. */
  const catchUp = async (principalId: string, send: (event: ServerEvent) => boolean): Promise<void> => {
    const last = await lastSeq(db.read)
    seen ??= last
    const recent = isoMillis(clock.now() - RECENT_MS)
    const entries = await ledgerTail(db.read, Math.max(0, last - RECENT_ENTRIES), RECENT_ENTRIES)
    await tellChanges(
      entries.filter(({ time }) => time !== null && time >= recent),
      new Set(),
      send,
    )
    await tellNotices(new Set([principalId]))
  }
  const begin = (): (() => void) => {
    const unwatch = jobs.watch(({ id, subject, state: next }) => {
      if (states.get(id) === next) return
      if (next === 'running') states.set(id, next)
      else states.delete(id)
      const resource = /^resource:(\d+)$/.exec(subject)?.[1]
      if (resource !== undefined) resources.add(Number(resource))
    })
    const stops = [every(ROUND_MS, changed, log), every(STATE_MS, tellState, log)]
    return () => {
      unwatch()
      for (const stop of stops) stop()
      states.clear()
      resources.clear()
      seen = null
      noticed = null
    }
  }

  return {
    subscribe: (principal, send) => {
      listeners.set(send, { principal, ...NEVER })
      ending ??= begin()
      tellState()
        .catch((error: unknown) => log.warn({ err: error }, 'the state of the station could not be read'))
        .then(() => catchUp(principal.id, send))
        .catch((error: unknown) => log.warn({ err: error }, 'what came before a stream could not be told'))
      return () => {
        listeners.delete(send)
        if (listeners.size > 0) return
        ending?.()
        ending = null
      }
    },
  }
}

const comparable = (state: StationOut): string =>
  JSON.stringify({
    ...state,
    TimeUtc: '',
    Disk: { ...state.Disk, FreeBytes: Math.round(state.Disk.FreeBytes / WORTH_TELLING) },
  })

/** Runs rounds one after another. A failed round is logged and does not stop the next one. */
function every(millis: number, work: () => Promise<void>, log: Log): () => void {
  let busy = false
  const timer = setInterval(() => {
    if (busy) return
    busy = true
    work()
      .catch((error: unknown) => log.warn({ err: error }, 'a round of the event stream failed'))
      .finally(() => {
        busy = false
      })
  }, millis).unref()
  return () => clearInterval(timer)
}
