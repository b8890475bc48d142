import type { z } from 'zod'
import type { SetupChecklistModel, TodayModel } from '../../../shared/today/contract.ts'
import { CASE_REASONS, missingOf, SETUP_STEPS } from '../../../shared/today/today.ts'
import { clockModel } from '../../../shared/evidence/recorded-clock.contract.ts'
import type { EVIDENCE_STATUSES } from '../../../shared/evidence/list.contract.ts'
import { includes, type Level, type SecurityPolicy } from '../../../shared/kernel/permissions.ts'
import type { Principal } from '../../../shared/kernel/principal.ts'
import type { HttpCall } from '../../http/handlers.ts'
import type { Access } from '../../kernel/access/access.ts'
import { isGuest } from '../../kernel/access/guests.ts'
import type { Viewer } from '../../kernel/access/viewable.store.ts'
import { liveCasesById } from '../../kernel/cases/cases.store.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import { displayNames } from '../../kernel/evidence/display-names.store.ts'
import { clocksOf } from '../../kernel/evidence/clocks.store.ts'
import { LISTED_TYPES } from '../../kernel/evidence/list.store.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import { changedSince, heldBy, lastVisit, type OwnCaseRow, ownCases } from './cases.store.ts'
import {
  addedBy,
  lastRecorded,
  namedIn,
  recordedBetween,
  type RecordingRow,
  viewableRecordings,
} from './recordings.store.ts'
import { idleCameras, type IdleRow, isDismissed, setDismissed, setUpSteps } from './station.store.ts'
import { failedJobs, unseenNotices } from './waiting.store.ts'

type TodayOut = z.input<typeof TodayModel>
type ChecklistOut = z.input<typeof SetupChecklistModel>
type Recordings = TodayOut['Recordings']

export interface Count {
  readonly count: number
  /** There are more than were counted. */
  readonly more: boolean
}

interface Shift {
  readonly name: string
  /** Milliseconds since 1970; the second one is outside. */
  readonly from: number
  readonly to: number
}

/** What the start page asks of other features, each for the caller alone. */
export interface NeedsOfToday {
  /** The shift in which a moment lies. */
  readonly shiftAt: (tenant: string, millis: number) => Promise<Shift>
  /** Questions of the correlation engine that the caller may decide. */
  readonly countReviews: (call: HttpCall, tenant: string, most: number) => Promise<Count>
  /** Destructions that the caller may approve now. */
  readonly countApprovals: (call: HttpCall, tenant: string, most: number) => Promise<Count>
  /** Disclosures that the caller may approve as a second person. */
  readonly countDisclosures: (call: HttpCall, tenant: string, most: number) => Promise<Count>
  /** Open tasks of the caller. */
  readonly countTasks: (call: HttpCall, tenant: string) => Promise<Count>
  /** Requests for access that the caller may decide. */
  readonly countAccessRequests: (call: HttpCall, tenant: string, most: number) => Promise<Count>
  readonly levelsOnJobs: (
    from: Tx,
    principal: Principal | null,
    jobs: readonly { readonly subject: string }[],
  ) => Promise<readonly Level[]>
}

export interface Deps extends NeedsOfToday {
  readonly db: Database
  readonly clock: Clock
  readonly ledger: Pick<Ledger, 'append'>
  readonly access: Access
  /** IANA name, of the station. */
  readonly timeZone: string
  readonly isInPolicy: (principalId: string, policy: SecurityPolicy) => Promise<boolean>
  readonly isAdministrator: (principalId: string) => Promise<boolean>
  /** Whether somebody chose both the name and the time zone of the station. */
  readonly isNamed: boolean
  /** Whether other machines reach the station without its own listener. */
  readonly isPublic: boolean
}

export interface Today {
  today(call: HttpCall, tenant: string): Promise<TodayOut>
  dismissChecklist(call: HttpCall, tenant: string, dismissed: boolean): Promise<ChecklistOut>
}

/** Rows of a list. */
const SHOWN_RECORDINGS = 50
const SHOWN_CASES = 20
const SHOWN_SHARES = 5
const SHOWN_CAMERAS = 10
/** Counted of each. */
const MOST_RECORDINGS = 1_000
const MOST_CHANGES = 50
const MOST_REVIEWS = 100
const MOST_APPROVALS = 100
const MOST_JOBS = 200
const MOST_NOTICES = 99
/** Shifts that are gone back, where nothing of one can be viewed any more. */
const SHIFTS_BACK = 7
export const IDLE_DAYS = 7
const DAY = 86_400_000

