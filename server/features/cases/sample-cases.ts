/** Cases as sample data (decisions 33): how they are made, and the only way in which a case leaves the station for good. */
import type { z } from 'zod'
import type { CreateCaseModel } from '../../../shared/cases/contract.ts'
import { fault } from '../../../shared/kernel/errors.ts'
import { timeOf } from '../../../shared/kernel/time.ts'
import type { Tx } from '../../kernel/database/database.ts'
import { deleteLink, linksOfCase, linksOfEvidence } from '../../kernel/evidence/links.store.ts'
import type { Records } from '../../kernel/evidence/records.ts'
import { type EvidenceRow, evidenceById } from '../../kernel/evidence/records.store.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import { sampleEntryOf } from '../../kernel/sample-data.ts'
import type { UnitCall } from '../../kernel/unit-calls.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { type CaseCore, caseObject } from './case-aggregate.ts'
import type { CaseChanges } from './case-changes.ts'
import type { CaseOut } from './cases.models.ts'
import { caseById, caseByIdOfAnyTenant } from './cases.store.ts'
import { deleteCaseRows, isOfDispatch } from './sample-cases.store.ts'

export interface SampleCases {
  /** In the caller's transaction, as `createCase` does it. */
  create(tx: Tx, call: UnitCall, tenant: string, input: z.output<typeof CreateCaseModel>): Promise<CaseOut>
  /** Takes an evidence out of every case that it is in. @returns how many cases */
  unlinkEvidence(tx: Tx, call: UnitCall, evidence: EvidenceRow): Promise<number>
  /**
   * Removes a case that was added as sample data: evidence that is still in it is taken out and stays, all else about the case is deleted.
   * @returns how many evidences were taken out; null: there is no such case any more
   * @throws Fault SampleDataRefused: it is no sample data, it is protected, or calls of the dispatch system belong to it
   */
  destroy(tx: Tx, call: UnitCall, tenant: string, caseId: number): Promise<number | null>
}

interface Deps {
  readonly core: CaseCore
  readonly changes: Pick<CaseChanges, 'create'>
  readonly records: Pick<Records, 'relinked'>
  readonly ledger: Pick<Ledger, 'append'>
  readonly clock: Clock
}

export const createSampleCases = (deps: Deps): SampleCases => ({
  create: (tx, call, tenant, input) => deps.changes.create(tx, call, { tenant, input, wantedEvidence: null }),
  unlinkEvidence: async (tx, call, evidence) => {
    const links = await linksOfEvidence(tx, evidence.evidence_id)
    if (links.length === 0) return 0
    for (const link of links) await deleteLink(tx, link)
    await deps.records.relinked(tx, call, evidence, 'evidence.unlinked')
    const cases = [...new Set(links.map((link) => link.case_id))]
    for (const id of cases) {
      const row = await caseByIdOfAnyTenant(tx, id)
      await deps.core.changed(tx, call, row, {}, 'case.linked', {
        added: [],
        removed: [String(evidence.evidence_id)],
      })
    }
    return cases.length
  },
  destroy: (tx, call, tenant, caseId) => destroyCase(deps, tx, call, tenant, caseId),
})

async function destroyCase({ records, ledger, clock }: Deps, tx: Tx, call: UnitCall, tenant: string, caseId: number) {
  if ((await sampleEntryOf(tx, 'case', caseId)) === null)
    throw fault('SampleDataRefused', `Case ${caseId} was not added as sample data.`)
  const row = await caseById(tx, tenant, caseId)
  if (row === undefined) return null
  const isProtected =
    row.lifecycle_state === 'Protected' &&
    (row.protected_ticks === null || row.protected_ticks > timeOf(clock.now()).ticks)
  if (isProtected) throw fault('SampleDataRefused', `Case ${caseId} is protected.`)
  if (await isOfDispatch(tx, caseId))
    throw fault('SampleDataRefused', `Calls of the dispatch system belong to case ${caseId}.`)
  const links = await linksOfCase(tx, caseId)
  for (const link of links) await deleteLink(tx, link)
  const evidence = [...new Set(links.map((link) => link.evidence_id))]
  for (const id of evidence) {
    const held = await evidenceById(tx, tenant, id)
    if (held !== undefined) await records.relinked(tx, call, held, 'evidence.unlinked')
  }
  await deleteCaseRows(tx, caseId)
  await ledger.append(tx, call, {
    action: 'case.destroyed',
    object: caseObject(row),
    detail: { ordinal: `${row.ordinal_year}-${row.ordinal_number}`, unlinked: evidence.map(String) },
  })
  return evidence.length
}
