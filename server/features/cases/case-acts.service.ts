import type { z } from 'zod'
import type { ProtectCaseModel, ShareCaseModel } from '../../../shared/cases/case-acts.contract.ts'
import { fault } from '../../../shared/kernel/errors.ts'
import { includes, type Level, type SecurityPolicy } from '../../../shared/kernel/permissions.ts'
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
import type { Notices } from '../notifications/notices.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import type { HttpCall } from '../../http/handlers.ts'
import { asSettled, inOrder, principalsNamed, requireLevel } from './cases.access.ts'
import { type CaseCore, caseObject, forbid } from './case-aggregate.ts'
import type { CaseOut } from './cases.models.ts'
import * as rows from './cases.store.ts'
import type { CaseRow, NewCasePolicy } from './cases.store.ts'

type Shared = z.output<typeof ShareCaseModel>

/** Sharing, protecting, deleting, restoring (decisions 3 and 4, the table of transitions). */
export interface CaseActs {
  share(call: HttpCall, tenant: string, id: string, given: Shared): Promise<CaseOut>
  protect(call: HttpCall, tenant: string, id: string, given: z.output<typeof ProtectCaseModel>): Promise<CaseOut>
  unprotect(call: HttpCall, tenant: string, id: string): Promise<CaseOut>
  /** @param withFiles what is in no other case goes into the recycle bin with it, and comes back with it */
  remove(call: HttpCall, tenant: string, id: string, withFiles: boolean): Promise<CaseOut>
  restore(call: HttpCall, tenant: string, id: string): Promise<CaseOut>
  /** Writes down which protections have run out. @returns how many */
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
  readonly notices: Pick<Notices, 'tell'>
}

const UNPROTECTED: Partial<CaseRow> = { lifecycle_state: 'Normal', protected_until: null, protected_ticks: null }

