import type { z } from 'zod'
import type * as contract from '../../../shared/integrity/contract.ts'
import type { BackupRow, BackupTargetRow, DrillRow } from './backup/backups.store.ts'
import type { AlarmRow } from '../../kernel/ledger/alarms.store.ts'
import type { KnownStation } from './verification/accept-restored.ts'
import type { CopyTargetRow, ReceivedRow } from './verification/copies.store.ts'
import type { Accepted } from './verification/received.ts'
import type { BlobCheckRow } from '../../kernel/evidence/checks.store.ts'
import type { RunRow } from './fixity/blob-checks.store.ts'
import { isoMillis } from '../../platform/clock/clock.ts'

type Out<T extends z.ZodType> = z.input<T>
type Who = { PrincipalId: string; Name: string; PrincipalType: string }

const who = (text: string): Who => JSON.parse(text) as Who
const timeOrNull = (at: number | null): string | null => (at === null ? null : isoMillis(at))

export function alarmModel(row: AlarmRow): Out<typeof contract.AlarmModel> {
  const { evidence } = JSON.parse(row.detail) as { evidence?: string[] }
  return {
    AlarmId: String(row.alarm_id),
    Kind: row.kind,
    Subject: row.subject,
    Message: row.message,
    EvidenceIds: evidence ?? [],
    RaisedTimeUtc: isoMillis(row.raised_at),
    AcknowledgedTimeUtc: timeOrNull(row.acknowledged_at),
    AcknowledgedBy: row.acknowledged_by === null ? null : who(row.acknowledged_by),
    Reason: row.reason,
  }
}

export const runModel = (row: RunRow): Out<typeof contract.FixityRunModel> => ({
  RunId: String(row.run_id),
  State: row.state,
  StartedTimeUtc: isoMillis(row.started_at),
  StartedBy: who(row.started_by),
  EndedTimeUtc: timeOrNull(row.ended_at),
  TotalBlobs: row.total_blobs,
  TotalBytes: row.total_bytes,
  Blobs: row.blobs,
  Bytes: row.bytes,
  Problems: row.problems,
})

export const blobModel = (row: BlobCheckRow) => ({
  Sha256: row.sha256,
  LengthInBytes: row.length,
  CheckedTimeUtc: isoMillis(row.checked_at),
  DueTimeUtc: isoMillis(row.due_at),
  Result: row.result,
  ReadBack: row.read_back,
})

/** @param size of the station's last checkpoint */
export function copyTargetModel(row: CopyTargetRow, size: number): Out<typeof contract.CheckpointTargetModel> {
  const state =
    row.refused === 1
      ? 'refused'
      : row.failures > 0
        ? 'failing'
        : row.copied_at === null
          ? 'waiting'
          : row.size < size
            ? 'behind'
            : 'copied'
  return {
    TargetId: String(row.target_id),
    Kind: row.kind,
    Address: row.address,
    CreatedTimeUtc: row.created_utc,
    Size: row.size,
    CopiedTimeUtc: timeOrNull(row.copied_at),
    State: state,
    Problem: row.problem,
    NextTimeUtc: row.next_at === 0 ? null : isoMillis(row.next_at),
  }
}

export const backupModel = (row: BackupRow): Out<typeof contract.BackupModel> => ({
  BackupId: String(row.backup_id),
  Folder: row.folder,
  Snapshot: row.snapshot,
  State: row.state,
  StartedTimeUtc: isoMillis(row.started_at),
  EndedTimeUtc: isoMillis(row.ended_at),
  MadeBy: who(row.made_by),
  Entries: row.entries,
  Blobs: row.blobs,
  Bytes: row.bytes,
  NewBlobs: row.new_blobs,
  NewBytes: row.new_bytes,
  Problem: row.problem,
})

export const drillModel = (row: DrillRow): Out<typeof contract.DrillModel> => ({
  DrillId: String(row.drill_id),
  Folder: row.folder,
  Snapshot: row.snapshot,
  Result: row.result,
  EndedTimeUtc: isoMillis(row.ended_at),
  MadeBy: who(row.made_by),
  Entries: row.entries,
  Blobs: row.blobs,
  Bytes: row.bytes,
  Problems: JSON.parse(row.problems) as string[],
})

export const backupTargetModel = (
  row: BackupTargetRow,
  last: BackupRow | undefined,
  drill: DrillRow | undefined,
): Out<typeof contract.BackupTargetModel> => ({
  TargetId: String(row.target_id),
  Folder: row.folder,
  EveryHours: row.every_hours,
  CreatedTimeUtc: row.created_utc,
  NextTimeUtc: isoMillis(row.next_at),
  Failures: row.failures,
  Last: last === undefined ? null : backupModel(last),
  LastDrill: drill === undefined ? null : drillModel(drill),
})

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

export const knownStationModel = ({
  received,
  refused,
  ended,
}: KnownStation): Out<typeof contract.KnownStationModel> => ({
  Origin: received.origin,
  Size: received.size,
  Root: base64(received.root),
  FirstTimeUtc: received.first_utc,
  ReceivedTimeUtc: received.received_utc,
  RefusedTimeUtc: received.refused_utc,
  Presented:
    refused === null
      ? null
      : {
          Size: refused.size,
          Root: base64(refused.root),
          PresentedTimeUtc: refused.refused_utc,
          Source: refused.source,
          By: { PrincipalId: String(refused.principal_id), Name: refused.principal, PrincipalType: 'service' },
          Reason: refused.reason,
          SameKey: refused.same_key === 1,
        },
  Branch: ended.length + 1,
  Ended: ended.map((row) => ({
    Branch: row.branch,
    Size: row.size,
    Root: base64(row.root),
    Next: { Size: row.next_size, Root: base64(row.next_root) },
    AcceptedTimeUtc: row.accepted_utc,
    AcceptedBy: who(row.accepted_by),
    Reason: row.reason,
  })),
})

export const keptModel = (row: ReceivedRow): Out<typeof contract.KeptCheckpointModel> => ({
  Origin: row.origin,
  Size: row.size,
  Root: base64(row.root),
  Checkpoint: row.note,
  ReceivedTimeUtc: row.received_utc,
})

export const receivedModel = ({ row, cosignature }: Accepted): Out<typeof contract.ReceivedCheckpointModel> => ({
  ...keptModel(row),
  Cosignature: { Line: cosignature.line, Key: cosignature.key },
})
