/** What every operation on a case is made of: finding it, judging who asks, and making a version of what changed. */
import { Fault, fault } from '../../../shared/kernel/errors.ts'
import { includes, type Level } from '../../../shared/kernel/permissions.ts'
import { timeOf } from '../../../shared/kernel/time.ts'
import type { Action } from '../../kernel/ledger/actions.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Versions } from '../../kernel/versions/versions.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import type { Access } from '../../kernel/access/access.ts'
import { type LinkRow, linksOfCase } from '../../kernel/evidence/links.store.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import type { HttpCall } from '../../http/handlers.ts'
import { requireLevel } from './cases.access.ts'
import { type Asking, authorOf, type CaseOut, caseModel, caseModelOf, type CaseParts, stateOf } from './cases.models.ts'
import * as rows from './cases.store.ts'
import type { CaseRow } from './cases.store.ts'
import { isGuest, levelBesideSharing } from '../../kernel/access/guests.ts'
import { clocksOf } from '../../kernel/evidence/clocks.store.ts'
import type { TimedEvidence } from './cases.models.ts'

export interface CaseCore {
  /** Deleted ones too. @throws Fault CaseNotFound */
  found(from: Tx, tenant: string, id: string): Promise<CaseRow>
  /** @throws Fault CaseNotFound; CaseDeleted to those who could view it, Forbidden to others */
  live(from: Tx, call: HttpCall, tenant: string, id: string): Promise<CaseRow>
  levelOf(from: Tx, call: HttpCall, row: CaseRow): Promise<Level>
  /** @throws Fault Forbidden; the reason goes to the ledger */
  require(from: Tx, call: HttpCall, row: CaseRow, level: Exclude<Level, 'None'>): Promise<void>
  out(from: Tx, call: HttpCall, row: CaseRow): Promise<CaseOut>
  /** As it was then, by the rights of today. @throws Fault InvalidConcurrencyId */
  outOfVersion(from: Tx, call: HttpCall, row: CaseRow, concurrencyId: string): Promise<CaseOut>
  /** The rows as they stand become a version and an entry. */
  versioned(
    tx: Tx,
    call: Call,
    row: CaseRow,
    action: Action,
    detail?: Readonly<Record<string, unknown>>,
  ): Promise<CaseRow>
  /** Sets columns and who changed them when, then as `versioned`. */
  changed(
    tx: Tx,
    call: Call,
    row: CaseRow,
    set: Partial<CaseRow>,
    action: Action,
    detail?: Readonly<Record<string, unknown>>,
  ): Promise<CaseRow>
}

export interface CoreDeps {
  readonly db: Database
  readonly ledger: Ledger
  readonly versions: Versions
  readonly clock: Clock
  readonly access: Access
}

