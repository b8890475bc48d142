import type { z } from 'zod'
import { Fault, fault } from '../../../shared/kernel/errors.ts'
import type { MoveEvidenceModel, ProtectEvidenceModel } from '../../../shared/evidence/acts.contract.ts'
import { includes, type Level, type GrantedLevel } from '../../../shared/kernel/permissions.ts'
import { INTERNAL } from '../../../shared/kernel/principal.ts'
import { timeOf } from '../../../shared/kernel/time.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import type { Access } from '../../kernel/access/access.ts'
import { evidenceAsOf } from '../../kernel/evidence/lifecycle.ts'
import { evidenceProtectionsEnded, protectedCasesOf } from '../../kernel/evidence/lifecycle.store.ts'
import type { Records } from '../../kernel/evidence/records.ts'
import { type EvidenceRow, evidenceById, evidenceOf, policiesOf, tagsOf } from '../../kernel/evidence/records.store.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { disclosedInOpenCases } from '../../kernel/evidence/disclosed.store.ts'
import type { HttpCall } from '../../http/handlers.ts'
import { type EvidenceOut, evidenceModel } from './documents.models.ts'
import { levelBesideSharing } from '../../kernel/access/guests.ts'
import { clockOf } from '../../kernel/evidence/clocks.store.ts'
import { displayNameOf } from '../../kernel/evidence/display-names.store.ts'

/** Protecting, deleting, restoring and moving evidence, in the style of cases (decisions 3, 4 and 6). */
export interface EvidenceActs {
  /** @throws Fault EvidenceNotFound, EvidenceDeleted, Forbidden, EvidenceNotInNormalState, InvalidModel */
  protect(
    call: HttpCall,
    tenant: string,
    id: string,
    given: z.output<typeof ProtectEvidenceModel>,
  ): Promise<EvidenceOut>
  /** @throws Fault EvidenceNotFound, EvidenceDeleted, Forbidden, EvidenceNotProtected */
  unprotect(call: HttpCall, tenant: string, id: string): Promise<EvidenceOut>
  /** @throws Fault EvidenceNotFound, EvidenceAlreadyDeleted, Forbidden, EvidenceProtected */
  remove(call: HttpCall, tenant: string, id: string): Promise<EvidenceOut>
  /** @throws Fault EvidenceNotFound, EvidenceNotDeleted */
  restore(call: HttpCall, tenant: string, id: string): Promise<EvidenceOut>
  /** @throws Fault EvidenceNotFound, EvidenceDeleted, Forbidden, and what `moveBetween` throws */
  move(call: HttpCall, tenant: string, id: string, given: z.output<typeof MoveEvidenceModel>): Promise<EvidenceOut>
  /** Writes down which protections have run out. @returns how many */
  endProtections(): Promise<number>
}

interface Deps {
  readonly db: Database
  readonly records: Pick<Records, 'protectEvidence' | 'unprotectEvidence' | 'deleteEvidence' | 'restoreEvidence'>
  readonly access: Pick<Access, 'asker' | 'onEvidence' | 'onCases' | 'inherited'>
  /** IANA name, of the station. */
  readonly timeZone: string
  readonly clock: Clock
  /**
   * Takes evidence out of one case and puts it into another, in the caller's transaction. @returns the evidence as it is then
   * @throws Fault InvalidModel where an id names no case that the caller can view; Forbidden without Edit on one; CaseClosed, InvalidLinkAction
   */
  readonly moveBetween: (
    tx: Tx,
    call: HttpCall,
    evidence: EvidenceRow,
    cases: { readonly from: string; readonly to: string },
  ) => Promise<EvidenceRow>
}

