import { randomUUID } from 'node:crypto'
import { DAY, type HoldCode, judge } from '../../../../shared/retention/retention.ts'
import { INTERNAL } from '../../../../shared/kernel/principal.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import type { Database, Tx } from '../../../kernel/database/database.ts'
import { type Clock, isoMillis } from '../../../platform/clock/clock.ts'
import type { PrincipalThen } from '../../../kernel/evidence/model.ts'
import { principalThen } from '../../../kernel/evidence/objects.ts'
import type { BlobStore } from '../../../storage/types.ts'
import { judgedEvidence } from './facts.store.ts'
import type { DispositionTimes } from './items.ts'
import * as rows from './quarantine.store.ts'
import type { QuarantinedRow } from './quarantine.store.ts'
import * as queue from './queue.store.ts'
import type { ItemRow } from './queue.store.ts'

/**
 * Disposition is the only way to empty quarantine (decisions 6). Two people approve and a cooling-off passes. Bytes stay at least as long as
 * deleted evidence stays in the recycle bin. A hold on an evidence also keeps its quarantined bytes.
 */
export interface QuarantineDisposal {
  /** The current hold of each of these, by id; bytes without a hold are left out. */
  held(from: Tx, all: readonly QuarantinedRow[]): Promise<Map<number, HoldCode>>
  /** The open item of the bytes, created if there is none. The station is its requester, because no person asked for the destruction. */
  itemOf(tx: Tx, tenant: string, row: QuarantinedRow): Promise<ItemRow>
  /** The earliest time of destruction, if a second person approves now. */
  earliest(row: QuarantinedRow): number
  /** Ends an item. */
  end(tx: Tx, item: ItemRow, outcome: 'destroyed' | 'kept' | 'returned'): Promise<void>
  /** A task: destroys bytes with two approvals. Run only while the clock is trusted. @returns how many were destroyed */
  step(): Promise<number>
  /** Removes files of destroyed bytes that a crash left. */
  recover(): Promise<void>
}

interface Deps {
  readonly db: Database
  readonly ledger: Ledger
  readonly store: Pick<BlobStore, 'removeQuarantined'>
  readonly clock: Clock
  readonly times: DispositionTimes
  readonly mayWrite: () => boolean
}

const AT_ONCE = 20

export function createQuarantineDisposal(deps: Deps): QuarantineDisposal {
  const { db, ledger, store, clock, times, mayWrite } = deps

  const held: QuarantineDisposal['held'] = async (from, all) => {
    const ids = [...new Set(all.flatMap(({ evidence_id: id }) => (id === null ? [] : [id])))]
    const judged = await judgedEvidence(from, ids)
    return new Map(
      all.flatMap(({ quarantine_id: id, evidence_id: evidenceId }): [number, HoldCode][] => {
        const facts = evidenceId === null ? undefined : judged.get(evidenceId)?.facts
        const hold = facts === undefined ? undefined : judge(facts, clock.now(), times.binDays).holds[0]
        return hold === undefined ? [] : [[id, hold.code]]
      }),
    )
  }
  const end: QuarantineDisposal['end'] = (tx, item, outcome) =>
    queue.updateItem(tx, item.item_id, { stage: 'ended', outcome, next_at: null, ended_utc: isoMillis(clock.now()) })

  const destroy = (due: ItemRow): Promise<boolean> =>
    db.transaction(async (tx) => {
      // Checked again: somebody may have decided to keep it since it was found to be due.
      const item = await rows.dueQuarantineItem(tx, due.item_id, clock.now())
      if (item === undefined) return false
      const id = Number(item.rule_key.slice(rows.QUARANTINE_KEY.length))
      const row = await rows.quarantinedById(tx, item.tenant_id, id)
      const approvals = await queue.approvalsOf(tx, [item.item_id])
      if (row === undefined || approvals.length !== 2) throw new Error('What is to be destroyed is not in quarantine')
      const hold = (await held(tx, [row])).get(id)
      if (hold !== undefined) {
        await end(tx, item, 'returned')
        await ledger.append(tx, ownCall(), {
          action: 'quarantine.returned',
          object: quarantineObject(row),
          detail: { why: hold },
        })
        return false
      }
      await end(tx, item, 'destroyed')
      await ledger.append(tx, ownCall(), {
        action: 'quarantine.destroyed',
        object: quarantineObject(row),
        ...(row.length === null ? {} : { bytes: row.length }),
        ...(row.sha256 === null ? {} : { sha256: row.sha256 }),
        detail: {
          setAsideUtc: row.created_utc,
          setAsideFor: row.reason,
          evidenceId: row.evidence_id === null ? null : String(row.evidence_id),
          resourceId: row.resource_id === null ? null : String(row.resource_id),
          approvals: approvals.map(({ approved_by: by, reason, approved_utc: utc }) => ({
            by: JSON.parse(by) as PrincipalThen,
            reason,
            utc,
          })),
        },
      })
      return true
    })

  /** A file is removed only after the commit, and its row only after the file. */
  const removeFiles = async (): Promise<void> => {
    for (const { quarantine_id: id, path } of await rows.quarantineToRemove(db.read)) {
      await store.removeQuarantined(path)
      if (mayWrite()) await db.transaction((tx) => rows.forgetQuarantined(tx, id))
    }
  }

  return {
    held,
    end,
    earliest: ({ created_utc: utc }) => Math.max(clock.now() + times.coolingMs, Date.parse(utc) + times.binDays * DAY),
    itemOf: async (tx, tenant, { quarantine_id: id }) => {
      const open = (await rows.openQuarantineItems(tx, [id])).get(id)
      if (open !== undefined) return open
      const now = clock.now()
      const itemId = await queue.insertItem(tx, {
        tenant_id: tenant,
        case_id: null,
        rule_key: rows.quarantineKey(id),
        rule: JSON.stringify({ kind: 'Quarantine', id: String(id) }),
        stage: 'waiting',
        outcome: null,
        requested_by: JSON.stringify(principalThen(INTERNAL)),
        due_at: now,
        next_at: null,
        created_utc: isoMillis(now),
        ended_utc: null,
      })
      return queue.itemByIdAlone(tx, itemId)
    },
    step: async () => {
      let destroyed = 0
      for (const item of await rows.quarantineToStep(db.read, clock.now(), AT_ONCE))
        if (await destroy(item)) destroyed++
      await removeFiles()
      return destroyed
    },
    recover: removeFiles,
  }
}

const ownCall = (): Call => ({ actor: INTERNAL, source: 'station', correlationId: randomUUID() })

export const quarantineObject = ({ quarantine_id: id }: Pick<QuarantinedRow, 'quarantine_id'>) => ({
  type: 'quarantine',
  id: String(id),
  name: '',
})
