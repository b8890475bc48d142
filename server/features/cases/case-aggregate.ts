/** The parts of every operation on a case: finding it, checking the caller, and recording a change as a version. */
import { includes, type Level, levelByPolicies, type GrantedLevel } from '../../../shared/kernel/permissions.ts'
import { Fault, fault } from '../../../shared/kernel/errors.ts'
import type { Principal } from '../../../shared/kernel/principal.ts'
import { timeOf } from '../../../shared/kernel/time.ts'
import type { Action } from '../../kernel/ledger/actions.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { UnitCall } from '../../kernel/unit-calls.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Versions } from '../../kernel/versions/versions.ts'
import type { Tx } from '../../kernel/database/database.ts'
import type { Access } from '../../kernel/access/access.ts'
import { type Caller, callerOf as readCaller } from '../../kernel/access/caller.store.ts'
import { type LinkRow, linksOfCase } from '../../kernel/evidence/links.store.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import { requireLevel } from './cases.access.ts'
import {
  addCaseVersion,
  caseModel,
  caseModelOf,
  type CaseOut,
  type CaseParts,
  type CaseStateParts,
  findCaseVersion,
  type TimedEvidence,
} from './cases.models.ts'
import { authorOf } from '../../kernel/evidence/objects.ts'
import * as rows from './cases.store.ts'
import type { CaseRow } from './cases.store.ts'
import { levelBesideSharing } from '../../kernel/access/guests.ts'
import { displayNames } from '../../kernel/evidence/display-names.store.ts'
import { type Camera, camerasOf } from '../../kernel/evidence/faces.store.ts'
import { clocksOf } from '../../kernel/evidence/clocks.store.ts'
import type { RecordedTime } from '../../../shared/evidence/recorded-time.ts'

/** A case, the data that decisions about it need, and the caller. Loaded once, changed in memory, saved once. */
export interface CaseAggregate extends CaseParts {
  readonly caller: Caller
  /** The caller's level by policies that have not expired. */
  readonly held: Level
  /** Names and follower state shown beside the row, as loaded. Absent when they may have changed. */
  readonly surroundings?: rows.CaseSurroundings | undefined
}

/** The parts of a case to read; others are left empty. */
interface PartsRead {
  readonly personnel: boolean
  readonly links: boolean
}
const ALL_PARTS: PartsRead = { personnel: true, links: true }
/** For changes that neither judge the links of a case nor show them: a case may have many thousands. */
export const WITHOUT_LINKS: PartsRead = { personnel: true, links: false }

export interface CaseCore {
  /** Finds deleted cases too. @throws Fault CaseNotFound */
  found(from: Tx, tenant: string, id: string): Promise<CaseRow>
  /** Loads deleted cases too. @throws Fault CaseNotFound */
  load(from: Tx, call: UnitCall, tenant: string, id: string, read?: PartsRead): Promise<CaseAggregate>
  /** @throws Fault CaseNotFound; CaseDeleted for callers with View, Forbidden for others */
  loadLive(from: Tx, call: UnitCall, tenant: string, id: string, read?: PartsRead): Promise<CaseAggregate>
  /** The aggregate of a row that is already loaded. */
  aggregateOf(from: Tx, call: UnitCall, row: CaseRow, read?: PartsRead): Promise<CaseAggregate>
  /** @throws Fault Forbidden; the reason goes to the ledger */
  requireHeld(call: UnitCall, aggregate: CaseAggregate, level: GrantedLevel): void
  present(from: Tx, call: UnitCall, aggregate: CaseAggregate): Promise<CaseOut>
  /** Sets columns, author and time of the change, then records the new state as a version and a ledger entry. */
  save(
    tx: Tx,
    call: Call,
    parts: CaseStateParts,
    set: Partial<CaseRow>,
    action: Action,
    detail?: Readonly<Record<string, unknown>>,
    concerns?: readonly number[],
  ): Promise<CaseRow>

