import type { z } from 'zod'
import type { IntegrityModel } from '../../../shared/integrity/contract.ts'
import {
  type BackupTargetRow,
  lastBackupOf,
  lastBackups,
  lastDrillOf,
  lastDrills,
  targets,
} from './backup/backups.store.ts'
import type { Backups } from './backup/backups.ts'
import { forwardedTotals } from '../../kernel/evidence/forwarded.store.ts'
import { alarmRows, openAlarms } from '../../kernel/ledger/alarms.store.ts'
import { lastCheckpoint } from './verification/checkpoints.store.ts'
import { type KnownStation, stationOf } from './verification/accept-restored.ts'
import { copyTargets, receivedRows } from './verification/copies.store.ts'
import { verifierKey } from '../../kernel/ledger/signed-note.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import { coverage, lastRead, lastRuns, nextBlobs } from './fixity/blob-checks.store.ts'
import type { FixitySchedule } from './fixity/schedule.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import * as models from './integrity.models.ts'

export type IntegrityOut = z.input<typeof IntegrityModel>

interface Deps {
  readonly db: Database
  readonly clock: Clock
  readonly schedule: Pick<FixitySchedule, 'speed'>
  readonly backups: Pick<Backups, 'busyWith'>
  readonly origin: string
  /** The current raw key. */
  readonly publicKey: () => Uint8Array
  readonly warnings: () => Promise<IntegrityOut['Warnings']>
}

/** The state of integrity with its evidence: when blobs were read, where copies are, and how the last trial ended. */
export interface IntegrityState {
  read(): Promise<IntegrityOut>
  backupTarget(row: BackupTargetRow): Promise<NonNullable<IntegrityOut['Backups']>['Targets'][number]>
}

const MOST_ALARMS = 100
const MOST_ROWS = 8
const MOST_STATIONS = 100

/** The stations whose checkpoints are kept here. */
export const knownStations = async (from: Tx): Promise<KnownStation[]> =>
  Promise.all((await receivedRows(from, MOST_STATIONS)).map((row) => stationOf(from, row)))

export function createIntegrityState(deps: Deps): IntegrityState {
  const { db, clock, backups } = deps
  const from = db.read
  const backupTarget: IntegrityState['backupTarget'] = async (row) =>
    models.backupTargetModel(row, await lastBackupOf(from, row.folder, null), await lastDrillOf(from, row.folder))
  const fixity = async (): Promise<IntegrityOut['Fixity']> => {
    const [found] = await db.longRead(coverage(from, clock.now()))
    const runs = await lastRuns(from, 2)
    const forwarded = await forwardedTotals(from)
    const { limit, now, giving } = deps.schedule.speed()
    return {
      Blobs: found?.blobs ?? 0,
      Bytes: found?.bytes ?? 0,
      BlobsBad: found?.bad ?? 0,
      BlobsForwarded: forwarded.blobs,
      BytesForwarded: forwarded.bytes,
      BlobsInTime: found?.blobs_in_time ?? 0,
      BytesInTime: found?.bytes_in_time ?? 0,
      OldestTimeUtc: found?.oldest_at == null ? null : isoMillis(found.oldest_at),
      BytesPerSecond: now,
      LimitBytesPerSecond: limit,
      GivingWay: giving,
      Run: runs[0]?.state === 'running' ? models.runModel(runs[0]) : null,
      LastRun: runs.filter(({ state }) => state !== 'running').map(models.runModel)[0] ?? null,
      LastRead: (await lastRead(from, MOST_ROWS).execute()).map(models.blobModel),
      Next: (await nextBlobs(from, MOST_ROWS)).map(models.blobModel),
    }
  }
  const checkpoints = async (): Promise<IntegrityOut['Checkpoints']> => {
    const last = await lastCheckpoint(from)
    return {
      Origin: deps.origin,
      Size: last?.size ?? 0,
      SignedTimeUtc: last?.created_utc ?? null,
      VerifierKey: verifierKey(deps.origin, deps.publicKey()),
      Targets: (await copyTargets(from)).map((row) => models.copyTargetModel(row, last?.size ?? 0)),
      Received: (await knownStations(from)).map(models.knownStationModel),
    }
  }
  return {
    backupTarget,
    read: async () => {
      const doing = backups.busyWith()
      return {
        TimeUtc: isoMillis(clock.now()),
        Fixity: await fixity(),
        Warnings: await deps.warnings(),
        OpenAlarms: await openAlarms(from),
        Alarms: (await alarmRows(from, MOST_ALARMS)).map(models.alarmModel),
        Checkpoints: await checkpoints(),
        Backups: {
          Doing: doing === null ? null : { Folder: doing.folder, What: doing.doing, Text: doing.text },
          Targets: await Promise.all((await targets(from)).map(backupTarget)),
          Last: (await lastBackups(from, MOST_ROWS)).map(models.backupModel),
          Drills: (await lastDrills(from, MOST_ROWS)).map(models.drillModel),
        },
      }
    },
  }
}
