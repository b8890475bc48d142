import type { z } from 'zod'
import type { DockFileModel, DockSessionDetailModel, DockSessionModel } from '../../../../shared/docking/contract.ts'
import { fault } from '../../../../shared/kernel/errors.ts'
import type { Device } from '../../../kernel/evidence/model.ts'
import { isoMillis } from '../../../platform/clock/clock.ts'
import type { Counts, FileRow, RecordingRow, SessionRow } from './dock.store.ts'
import { clockModel as recordedClockModel } from '../../../../shared/evidence/recorded-clock.contract.ts'
import { recordedTime, type RecordedTime } from '../../../../shared/evidence/recorded-time.ts'

export const NOTHING: Omit<Counts, 'session_id'> = {
  files: 0,
  files_done: 0,
  bytes: 0,
  bytes_done: 0,
  problems: 0,
  differs: 0,
  not_looked_at: 0,
  second_left: 0,
  foreign_files: 0,
  foreign: 0,
  cleared: 0,
}

export const timeOf = (millis: number | null): string | null => (millis === null ? null : isoMillis(millis))
const parsed = <T>(text: string | null): T | null => (text === null ? null : (JSON.parse(text) as T))
export const deviceOf = (row: SessionRow): Device | null => parsed<Device>(row.device)

/** Reading back counts half of the work. */
export const bytesUnderWay = (files: readonly { readonly length: number; readonly done: number }[]): number =>
  Math.floor(files.reduce((sum, { length, done }) => sum + Math.min(done / 2, length), 0))

export const progressOf = (counts: Omit<Counts, 'session_id'>, underWay: number) => ({
  Files: counts.files,
  FilesDone: counts.files_done,
  Bytes: counts.bytes,
  BytesDone: Math.min(counts.bytes, counts.bytes_done + underWay),
  Problems: counts.problems,
  Differs: counts.differs,
  NotLookedAt: counts.not_looked_at,
})

export interface Officer {
  readonly PrincipalId: string
  readonly KId: string
  readonly Username: string
}

/** @param officers as they stand in rows of recordings, each once */
export function sessionModel(
  row: SessionRow,
  counts: Counts | undefined,
  underWay: number,
  officers: readonly string[],
): z.input<typeof DockSessionModel> {
  return {
    DockSessionId: String(row.session_id),
    Bay: row.bay,
    Label: row.label,
    State: row.state,
    Before: row.before,
    Reason: row.reason,
    Rounds: row.round,
    Device: deviceOf(row),
    DeviceId: row.device_id,
    Officers: officers.map((officer) => JSON.parse(officer) as Officer),
    Profile: row.profile,
    ClearRule: row.clear_rule,
    ...progressOf(counts ?? NOTHING, underWay),
    Foreign: counts?.foreign_files ?? 0,
    Cleared: counts?.cleared ?? 0,
    DetectedTimeUtc: isoMillis(row.detected_at),
    FirstByteTimeUtc: timeOf(row.first_byte_at),
    LastByteTimeUtc: timeOf(row.last_byte_at),
    CommittedTimeUtc: timeOf(row.committed_at),
    ReleasedTimeUtc: timeOf(row.released_at),
    ReceiptSha256: row.receipt_sha256,
  }
}

interface Statement {
  readonly round: number
  readonly camera: {
    readonly showedUtc: string
    readonly stationUtc: string
    readonly offsetMilliseconds: number
    readonly uncertaintyMilliseconds: number
    readonly how: string
  } | null
  readonly station: { readonly source: 'ntp' | 'free' | 'unknown'; readonly errorMilliseconds: number | null }
}

const clockModel = ({ round, camera, station }: Statement) => ({
  Round: round,
  Camera:
    camera === null
      ? null
      : {
          ShowedUtc: camera.showedUtc,
          StationUtc: camera.stationUtc,
          OffsetMilliseconds: camera.offsetMilliseconds,
          UncertaintyMilliseconds: camera.uncertaintyMilliseconds,
          How: camera.how,
        },
  StationSource: station.source,
  StationErrorMilliseconds: station.errorMilliseconds,
})