export function createCaseActs({ db, core, access, ledger, clock, isInPolicy, records, notices }: Deps): CaseActs {
  const { live, found, levelOf, out, changed } = core

  /** What the caller may grant, and to whom not. @throws Fault Forbidden */
  const sharer = async (tx: Tx, call: HttpCall, row: CaseRow): Promise<{ most: Level; not: ReadonlySet<number> }> => {
    const level = await levelOf(tx, call, row)
    if (includes(level, 'Manage'))
      return { most: (await isGuest(tx, call.principal)) ? 'Edit' : 'Manage', not: new Set() }
    requireLevel(level, 'View')
    if (!(await isInPolicy(call.principal?.id ?? '0', 'ShareCases')))
      forbid('Sharing a case needs Manage on it, or the policy ShareCases.', 'UserCannotShareCase')
    const { identities } = await access.asker(tx, call.principal)
    return { most: 'Download', not: identities }
  }

  /** Adds or raises, never lowers; an entry that is there and not raised stays as it is. */
  const raised = async (tx: Tx, call: HttpCall, tenant: string, row: CaseRow, given: Shared) => {
    const { most, not } = await sharer(tx, call, row)
    const expires = given.ExpirationDateUtc ?? null
    const policies = new Map(
      (await rows.policiesOfCase(tx, row.case_id)).map((one) => [one.principal_id, asSettled(one)]),
    )
    const reached = new Map<number, Exclude<Level, 'None'>>()
    const named = await principalsNamed(tx, tenant, given.AccessPolicies)
    for (const [at, policy] of given.AccessPolicies.entries()) {
      const path = `AccessPolicies[${at}]`
      const { principal_id: id } = named(policy, path)
      const level = policy.Permissions
      if (level === 'Manage' && expires !== null)
        throw fault('InvalidModel', 'Manage never expires.', [{ Path: path, Message: 'never expires as Manage' }])
      if (!includes(most, level)) forbid(`You may share this case with at most ${most}.`, 'UserCannotShareCase')
      if (not.has(id)) forbid('Nobody shares with themselves, or with a group they are in.', 'UserCannotShareCase')
      const known = policies.get(id)
      if (known !== undefined && includes(known.level, level) && !hasEnded(known)) continue
      // Whoever only shares takes nothing away, so what somebody has does not end sooner either.
      if (most !== 'Manage' && known !== undefined && !hasEnded(known) && endsSooner(expires, known.expires))
        forbid('This would end access sooner than it ends now. That takes Manage.', 'UserCannotShareCase')
      policies.set(id, {
        principalId: id,
        level,
        expires:
          level === 'Manage' ? null : (expires ?? (known === undefined || hasEnded(known) ? null : known.expires)),
        fromDepartment: false,
      })
      reached.set(id, level)
    }
    return { policies: inOrder([...policies.values()]), reached }
  }
  /** All or nothing: whoever deletes a case with its files must not find some of them left. @throws Fault EvidenceProtected */
  const deleteFiles = async (tx: Tx, call: HttpCall, row: CaseRow): Promise<EvidenceRow[]> => {
    const files = await evidenceOfThisCaseAlone(tx, row.case_id)
    const now = timeOf(clock.now()).ticks
    const held = files.filter((file) => evidenceAsOf(file, now).lifecycle_state === 'Protected')
    if (held.length > 0)
      throw fault(
        'EvidenceProtected',
        'Evidence of this case is protected, so it is not deleted with its files. Take the protection away first, or delete the case alone.',
        held.map((file) => ({ Path: 'withFiles', Message: `evidence ${file.evidence_id} is protected` })),
      )
    for (const file of files) await records.deleteEvidence(tx, call, file, row.case_id)
    return files
  }
  const hasEnded = ({ expires }: NewCasePolicy): boolean =>
    expires !== null && expires.ticks <= timeOf(clock.now()).ticks

  return {
    share: (call, tenant, id, given) =>
      db.transaction(async (tx) => {
        const row = await live(tx, call, tenant, id)
        const { policies, reached } = await raised(tx, call, tenant, row, given)
        // Everybody has that much already: nothing changes, and no version is made of it.
        if (reached.size === 0) {
          await ledger.append(tx, call, { action: 'case.shared', object: caseObject(row), detail: { with: [] } })
          return out(tx, call, row)
        }
        await rows.replacePolicies(tx, row.case_id, policies)
        await notices.tell(tx, call, [...reached.keys()], {
          tenant,
          kind: 'case.shared',
          message: given.Message ?? '',
          object: { type: 'case', id },
        })
        const detail = { with: [...reached].map(([principalId, level]) => `${principalId}:${level}`) }
        return out(tx, call, await changed(tx, call, row, {}, 'case.shared', detail, [...reached.keys()]))
      }),

    protect: (call, tenant, id, { Until, Reason }) =>
      db.transaction(async (tx) => {
        const row = await live(tx, call, tenant, id)
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
        return out(tx, call, await changed(tx, call, row, set, 'case.protected', { reason: Reason }))
      }),

    unprotect: (call, tenant, id) =>
      db.transaction(async (tx) => {
        const row = await live(tx, call, tenant, id)
        await core.require(tx, call, row, 'Manage')
        if (row.lifecycle_state !== 'Protected') throw fault('CaseNotProtected', 'The case is not protected.')
        return out(tx, call, await changed(tx, call, row, UNPROTECTED, 'case.unprotected'))
      }),

    remove: (call, tenant, id, withFiles) =>
      db.transaction(async (tx) => {
        const row = await found(tx, tenant, id)
        const level = await levelOf(tx, call, row)
        if (row.lifecycle_state === 'Deleted') {
          requireLevel(level, 'View')
          throw fault('CaseAlreadyDeleted', 'The case is in the recycle bin already.')
        }
        requireLevel(await levelBesideSharing(tx, call.principal, level), 'Manage')
        if (row.lifecycle_state === 'Protected')
          throw fault('CaseProtected', 'The case is protected. Take the protection away first.')
        if (row.state === 'Open') throw fault('CaseNotInNormalState', 'The case is open. Close it first.')
        const files = withFiles ? await deleteFiles(tx, call, row) : []
        const set = { lifecycle_state: 'Deleted', deleted_utc: isoMillis(clock.now()) } as const
        return out(tx, call, await changed(tx, call, row, set, 'case.deleted', filesDetail(files)))
      }),

    restore: (call, tenant, id) =>
      db.transaction(async (tx) => {
        const row = await found(tx, tenant, id)
        if (row.lifecycle_state !== 'Deleted') throw fault('CaseNotDeleted', 'The case is not in the recycle bin.')
        const files = await evidenceDeletedWith(tx, row.case_id)
        for (const file of files) await records.restoreEvidence(tx, call, file)
        const set = { lifecycle_state: 'Normal', deleted_utc: null } as const
        return out(tx, call, await changed(tx, call, row, set, 'case.restored', filesDetail(files)))
      }),

    endProtections: async () => {
      const due = await rows.protectionsEnded(db.read, timeOf(clock.now()).ticks)
      for (const { case_id: id } of due)
        await db.transaction(async (tx) => {
          const row = await rows.caseByIdAlone(tx, id)
          const ended = row.protected_ticks !== null && row.protected_ticks <= timeOf(clock.now()).ticks
          if (row.lifecycle_state !== 'Protected' || !ended) return
          const call = { actor: INTERNAL, source: 'station', correlationId: `protection-${id}` }
          await changed(tx, call, row, UNPROTECTED, 'case.unprotected', { until: row.protected_until })
        })
      return due.length
    },
  }
}

/** An end that is not given stays as it is. */
const endsSooner = (given: NewCasePolicy['expires'], known: NewCasePolicy['expires']): boolean =>
  given !== null && (known === null || given.ticks < known.ticks)

const filesDetail = (files: readonly EvidenceRow[]): Readonly<Record<string, unknown>> =>
  files.length === 0 ? {} : { files: files.map((file) => String(file.evidence_id)) }

const isSent = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined
