import { disclosedInOpenCases } from '../../kernel/evidence/disclosed.store.ts'
import type { z } from 'zod'
import type { ProtectCaseModel, ShareCaseModel } from '../../../shared/cases/case-acts.contract.ts'
import { fault } from '../../../shared/kernel/errors.ts'
import { includes, type GrantedLevel, type Level, type SecurityPolicy } from '../../../shared/kernel/permissions.ts'
import { INTERNAL } from '../../../shared/kernel/principal.ts'
import { timeOf } from '../../../shared/kernel/time.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import type { Access } from '../../kernel/access/access.ts'
import { isGuest, levelBesideSharing } from '../../kernel/access/guests.ts'
import { evidenceAsOf } from '../../kernel/evidence/lifecycle.ts'
import { evidenceDeletedWith, evidenceOfThisCaseAlone } from '../../kernel/evidence/lifecycle.store.ts'
import type { Records } from '../../kernel/evidence/records.ts'
import type { EvidenceRow } from '../../kernel/evidence/records.store.ts'
import type { Notices } from '../../kernel/events/notices.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import type { HttpCall } from '../../http/handlers.ts'
import { asNewPolicy, sortPolicies, findNamedPrincipals, requireLevel } from './cases.access.ts'
import { type CaseCore, caseObject, forbid } from './case-aggregate.ts'
import type { CaseOut } from './cases.models.ts'
import * as rows from './cases.store.ts'
import type { CaseRow, NewCasePolicy } from './cases.store.ts'

type ShareRequest = z.output<typeof ShareCaseModel>

/** Sharing, protecting, deleting and restoring cases (decisions 3 and 4, the table of transitions). */
export interface CaseActs {
  share(call: HttpCall, tenant: string, id: string, request: ShareRequest): Promise<CaseOut>
  /** As `share`, in a transaction that is under way. */
  shareIn(tx: Tx, call: HttpCall, tenant: string, id: string, request: ShareRequest): Promise<CaseOut>
  protect(call: HttpCall, tenant: string, id: string, request: z.output<typeof ProtectCaseModel>): Promise<CaseOut>
  unprotect(call: HttpCall, tenant: string, id: string): Promise<CaseOut>
  /** @param withFiles evidence in no other case goes into the recycle bin too; restoring the case restores it */
  remove(call: HttpCall, tenant: string, id: string, withFiles: boolean): Promise<CaseOut>
  restore(call: HttpCall, tenant: string, id: string): Promise<CaseOut>
  /** Records the protections that have expired. @returns how many */
  endProtections(): Promise<number>
}

interface Deps {
  readonly db: Database
  readonly core: CaseCore
  readonly access: Access
  readonly ledger: Ledger
  readonly clock: Clock
  readonly isInPolicy: (principalId: string, policy: SecurityPolicy) => Promise<boolean>
  readonly records: Pick<Records, 'deleteEvidence' | 'restoreEvidence'>
  readonly notices: Notices
}

const UNPROTECTED: Partial<CaseRow> = { lifecycle_state: 'Normal', protected_until: null, protected_ticks: null }

export function createCaseActs(deps: Deps): CaseActs {
  const { db, core, clock, records } = deps
  return {
    share: (call, tenant, id, request) => db.transaction((tx) => share(deps, tx, call, tenant, id, request)),
    shareIn: (tx, call, tenant, id, request) => share(deps, tx, call, tenant, id, request),
    protect: (call, tenant, id, request) => db.transaction((tx) => protect(deps, tx, call, tenant, id, request)),
    unprotect: (call, tenant, id) =>
      db.transaction(async (tx) => {
        const row = await core.live(tx, call, tenant, id)
        await core.require(tx, call, row, 'Manage')
        if (row.lifecycle_state !== 'Protected') throw fault('CaseNotProtected', 'The case is not protected.')
        return core.out(tx, call, await core.changed(tx, call, row, UNPROTECTED, 'case.unprotected'))
      }),
    remove: (call, tenant, id, withFiles) => db.transaction((tx) => remove(deps, tx, call, tenant, id, withFiles)),
    restore: (call, tenant, id) =>
      db.transaction(async (tx) => {
        const row = await core.found(tx, tenant, id)
        if (row.lifecycle_state !== 'Deleted') throw fault('CaseNotDeleted', 'The case is not in the recycle bin.')
        const files = await evidenceDeletedWith(tx, row.case_id)
        for (const file of files) await records.restoreEvidence(tx, call, file)
        const set = { lifecycle_state: 'Normal', deleted_utc: null } as const
        return core.out(tx, call, await core.changed(tx, call, row, set, 'case.restored', filesDetail(files)))
      }),
    endProtections: async () => {
      const due = await rows.protectionsEnded(db.read, timeOf(clock.now()).ticks)
      for (const { case_id: id } of due)
        await db.transaction(async (tx) => {
          const row = await rows.caseByIdOfAnyTenant(tx, id)
          const ended = row.protected_ticks !== null && row.protected_ticks <= timeOf(clock.now()).ticks
          if (row.lifecycle_state !== 'Protected' || !ended) return
          const call = { actor: INTERNAL, source: 'station', correlationId: `protection-${id}` }
          await core.changed(tx, call, row, UNPROTECTED, 'case.unprotected', { until: row.protected_until })
        })
      return due.length
    },
  }
}