  /** @throws Fault CaseNotFound; CaseDeleted for callers with View, Forbidden for others */
  live(from: Tx, call: UnitCall, tenant: string, id: string): Promise<CaseRow>
  levelOf(from: Tx, call: UnitCall, row: CaseRow): Promise<Level>
  /** @throws Fault Forbidden; the reason goes to the ledger */
  require(from: Tx, call: UnitCall, row: CaseRow, level: GrantedLevel): Promise<void>
  out(from: Tx, call: UnitCall, row: CaseRow): Promise<CaseOut>
  /** A version of the case, with today's rights. @throws Fault InvalidConcurrencyId */
  presentVersion(from: Tx, call: UnitCall, aggregate: CaseAggregate, concurrencyId: string): Promise<CaseOut>
  /** Records the stored state as a version and a ledger entry. */
  versioned(
    tx: Tx,
    call: Call,
    row: CaseRow,
    action: Action,
    detail?: Readonly<Record<string, unknown>>,
  ): Promise<CaseRow>
  /** Like `save`, when only the row is loaded. */
  changed(
    tx: Tx,
    call: Call,
    row: CaseRow,
    set: Partial<CaseRow>,
    action: Action,
    detail?: Readonly<Record<string, unknown>>,
    concerns?: readonly number[],
  ): Promise<CaseRow>
}

/** @param shownWith left out: each is called as it is stored, and no camera is said */
const timed = (
  evidences: readonly rows.CaseEvidenceRow[],
  clocks: ReadonlyMap<number, RecordedTime>,
  shownWith?: { readonly names: ReadonlyMap<number, string>; readonly cameras: ReadonlyMap<number, Camera> },
): TimedEvidence[] =>
  evidences.flatMap((row) => {
    const { evidence_id: id, name } = row
    const clock = clocks.get(id)
    const camera = shownWith?.cameras.get(id)?.label ?? null
    return clock === undefined ? [] : [{ ...row, clock, shownAs: shownWith?.names.get(id) ?? name, camera }]
  })

export interface CoreDeps {
  readonly ledger: Pick<Ledger, 'append'>
  readonly versions: Pick<Versions, 'add'>
  readonly clock: Clock
  readonly access: Access
  /** IANA name, of the station. A unit of work has none: what it gives names evidence as it is stored. */
  readonly timeZone?: string
}

