import { dockReason } from '../../../../shared/messages/dock-reasons.ts'
import { setImmediate as breathe } from 'node:timers/promises'
import type { Time } from '../../../../shared/kernel/time.ts'
import type { Tx } from '../../../kernel/database/database.ts'
import type { FoundFile, Skipped } from '../../../platform/files/walk.ts'
import type { Officer, Recording } from '../ports.ts'
import { contradicting, differing, noteDifference } from '../session/camera-list.ts'
import { type ClockStatement, corrected, uncertaintyOf } from '../session/clock-statement.ts'
import {
  belowRoot,
  type Context,
  type CameraContents,
  rowOf,
  shownBelow,
  type StepResult,
  volumeOf,
} from '../session/context.ts'
import {
  type FileRow,
  filesOf,
  insertFiles,
  insertRecordings,
  type NewFile,
  recordingIds,
  removeFile,
  type SessionRow,
  updateFile,
} from '../session/sessions.store.ts'
import { eachOf, isPassedOver, contentsOf, pathKeyOf } from './camera-contents.ts'

/** Records every file on the camera. Results of an earlier round stay; files that failed are tried again. */
export async function list(context: Context): Promise<StepResult> {
  const { parts, id } = context
  const contents = await contentsOf(context)
  const row = await rowOf(context)
  const known = new Map((await filesOf(parts.db.read, id)).map((file) => [file.path_key, file]))
  const attributed = await attributions(context, row, contents.camera.recordings)
  const listed = await foundRows(context, row, contents)
  const present = new Map(listed.map((file) => [file.path_key, file]))
  const within: StepResult['within'] = async (tx) => {
    await insertRecordings(tx, attributed)
    const ids = await recordingIds(tx, id)
    const idOf = new Map<string, number>()
    await eachOf(contents.camera.recordings, ({ key, files }) => {
      for (const file of files) idOf.set(contents.keys.get(file) as string, ids.get(key) as number)
    })
    for (const file of known.values()) await again(parts, tx, row, file, present.get(file.path_key))
    await insertFiles(
      tx,
      listed.map((file) => {
        const recording = idOf.get(file.path_key) ?? null
        return { ...file, recording_id: file.outcome === 'listed' ? recording : null }
      }),
    )
  }
  const ours = listed.filter(({ outcome }) => outcome === 'listed')
  const bytes = ours.reduce((sum, { length }) => sum + length, 0)
  return {
    event: 'done',
    within,
    detail: {
      recordings: contents.camera.recordings.length,
      files: ours.length,
      bytes,
      others: listed.length - ours.length,
    },
  }
}

/** A file of an earlier round, as it is now. */
async function again(
  parts: Context['parts'],
  tx: Tx,
  row: SessionRow,
  file: FileRow,
  now: Found | undefined,
): Promise<void> {
  const same = now !== undefined && now.length === file.length && now.modified_ns === file.modified_ns
  if (file.outcome === 'taken' || file.outcome === 'here') {
    if (now === undefined) return
    if (same) {
      // The list may say something else of it than it did when it was taken.
      const listed = contradicting(now.claimed_sha256, file.sha256)
      if (listed === null || file.differs_from !== null) return
      await updateFile(tx, file.file_id, differing(listed))
      await noteDifference(parts, tx, row, file, listed)
      return
    }
    // Another file has this name now. It is listed for itself and is not cleared in place of the one that was taken.
    await updateFile(tx, file.file_id, {
      path_key: `${file.path_key}@${file.file_id}`,
      may_be_cleared: 0,
      clearing: 'kept',
      clearing_reason: dockReason('otherWithName'),
    })
    return
  }
  if (file.recording_id === null) await removeFile(tx, file.file_id)
  else if (now === undefined)
    await updateFile(tx, file.file_id, {
      outcome: 'gone',
      reason: dockReason('goneWhenBack'),
    })
  else
    await updateFile(tx, file.file_id, {
      outcome: 'listed',
      reason: null,
      attempts: 0,
      length: now.length,
      modified_ns: now.modified_ns,
      claimed_sha256: now.claimed_sha256 ?? null,
      round: row.round,
    })
}

type Found = Omit<NewFile, 'recording_id'>

