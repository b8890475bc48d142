import type { z } from 'zod'
import { dayAfter } from '../../../shared/kernel/days.ts'
import type { BoardShiftsModel, BoardWeekModel, CallReasonModel } from '../../../shared/calls-board/contract.ts'
import { fault } from '../../../shared/kernel/errors.ts'
import type { FootageState } from '../../../shared/calls-board/footage.ts'
import { includes, type SecurityPolicy } from '../../../shared/kernel/permissions.ts'
import * as rows from './board.store.ts'
import { type Board, boardOf, callFootage, type Pair, type Sight } from './board.ts'
import {
  type Calendar,
  mondayOf,
  type ShiftOf,
  type ShiftStart,
  shiftAt,
  shiftsOn,
  USUAL_SHIFTS,
  weekNumber,
} from './shifts.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import type { Access } from '../../kernel/access/access.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import type { HttpCall } from '../../http/handlers.ts'
import {
  addedTallies,
  type BoardLine,
  type BoardOut,
  callModel,
  footageModel,
  linesOf,
  officerModel,
  rowsOf,
  tallyOf,
} from './calls-board.models.ts'
import type { ReachCase } from '../../kernel/cases/reach-case.ts'
import { shownNames } from '../../kernel/evidence/display-names.store.ts'
import { clockModel } from '../../../shared/evidence/recorded-clock.contract.ts'
import { clocksOf } from '../../kernel/evidence/clocks.store.ts'

type WeekOut = z.input<typeof BoardWeekModel>
type ReasonOut = z.input<typeof CallReasonModel>
type Shifts = z.output<typeof BoardShiftsModel>

export interface BoardFilter {
  readonly unit?: string | undefined
  readonly officer?: string | undefined
  readonly state?: FootageState | undefined
}

export interface BoardDay {
  readonly date?: string | undefined
  /** `all`, or the index of a shift. */
  readonly shift?: string | undefined
}

/** Calls versus footage as people ask for it (issue 7). */
export interface CallsBoard {
  /** @throws Fault InvalidModel for a shift that there is not */
  board(call: HttpCall, tenant: string, day: BoardDay, filter: BoardFilter): Promise<BoardOut>
  /** @throws Fault CaseNotFound, CaseDeleted, Forbidden; UserNotFound for somebody who was not sent */
  reason(call: HttpCall, tenant: string, caseId: string, principalId: string): Promise<ReasonOut>
  /** So many, the oldest first. @param last any day of the last of them */
  weeks(
    call: HttpCall,
    tenant: string,
    asked: { readonly date?: string | undefined; readonly weeks: number },
    filter: BoardFilter,
  ): Promise<WeekOut[]>
  /** Day by day. @throws Fault InvalidModel */
  lines(
    call: HttpCall,
    tenant: string,
    day: BoardDay & { readonly until?: string | undefined },
    filter: BoardFilter,
  ): AsyncGenerator<BoardLine[]>
  shifts(tenant: string): Promise<Shifts>
  /** The shift in which a moment lies. */
  shiftAt(tenant: string, millis: number): Promise<ShiftOf>
  setShifts(call: HttpCall, tenant: string, shifts: Shifts): Promise<Shifts>
}

type RecordingOut = ReasonOut['Recordings'][number]

/** What correlation says of a recording and a call. Times in milliseconds. */
interface Explained {
  readonly evidenceId: number
  readonly state: RecordingOut['State']
  readonly rule: string | null
  readonly overlap: number
  readonly offset: number | null
  readonly uncertainty: number | null
  readonly confidence: RecordingOut['Confidence']
  readonly checks: readonly { readonly code: string; readonly holds: boolean }[]
  readonly text: string
}

interface Deps {
  readonly db: Database
  readonly reachCase: ReachCase
  /** Of all recordings of a call, whether they belong to it. No rights are checked. */
  readonly explainCase: (from: Tx, caseId: number) => Promise<{ readonly items: readonly Explained[] }>
  readonly ledger: Pick<Ledger, 'append'>
  readonly access: Access
  readonly clock: Clock
  readonly calendar: Calendar
  /** IANA name. */
  readonly timeZone: string
  readonly isInPolicy: (principalId: string, policy: SecurityPolicy) => Promise<boolean>
}

const MOST_DAYS = 92
/** Calls looked through for one that the caller can view. */
const LOOKED = 1_000
/** Recordings that a reason tells of. */
const MOST_RECORDINGS = 30