export function createCaseCore({ ledger, versions, clock, access, timeZone }: CoreDeps): CaseCore {
  /** @param id as requested: ids beyond 2⁵³ cannot exist here, and a rounded id must not find another case */
  const requireFound = (row: CaseRow | undefined, id: string): CaseRow => {
    if (row === undefined || String(row.case_id) !== id) throw fault('CaseNotFound', `There is no case ${id}.`)
    return withoutExpiredProtection(row, timeOf(clock.now()).ticks)
  }
  const found: CaseCore['found'] = async (from, tenant, id) =>
    requireFound(await rows.caseById(from, tenant, Number(id)), id)
  const partsOf = async (from: Tx, row: CaseRow, read: PartsRead): Promise<CaseParts> => {
    const [policies, personnel, links] = await Promise.all([
      rows.policiesOfCase(from, row.case_id),
      read.personnel ? rows.personnelOfCase(from, row.case_id) : [],
      read.links ? linksOfCase(from, row.case_id) : [],
    ])
    return { row, policies, personnel, links }
  }
  const aggregateOf: CaseCore['aggregateOf'] = async (from, call, row, read = ALL_PARTS) => {
    const [parts, caller] = await Promise.all([partsOf(from, row, read), callerOf(from, call.principal)])
    return { ...parts, caller, held: heldBy(caller, parts.policies, timeOf(clock.now()).ticks) }
  }
  const load: CaseCore['load'] = async (from, call, tenant, id, read) => {
    const seen = await rows.caseSeenBy(from, tenant, Number(id), Number(call.principal?.id ?? 0))
    return { ...(await aggregateOf(from, call, requireFound(seen?.row, id), read)), surroundings: seen?.around }
  }
  const levelOf: CaseCore['levelOf'] = async (from, call, row) => {
    const held = await access.onCase(from, call.principal, row.case_id)
    call.reportDecision({ on: 'case', id: String(row.case_id), held })
    return held
  }
  const decided = (call: UnitCall, { row, held }: CaseAggregate): void =>
    call.reportDecision({ on: 'case', id: String(row.case_id), held })
  const refuseDeleted = (row: CaseRow, held: Level): void => {
    if (row.lifecycle_state !== 'Deleted') return
    requireLevel(held, 'View')
    throw fault('CaseDeleted', 'The case is in the recycle bin.')
  }

  /** Evidence whose automatic link the caller could confirm. */
  const confirmableIn = async (
    from: Tx,
    call: UnitCall,
    { row, links, caller }: CaseAggregate,
    evidences: readonly rows.CaseEvidenceRow[],
  ): Promise<ReadonlySet<number>> => {
    const confirmable = new Set<number>()
    if (caller.guest || row.state !== 'Open' || row.lifecycle_state === 'Deleted') return confirmable
    const waiting = unconfirmedIn(evidences, links)
    for (let at = 0; at < waiting.length; at += rows.AT_ONCE) {
      const levels = await access.onEvidences(from, call.principal, waiting.slice(at, at + rows.AT_ONCE))
      for (const [id, level] of levels) if (includes(level, 'Manage')) confirmable.add(id)
    }
    return confirmable
  }

  const shown = async (
    from: Tx,
    call: UnitCall,
    evidences: readonly rows.CaseEvidenceRow[],
  ): Promise<TimedEvidence[]> => {
    const ids = evidences.map((row) => row.evidence_id)
    const clocks = await clocksOf(from, ids)
    if (timeZone === undefined) return timed(evidences, clocks)
    const cameras = await camerasOf(from, evidences)
    const names = await displayNames({ access, timeZone }, from, call.principal, ids, { clocks, cameras })
    return timed(evidences, clocks, { names, cameras })
  }

  const core: CaseCore = {
    found,
    load,
    aggregateOf,
    loadLive: async (from, call, tenant, id, read) => {
      const aggregate = await load(from, call, tenant, id, read)
      if (aggregate.row.lifecycle_state === 'Deleted') decided(call, aggregate)
      refuseDeleted(aggregate.row, aggregate.held)
      return aggregate
    },
    requireHeld: (call, aggregate, level) => {
      decided(call, aggregate)
      requireLevel(besideSharing(aggregate), level)
    },
    present: async (from, call, aggregate) => {
      const { row, links, held } = aggregate
      decided(call, aggregate)
      const [evidences, surroundings] = await Promise.all([
        links.length === 0 ? [] : shown(from, call, await rows.evidencesOfCase(from, row.case_id)),
        aggregate.surroundings ?? rows.surroundingsOf(from, row.case_id, Number(call.principal?.id ?? 0)),
      ])
      return caseModel(aggregate, evidences, {
        level: held,
        following: surroundings.following > 0,
        confirmable: await confirmableIn(from, call, aggregate, evidences),
        names: { category: surroundings.category_name, department: surroundings.department_name },
      })
    },
    save: async (tx, call, parts, set, action, detail = {}, concerns = []) => {
      const made = { modified_utc: isoMillis(clock.now()), modified_by: JSON.stringify(authorOf(call.actor)) }
      const row = { ...parts.row, ...set, ...made }
      const concurrencyId = await addCaseVersion(versions, tx, call, { ...parts, row }, action)
      const saved = { ...row, concurrency_id: concurrencyId }
      await rows.updateCase(tx, row.case_id, changedColumns(parts.row, saved, { ...set, ...made }))
      await ledger.append(tx, call, {
        action,
        object: caseObject(saved),
        detail: { ...detail, concurrencyId },
        concerns,
      })
      return saved
    },

    levelOf,
    live: async (from, call, tenant, id) => {
      const row = await found(from, tenant, id)
      if (row.lifecycle_state === 'Deleted') refuseDeleted(row, await levelOf(from, call, row))
      return row
    },
    require: async (from, call, row, level) =>
      requireLevel(await levelBesideSharing(from, call.principal, await levelOf(from, call, row)), level),
    out: async (from, call, row) => core.present(from, call, await aggregateOf(from, call, row)),
    presentVersion: async (from, call, aggregate, concurrencyId) => {
      const { row, links, held } = aggregate
      const version = await findCaseVersion(from, row.case_id, concurrencyId)
      if (version === null) throw fault('InvalidConcurrencyId', 'concurrencyId names no version of this case.')
      decided(call, aggregate)
      const { EvidenceIds, CategoryId, DepartmentId } = version.state
      const evidences = await shown(from, call, await rows.evidencesById(from, EvidenceIds.map(Number)))
      return caseModelOf(version, evidences, links, {
        level: held,
        following: await rows.isFollowing(from, row.case_id, Number(call.principal?.id ?? 0)),
        confirmable: await confirmableIn(from, call, aggregate, evidences),
        names: await rows.namesOfCase(from, numberOf(CategoryId), numberOf(DepartmentId)),
      })
    },
    versioned: async (tx, call, row, action, detail = {}) => {
      const parts = await partsOf(tx, row, WITHOUT_LINKS)
      const concurrencyId = await addCaseVersion(versions, tx, call, parts, action)
      await rows.updateCase(tx, row.case_id, { concurrency_id: concurrencyId })
      await ledger.append(tx, call, { action, object: caseObject(row), detail: { ...detail, concurrencyId } })
      return { ...row, concurrency_id: concurrencyId }
    },
    changed: async (tx, call, row, set, action, detail, concerns) => {
      // Others may have changed columns of the row in this transaction.
      const now = await found(tx, row.tenant_id, String(row.case_id))
      return core.save(tx, call, await partsOf(tx, now, WITHOUT_LINKS), set, action, detail, concerns)
    },
  }
  return core
}

