import { parseTime } from '../../../../shared/kernel/time.ts'
import type { Tx } from '../../../kernel/database/database.ts'
import { type EvidenceRow, evidenceOf } from '../../../kernel/evidence/records.store.ts'
import type { PlacedBlob } from '../../../storage/store.ts'
import { contradicting, differing } from '../session/camera-list.ts'
import { offsetText } from '../session/clock-statement.ts'
import type { Officer } from '../ports.ts'
import { filedBy } from '../session/rules.ts'
import { bayOf, type Context, dockCall, rowOf, volumeOf } from '../session/context.ts'
import {
  type FileRow,
  lastEntryAbout,
  recordingById,
  type RecordingRow,
  type SessionRow,
  updateFile,
  updateRecording,
} from '../session/sessions.store.ts'

/** The one transaction: evidence with its first file, resource, versions, ledger entries, jobs, and what became of the file. */
export async function commitRecording(
  context: Context,
  tx: Tx,
  file: FileRow,
  { placed, resumedFrom }: { readonly placed: PlacedBlob; readonly resumedFrom: number },
): Promise<void> {
  const { parts, id } = context
  const { records } = parts
  const call = dockCall(id)
  const row = await rowOf(context)
  const recording = await recordingById(tx, file.recording_id as number)
  const evidence =
    recording.evidence_id === null
      ? await evidenceFor(context, tx, row, recording)
      : await evidenceOf(tx, recording.evidence_id)
  const open = await records.createResource(tx, call, evidence, {
    name: nameOf(file),
    mimeType: 'application/octet-stream',
    ...timesOf(file, recording),
    // By the statement that put the recording right: a later docking of the same camera has another one.
    timeOffset: recording.start_utc === null || recording.offset_ms === null ? null : offsetText(recording.offset_ms),
    expectedSha256: null,
    expectedLength: null,
  })
  const listed = contradicting(file.claimed_sha256, placed.sha256)
  const resource = await records.completeResource(tx, call, open, placed, {
    detail: {
      dockSessionId: String(row.session_id),
      bay: bayOf(volumeOf(context)),
      path: file.path,
      ...(resumedFrom === 0 ? {} : { resumedFrom }),
    },
    ...(listed === null ? {} : { cameraSha256: listed }),
  })
  const seq = await lastEntryAbout(tx, resource.resource_id, 'resource.completed')
  if (seq === null) throw new Error(`Resource ${resource.resource_id} has no entry in the ledger`)
  await updateFile(tx, file.file_id, {
    // The camera wrote its hash down for other bytes, or these are damaged: the file is kept as it is, here and on the camera.
    ...(listed === null ? {} : differing(listed)),
    outcome: 'taken',
    round: row.round,
    resource_id: resource.resource_id,
    sha256: placed.sha256,
    read_back: placed.readBack,
    resumed_from: resumedFrom === 0 ? null : resumedFrom,
    ledger_seq: seq,
  })
}

async function evidenceFor(context: Context, tx: Tx, row: SessionRow, recording: RecordingRow): Promise<EvidenceRow> {
  const { parts, id } = context
  const call = dockCall(id)
  const filed = await filedBy(tx, parts.rules, row, recording)
  const made = await parts.records.createEvidence(tx, call, parts.tenant, {
    Name: recording.name,
    CategoryId: filed?.categoryId,
    SourceId: `dock ${row.session_id}: ${recording.name}`,
    // By the station's clock: officers and cases are found by it. The camera's own time stands with its files, with the offset.
    StartTimeUtc: timeIn(recording.corrected_start_utc),
    startSource: recording.corrected_start_utc === null ? null : 'dock',
    EndTimeUtc: timeIn(recording.corrected_end_utc),
    device: row.device === null ? null : JSON.parse(row.device),
    // For files of a folder the device is a statement of people: the device itself was not connected.
    deviceIdentity: row.device === null ? null : volumeOf(context).watched === undefined ? 'Docked' : 'Claimed',
    policies: withOfficer(context, recording, filed?.policies ?? []),
  })
  await updateRecording(tx, recording.recording_id, {
    evidence_id: made.evidence_id,
    rule: filed === null ? null : JSON.stringify(filed.recorded),
  })
  // Filled rather than given: an entry says that the position is the camera's, and readers are told its source by it.
  return (await parts.records.fillEmpty(tx, call, made, { wkt: recording.location_wkt })) ?? made
}

/** Whoever had a camera sees its recordings by the camera's proof. A folder has none: that it is theirs is written down. */
function withOfficer(
  context: Context,
  { officer }: RecordingRow,
  policies: readonly { readonly principalId: number; readonly level: string }[],
): readonly { readonly principalId: number; readonly level: string }[] {
  if (officer === null || volumeOf(context).watched === undefined) return policies
  const principalId = Number((JSON.parse(officer) as Officer).PrincipalId)
  if (policies.some((one) => one.principalId === principalId)) return policies
  return [...policies, { principalId, level: 'View' }]
}

/** A part has its own times; where the camera does not say when it began, that follows from the parts before once they were looked at. */
function timesOf(file: FileRow, recording: RecordingRow) {
  if (file.part === null) return { start: timeIn(recording.start_utc), end: timeIn(recording.end_utc) }
  return { start: timeIn(file.start_utc), end: timeIn(file.end_utc) }
}

const timeIn = (text: string | null) => (text === null ? null : parseTime(text, { utcMember: true }))

export const nameOf = (file: FileRow): string => file.path.slice(file.path.lastIndexOf('/') + 1)