export interface Detail {
  readonly row: SessionRow
  readonly counts: Counts | undefined
  readonly recordings: readonly {
    readonly row: RecordingRow
    readonly officersNow: readonly Officer[]
    /** Of its evidence; null while there is none. */
    readonly clock: RecordedTime | null
  }[]
  readonly underWay: number
  readonly receiptEntry: number | null
}

export function detailModel({
  row,
  counts,
  recordings,
  underWay,
  receiptEntry,
}: Detail): z.input<typeof DockSessionDetailModel> {
  const configuration = parsed<{ result: string; reason: string | null }>(row.configuration)
  const officers = recordings.flatMap((one) => (one.row.officer === null ? [] : [one.row.officer]))
  return {
    ...sessionModel(row, counts, underWay, [...new Set(officers)]),
    Clock: (parsed<Statement[]>(row.clock) ?? []).map(clockModel),
    Notes: parsed<string[]>(row.notes) ?? [],
    Configuration: configuration === null ? null : { Result: configuration.result, Reason: configuration.reason },
    Recordings: recordings.map(recordingModel),
    ReceiptLedgerSeq: receiptEntry,
  }
}

function recordingModel({ row, officersNow, clock }: Detail['recordings'][number]) {
  const officer = parsed<Officer>(row.officer)
  return {
    Name: row.name,
    EvidenceId: row.evidence_id === null ? null : String(row.evidence_id),
    StartTimeUtc: row.start_utc,
    EndTimeUtc: row.end_utc,
    CorrectedStartTimeUtc: row.corrected_start_utc,
    CorrectedEndTimeUtc: row.corrected_end_utc,
    Clock: recordedClockModel(clock ?? listedClock(row)),
    Officer:
      officer === null ? null : { PrincipalId: officer.PrincipalId, KId: officer.KId, Username: officer.Username },
    OfficersNow: [...officersNow],
    Marks: (parsed<{ seconds: number; title: string }[]>(row.marks) ?? []).map(({ seconds, title }) => ({
      Seconds: seconds,
      Title: title,
    })),
    LocationWKT: row.location_wkt,
  }
}

/** Of a recording that is not in the store yet. */
const listedClock = (row: RecordingRow): RecordedTime =>
  recordedTime({
    start: row.corrected_start_utc,
    startSource: 'dock',
    containerStart: null,
    file: null,
    docked: {
      recorded: row.start_utc,
      corrected: row.corrected_start_utc,
      offsetMilliseconds: row.offset_ms,
      uncertaintyMilliseconds: row.uncertainty_ms,
    },
  })

export const fileModel = (row: FileRow): z.input<typeof DockFileModel> => ({
  DockFileId: String(row.file_id),
  Path: row.path,
  LengthInBytes: row.length,
  Outcome: row.outcome,
  Reason: row.reason,
  Sha256: row.sha256,
  CameraSha256: row.differs_from,
  ReadBack: row.read_back,
  EvidenceId: row.evidence_id === null ? null : String(row.evidence_id),
  ResourceId: row.resource_id === null ? null : String(row.resource_id),
  LedgerSeq: row.ledger_seq,
  Cleared: row.clearing,
  KeptBecause: row.clearing_reason,
})

/** A place in a list: the id behind which it goes on. */
export const cursorOf = (id: number): string => Buffer.from(JSON.stringify(['dock', id])).toString('base64url')

/** @throws Fault InvalidModel */
export function readCursor(cursor: string): number {
  const match = /^\["dock",(\d{1,15})\]$/.exec(Buffer.from(cursor, 'base64url').toString('utf8'))
  if (match === null)
    throw fault('InvalidModel', 'The cursor is not one that this list gave.', [
      { Path: 'cursor', Message: 'is not one that this list gave' },
    ])
  return Number(match[1])
}