/** @param principal null, or of a kind other than user and service, belongs to no group and holds no level */
const callerOf = async (from: Tx, principal: Principal | null): Promise<Caller> =>
  principal === null || (principal.kind !== 'user' && principal.kind !== 'service')
    ? { identities: new Set(), guest: false }
    : readCaller(from, Number(principal.id))

export const heldBy = ({ identities }: Caller, policies: readonly rows.CasePolicyRow[], nowTicks: bigint): Level =>
  levelByPolicies(
    policies.map((row) => ({ principalId: row.principal_id, level: row.level, expires: row.expires_ticks })),
    { identities, nowTicks },
  )

/** The level for everything but sharing: a guest with Manage does what Edit allows (decisions 3). */
export const besideSharing = ({ held, caller }: Pick<CaseAggregate, 'held' | 'caller'>): Level =>
  held === 'Manage' && caller.guest ? 'Edit' : held

/** The columns of `set` whose values differ from before: triggers run for every column that an UPDATE names. */
function changedColumns(before: CaseRow, after: CaseRow, set: Partial<CaseRow>): Partial<CaseRow> {
  const columns = (Object.keys({ ...set, concurrency_id: '' }) as (keyof CaseRow)[]).filter(
    (column) => before[column] !== after[column],
  )
  return Object.fromEntries(columns.map((column) => [column, after[column]]))
}

/** An id of a model as the database stores it. */
const numberOf = (id: unknown): number | null => (typeof id === 'string' ? Number(id) : null)

/** An expired protection has no effect, even before the station has recorded its end. */
const withoutExpiredProtection = (row: CaseRow, nowTicks: bigint): CaseRow =>
  row.lifecycle_state === 'Protected' && row.protected_ticks !== null && row.protected_ticks <= nowTicks
    ? { ...row, lifecycle_state: 'Normal', protected_until: null, protected_ticks: null }
    : row

/** Evidence with an unconfirmed automatic link; whether the caller may confirm it is not checked here. */
function unconfirmedIn(evidences: readonly rows.CaseEvidenceRow[], links: readonly LinkRow[]): number[] {
  const shown = new Set(evidences.filter((row) => row.lifecycle_state !== 'Deleted').map((row) => row.evidence_id))
  return links
    .filter((link) => link.kind === 'Automatic' && link.confirmed === 0 && shown.has(link.evidence_id))
    .map((link) => link.evidence_id)
}

export const caseObject = (row: CaseRow) => ({ type: 'case', id: String(row.case_id), name: row.title })

/** @throws Fault CaseNotUpToDate */
export function refuseStale(row: CaseRow, concurrencyId: string | null | undefined): void {
  if (concurrencyId !== null && concurrencyId !== undefined && row.concurrency_id !== concurrencyId)
    throw fault('CaseNotUpToDate', 'Somebody changed this case since you read it. Read it again.', [
      { Path: 'ConcurrencyId', Message: 'is not the current one' },
    ])
}

/** @throws Fault Forbidden: a right that goes beyond the levels */
export function forbid(message: string, reason: string): never {
  throw new Fault('Forbidden', message, { reason })
}