export function createEvidenceActs({ db, records, access, clock, timeZone, moveBetween }: Deps): EvidenceActs {
  const now = (): bigint => timeOf(clock.now()).ticks

  const found = async (tx: Tx, tenant: string, id: string): Promise<EvidenceRow | null> => {
    const row = await evidenceById(tx, tenant, Number(id))
    // Ids beyond 2⁵³ cannot exist here; a rounded one must not find its neighbour.
    return row === undefined || String(row.evidence_id) !== id ? null : evidenceAsOf(row, now())
  }
  const visible = async (tx: Tx, call: HttpCall, tenant: string, id: string) => {
    const row = await found(tx, tenant, id)
    // Also of what is not there: it must not be told apart from what the caller may not see (decisions 13).
    const level = await access.onEvidence(tx, call.principal, Number(id))
    if (row === null) throw notThere(id)
    call.reportDecision({ on: 'evidence', id, held: level })
    if (level === 'None') throw notThere(id)
    return { row, level }
  }
  /** With Manage, and not in the recycle bin. */
  const live = async (
    tx: Tx,
    call: HttpCall,
    tenant: string,
    id: string,
    needed: GrantedLevel = 'Manage',
  ): Promise<EvidenceRow> => {
    const { row, level } = await visible(tx, call, tenant, id)
    if (row.lifecycle_state === 'Deleted') throw fault('EvidenceDeleted', 'The evidence is in the recycle bin.')
    requireLevel(await levelBesideSharing(tx, call.principal, level), needed)
    return row
  }
  const out = async (tx: Tx, call: HttpCall, row: EvidenceRow): Promise<EvidenceOut> => {
    const { evidence_id: id } = row
    return evidenceModel(
      row,
      (await tagsOf(tx, [id])).get(id) ?? [],
      await policiesOf(tx, [id]),
      await access.onEvidence(tx, call.principal, id),
      await access.inherited(tx, call.principal, [id]),
      await clockOf(tx, id),
      await displayNameOf({ access, timeZone }, tx, call.principal, row),
    )
  }
  /** Of a case that the caller cannot view no more is told than that there is one. */
  const refuseProtected = async (tx: Tx, call: HttpCall, row: EvidenceRow): Promise<void> => {
    if (row.lifecycle_state === 'Protected')
      throw fault('EvidenceProtected', 'The evidence is protected. Take the protection away first.')
    const cases = (await protectedCasesOf(tx, row.evidence_id, now())).map(({ case_id: id }) => id)
    if (cases.length === 0) return
    const levels = await access.onCases(tx, call.principal, cases)
    const known = cases.filter((id) => includes(levels.get(id) ?? 'None', 'View'))
    throw fault(
      'EvidenceProtected',
      known.length === 0
        ? 'The evidence belongs to a protected case.'
        : `The evidence belongs to a protected case: ${known.join(', ')}.`,
    )
  }

  return {
    protect: (call, tenant, id, { Until, Reason }) =>
      db.transaction(async (tx) => {
        const row = await live(tx, call, tenant, id)
        if (row.lifecycle_state !== 'None')
          throw fault('EvidenceNotInNormalState', 'The evidence is protected already.')
        const until = Until ?? null
        if (until !== null && until.ticks <= now())
          throw fault('InvalidModel', 'A protection cannot end in the past.', [
            { Path: 'Until', Message: 'must lie in the future' },
          ])
        return out(tx, call, await records.protectEvidence(tx, call, row, { until, reason: Reason }))
      }),

    unprotect: (call, tenant, id) =>
      db.transaction(async (tx) => {
        const row = await live(tx, call, tenant, id)
        if (row.lifecycle_state !== 'Protected')
          throw fault('EvidenceNotProtected', 'The evidence is not protected itself.')
        return out(tx, call, await records.unprotectEvidence(tx, call, row))
      }),

    remove: (call, tenant, id) =>
      db.transaction(async (tx) => {
        const { row, level } = await visible(tx, call, tenant, id)
        if (row.lifecycle_state === 'Deleted')
          throw fault('EvidenceAlreadyDeleted', 'The evidence is in the recycle bin already.')
        requireLevel(await levelBesideSharing(tx, call.principal, level), 'Manage')
        await refuseProtected(tx, call, row)
        if ((await disclosedInOpenCases(tx, [row.evidence_id])).length > 0)
          throw fault(
            'EvidenceDisclosed',
            'The evidence was disclosed, and the case of the disclosure is open. Close it first.',
          )
        return out(tx, call, await records.deleteEvidence(tx, call, row))
      }),

    restore: (call, tenant, id) =>
      db.transaction(async (tx) => {
        const row = await found(tx, tenant, id)
        if (row?.lifecycle_state !== 'Deleted') {
          // Who may restore sees the recycle bin whole, and of the rest what everybody sees.
          await visible(tx, call, tenant, id)
          throw fault('EvidenceNotDeleted', 'The evidence is not in the recycle bin.')
        }
        return out(tx, call, await records.restoreEvidence(tx, call, row))
      }),

    move: (call, tenant, id, { FromCaseId: from, ToCaseId: to }) =>
      db.transaction(async (tx) => {
        const row = await live(tx, call, tenant, id, 'Edit')
        return out(tx, call, await moveBetween(tx, call, row, { from, to }))
      }),

    endProtections: async () => {
      const due = await evidenceProtectionsEnded(db.read, now())
      for (const { evidence_id: id } of due)
        await db.transaction(async (tx) => {
          const row = await evidenceOf(tx, id)
          const { protected_until: until, protected_ticks: ticks } = row
          if (row.lifecycle_state !== 'Protected' || until === null || ticks === null || ticks > now()) return
          const call = { actor: INTERNAL, source: 'station', correlationId: `evidence-protection-${id}` }
          await records.unprotectEvidence(tx, call, row, until)
        })
      return due.length
    },
  }
}

const REASONS = {
  View: 'PrincipalCannotReadEvidence',
  Download: 'PrincipalCannotDownloadEvidence',
  Edit: 'PrincipalCannotEditEvidence',
  Manage: 'PrincipalCannotManageEvidence',
} as const

function requireLevel(held: Level, needed: GrantedLevel): void {
  if (!includes(held, needed))
    throw new Fault('Forbidden', `This needs ${needed} on the evidence; you have ${held}.`, {
      reason: REASONS[needed],
    })
}

/** The reason is for the ledger alone: what somebody cannot view is not there for them (decisions 2). */
const notThere = (id: string): Fault =>
  new Fault('EvidenceNotFound', `There is no evidence ${id}.`, { reason: REASONS.View })