export function createCallsBoard(deps: Deps): CallsBoard {
  const { db, ledger, clock, calendar } = deps
  return {
    board: (call, tenant, day, filter) => board(deps, call, tenant, day, filter),
    reason: (call, tenant, caseId, principalId) => reason(deps, call, tenant, caseId, principalId),
    weeks: async (call, tenant, { date, weeks }, filter) => {
      const starts = await startsOf(deps, tenant)
      const last = mondayOf(date ?? shiftAt(clock.now(), starts, calendar).date)
      const out: WeekOut[] = []
      for (let back = weeks - 1; back >= 0; back--)
        out.push(await weekOf(deps, call, tenant, { monday: dayAfter(last, -7 * back), starts }, filter))
      return out
    },
    lines: async function* (call, tenant, { date: given, until, shift }, filter) {
      const starts = await startsOf(deps, tenant)
      const now = shiftAt(clock.now(), starts, calendar)
      const first = given ?? now.date
      const last = until ?? first
      const days = Math.round((Date.parse(last) - Date.parse(first)) / 86_400_000) + 1
      if (days < 1 || days > MOST_DAYS)
        throw fault('InvalidModel', 'The request is not valid.', [
          { Path: 'until', Message: `must be the same day or a later one, ${MOST_DAYS} days in all at most` },
        ])
      for (let date = first; date <= last; date = dayAfter(date, 1)) {
        const usual = given === undefined && until === undefined ? String(now.index) : 'all'
        const time = timeOf(shiftsOn(date, starts, calendar), shift ?? usual)
        // The rights are read anew for each day, since they may change before a long list ends.
        const board = await boardOf(db.read, tenant, time, await sightOf(deps, call))
        const pairs = filtered(board.pairs, filter).filter(
          (pair) => filter.state === undefined || pair.footage.state === filter.state,
        )
        yield linesOf(date, { pairs, gaps: filter.state === undefined ? board.gaps : [] })
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
    shifts: async (tenant) => shiftsModel(await startsOf(deps, tenant)),
    shiftAt: async (tenant, millis) => {
      const starts = await startsOf(deps, tenant)
      const { date, index } = shiftAt(millis, starts, calendar)
      return shiftsOn(date, starts, calendar)[index] as ShiftOf
    },
    setShifts: (call, tenant, shifts) =>
      db.transaction(async (tx) => {
        const before = await rows.shiftRows(tx, tenant)
        const after = shifts.Shifts.map(({ Start, Name }) => ({
          minute: Number(Start.slice(0, 2)) * 60 + Number(Start.slice(3)),
          name: Name.trim(),
        })).sort((a, b) => a.minute - b.minute)
        await rows.replaceShifts(tx, tenant, after)
        const change = { before: shiftsModel(before.length === 0 ? USUAL_SHIFTS : before), after: shiftsModel(after) }
        await ledger.append(tx, call, {
          action: 'board.shiftsChanged',
          object: { type: 'callsBoard', id: 'shifts', name: '' },
          detail: { before: change.before.Shifts, after: change.after.Shifts },
        })
        return change.after
      }),
  }
}

async function board(deps: Deps, call: HttpCall, tenant: string, day: BoardDay, filter: BoardFilter) {
  const { db, clock, calendar, timeZone } = deps
  const [sight, starts] = [await sightOf(deps, call), await startsOf(deps, tenant)]
  const isUsual = day.date === undefined && day.shift === undefined
  const on = shiftAt(clock.now(), starts, calendar)
  const boardIn = async (date: string, chosen: string) => {
    const shifts = shiftsOn(date, starts, calendar)
    const time = timeOf(shifts, chosen)
    return { date, chosen, shifts, time, ...(await boardOf(db.read, tenant, time, sight)) }
  }
  const asked = await boardIn(day.date ?? on.date, day.shift ?? (day.date === undefined ? String(on.index) : 'all'))
  const last = asked.calls.length > 0 ? null : await lastCall(deps, tenant, sight)
  const lastIn = last === null || !isUsual ? null : shiftAt(last.from_ms, starts, calendar)
  const { date, chosen, shifts, time, calls, pairs, gaps } =
    lastIn === null ? asked : await boardIn(lastIn.date, String(lastIn.index))
  const fitting = filtered(pairs, filter)
  const shown = filter.state === undefined ? fitting : fitting.filter((pair) => pair.footage.state === filter.state)
  const counts = Map.groupBy(pairs, (pair) => pair.call.case_id)
  const inRows = new Set(shown.map((pair) => pair.call.case_id))
  const whole = shown.length === pairs.length
  return {
    TimeUtc: isoMillis(clock.now()),
    TimeZone: timeZone,
    Date: date,
    Shift: chosen === 'all' ? null : Number(chosen),
    Shifts: shifts.map(shiftModel),
    FromUtc: isoMillis(time.from),
    ToUtc: isoMillis(time.to),
    AnyCalls: calls.length > 0 || last !== null,
    CamerasTold: sight.dockings,
    Units: [...new Set(pairs.map((pair) => pair.sent.unit))].filter((unit) => unit !== '').sort(byNumber),
    Officers: [...new Map(pairs.map(({ officer }) => [officer.principal_id, officer])).values()].map(officerModel),
    Tally: tallyOf(fitting),
    Calls: calls
      .filter((one) => whole || inRows.has(one.case_id))
      .map((one) => callModel(one, counts.get(one.case_id)?.length ?? 0)),
    Rows: rowsOf(shown, gaps),
  }
}

async function reason(deps: Deps, call: HttpCall, tenant: string, caseId: string, principalId: string) {
  const { db, reachCase } = deps
  const row = await reachCase(db.read, call, tenant, caseId, 'View')
  const found = await rows.callById(db.read, tenant, row.case_id)
  const sight = await sightOf(deps, call)
  const pairs = found === undefined ? [] : await callFootage(db.read, found, sight)
  const pair = pairs.find(({ officer }) => String(officer.principal_id) === principalId)
  if (pair === undefined) throw fault('UserNotFound', `Nobody with the id ${principalId} was sent to this call.`)
  return {
    Call: callModel(pair.call, pairs.length),
    Officer: officerModel(pair.officer),
    Unit: pair.sent.unit,
    ...footageModel(pair),
    CamerasTold: sight.camerasOf(pair.officer.principal_id),
    Cameras: pair.cameras.map((camera) => ({
      Name: camera.name,
      Active: camera.active,
      Docked: camera.docked,
      DockedUtc: camera.dockedAt === null ? null : isoMillis(camera.dockedAt),
      Failed: camera.failed,
    })),
    Recordings: await recordingsOf(deps, call, pair),
  }
}

async function sightOf({ db, access, isInPolicy }: Deps, call: HttpCall): Promise<Sight> {
  const dockings = await isInPolicy(call.actor.id, 'ManageDevices')
  const self = Number(call.principal?.id ?? 0)
  const seen = (levels: ReadonlyMap<number, Parameters<typeof includes>[0]>): Set<number> =>
    new Set([...levels].flatMap(([id, level]) => (includes(level, 'View') ? [id] : [])))
  return {
    cases: async (ids) => seen(await access.onCases(db.read, call.principal, ids)),
    evidences: async (ids) => seen(await access.onEvidences(db.read, call.principal, ids)),
    camerasOf: (principalId) => dockings || principalId === self,
    dockings,
  }
}

async function startsOf({ db }: Deps, tenant: string): Promise<readonly ShiftStart[]> {
  const found = await rows.shiftRows(db.read, tenant)
  return found.length === 0 ? USUAL_SHIFTS : found
}

/** The latest of the newest calls that the caller can view; null where there is none. */
async function lastCall({ db }: Deps, tenant: string, sight: Sight): Promise<rows.CallRow | null> {
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const ids = await rows.callIdsBefore(db.read, tenant, before, LOOKED)
    const found = await rows.latestCall(db.read, tenant, await sight.cases(ids))
    if (found !== undefined) return found
    before = ids.at(-1) ?? 0
    if (ids.length < LOOKED) return null
  }
}

async function weekOf(
  deps: Deps,
  call: HttpCall,
  tenant: string,
  { monday, starts }: { readonly monday: string; readonly starts: readonly ShiftStart[] },
  filter: BoardFilter,
): Promise<WeekOut> {
  const sight = await sightOf(deps, call)
  let tally = tallyOf([])
  let calls = 0
  const days = Array.from({ length: 7 }, (_, at) =>
    timeOf(shiftsOn(dayAfter(monday, at), starts, deps.calendar), 'all'),
  )
  for (const time of days) {
    const pairs = filtered((await boardOf(deps.db.read, tenant, time, sight)).pairs, filter)
    tally = addedTallies(tally, tallyOf(pairs))
    calls += new Set(pairs.map((pair) => pair.call.case_id)).size
    // Others are answered between two days.
    await new Promise((resolve) => setImmediate(resolve))
  }
  const [first, last] = [days[0] as Time, days.at(-1) as Time]
  const { year, week } = weekNumber(monday)
  return {
    Year: year,
    Week: week,
    FromUtc: isoMillis(first.from),
    ToUtc: isoMillis(last.to),
    Calls: calls,
    Tally: tally,
  }
}

/** Those in the time of the call, of whomever, and those that are linked to it: the officer's own first. */
async function recordingsOf(deps: Deps, call: HttpCall, pair: Pair) {
  const { db, explainCase, access } = deps
  const { items } = await explainCase(db.read, pair.call.case_id)
  const ids = items.map((one) => one.evidenceId)
  const levels = await access.onEvidences(db.read, call.principal, ids)
  const own = new Map(pair.recordings.map((one) => [one.evidenceId, one]))
  const covering = items
    .filter((one) => includes(levels.get(one.evidenceId) ?? 'None', 'View'))
    .filter((one) => own.has(one.evidenceId) || one.overlap > 0 || one.state !== 'NotLinked')
    .sort(
      (a, b) =>
        Number(own.has(b.evidenceId)) - Number(own.has(a.evidenceId)) ||
        b.overlap - a.overlap ||
        a.evidenceId - b.evidenceId,
    )
    .slice(0, MOST_RECORDINGS)
  const shown = covering.map((one) => one.evidenceId)
  const names = await shownNames(deps, db.read, call.principal, shown)
  const spans = await rows.spansOf(db.read, shown)
  const clocks = await clocksOf(db.read, shown)
  return covering.flatMap((one) => {
    const span = own.get(one.evidenceId) ?? spans.get(one.evidenceId)
    const camera = clocks.get(one.evidenceId)
    if (span === undefined || camera === undefined) return []
    return [
      {
        EvidenceId: String(one.evidenceId),
        Name: names.get(one.evidenceId) ?? null,
        FromUtc: isoMillis(span.from),
        ToUtc: isoMillis(span.to),
        Counts: own.get(one.evidenceId)?.counts ?? false,
        OwnOfficer: own.has(one.evidenceId),
        OverlapSeconds: one.overlap / 1000,
        OffsetSeconds: one.offset === null ? null : one.offset / 1000,
        UncertaintySeconds: one.uncertainty === null ? null : one.uncertainty / 1000,
        Clock: clockModel(camera),
        State: one.state,
        Rule: one.rule as 'officer' | 'place' | 'number' | null,
        Confidence: one.confidence,
        Against: one.checks.filter(({ holds }) => !holds).map(({ code }) => code),
        Text: one.text,
        MayConfirm: one.state === 'Linked' && includes(levels.get(one.evidenceId) ?? 'None', 'Manage'),
      },
    ]
  })
}

interface Time {
  readonly from: number
  readonly to: number
}

/** @throws Fault InvalidModel */
function timeOf(shifts: readonly ShiftOf[], chosen: string): Time {
  const [first, last] = [shifts[0] as ShiftOf, shifts.at(-1) as ShiftOf]
  if (chosen === 'all') return { from: first.from, to: last.to }
  const one = shifts[Number(chosen)]
  if (one !== undefined) return one
  throw fault('InvalidModel', 'The request is not valid.', [
    { Path: 'shift', Message: `must be all or a number below ${shifts.length}` },
  ])
}

const filtered = (pairs: Board['pairs'], { unit, officer }: BoardFilter): Pair[] =>
  pairs.filter(
    (pair) =>
      (unit === undefined || pair.sent.unit === unit) &&
      (officer === undefined || String(pair.officer.principal_id) === officer),
  )

const byNumber = (one: string, other: string): number => one.localeCompare(other, 'en', { numeric: true })

const shiftModel = ({ index, name, from, to }: ShiftOf): BoardOut['Shifts'][number] => ({
  Index: index,
  Name: name,
  FromUtc: isoMillis(from),
  ToUtc: isoMillis(to),
})

const shiftsModel = (starts: readonly ShiftStart[]): Shifts => ({
  Shifts: starts.map(({ minute, name }) => ({
    Start: `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`,
    Name: name,
  })),
})
