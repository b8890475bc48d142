/**
 * Who may disclose (docs/decisions/0035): Edit on the case (Manage, to approve), Download on every item, View on what is named as withheld; guests never, since the records name
 * what is withheld from the other side. Judged inside the transaction that writes.
 */
import { Fault, fault } from '../../../shared/kernel/errors.ts'
import type { Access } from '../../kernel/access/access.ts'
import { refusalOfLevel } from '../../kernel/access/evidence-level.ts'
import { isGuest } from '../../kernel/access/guests.ts'
import type { CaseRow } from '../../kernel/cases/cases.store.ts'
import type { ReachCase } from '../../kernel/cases/reach-case.ts'
import type { Tx } from '../../kernel/database/database.ts'
import type { UnitCall } from '../../kernel/unit-calls.ts'
import { caseById, type EvidenceNow } from './disclosure.store.ts'

export interface Rights {
  /** @throws Fault CaseNotFound, CaseDeleted, Forbidden */
  reach(from: Tx, caseId: string, needed?: 'Edit' | 'Manage'): Promise<CaseRow>
  /** @throws Fault EvidenceNotFound, EvidenceDeleted, Forbidden */
  require(from: Tx, evidence: readonly EvidenceNow[], needed: 'View' | 'Download'): Promise<void>
}

/** A case that somebody asked about. */
export interface Asked {
  readonly tenant: string
  readonly caseId: string
  readonly rights: Rights
}
/** One record, proposal or request of it, by its number. */
export interface AskedRecord extends Asked {
  readonly no: string
}

interface Deps {
  readonly access: Access
  readonly reachCase: ReachCase
}

/** @throws Fault Forbidden */
export async function refuseGuests(from: Tx, call: UnitCall): Promise<void> {
  if (await isGuest(from, call.principal))
    throw new Fault('Forbidden', 'Guests have no part in disclosure.', { reason: 'GuestCannotDisclose' })
}

export const rightsOf = ({ access, reachCase }: Deps, call: UnitCall, tenant: string): Rights => ({
  reach: async (from, caseId, needed = 'Edit') => {
    const row = await reachCase(from, call, tenant, caseId, needed)
    await refuseGuests(from, call)
    return row
  },
  require: async (from, evidence, needed) => {
    const levels = await access.onEvidences(
      from,
      call.principal,
      evidence.map(({ evidence_id: id }) => id),
    )
    for (const { evidence_id: id, lifecycle_state: state } of evidence) {
      const level = levels.get(id) ?? 'None'
      call.reportDecision({ on: 'evidence', id: String(id), held: level })
      const refusal = refusalOfLevel(String(id), { level, deleted: state === 'Deleted' }, needed)
      if (refusal !== null) throw refusal
    }
  },
})

/** Of the command line, which whoever runs the station has. */
export const rightsOfCommand = (tenant: string): Rights => ({
  reach: async (from, caseId) => {
    const row = /^\d{1,15}$/.test(caseId) ? await caseById(from, tenant, Number(caseId)) : undefined
    if (row === undefined) throw fault('CaseNotFound', `There is no case ${caseId}.`)
    if (row.lifecycle_state === 'Deleted') throw fault('CaseDeleted', 'The case is in the recycle bin.')
    return row
  },
  require: async (_from, evidence) => {
    const deleted = evidence.find(({ lifecycle_state: state }) => state === 'Deleted')
    if (deleted !== undefined) throw fault('EvidenceDeleted', `Evidence ${deleted.evidence_id} is in the recycle bin.`)
  },
})
