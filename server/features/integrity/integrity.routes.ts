import { Fault } from '../../../shared/kernel/errors.ts'
import * as contract from '../../../shared/integrity/contract.ts'
import type { Backups } from './backup/backups.ts'
import type { Alarms } from '../../kernel/ledger/alarms.ts'
import { lastCheckpoint } from './verification/checkpoints.store.ts'
import type { CopyTargetRow } from './verification/copies.store.ts'
import type { Copies } from './verification/copies.ts'
import { acceptRestored } from './verification/accept-restored.ts'
import type { Received } from './verification/received.ts'
import type { Database } from '../../kernel/database/database.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { FixitySchedule } from './fixity/schedule.ts'
import { answer, type BoundRoute, type HttpCall, json } from '../../http/handlers.ts'
import {
  alarmModel,
  copyTargetModel,
  keptModel,
  knownStationModel,
  receivedModel,
  runModel,
} from './integrity.models.ts'
import type { IntegrityState } from './integrity.service.ts'

interface Deps {
  readonly db: Database
  readonly state: IntegrityState
  readonly ledger: Pick<Ledger, 'append'>
  readonly clock: Clock
  readonly alarms: Alarms
  readonly schedule: FixitySchedule
  readonly copies: Copies
  readonly received: Received
  readonly backups: Backups
}

export function integrityRoutes(deps: Deps): BoundRoute[] {
  const { db, state, alarms, schedule } = deps
  return [
    json(contract.getKeeping, async () => {
      return state.read()
    }),
    json(contract.startFixityRun, async ({ call }) => {
      return runModel(await schedule.begin(call))
    }),
    json(contract.cancelFixityRun, async ({ call }) => {
      return runModel(await schedule.cancel(call))
    }),
    json(contract.acknowledgeAlarm, async ({ params, body, call }) => {
      return alarmModel(await db.transaction((tx) => alarms.acknowledge(tx, call, params.alarmId, body.Reason.trim())))
    }),
    ...checkpointRoutes(deps),
    ...backupRoutes(deps),
    ...receivedRoutes(deps),
  ]
}

function checkpointRoutes({ db, copies }: Deps): BoundRoute[] {
  const model = async (row: CopyTargetRow) => copyTargetModel(row, (await lastCheckpoint(db.read))?.size ?? 0)
  return [
    json(contract.addCheckpointTarget, async ({ body, call }) => {
      const folder = body.Folder ?? null
      return model(
        folder === null ? await copies.addStation(call, body.Connection) : await copies.addFolder(call, folder),
      )
    }),
    json(contract.removeCheckpointTarget, async ({ params, call }) => {
      await copies.remove(call, params.targetId)
      return undefined
    }),
    json(contract.copyCheckpoints, async ({ params, call }) => {
      return model(await copies.copyNow(call, params.targetId))
    }),
  ]
}

function backupRoutes({ state, backups }: Deps): BoundRoute[] {
  return [
    json(contract.addBackupTarget, async ({ body, call }) => {
      return state.backupTarget(await backups.addTarget(call, body.Folder, body.EveryHours))
    }),
    json(contract.removeBackupTarget, async ({ params, call }) => {
      await backups.removeTarget(call, params.targetId)
      return undefined
    }),
    json(contract.makeBackup, async ({ params, call }) => {
      return answer(202, await state.backupTarget(await backups.begin(call, params.targetId, 'snapshot')))
    }),
    json(contract.drillBackup, async ({ params, call }) => {
      return answer(202, await state.backupTarget(await backups.begin(call, params.targetId, 'drill')))
    }),
  ]
}

function receivedRoutes({ received, ...deps }: Deps): BoundRoute[] {
  return [
    json(contract.acceptRestoredStation, async ({ body, call }) => {
      const { Origin, Known, Presented, Reason } = body
      return knownStationModel(
        await acceptRestored(deps, call, {
          origin: Origin,
          known: headOf(Known),
          presented: headOf(Presented),
          reason: Reason.trim(),
        }),
      )
    }),
    json(contract.getKeptCheckpoint, async ({ query, call }) => {
      requireIntegration(call)
      const row = await received.last(query.origin)
      call.describeRead({ id: row.origin, detail: { size: row.size } })
      return keptModel(row)
    }),
    json(contract.sendCheckpoint, async ({ body, call }) => {
      requireIntegration(call)
      const given = {
        note: body.Checkpoint,
        publicKey: body.PublicKey,
        rotations: body.Rotations,
        proof: body.Proof,
      }
      return receivedModel(await (body.Older ? received.cosignOlder(call, given) : received.receive(call, given)))
    }),
  ]
}

const headOf = ({ Size, Root }: { Size: number; Root: string }) => ({
  size: Size,
  root: new Uint8Array(Buffer.from(Root, 'base64')),
})

/** Other stations send checkpoints as integrations; people may not. @throws Fault Forbidden */
function requireIntegration(call: HttpCall): void {
  if (call.principal?.kind !== 'service')
    throw new Fault('Forbidden', 'Checkpoints are given and asked for by integrations.', { reason: 'NotAnIntegration' })
}
