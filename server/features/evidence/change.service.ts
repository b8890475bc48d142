import type { z } from 'zod'
import { Fault, fault, type Problem } from '../../../shared/kernel/errors.ts'
import { EvidenceName, type PatchEvidenceModel } from '../../../shared/evidence/change.contract.ts'
import { type CustomField, misfits } from '../../../shared/templates/custom-fields.ts'
import { includes, type Level } from '../../../shared/kernel/permissions.ts'
import { parseTime } from '../../../shared/kernel/time.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import type { Access } from '../../kernel/access/access.ts'
import type { EvidencePolicy } from '../../kernel/evidence/change.store.ts'
import { type EvidenceChange, isCleared, type StoredEvidence } from '../../kernel/evidence/change.ts'
import { evidenceObject, type Records } from '../../kernel/evidence/records.ts'
import { type EvidenceRow, evidenceById, policiesOf, tagsOf } from '../../kernel/evidence/records.store.ts'
import type { HttpCall } from '../../http/handlers.ts'
import { samePolicies, settledPolicies } from './change.policies.ts'
import { type EvidenceOut, evidenceModel } from './documents.models.ts'
import { addsBelowManage, isGuest } from '../../kernel/access/guests.ts'
import { clockOf } from '../../kernel/evidence/clocks.store.ts'
import { displayNameOf } from '../../kernel/evidence/display-names.store.ts'

type Given = z.output<typeof PatchEvidenceModel>

/** Changing evidence (interfaces.md 4.3, decisions 6): everything is judged inside the one transaction that changes it. */
export interface EvidenceChanging {
  /** @throws Fault EvidenceNotFound, Forbidden, EvidenceNotUpToDate, InvalidModel, InvalidDateTimeRange */
  patch(call: HttpCall, tenant: string, id: string, given: Given): Promise<EvidenceOut>
}

interface Deps {
  readonly db: Database
  readonly records: Pick<Records, 'changeEvidence'>
  readonly ledger: Pick<Ledger, 'record'>
  readonly access: Pick<Access, 'asker' | 'onEvidence' | 'inherited'>
  /** IANA name, of the station. */
  readonly timeZone: string
  /** Whether evidence may be filed under a category of the case service; null where an id names none. */
  readonly categoryEnabled: (from: Tx, tenant: string, id: string) => Promise<boolean | null>
  /** Those of the tenant's template for evidence; none without one. */
  readonly customFields: (from: Tx, tenant: string) => Promise<readonly CustomField[]>
}