async function foundRows(context: Context, row: SessionRow, contents: CameraContents): Promise<Found[]> {
  const volume = volumeOf(context)
  const recorded = new Set(contents.camera.recordings.flatMap(({ files }) => files))
  const claimed = new Map(contents.camera.recordings.flatMap(({ claimedSha256 }) => [...claimedSha256]))
  const parts = new Map(
    contents.camera.recordings.flatMap((one) =>
      [...one.parts].map(([file, times], part) => [file as FoundFile | Skipped, { part, ...times }] as const),
    ),
  )
  const rows: Found[] = []
  const add = (
    entry: FoundFile | Skipped,
    outcome: 'listed' | 'foreign' | 'failed',
    reason: string | null,
    mayBeCleared: boolean,
  ): void => {
    const location = belowRoot(volume, entry.location)
    const part = parts.get(entry)
    rows.push({
      session_id: row.session_id,
      path_key: contents.keys.get(entry) as string,
      path: shownBelow(volume, entry).toWellFormed(),
      location,
      length: entry.kind === 'file' ? entry.length : 0,
      modified_ns: entry.kind === 'file' ? String(entry.modifiedNs) : '',
      may_be_cleared: mayBeCleared ? 1 : 0,
      round: row.round,
      outcome,
      reason,
      claimed_sha256: entry.kind === 'file' ? (claimed.get(entry) ?? null) : null,
      part: part?.part ?? null,
      start_utc: part?.start?.text ?? null,
      end_utc: part?.end?.text ?? null,
    })
  }
  await eachOf(contents.files, (file) => {
    if (!recorded.has(file)) add(file, 'foreign', contents.camera.others.get(file) ?? FOREIGN, false)
    else {
      const lie = whatIsImpossible(context, file)
      add(file, lie === null ? 'listed' : 'failed', lie, lie === null && contents.camera.mayBeCleared(file))
    }
  })
  await eachOf(contents.skipped, (entry) => add(entry, isPassedOver(entry) ? 'failed' : 'foreign', entry.reason, false))
  for (const named of contents.camera.refused) rows.push(refusedRow(row, named))
  return rows
}

/** A file that the camera's list names outside the camera. Its key is none that a file on it can have. */
const refusedRow = (row: SessionRow, named: string): Found => ({
  session_id: row.session_id,
  path_key: pathKeyOf(Buffer.from(`refused\0${named}`)),
  path: named.toWellFormed(),
  location: new Uint8Array(),
  length: 0,
  modified_ns: '0',
  may_be_cleared: 0,
  round: row.round,
  outcome: 'failed',
  reason: REFUSED,
  claimed_sha256: null,
  part: null,
  start_utc: null,
  end_utc: null,
})

const REFUSED = dockReason('outside')
const FOREIGN = dockReason('foreign')

/** A file that lies about its length would be asked for until the disk is full. */
function whatIsImpossible(context: Context, file: FoundFile): string | null {
  const { bytes } = volumeOf(context)
  if (file.length > context.parts.fileBytes) return dockReason('tooLong', { most: context.parts.fileBytes })
  if (bytes !== null && file.length > bytes.total) return dockReason('longerThanVolume', { bytes: file.length })
  return null
}

/** So many at a time: each asks who wore the camera. */
const ATTRIBUTED_AT_ONCE = 100

async function attributions(context: Context, row: SessionRow, recordings: readonly Recording[]) {
  const all: Awaited<ReturnType<typeof attribution>>[] = []
  for (let at = 0; at < recordings.length; at += ATTRIBUTED_AT_ONCE) {
    const some = recordings.slice(at, at + ATTRIBUTED_AT_ONCE)
    all.push(...(await Promise.all(some.map((one) => attribution(context, row, one)))))
    await breathe()
  }
  return all
}

/** Times by both clocks, and who wore the camera then. */
async function attribution(context: Context, row: SessionRow, recording: Recording) {
  const statements = row.clock === null ? [] : (JSON.parse(row.clock) as ClockStatement[])
  const statement = statements.at(-1) ?? null
  const start = corrected(recording.start, statement)
  const end = corrected(recording.end, statement)
  const officers =
    recording.officer === undefined
      ? await officersAt(context, row, start ?? recording.about ?? null)
      : [recording.officer].filter((one) => one !== null)
  const [officer] = officers
  return {
    session_id: row.session_id,
    recording_key: recording.key,
    name: recording.name.toWellFormed(),
    start_utc: recording.start?.text ?? null,
    end_utc: recording.end?.text ?? null,
    corrected_start_utc: start?.text ?? null,
    corrected_end_utc: end?.text ?? null,
    ...measured(recording.start, statement),
    // Where several officers had the camera, the recording is attributed to none.
    officer: officers.length === 1 && officer !== undefined ? JSON.stringify(officerThen(officer)) : null,
    marks: JSON.stringify(recording.marks.map(({ seconds, title }) => ({ seconds, title: title.toWellFormed() }))),
    location_wkt: recording.locationWkt,
    evidence_id: null,
  }
}

/** The offset that was applied to the times of this recording; null where none was. */
function measured(start: Time | null, statement: ClockStatement | null) {
  if (start === null || statement?.camera == null) return { offset_ms: null, uncertainty_ms: null }
  const { offsetMilliseconds: offset } = statement.camera
  const applied = offset === 0 || corrected(start, statement) !== start
  return applied
    ? { offset_ms: offset, uncertainty_ms: uncertaintyOf(statement) }
    : { offset_ms: null, uncertainty_ms: null }
}

const officerThen = ({ PrincipalId, KId, Username }: Officer): Officer => ({ PrincipalId, KId, Username })

async function officersAt(context: Context, row: SessionRow, start: Time | null): Promise<readonly Officer[]> {
  if (row.device_id === null || start === null) return []
  return context.parts.register.officersAt(row.device_id, start)
}
