import type { z } from 'zod'
import { fault } from '../../../shared/kernel/errors.ts'
import type { Quarantined } from '../../../shared/retention/quarantine.contract.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import { type QuarantineDisposal, quarantineObject } from './disposition/quarantine.ts'
import * as rows from './disposition/quarantine.store.ts'
import type { QuarantinedRow } from './disposition/quarantine.store.ts'
import * as queue from './disposition/queue.store.ts'
import { principalThen } from '../../kernel/evidence/objects.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import type { HttpCall } from '../../http/handlers.ts'
import { type ApproverDeps, judgeApprovers, refuseApproval } from './approvers.ts'
import { approvalOut, cursorOf, readCursor } from './disposition.models.ts'

export type QuarantinedOut = z.input<typeof Quarantined>

/** Acts of people on quarantine. Rules and steps are in server/features/retention/disposition/quarantine.ts. */
export interface QuarantineService {
  list(
    call: HttpCall,
    tenant: string,
    page: { cursor: string | undefined; count: number },
  ): Promise<{ Items: QuarantinedOut[]; Cursor: string | null }>
  /** All or none. @throws Fault QuarantineNotFound, DispositionNotWaiting, Forbidden, NothingToDestroy */
  approve(call: HttpCall, tenant: string, ids: readonly string[], reason: string): Promise<QuarantinedOut[]>
  /** All or none. @throws Fault QuarantineNotFound, DispositionNotWaiting */
  keep(call: HttpCall, tenant: string, ids: readonly string[], reason: string): Promise<QuarantinedOut[]>
}

interface Deps {
  readonly db: Database
  readonly ledger: Ledger
  readonly clock: Clock
  readonly quarantine: QuarantineDisposal
  readonly approvers: ApproverDeps
}

const STAGES = { waiting: 'Waiting', cooling: 'CoolingOff' } as const

export function createQuarantineService({ db, ledger, clock, quarantine, approvers }: Deps): QuarantineService {
  /** In order. @throws Fault QuarantineNotFound */
  const found = async (from: Tx, tenant: string, ids: readonly string[]): Promise<QuarantinedRow[]> => {
    const all: QuarantinedRow[] = []
    for (const id of [...ids].sort((one, other) => Number(one) - Number(other))) {
      const row = await rows.quarantinedById(from, tenant, Number(id))
      if (row === undefined || String(row.quarantine_id) !== id)
        throw fault('QuarantineNotFound', `${id} is not in quarantine.`, [
          { Path: 'Items', Message: `${id} is not in quarantine` },
        ])
      all.push(row)
    }
    return all
  }
  const out = async (from: Tx, call: HttpCall, all: readonly QuarantinedRow[]): Promise<QuarantinedOut[]> => {
    const items = await rows.openQuarantineItems(
      from,
      all.map((row) => row.quarantine_id),
    )
    const { approvals, whyNot, provenance } = await judgeApprovers(from, call, [...items.values()], approvers)
    const held = await quarantine.held(from, all)
    return all.map((row) => {
      const item = items.get(row.quarantine_id) ?? null
      return {
        QuarantineId: String(row.quarantine_id),
        Reason: row.reason,
        Sha256: row.sha256,
        LengthInBytes: row.length,
        EvidenceId: row.evidence_id === null ? null : String(row.evidence_id),
        ResourceId: row.resource_id === null ? null : String(row.resource_id),
        SetAsideUtc: row.created_utc,
        Stage: item === null ? 'Kept' : STAGES[item.stage as keyof typeof STAGES],
        Approvals: approvals.filter((one) => one.item_id === item?.item_id).map(approvalOut),
        UntilUtc: item?.next_at == null ? null : isoMillis(item.next_at),
        Held: held.get(row.quarantine_id) ?? null,
        WhyNot: whyNot(item),
        Approvers: provenance(item),
      }
    })
  }

  const approveOne = async (tx: Tx, call: HttpCall, tenant: string, row: QuarantinedRow, reason: string) => {
    const item = await quarantine.itemOf(tx, tenant, row)
    const { approvals, whyNot } = await judgeApprovers(tx, call, [item], approvers)
    refuseApproval(`Quarantined ${row.quarantine_id}`, whyNot(item))
    const number = approvals.length + 1
    const until = number === 2 ? quarantine.earliest(row) : null
    await queue.insertApproval(tx, {
      item_id: item.item_id,
      number,
      principal_id: Number(call.actor.id),
      approved_by: JSON.stringify(principalThen(call.actor)),
      reason,
      approved_utc: isoMillis(clock.now()),
    })
    if (until !== null) await queue.updateItem(tx, item.item_id, { stage: 'cooling', next_at: until })
    await ledger.append(tx, call, {
      action: 'quarantine.approved',
      object: quarantineObject(row),
      ...(row.sha256 === null ? {} : { sha256: row.sha256 }),
      detail: { number, given: reason, coolingUntilUtc: until === null ? null : isoMillis(until) },
    })
  }

  return {
    list: async (call, tenant, { cursor, count }) => {
      const page = await rows.quarantinePage(db.read, tenant, { before: readCursor(cursor), count: count + 1 })
      const shown = page.slice(0, count)
      const last = shown.at(-1)
      return {
        Items: await out(db.read, call, shown),
        Cursor: page.length > count && last !== undefined ? cursorOf(last.quarantine_id) : null,
      }
    },

    approve: (call, tenant, ids, reason) =>
      db.transaction(async (tx) => {
        const all = await found(tx, tenant, ids)
        const held = await quarantine.held(tx, all)
        for (const row of all) {
          const hold = held.get(row.quarantine_id)
          if (hold !== undefined)
            throw fault('NothingToDestroy', `Quarantined ${row.quarantine_id} is kept with its evidence: ${hold}.`, [
              { Path: 'Items', Message: `${row.quarantine_id} is kept: ${hold}` },
            ])
          await approveOne(tx, call, tenant, row, reason)
        }
        return out(tx, call, all)
      }),

    keep: (call, tenant, ids, reason) =>
      db.transaction(async (tx) => {
        const all = await found(tx, tenant, ids)
        const items = await rows.openQuarantineItems(
          tx,
          all.map((row) => row.quarantine_id),
        )
        for (const row of all) {
          const item = items.get(row.quarantine_id)
          if (item === undefined)
            throw fault('DispositionNotWaiting', `Nobody approved the destruction of quarantined ${row.quarantine_id}.`)
          await quarantine.end(tx, item, 'kept')
          await ledger.append(tx, call, {
            action: 'quarantine.kept',
            object: quarantineObject(row),
            detail: { given: reason },
          })
        }
        return out(tx, call, all)
      }),
  }
}