export function createEvidenceChanging(deps: Deps): EvidenceChanging {
  const { db, records, ledger, access } = deps

  const storedEvidence = async (from: Tx, row: EvidenceRow): Promise<StoredEvidence> => {
    const { evidence_id: id } = row
    return { row, tags: (await tagsOf(from, [id])).get(id) ?? [], policies: await policiesOf(from, [id]) }
  }
  const shown = async (from: Tx, call: HttpCall, row: EvidenceRow): Promise<EvidenceOut> => {
    const { tags, policies } = await storedEvidence(from, row)
    const level = await access.onEvidence(from, call.principal, row.evidence_id)
    const { evidence_id: id } = row
    const inherited = await access.inherited(from, call.principal, [id])
    const shownAs = await displayNameOf(deps, from, call.principal, row)
    return evidenceModel(row, tags, policies, level, inherited, await clockOf(from, id), shownAs)
  }

  /** Every problem of the members but the policies. */
  const problemsOf = async (tx: Tx, row: EvidenceRow, given: Given): Promise<Problem[]> => {
    const problems: Problem[] = []
    const { Name: name = null, CategoryId: categoryId = null, CustomFields: customFields = null } = given
    if (name !== null && name !== row.name)
      for (const { message } of EvidenceName.safeParse(name).error?.issues ?? [])
        problems.push({ Path: 'Name', Message: message })
    if (categoryId !== null && categoryId !== row.category_id) {
      const enabled = await deps.categoryEnabled(tx, row.tenant_id, categoryId)
      if (enabled === null) problems.push({ Path: 'CategoryId', Message: `There is no category ${categoryId}.` })
      else if (!enabled) problems.push({ Path: 'CategoryId', Message: 'names a disabled category' })
    }
    if (customFields !== null) {
      const before = JSON.parse(row.custom_fields) as Record<string, string>
      problems.push(...misfits(await deps.customFields(tx, row.tenant_id), before, customFields))
    }
    return problems
  }

  /** `policies` is null where they stay as they are: whoever may not change them sends them back unchanged with the record. @throws Fault Forbidden */
  const settle = async (
    tx: Tx,
    call: HttpCall,
    { row, policies: stored }: StoredEvidence,
    given: Given,
    held: Level,
  ): Promise<{ policies: EvidencePolicy[] | null; problems: Problem[] }> => {
    const sent = given.AccessPolicies ?? null
    if (sent === null || samePolicies(sent, stored)) return { policies: null, problems: [] }
    if (!includes(held, 'Manage'))
      throw new Fault('Forbidden', 'To change AccessPolicies needs Manage on the evidence.', {
        reason: 'PrincipalCannotManageEvidence',
      })
    if ((given.ConcurrencyId ?? null) === null)
      return { policies: null, problems: [{ Path: 'ConcurrencyId', Message: 'must be sent to change AccessPolicies' }] }
    const settled = await settledPolicies(tx, row.tenant_id, sent, stored)
    if ((await isGuest(tx, call.principal)) && !addsBelowManage(stored.map(asSettled), settled.policies))
      throw new Fault('Forbidden', 'Guests only give access below Manage, and take none away.', {
        reason: 'PrincipalCannotManageEvidence',
      })
    return settled
  }

  return {
    patch: async (call, tenant, id, given) => {
      const done = await db.transaction(async (tx) => {
        const row = await evidenceById(tx, tenant, Number(id))
        const held = await access.onEvidence(tx, call.principal, Number(id))
        call.reportDecision({ on: 'evidence', id, held })
        // Ids beyond 2⁵³ cannot exist here; a rounded one must not find its neighbour.
        if (row === undefined || String(row.evidence_id) !== id || held === 'None')
          throw fault('EvidenceNotFound', `There is no evidence ${id}.`)
        if (row.lifecycle_state === 'Deleted') throw fault('EvidenceDeleted', `Evidence ${id} is in the recycle bin.`)
        requireEdit(held)
        refuseStale(row, given.ConcurrencyId ?? null)
        const stored = await storedEvidence(tx, row)
        const settled = await settle(tx, call, stored, given, held)
        const problems = [...(await problemsOf(tx, row, given)), ...settled.problems]
        if (problems.length > 0) throw fault('InvalidModel', 'The changes do not fit.', problems)
        const change = { ...given, policies: settled.policies, timeZone: deps.timeZone }
        refuseTurnedRange(row, change)
        const after = await records.changeEvidence(tx, call, stored, change)
        return { row, changed: after !== null, out: await shown(tx, call, after ?? row) }
      })
      // Nothing happens, but the record is shown.
      if (!done.changed)
        await ledger.record(call, {
          action: 'evidence.read',
          object: evidenceObject(done.row),
          detail: { concurrencyId: done.row.concurrency_id },
        })
      return done.out
    },
  }
}

const asSettled = ({ principal_id: principalId, level, expires_utc: text }: StoredEvidence['policies'][number]) => ({
  principalId,
  level: level as EvidencePolicy['level'],
  expires: text === null ? null : { text },
})

/** Judged for every route by the frame; here once more, where nothing can come between it and the change. */
function requireEdit(held: Level): void {
  if (!includes(held, 'Edit'))
    throw new Fault('Forbidden', `This needs Edit on the evidence; you have ${held}.`, {
      reason: 'PrincipalCannotEditEvidence',
    })
}

function refuseStale(row: EvidenceRow, concurrencyId: string | null): void {
  if (concurrencyId !== null && concurrencyId !== row.concurrency_id)
    throw fault('EvidenceNotUpToDate', 'Somebody changed this evidence since you read it. Read it again.', [
      { Path: 'ConcurrencyId', Message: 'is not the current one' },
    ])
}

/** One that was turned around before may stay while nobody touches it. */
function refuseTurnedRange(row: EvidenceRow, change: EvidenceChange): void {
  const { StartTimeUtc: start = null, EndTimeUtc: end = null } = change
  const touched = (start !== null && start.text !== row.start_utc) || (end !== null && end.text !== row.end_utc)
  const from = start ?? (isCleared(change, 'StartTimeUtc') ? null : (storedTime(row.start_utc) ?? takenTime(row)))
  const to = end ?? (isCleared(change, 'EndTimeUtc') ? null : storedTime(row.end_utc))
  if (touched && from !== null && to !== null && to.ticks < from.ticks)
    throw fault('InvalidDateTimeRange', 'EndTimeUtc lies before StartTimeUtc.', [
      { Path: 'EndTimeUtc', Message: 'must not be before StartTimeUtc' },
    ])
}

/** A local time whose zone is not known counts as if in the station's zone, as in lists (decisions 13). */
const takenTime = ({ start_ticks: ticks }: EvidenceRow) => (ticks === null ? null : { ticks: BigInt(ticks) })

const storedTime = (text: string | null) => (text === null ? null : parseTime(text, { utcMember: true }))
