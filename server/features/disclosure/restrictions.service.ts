/** What keeps an evidence from leaving the station (docs/decisions/0035). */
import type { z } from 'zod'
import type { listRestrictions } from '../../../shared/disclosure/contract.ts'
import type { RestrictionKind } from '../../../shared/disclosure/kinds.ts'
import { fault } from '../../../shared/kernel/errors.ts'
import type { HttpCall } from '../../http/handlers.ts'
import { refusalOfLevel } from '../../kernel/access/evidence-level.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import { evidenceObject, principalThen } from '../../kernel/evidence/objects.ts'
import type { ReachEvidence } from '../../kernel/evidence/reach.ts'
import type { EvidenceRow } from '../../kernel/evidence/records.store.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import { personThen } from './disclosure.models.ts'
import * as rows from './restrictions.store.ts'
import type { RestrictionRow } from './restrictions.store.ts'
import { refuseGuests } from './rights.ts'

export type RestrictionOut = z.input<(typeof listRestrictions)['responses'][200]>['Items'][number]

export interface Restrictions {
  list(
    call: HttpCall,
    evidenceId: string,
  ): Promise<{ readonly evidence: EvidenceRow; readonly items: RestrictionOut[] }>
  /** @throws Fault EvidenceNotFound, EvidenceDeleted, Forbidden, AlreadyRestricted */
  set(call: HttpCall, evidenceId: string, given: { Kind: RestrictionKind; Reason: string }): Promise<RestrictionOut>
  /** @throws Fault EvidenceNotFound, EvidenceDeleted, Forbidden, NotRestricted */
  lift(call: HttpCall, evidenceId: string, given: { Kind: RestrictionKind; Reason: string }): Promise<RestrictionOut>
  /** For a route that judges before its body is read. */
  judge(call: HttpCall, evidenceId: string, kind: RestrictionKind): Promise<void>
}

interface Deps {
  readonly db: Database
  readonly ledger: Ledger
  readonly clock: Clock
  readonly reach: ReachEvidence
}

export function createRestrictions({ db, ledger, clock, reach }: Deps): Restrictions {
  /** What a court sealed is not for everybody who edits. A guest's Manage counts as Edit. */
  const judged = async (from: Tx, call: HttpCall, id: string, kind: RestrictionKind | null): Promise<EvidenceRow> => {
    const needed = kind === 'sealed' ? 'Manage' : 'Edit'
    const { evidence, held } = await reach(from, call, call.tenant, id, needed)
    // The route asks for Edit, since it does not know the kind: this is the second check of a seal.
    const refusal = refusalOfLevel(id, { level: held, deleted: false }, needed)
    if (refusal !== null) throw refusal
    await refuseGuests(from, call)
    return evidence
  }
  return {
    list: async (call, id) => {
      const evidence = await judged(db.read, call, id, null)
      return { evidence, items: (await rows.restrictionsOf(db.read, evidence.evidence_id)).map(restrictionModel) }
    },
    judge: async (call, id, kind) => void (await judged(db.read, call, id, kind)),
    set: (call, id, { Kind: kind, Reason: reason }) =>
      db.transaction(async (tx) => {
        const evidence = await judged(tx, call, id, kind)
        if ((await rows.standingOf(tx, evidence.evidence_id, kind)) !== undefined)
          throw fault('AlreadyRestricted', `Evidence ${id} has this restriction already.`)
        const values = {
          evidence_id: evidence.evidence_id,
          kind,
          reason,
          set_utc: isoMillis(clock.now()),
          set_by: JSON.stringify(principalThen(call.actor)),
          lifted_utc: null,
          lifted_by: null,
          lift_reason: null,
        }
        const restrictionId = await rows.insertRestriction(tx, values)
        await ledger.append(tx, call, {
          action: 'restriction.set',
          object: evidenceObject(evidence),
          reason,
          detail: { kind, restrictionId: String(restrictionId) },
        })
        return call.rememberAnswer(tx, restrictionModel({ ...values, restriction_id: restrictionId }))
      }),
    lift: (call, id, { Kind: kind, Reason: reason }) =>
      db.transaction(async (tx) => {
        const evidence = await judged(tx, call, id, kind)
        const standing = await rows.standingOf(tx, evidence.evidence_id, kind)
        if (standing === undefined) throw fault('NotRestricted', `Evidence ${id} has no such restriction.`)
        const set = {
          lifted_utc: isoMillis(clock.now()),
          lifted_by: JSON.stringify(principalThen(call.actor)),
          lift_reason: reason,
        }
        await rows.liftRestriction(tx, standing.restriction_id, set)
        await ledger.append(tx, call, {
          action: 'restriction.lifted',
          object: evidenceObject(evidence),
          reason,
          detail: { kind, restrictionId: String(standing.restriction_id) },
        })
        return restrictionModel({ ...standing, ...set })
      }),
  }
}

const restrictionModel = (row: RestrictionRow): RestrictionOut => ({
  Kind: row.kind,
  Reason: row.reason,
  SetTimeUtc: row.set_utc,
  SetBy: personThen(row.set_by),
  Lifted:
    row.lifted_utc === null
      ? null
      : { TimeUtc: row.lifted_utc, By: personThen(row.lifted_by ?? '{}'), Reason: row.lift_reason ?? '' },
})