export function createToday(deps: Deps): Today {
  const { db, clock, ledger } = deps
  return {
    today: async (call, tenant) => {
      const viewer = await deps.access.asker(db.read, call.principal)
      const guest = await isGuest(db.read, call.principal)
      const { shift, ...recordings } = guest
        ? { shift: null, ...(await sharedWith(deps, tenant, viewer)) }
        : await ofLastShift(deps, tenant, viewer)
      return {
        TimeUtc: isoMillis(clock.now()),
        Shift:
          shift === null
            ? null
            : {
                Name: shift.name,
                FromUtc: isoMillis(shift.from),
                ToUtc: isoMillis(shift.to),
                Recorded: shift.recorded,
              },
        Recordings: await recordingsModel(deps, call, recordings),
        Cases: await casesOf(db.read, tenant, viewer, guest),
        Waiting: await waitingFor(deps, call, tenant, { viewer, guest }),
        Cameras: await camerasFor(deps, call, tenant),
        Checklist: (await deps.isAdministrator(call.principal?.id ?? '0'))
          ? await checklist(deps, db.read, tenant)
          : null,
      }
    },
    dismissChecklist: (call, tenant, dismissed) =>
      db.transaction(async (tx) => {
        await setDismissed(tx, dismissed, isoMillis(clock.now()))
        await ledger.append(tx, call, {
          action: 'station.checklistChanged',
          object: { type: 'station', id: '1', name: '' },
          detail: { dismissed },
        })
        return checklist(deps, tx, tenant)
      }),
  }
}

interface Found {
  readonly rows: readonly RecordingRow[]
  /** Some were not looked at. */
  readonly more: boolean
}

/** The newest shift of which the caller can still view something. */
async function ofLastShift(
  { db, clock, shiftAt }: Deps,
  tenant: string,
  viewer: Viewer,
): Promise<Found & { readonly shift: (Shift & { readonly recorded: boolean }) | null }> {
  const added = await addedBy(db.read, viewer.self)
  let before = BigInt(clock.now() + 1) * 10_000n
  for (let back = 0; back < SHIFTS_BACK; back++) {
    const newest = latest(
      await lastRecorded(db.read, viewer.self, before),
      ...added.flatMap(({ at }) => (at < before ? [at] : [])),
    )
    if (newest === null) break
    const shift = await shiftAt(tenant, Number(newest / 10_000n))
    const time = { from: BigInt(shift.from) * 10_000n, to: BigInt(shift.to) * 10_000n }
    const recorded = await recordedBetween(db.read, viewer.self, time, MOST_RECORDINGS)
    const own = added.flatMap(({ id, at }) => (at >= time.from && at < time.to ? [id] : []))
    const rows = await viewableRecordings(db.read, tenant, [...new Set([...recorded, ...own])], viewer)
    if (rows.length > 0)
      return { shift: { ...shift, recorded: recorded.length > 0 }, rows, more: recorded.length === MOST_RECORDINGS }
    before = time.from
  }
  return { shift: null, rows: [], more: false }
}

const latest = (...times: readonly (bigint | null)[]): bigint | null =>
  times.reduce((one, other) => (one === null || (other !== null && other > one) ? other : one), null)

async function sharedWith({ db }: Deps, tenant: string, viewer: Viewer): Promise<Found> {
  const ids = await namedIn(db.read, viewer.identities, MOST_RECORDINGS)
  return {
    rows: await viewableRecordings(db.read, tenant, ids, viewer),
    more: ids.length === MOST_RECORDINGS,
  }
}

async function recordingsModel(deps: Deps, call: HttpCall, { rows, more }: Found): Promise<Recordings> {
  const { read: from } = deps.db
  const shown = rows.slice(0, SHOWN_RECORDINGS)
  const ids = shown.map((row) => row.evidence_id)
  const clocks = shown.length === 0 ? new Map() : await clocksOf(from, ids)
  const names = await displayNames(deps, from, call.principal, ids, { clocks })
  return {
    Items: shown.flatMap((row) => {
      const clock = clocks.get(row.evidence_id)
      if (clock === undefined) return []
      return [
        {
          EvidenceId: String(row.evidence_id),
          Name: row.name,
          DisplayName: names.get(row.evidence_id) ?? row.name,
          Type: LISTED_TYPES[row.type] ?? 'none',
          Clock: clockModel(clock),
          Status: row.status as (typeof EVIDENCE_STATUSES)[number],
          Missing: missingOf({
            name: row.name,
            hasCategory: row.category_id !== null,
            isInCase: row.association_state !== 'None',
            givenNames: [row.file_name, row.camera_name],
            timeIsKnown: clock.corrected !== null,
            status: row.status,
          }),
        },
      ]
    }),
    Total: { Count: rows.length, More: more },
  }
}

async function casesOf(from: Tx, tenant: string, viewer: Viewer, guest: boolean): Promise<TodayOut['Cases']> {
  const { rows, total, more } = await ownCases(from, tenant, { viewer, guest }, SHOWN_CASES)
  const held = await heldBy(
    from,
    rows.map((row) => row.case_id),
  )
  const Items: TodayOut['Cases']['Items'] = []
  for (const row of rows)
    Items.push({
      CaseId: String(row.case_id),
      Ordinal: `${row.ordinal_year}-${String(row.ordinal_number).padStart(6, '0')}`,
      Title: row.title,
      State: row.state,
      EvidenceCount: held.get(row.case_id) ?? 0,
      LastModifiedUtcTime: row.modified_utc,
      Reasons: reasonsOf(row),
      Changes: await changesOf(from, row.case_id, viewer.self),
    })
  return { Items, Total: { Count: total, More: more } }
}

