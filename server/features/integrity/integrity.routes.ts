import { Fault } from '../../../shared/kernel/errors.ts'
import * as contract from '../../../shared/integrity/contract.ts'
import type { Backups } from './backup/backups.ts'
import type { Alarms } from '../../kernel/ledger/alarms.ts'
import { lastCheckpoint } from './verification/checkpoints.store.ts'
import type { CopyTargetRow } from './verification/copies.store.ts'
import type { Copies } from './verification/copies.ts'
import type { Received } from './verification/received.ts'
import type { Database } from '../../kernel/database/database.ts'
import type { FixitySchedule } from './fixity/schedule.ts'
import { answer, type BoundRoute, type HttpCall, json } from '../../http/handlers.ts'
import { alarmModel, copyTargetModel, keptModel, runModel } from './integrity.models.ts'
import type { IntegrityState } from './integrity.service.ts'

interface Deps {
  readonly db: Database
  readonly state: IntegrityState
  readonly alarms: Alarms
  readonly schedule: FixitySchedule
  readonly copies: Copies
  readonly received: Received
  readonly backups: Backups
  /** Gives the tenant's name as registered. @throws Fault TenantNotFound */
  readonly tenant: (name: string) => string
}

export function integrityRoutes(deps: Deps): BoundRoute[] {
  const { db, state, alarms, schedule, tenant } = deps
  return [
    json(contract.getKeeping, async ({ params }) => {
      tenant(params.tenantId)
      return state.read()
    }),
    json(contract.startFixityRun, async ({ params, call }) => {
      tenant(params.tenantId)
      return runModel(await schedule.begin(call))
    }),
    json(contract.cancelFixityRun, async ({ params, call }) => {
      tenant(params.tenantId)
      return runModel(await schedule.cancel(call))
    }),
    json(contract.acknowledgeAlarm, async ({ params, body, call }) => {
      tenant(params.tenantId)
      return alarmModel(await db.transaction((tx) => alarms.acknowledge(tx, call, params.alarmId, body.Reason.trim())))
    }),
    ...checkpointRoutes(deps),
    ...backupRoutes(deps),
    ...receivedRoutes(deps),
  ]
}

function checkpointRoutes({ db, copies, tenant }: Deps): BoundRoute[] {
  const model = async (row: CopyTargetRow) => copyTargetModel(row, (await lastCheckpoint(db.read))?.size ?? 0)
  return [
    json(contract.addCheckpointTarget, async ({ params, body, call }) => {
      tenant(params.tenantId)
      const folder = body.Folder ?? null
      return model(
        folder === null ? await copies.addStation(call, body.Connection) : await copies.addFolder(call, folder),
      )
    }),
    json(contract.removeCheckpointTarget, async ({ params, call }) => {
      tenant(params.tenantId)
      await copies.remove(call, params.targetId)
      return undefined
    }),
    json(contract.copyCheckpoints, async ({ params, call }) => {
      tenant(params.tenantId)
      return model(await copies.copyNow(call, params.targetId))
    }),
  ]
}

function backupRoutes({ state, backups, tenant }: Deps): BoundRoute[] {
  return [
    json(contract.addBackupTarget, async ({ params, body, call }) => {
      tenant(params.tenantId)
      return state.backupTarget(await backups.addTarget(call, body.Folder, body.EveryHours))
    }),
    json(contract.removeBackupTarget, async ({ params, call }) => {
      tenant(params.tenantId)
      await backups.removeTarget(call, params.targetId)
      return undefined
    }),
    json(contract.makeBackup, async ({ params, call }) => {
      tenant(params.tenantId)
      return answer(202, await state.backupTarget(await backups.begin(call, params.targetId, 'snapshot')))
    }),
    json(contract.drillBackup, async ({ params, call }) => {
      tenant(params.tenantId)
      return answer(202, await state.backupTarget(await backups.begin(call, params.targetId, 'drill')))
    }),
  ]
}

function receivedRoutes({ received, tenant }: Deps): BoundRoute[] {
  return [
    json(contract.getKeptCheckpoint, async ({ params, query, call }) => {
      tenant(params.tenantId)
      requireIntegration(call)
      const row = await received.last(query.origin)
      call.seen({ id: row.origin, detail: { size: row.size } })
      return keptModel(row)
    }),
    json(contract.sendCheckpoint, async ({ params, body, call }) => {
      tenant(params.tenantId)
      requireIntegration(call)
      return keptModel(
        await received.receive(call, {
          note: body.Checkpoint,
          publicKey: body.PublicKey,
          rotations: body.Rotations,
          proof: body.Proof,
        }),
      )
    }),
  ]
}

/** Other stations send checkpoints as integrations; people may not. @throws Fault Forbidden */
function requireIntegration(call: HttpCall): void {
  if (call.principal?.kind !== 'service')
    throw new Fault('Forbidden', 'Checkpoints are given and asked for by integrations.', { reason: 'NotAnIntegration' })
}
