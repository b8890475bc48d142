import { authorOf } from '../../kernel/evidence/objects.ts'
import type { z } from 'zod'
import { fault } from '../../../shared/kernel/errors.ts'
import type { SourcePolicyModel } from '../../../shared/retention/contract.ts'
import { nameKey } from '../../../shared/kernel/names.ts'
import type { UploaderKind } from '../../../shared/retention/retention.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Versions } from '../../kernel/versions/versions.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import type { HttpCall } from '../../http/handlers.ts'
import {
  deleteSource,
  insertSource,
  sourceById,
  sourceByKey,
  type SourceRow,
  sourcesOf,
  updateSource,
} from './sources.store.ts'

export type SourcePolicyOut = z.input<typeof SourcePolicyModel>

export interface SourceInput {
  readonly name: string
  readonly deviceType: string | null
  readonly sourceId: string | null
  readonly uploader: UploaderKind | null
  readonly retentionDays: number | null
}

/** Retentions of sources. Every change makes a version and a ledger entry, and makes all evidence be judged again (decisions 4). */
export interface Sources {
  list(tenant: string): Promise<SourcePolicyOut[]>
  /** @throws Fault NameTaken */
  create(call: HttpCall, tenant: string, input: SourceInput): Promise<SourcePolicyOut>
  /** @throws Fault SourcePolicyNotFound, NameTaken, ConcurrentWritingError */
  update(
    call: HttpCall,
    tenant: string,
    id: string,
    input: SourceInput,
    concurrencyId: string,
  ): Promise<SourcePolicyOut>
  /** @throws Fault SourcePolicyNotFound */
  remove(call: HttpCall, tenant: string, id: string): Promise<SourcePolicyOut>
}

interface Deps {
  readonly db: Database
  readonly ledger: Ledger
  readonly versions: Versions
  readonly clock: Clock
}

/** @throws Fault SourcePolicyNotFound */
export async function requireSource(from: Tx, tenant: string, id: string): Promise<SourceRow> {
  const row = await sourceById(from, tenant, Number(id))
  // Ids beyond 2⁵³ cannot exist here; a rounded id must not find another policy.
  if (row === undefined || String(row.source_policy_id) !== id)
    throw fault('SourcePolicyNotFound', `There is no retention of a source ${id}.`)
  return row
}

export function createSources({ db, ledger, versions, clock }: Deps): Sources {
  const refuseTakenName = async (tx: Tx, tenant: string, key: string, ownId: number | null): Promise<void> => {
    const other = await sourceByKey(tx, tenant, key)
    if (other !== undefined && other.source_policy_id !== ownId)
      throw fault('NameTaken', `There is a retention called "${other.name}" already.`, [
        { Path: 'Name', Message: 'is taken' },
      ])
  }
  /** Records the stored row as a version and a ledger entry. */
  const saveVersion = async (
    tx: Tx,
    call: HttpCall,
    row: SourceRow,
    action: 'sourcePolicy.created' | 'sourcePolicy.changed' | 'sourcePolicy.deleted',
  ): Promise<SourcePolicyOut> => {
    const concurrencyId = await versions.add(tx, {
      entity: 'sourcePolicy',
      entityId: row.source_policy_id,
      state: { ...stateOf(row), Deleted: action === 'sourcePolicy.deleted' },
      action,
      author: call.actor,
      dateUtc: isoMillis(clock.now()),
    })
    await updateSource(tx, row.source_policy_id, { concurrency_id: concurrencyId })
    const { SourcePolicyId: _, Name: __, ...state } = stateOf(row)
    await ledger.append(tx, call, { action, object: objectOf(row), detail: { ...state, concurrencyId } })
    return modelOf({ ...row, concurrency_id: concurrencyId })
  }
  const changedNow = (call: HttpCall) => ({
    modified_utc: isoMillis(clock.now()),
    modified_by: JSON.stringify(authorOf(call.actor)),
  })

  return {
    list: async (tenant) => (await sourcesOf(db.read, tenant)).map(modelOf),

    create: (call, tenant, input) =>
      db.transaction(async (tx) => {
        const key = nameKey(input.name)
        await refuseTakenName(tx, tenant, key, null)
        const id = await insertSource(tx, {
          tenant_id: tenant,
          ...columnsOf(input, key),
          concurrency_id: '',
          created_utc: isoMillis(clock.now()),
          ...changedNow(call),
        })
        const row = await requireSource(tx, tenant, String(id))
        return call.rememberAnswer(tx, await saveVersion(tx, call, row, 'sourcePolicy.created'))
      }),

    update: (call, tenant, id, input, concurrencyId) =>
      db.transaction(async (tx) => {
        const row = await requireSource(tx, tenant, id)
        if (row.concurrency_id !== concurrencyId)
          throw fault('ConcurrentWritingError', 'Somebody changed this since you read it. Read it again.', [
            { Path: 'ConcurrencyId', Message: 'is not the current one' },
          ])
        const key = nameKey(input.name)
        await refuseTakenName(tx, tenant, key, row.source_policy_id)
        await updateSource(tx, row.source_policy_id, { ...columnsOf(input, key), ...changedNow(call) })
        return saveVersion(tx, call, await requireSource(tx, tenant, id), 'sourcePolicy.changed')
      }),

    remove: (call, tenant, id) =>
      db.transaction(async (tx) => {
        const row = await requireSource(tx, tenant, id)
        const out = await saveVersion(tx, call, row, 'sourcePolicy.deleted')
        await deleteSource(tx, row.source_policy_id)
        return out
      }),
  }
}

const columnsOf = (input: SourceInput, key: string) => ({
  name: input.name,
  name_key: key,
  device_type: input.deviceType,
  source_id: input.sourceId,
  uploader: input.uploader,
  retention_days: input.retentionDays,
})

const objectOf = (row: SourceRow) => ({ type: 'sourcePolicy', id: String(row.source_policy_id), name: row.name })

/** Only stored state (decisions 4, versions). */
const stateOf = (row: SourceRow) => ({
  SourcePolicyId: String(row.source_policy_id),
  Name: row.name,
  DeviceType: row.device_type,
  SourceId: row.source_id,
  Uploader: row.uploader,
  RetentionDays: row.retention_days,
})

const modelOf = (row: SourceRow): SourcePolicyOut => ({
  ...stateOf(row),
  ConcurrencyId: row.concurrency_id,
  CreatedUtcTime: row.created_utc,
  LastModifiedUtcTime: row.modified_utc,
  LastModifiedBy: JSON.parse(row.modified_by) as SourcePolicyOut['LastModifiedBy'],
})