function reasonsOf(row: OwnCaseRow) {
  const holds = { Owner: row.owner, Personnel: row.personnel, Follower: row.follower, Shared: row.shared }
  return CASE_REASONS.filter((reason) => holds[reason] === 1)
}

async function changesOf(from: Tx, caseId: number, person: number) {
  const visited = await lastVisit(from, caseId, person)
  if (visited === null) return null
  const since = isoMillis(visited)
  const count = await changedSince(from, caseId, person, since, MOST_CHANGES)
  return { Count: count, More: count === MOST_CHANGES, SinceUtc: since }
}

const NOTHING = { Count: 0, More: false }
const counted = ({ count, more }: Count) => ({ Count: count, More: more })

async function waitingFor(
  deps: Deps,
  call: HttpCall,
  tenant: string,
  { viewer, guest }: { readonly viewer: Viewer; readonly guest: boolean },
): Promise<TodayOut['Waiting']> {
  const { db, access } = deps
  const unseen = await unseenNotices(db.read, tenant, viewer.self, MOST_NOTICES + 1)
  const shared = new Set(
    unseen.flatMap((one) => (one.kind === 'case.shared' && one.object_type === 'case' ? [Number(one.object_id)] : [])),
  )
  const levels = await access.onCases(db.read, call.principal, [...shared])
  const titles = new Map(
    (
      await liveCasesById(
        db.read,
        [...shared].filter((id) => includes(levels.get(id) ?? 'None', 'View')),
      )
    ).map((row) => [row.case_id, row.title]),
  )
  const cases = [...shared].flatMap((id) => {
    const title = titles.get(id)
    return title === undefined ? [] : [{ CaseId: String(id), Title: title }]
  })
  const approves = await deps.isInPolicy(call.principal?.id ?? '0', 'ApproveDisposition')
  return {
    Tasks: counted(await deps.countTasks(call, tenant)),
    // Guests are asked nothing.
    AccessRequests: guest ? NOTHING : counted(await deps.countAccessRequests(call, tenant, MOST_REVIEWS)),
    Reviews: guest ? NOTHING : counted(await deps.countReviews(call, tenant, MOST_REVIEWS)),
    Approvals: approves ? counted(await deps.countApprovals(call, tenant, MOST_APPROVALS)) : NOTHING,
    Disclosures: guest ? NOTHING : counted(await deps.countDisclosures(call, tenant, MOST_APPROVALS)),
    Shares: { Count: cases.length, More: unseen.length > MOST_NOTICES, Cases: cases.slice(0, SHOWN_SHARES) },
    FailedJobs: guest ? NOTHING : counted(await countFailed(deps, call)),
    Notices: { Count: Math.min(unseen.length, MOST_NOTICES), More: unseen.length > MOST_NOTICES },
  }
}

async function countFailed({ db, levelsOnJobs }: Deps, call: HttpCall): Promise<Count> {
  const jobs = await failedJobs(db.read, MOST_JOBS)
  const levels = await levelsOnJobs(db.read, call.principal, jobs)
  return { count: levels.filter((level) => includes(level, 'Edit')).length, more: jobs.length === MOST_JOBS }
}

async function camerasFor(
  { db, clock, isInPolicy }: Deps,
  call: HttpCall,
  tenant: string,
): Promise<TodayOut['Cameras']> {
  if (!(await isInPolicy(call.principal?.id ?? '0', 'ManageDevices'))) return null
  const now = clock.now()
  const rows = await idleCameras(db.read, tenant, now - IDLE_DAYS * DAY, now)
  return {
    AfterDays: IDLE_DAYS,
    Items: rows.slice(0, SHOWN_CAMERAS).map(cameraModel),
    Total: { Count: rows.length, More: false },
  }
}

const cameraModel = (row: IdleRow) => ({
  DeviceId: row.device_id,
  Name: row.name,
  Officer:
    row.principal_id === null
      ? null
      : {
          PrincipalId: String(row.principal_id),
          Username: row.username ?? '',
          FirstName: row.first_name ?? '',
          LastName: row.last_name ?? '',
        },
  LastDockedUtc: row.docked_at === null ? null : isoMillis(row.docked_at),
})

async function checklist({ isNamed, isPublic }: Deps, from: Tx, tenant: string): Promise<ChecklistOut> {
  const stored = await setUpSteps(from, tenant)
  const done = { ...stored, Name: isNamed, Network: stored.Network || isPublic }
  return {
    Steps: SETUP_STEPS.map((step) => ({ Step: step, Done: done[step] })),
    Dismissed: await isDismissed(from),
  }
}