async function share(deps: Deps, tx: Tx, call: HttpCall, tenant: string, id: string, request: ShareRequest) {
  const { core, ledger, notices } = deps
  const row = await core.live(tx, call, tenant, id)
  const { policies, granted } = await raisePolicies(deps, tx, call, tenant, row, request)
  // All named principals have the level already: the case does not change and gets no version.
  if (granted.size === 0) {
    await ledger.append(tx, call, { action: 'case.shared', object: caseObject(row), detail: { with: [] } })
    return core.out(tx, call, row)
  }
  await rows.replacePolicies(tx, row.case_id, policies)
  await notices.tell(tx, call, [...granted.keys()], {
    tenant,
    kind: 'case.shared',
    message: request.Message ?? '',
    object: { type: 'case', id },
  })
  const detail = { with: [...granted].map(([principalId, level]) => `${principalId}:${level}`) }
  return core.out(tx, call, await core.changed(tx, call, row, {}, 'case.shared', detail, [...granted.keys()]))
}

async function protect(
  { core, clock }: Deps,
  tx: Tx,
  call: HttpCall,
  tenant: string,
  id: string,
  { Until, Reason }: z.output<typeof ProtectCaseModel>,
): Promise<CaseOut> {
  const row = await core.live(tx, call, tenant, id)
  await core.require(tx, call, row, 'Manage')
  if (row.lifecycle_state !== 'Normal') throw fault('CaseNotInNormalState', 'The case is protected already.')
  if (isSent(Until) && Until.ticks <= timeOf(clock.now()).ticks)
    throw fault('InvalidModel', 'A protection cannot end in the past.', [
      { Path: 'Until', Message: 'must lie in the future' },
    ])
  const set = {
    lifecycle_state: 'Protected',
    protected_until: Until?.text ?? null,
    protected_ticks: Until?.ticks ?? null,
  } as const
  return core.out(tx, call, await core.changed(tx, call, row, set, 'case.protected', { reason: Reason }))
}

async function remove(deps: Deps, tx: Tx, call: HttpCall, tenant: string, id: string, withFiles: boolean) {
  const { core, clock } = deps
  const row = await core.found(tx, tenant, id)
  const level = await core.levelOf(tx, call, row)
  if (row.lifecycle_state === 'Deleted') {
    requireLevel(level, 'View')
    throw fault('CaseAlreadyDeleted', 'The case is in the recycle bin already.')
  }
  requireLevel(await levelBesideSharing(tx, call.principal, level), 'Manage')
  if (row.lifecycle_state === 'Protected')
    throw fault('CaseProtected', 'The case is protected. Take the protection away first.')
  if (row.state === 'Open') throw fault('CaseNotInNormalState', 'The case is open. Close it first.')
  const files = withFiles ? await deleteFiles(deps, tx, call, row) : []
  const set = { lifecycle_state: 'Deleted', deleted_utc: isoMillis(clock.now()) } as const
  return core.out(tx, call, await core.changed(tx, call, row, set, 'case.deleted', filesDetail(files)))
}