export function createCaseCore({ ledger, versions, clock, access }: CoreDeps): CaseCore {
  const found: CaseCore['found'] = async (from, tenant, id) => {
    const row = await rows.caseById(from, tenant, Number(id))
    // Ids beyond 2⁵³ cannot exist here; a rounded one must not find its neighbour.
    if (row === undefined || String(row.case_id) !== id) throw fault('CaseNotFound', `There is no case ${id}.`)
    return asOf(row, timeOf(clock.now()).ticks)
  }
  const levelOf: CaseCore['levelOf'] = async (from, call, row) => {
    const held = await access.onCase(from, call.principal, row.case_id)
    call.decided({ on: 'case', id: String(row.case_id), held })
    return held
  }
  const partsOf = async (from: Tx, row: CaseRow): Promise<CaseParts> => {
    const [policies, personnel, links] = await Promise.all([
      rows.policiesOfCase(from, row.case_id),
      rows.personnelOfCase(from, row.case_id),
      linksOfCase(from, row.case_id),
    ])
    return { row, policies, personnel, links }
  }
  const askingOf = async (
    from: Tx,
    call: HttpCall,
    row: CaseRow,
    evidences: readonly rows.CaseEvidenceRow[],
    links: readonly LinkRow[],
    /** Those of the version that is read. */
    { CategoryId, DepartmentId }: Readonly<Record<string, unknown>>,
  ): Promise<Asking> => {
    const waiting = row.state === 'Open' && row.lifecycle_state !== 'Deleted' ? waitingIn(evidences, links) : []
    const confirmable = new Set<number>()
    for (let at = 0; at < waiting.length; at += rows.AT_ONCE) {
      const levels = await access.onEvidences(from, call.principal, waiting.slice(at, at + rows.AT_ONCE))
      const guest = await isGuest(from, call.principal)
      for (const [id, level] of levels) if (!guest && includes(level, 'Manage')) confirmable.add(id)
    }
    return {
      level: await levelOf(from, call, row),
      following: await rows.isFollowing(from, row.case_id, Number(call.principal?.id ?? 0)),
      confirmable,
      names: await rows.namesOfCase(from, numberOf(CategoryId), numberOf(DepartmentId)),
    }
  }

  const core: CaseCore = {
    found,
    levelOf,
    live: async (from, call, tenant, id) => {
      const row = await found(from, tenant, id)
      if (row.lifecycle_state !== 'Deleted') return row
      requireLevel(await levelOf(from, call, row), 'View')
      throw fault('CaseDeleted', 'The case is in the recycle bin.')
    },
    require: async (from, call, row, level) =>
      requireLevel(await levelBesideSharing(from, call.principal, await levelOf(from, call, row)), level),
    out: async (from, call, row) => {
      const evidences = await timed(from, await rows.evidencesOfCase(from, row.case_id))
      const parts = await partsOf(from, row)
      return caseModel(parts, evidences, await askingOf(from, call, row, evidences, parts.links, stateOf(parts)))
    },
    outOfVersion: async (from, call, row, concurrencyId) => {
      const version = await versions.find('case', row.case_id, concurrencyId)
      if (version === null) throw fault('InvalidConcurrencyId', 'concurrencyId names no version of this case.')
      const ids = (version.state['EvidenceIds'] as string[]).map(Number)
      const evidences = await timed(from, await rows.evidencesById(from, ids))
      const links = await linksOfCase(from, row.case_id)
      return caseModelOf(version, evidences, links, await askingOf(from, call, row, evidences, links, version.state))
    },
    versioned: async (tx, call, row, action, detail = {}) => {
      const concurrencyId = await versions.add(tx, {
        entity: 'case',
        entityId: row.case_id,
        state: stateOf(await partsOf(tx, row)),
        action,
        author: call.actor,
        dateUtc: row.modified_utc,
      })
      await rows.updateCase(tx, row.case_id, { concurrency_id: concurrencyId })
      await ledger.append(tx, call, { action, object: caseObject(row), detail: { ...detail, concurrencyId } })
      return { ...row, concurrency_id: concurrencyId }
    },
    changed: async (tx, call, row, set, action, detail) => {
      await rows.updateCase(tx, row.case_id, {
        ...set,
        modified_utc: isoMillis(clock.now()),
        modified_by: JSON.stringify(authorOf(call.actor)),
      })
      return core.versioned(tx, call, await found(tx, row.tenant_id, String(row.case_id)), action, detail)
    },
  }
  return core
}

/** An id of a model as the database has it. */
const numberOf = (id: unknown): number | null => (typeof id === 'string' ? Number(id) : null)

/** A protection that has run out protects no more, also before the station has written that down. */
const asOf = (row: CaseRow, nowTicks: bigint): CaseRow =>
  row.lifecycle_state === 'Protected' && row.protected_ticks !== null && row.protected_ticks <= nowTicks
    ? { ...row, lifecycle_state: 'Normal', protected_until: null, protected_ticks: null }
    : row

/** Whose automatic link a person could confirm, were it theirs to do. */
function waitingIn(evidences: readonly rows.CaseEvidenceRow[], links: readonly LinkRow[]): number[] {
  const shown = new Set(evidences.filter((one) => one.lifecycle_state !== 'Deleted').map((one) => one.evidence_id))
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

async function timed(from: Tx, evidences: readonly rows.CaseEvidenceRow[]): Promise<TimedEvidence[]> {
  const clocks = await clocksOf(
    from,
    evidences.map((row) => row.evidence_id),
  )
  return evidences.flatMap((row) => {
    const clock = clocks.get(row.evidence_id)
    return clock === undefined ? [] : [{ ...row, clock }]
  })
}
