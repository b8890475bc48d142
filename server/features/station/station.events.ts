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
  /**
   * @param principal gets its own notices and figures besides the common events
   * @param after the id up to which the page has heard, from an earlier stream of any node; null for a first one
   * @returns a function that ends the subscription
   */
  subscribe(principal: Principal, send: (event: ServerEvent) => boolean, after: number | null): () => void
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
  /** Whether it was told everything up to now, so that it may have the number of the last entry as its id. */
  readonly complete: boolean
  readonly key: string
  readonly at: number
}

const NEVER = { complete: false, key: '', at: Number.NEGATIVE_INFINITY }

/** Four times a second, and never the same evidence twice in one round. */
const ROUND_MS = 250
/** Milliseconds between checks of the state, and at least between two messages to one listener. */
const STATE_MS = 2500
const STATE_APART_MS = 5000
const MOST_ENTRIES = 1000
/** The longest time, or number of entries, between a page's reading of a list and the start of its stream. */
const RECENT_MS = 10_000
/** Entries that are read for a page that comes back; one that missed more asks for everything again. */
const MOST_MISSED = 10_000
const RECENT_ENTRIES = 300
/** Bytes. Smaller changes of the free space are not sent. */
const WORTH_TELLING = 64 * 1024 * 1024

/**
 * Changes are read from the ledger, which contains each one with its commit, and from the job queue. One round serves all listeners; without
 * listeners nothing is read.
 */
export function createStationEvents(deps: Deps): StationEvents {
  const { db, jobs, state, clock, log } = deps
  const listeners = new Map<(event: ServerEvent) => boolean, Told>()
  const resources = new Set<number>()
  const states = new Map<string, JobView['state']>()
  let ending: (() => void) | null = null
  let seen: number | null = null
  let noticed: number | null = null

  const tell = (event: ServerEvent): void => {
    for (const [send, told] of listeners)
      if (!send(event) && told.complete) listeners.set(send, { ...told, complete: false })
  }
  const tellPlace = (): void => {
    const id = String(seen)
    for (const [send, { complete }] of listeners) if (complete) send({ id })
  }
  const tellState = async (): Promise<void> => {
    const due = [...listeners].filter(([, { at }]) => clock.monotonic() - at >= STATE_APART_MS)
    if (due.length === 0) return
    // Read once they are due: what they are told is not older than that.
    const atLarge = await state.atLarge()
    for (const [send, told] of due) {
      const now = { ...atLarge, ...(await state.figuresOf(told.principal)) }
      const key = comparable(now)
      const current = listeners.get(send)
      if (told.key === key || current === undefined || current.at !== told.at) continue
      listeners.set(send, { ...current, key, at: clock.monotonic() })
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
    // What a listener that is not complete yet misses here, its own catching up finds.
    const moved = new Set(resources)
    resources.clear()
    await tellNotices(await tellChanges(deps, entries, moved, tell))
    if (entries.length > 0) tellPlace()
  }
  /** Sends the changes between the page's own reading and the start of this stream, which it would otherwise miss. */
  const catchUp = async (
    principalId: string,
    send: (event: ServerEvent) => boolean,
    after: number | null,
  ): Promise<void> => {
    const last = await lastSeq(db.read)
    seen ??= last
    const complete = after === null ? await tellRecent(deps, last, send) : await tellMissed(deps, after, last, send)
    await tellNotices(new Set([principalId]))
    const told = listeners.get(send)
    if (told === undefined || !complete) return
    listeners.set(send, { ...told, complete })
    send({ id: String(last) })
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
    subscribe: (principal, send, after) => {
      listeners.set(send, { principal, ...NEVER })
      ending ??= begin()
      tellState()
        .catch((error: unknown) => log.warn({ err: error }, 'the state of the station could not be read'))
        .then(() => catchUp(principal.id, send, after))
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

type Send = (event: ServerEvent) => boolean

/** What entries say has changed. Resources are told of as their evidence. */
export function changesIn(entries: readonly TailEntry[], isChange: Deps['isChange']) {
  const [evidence, cases, people] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const resources = new Set<number>()
  let dispatch = false
  let asked = false
  let disclosed = false
  for (const { type, id, action } of entries) {
    if (action === 'notice.seen') people.add(id)
    if (!isChange(action ?? '')) continue
    if (type === 'evidence') evidence.add(id)
    else if (type === 'case') cases.add(id)
    else if (type.startsWith('cad')) dispatch = true
    else if (type === 'review') asked = true
    else if (type.startsWith('disclosure')) disclosed = true
    else if (type === 'resource' && Number.isSafeInteger(Number(id))) resources.add(Number(id))
  }
  return { evidence, cases, people, resources, dispatch, asked, disclosed }
}

/**
 * @param moved resources whose jobs went on
 * @returns whose notices were marked as seen
 */
async function tellChanges(
  { db, isChange }: Deps,
  entries: readonly TailEntry[],
  moved: ReadonlySet<number>,
  tell: (event: ServerEvent) => void,
): Promise<Set<string>> {
  const { evidence, cases, people, resources, dispatch, asked, disclosed } = changesIn(entries, isChange)
  for (const id of await evidenceOfResources(db.read, [...new Set([...moved, ...resources])])) evidence.add(String(id))
  for (const EvidenceId of evidence) tell({ event: 'evidence', data: { EvidenceId } })
  for (const CaseId of cases) tell({ event: 'case', data: { CaseId } })
  if (dispatch) tell({ event: 'dispatch', data: {} })
  // Not which: whoever may see any of them asks for the list.
  if (asked) tell({ event: 'review', data: {} })
  // Of which case is known to those alone who may edit it.
  if (disclosed) tell({ event: 'disclosure', data: {} })
  return people
}

/** @returns whether nothing was dropped */
async function tellRecent(deps: Deps, last: number, send: Send): Promise<boolean> {
  // Entries have the database's time, from which the clock of a node may differ.
  const recent = isoMillis(deps.clock.now() - RECENT_MS)
  const entries = await ledgerTail(deps.db.read, Math.max(0, last - RECENT_ENTRIES), RECENT_ENTRIES)
  const { tell, isWhole } = withoutLoss(send)
  await tellChanges(
    deps,
    entries.filter(({ time }) => time !== null && time >= recent),
    new Set(),
    tell,
  )
  return isWhole()
}

/** @param after an id of an earlier stream, of whichever node @returns whether nothing was dropped */
async function tellMissed(deps: Deps, after: number, last: number, send: Send): Promise<boolean> {
  // A number beyond the end is of another ledger.
  if (after > last || last - after > MOST_MISSED) return send({ event: 'missed', data: {} })
  const { tell, isWhole } = withoutLoss(send)
  const entries: TailEntry[] = []
  for (let from = after; from < last; from = entries.at(-1)?.seq ?? last) {
    const page = await ledgerTail(deps.db.read, from, MOST_ENTRIES)
    if (page.length === 0) break
    entries.push(...page)
  }
  await tellChanges(deps, entries, new Set(), tell)
  return isWhole()
}

/** Notes whether the reader was too slow for one of the events. */
function withoutLoss(send: (event: ServerEvent) => boolean) {
  let whole = true
  return {
    tell: (event: ServerEvent): void => {
      whole = send(event) && whole
    },
    isWhole: () => whole,
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