/** The highest level that the caller may grant, and the principals to whom they may grant nothing. @throws Fault Forbidden */
async function sharingLimits(
  { core, access, isInPolicy }: Deps,
  tx: Tx,
  call: HttpCall,
  row: CaseRow,
): Promise<{ most: Level; not: ReadonlySet<number> }> {
  const level = await core.levelOf(tx, call, row)
  if (includes(level, 'Manage'))
    return { most: (await isGuest(tx, call.principal)) ? 'Edit' : 'Manage', not: new Set() }
  requireLevel(level, 'View')
  if (!(await isInPolicy(call.principal?.id ?? '0', 'ShareCases')))
    forbid('Sharing a case needs Manage on it, or the policy ShareCases.', 'UserCannotShareCase')
  const { identities } = await access.asker(tx, call.principal)
  return { most: 'Download', not: identities }
}

/** Adds policies and raises levels. It never lowers one, and leaves an entry that it does not raise unchanged. */
async function raisePolicies(deps: Deps, tx: Tx, call: HttpCall, tenant: string, row: CaseRow, request: ShareRequest) {
  const { most, not } = await sharingLimits(deps, tx, call, row)
  const expires = request.ExpirationDateUtc ?? null
  const policies = new Map(
    (await rows.policiesOfCase(tx, row.case_id)).map((policy) => [policy.principal_id, asNewPolicy(policy)]),
  )
  const granted = new Map<number, GrantedLevel>()
  const named = await findNamedPrincipals(tx, tenant, request.AccessPolicies)
  for (const [at, policy] of request.AccessPolicies.entries()) {
    const path = `AccessPolicies[${at}]`
    const { principal_id: id } = named(policy, path)
    const level = policy.Permissions
    if (level === 'Manage' && expires !== null)
      throw fault('InvalidModel', 'Manage never expires.', [{ Path: path, Message: 'never expires as Manage' }])
    if (!includes(most, level)) forbid(`You may share this case with at most ${most}.`, 'UserCannotShareCase')
    if (not.has(id)) forbid('Nobody shares with themselves, or with a group they are in.', 'UserCannotShareCase')
    const known = policies.get(id)
    if (known !== undefined && includes(known.level, level) && !hasEnded(deps, known)) continue
    // Sharing without Manage takes nothing away, so it must not shorten existing access either.
    if (most !== 'Manage' && known !== undefined && !hasEnded(deps, known) && endsSooner(expires, known.expires))
      forbid('This would end access sooner than it ends now. That takes Manage.', 'UserCannotShareCase')
    policies.set(id, {
      principalId: id,
      level,
      expires:
        level === 'Manage' ? null : (expires ?? (known === undefined || hasEnded(deps, known) ? null : known.expires)),
      fromDepartment: false,
    })
    granted.set(id, level)
  }
  return { policies: sortPolicies([...policies.values()]), granted }
}

/** All or nothing: a case deleted with its files must leave none of them behind. @throws Fault EvidenceProtected, EvidenceDisclosed */
async function deleteFiles({ clock, records }: Deps, tx: Tx, call: HttpCall, row: CaseRow): Promise<EvidenceRow[]> {
  const files = await evidenceOfThisCaseAlone(tx, row.case_id)
  const now = timeOf(clock.now()).ticks
  const held = files.filter((file) => evidenceAsOf(file, now).lifecycle_state === 'Protected')
  if (held.length > 0)
    throw fault(
      'EvidenceProtected',
      'Evidence of this case is protected, so it is not deleted with its files. Take the protection away first, or delete the case alone.',
      held.map((file) => ({ Path: 'withFiles', Message: `evidence ${file.evidence_id} is protected` })),
    )
  const [disclosed] = await disclosedInOpenCases(
    tx,
    files.map((file) => file.evidence_id),
  )
  if (disclosed !== undefined)
    throw fault('EvidenceDisclosed', 'Evidence of this case was disclosed. Close the case first, or delete it alone.', [
      { Path: 'withFiles', Message: `evidence ${disclosed.evidence_id} was disclosed` },
    ])
  for (const file of files) await records.deleteEvidence(tx, call, file, row.case_id)
  return files
}

const hasEnded = ({ clock }: Deps, { expires }: NewCasePolicy): boolean =>
  expires !== null && expires.ticks <= timeOf(clock.now()).ticks

/** An absent end leaves the known one unchanged, so it is never sooner. */
const endsSooner = (requested: NewCasePolicy['expires'], known: NewCasePolicy['expires']): boolean =>
  requested !== null && (known === null || requested.ticks < known.ticks)

const filesDetail = (files: readonly EvidenceRow[]): Readonly<Record<string, unknown>> =>
  files.length === 0 ? {} : { files: files.map((file) => String(file.evidence_id)) }

const isSent = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined
