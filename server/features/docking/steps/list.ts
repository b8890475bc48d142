import { createHash } from 'node:crypto'
import { setImmediate as breathe } from 'node:timers/promises'
import type { Time } from '../../../../shared/kernel/time.ts'
import type { FoundFile, FoundFolder, Skipped, WalkEntry } from '../../../platform/files/walk.ts'
import type { Tx } from '../../../kernel/database/database.ts'
import { canonicalJson } from '../../../kernel/ledger/canonical.ts'
import { deviceRecordId } from '../../../kernel/evidence/device.ts'
import type { Camera, KnownCamera, Officer, Recording } from '../ports.ts'
import { contradicting, differing, noteDifference } from './camera-list.ts'
import { type ClockStatement, corrected, statementOf, uncertaintyOf } from './clock-statement.ts'
import {
  belowRoot,
  type Context,
  dockCall,
  type Look,
  Pulled,
  rowOf,
  shownBelow,
  type StepResult,
  volumeKey,
  volumeOf,
} from './context.ts'
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
} from './sessions.store.ts'

/** The first half of a session: whose camera is it, what does the station owe it, and what is on it. */

export const pathKeyOf = (relative: Uint8Array): string => createHash('sha256').update(relative).digest('hex')

/** Everything on the volume, and the camera that its profile sees in it; or why it is none. */
export async function lookAt(context: Context): Promise<Look | string> {
  const { parts, signal } = context
  const volume = volumeOf(context)
  const entries: (FoundFolder | WalkEntry)[] = []
  for await (const entry of parts.reading.list(volume, { signal })) entries.push(entry)
  const files = entries.filter((entry) => entry.kind === 'file')
  const skipped = entries.filter((entry) => entry.kind === 'skipped')
  // Names that a card did not give any more because it was gone must not count as files that it lost.
  if (!(await context.isPresent(volume))) throw new Pulled('The camera was taken out.')
  const camera = await parts.identify({
    volume,
    entries,
    read: (file, most) => parts.reading.readSmall(volume, file, most).catch(() => null),
    pluggedAt: context.pluggedAt,
    now: parts.clock.now,
  })
  signal.throwIfAborted()
  if ('notACamera' in camera) return camera.notACamera
  const keys = new Map<FoundFile | Skipped, string>()
  await eachOf([...files, ...skipped], (entry) => keys.set(entry, pathKeyOf(belowRoot(volume, entry.location))))
  const byKey = new Map<string, FoundFile>()
  await eachOf(files, (file) => byKey.set(keys.get(file) as string, file))
  context.look = { files, skipped, keys, byKey, camera }
  return context.look
}

/** As it was looked at in this round. @throws where it is no camera any more */
async function looked(context: Context): Promise<Look> {
  const look = context.look ?? (await lookAt(context))
  if (typeof look === 'string') throw new Error(look)
  return look
}

/** Of more nobody reads. */
const MOST_NOTES = 100

export async function identify(context: Context): Promise<StepResult> {
  const { parts } = context
  const volume = volumeOf(context)
  const row = await rowOf(context)
  const look = await lookAt(context)
  if (typeof look === 'string') return { event: 'notACamera', reason: look }
  const { device, profile, clock, notes } = look.camera
  const deviceId = device === null ? null : deviceRecordId(device)
  // A folder with what a device recorded is not the device, and two of them may hold the same device's files.
  const key = deviceId === null || volume.watched !== undefined ? volumeKey(volume) : `device:${deviceId}`
  if (row.state === 'resumed' && key !== row.camera_key && (await filesOf(parts.db.read, row.session_id)).length > 0)
    return { event: 'otherCamera', reason: 'Another camera stands in its place now.' }
  const statement = statementOf(clock, await parts.clockSync())
  const before = row.clock === null ? [] : (JSON.parse(row.clock) as ClockStatement[])
  return {
    event: 'done',
    set: {
      camera_key: key,
      device_id: deviceId,
      device: device === null ? null : JSON.stringify(device),
      profile,
      notes: JSON.stringify(notes.slice(0, MOST_NOTES).map((note) => note.toWellFormed())),
      clock: JSON.stringify([...before, { round: row.round, ...statement }]),
    },
    detail: { deviceId, profile, clock: statement, notes: notes.length },
  }
}

/** The station negotiates for a camera that cannot. Nothing of this ever holds up the recordings (decisions 5). */
export async function negotiate(context: Context): Promise<StepResult> {
  const { parts, id, signal } = context
  const { camera } = await looked(context)
  const said = (result: string, reason: string | null): StepResult => ({
    event: 'done',
    set: { configuration: JSON.stringify({ result, reason }) },
    detail: { result, ...(reason === null ? {} : { because: reason }) },
  })
  const known = knownCamera(camera)
  if (known === null && volumeOf(context).watched !== undefined) return said('none', 'A folder has no configuration.')
  if (known === null) return said('none', 'Nothing on the camera says which one it is.')
  try {
    const write = known.configurationFile === null ? null : writer(context, known.configurationFile)
    const { result, reason } = await parts.register.negotiate(dockCall(id), parts.tenant, known, write)
    return said(result, reason)
  } catch (error) {
    signal.throwIfAborted()
    parts.log.warn({ err: error, session: id }, 'a camera could not be negotiated for; its recordings are taken in')
    return said('failed', (error as Error).message.toWellFormed())
  }
}

/** As canonical as the receipt: the same configuration is the same bytes. */
const writer = (context: Context, path: string) => async (configuration: unknown) => {
  const volume = volumeOf(context)
  if (volume.readOnly) throw new Error('The camera lets nothing be written to it.')
  await context.parts.reading.put(volume, path, Buffer.from(`${canonicalJson(configuration)}\n`))
}

function knownCamera(camera: Camera): KnownCamera | null {
  const { device } = camera
  if (device === null || device.SerialNumber === null || device.Manufacturer === null) return null
  return { ...camera, device: { ...device, SerialNumber: device.SerialNumber, Manufacturer: device.Manufacturer } }
}

/** Writes down everything that lies there. What an earlier round did stays; what it could not do is tried again. */
export async function list(context: Context): Promise<StepResult> {
  const { parts, id } = context
  const look = await looked(context)
  const row = await rowOf(context)
  const known = new Map((await filesOf(parts.db.read, id)).map((file) => [file.path_key, file]))
  const attributed = await attributions(context, row, look.camera.recordings)
  const listed = await foundRows(context, row, look)
  const present = new Map(listed.map((file) => [file.path_key, file]))
  const within: StepResult['within'] = async (tx) => {
    await insertRecordings(tx, attributed)
    const ids = await recordingIds(tx, id)
    const idOf = new Map<string, number>()
    await eachOf(look.camera.recordings, ({ key, files }) => {
      for (const file of files) idOf.set(look.keys.get(file) as string, ids.get(key) as number)
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
      recordings: look.camera.recordings.length,
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
    // What stands under this name now is another file: it is listed for itself, and nothing of it is cleared for the one that was taken.
    await updateFile(tx, file.file_id, {
      path_key: `${file.path_key}@${file.file_id}`,
      may_be_cleared: 0,
      clearing: 'kept',
      clearing_reason: 'Another file had its name when the camera came back.',
    })
    return
  }
  if (file.recording_id === null) await removeFile(tx, file.file_id)
  else if (now === undefined)
    await updateFile(tx, file.file_id, {
      outcome: 'gone',
      reason: 'It was not there any more when the camera came back.',
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

async function foundRows(context: Context, row: SessionRow, look: Look): Promise<Found[]> {
  const volume = volumeOf(context)
  const recorded = new Set(look.camera.recordings.flatMap(({ files }) => files))
  const claimed = new Map(look.camera.recordings.flatMap(({ claimedSha256 }) => [...claimedSha256]))
  const parts = new Map(
    look.camera.recordings.flatMap((one) =>
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
      path_key: look.keys.get(entry) as string,
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
  await eachOf(look.files, (file) => {
    if (!recorded.has(file)) add(file, 'foreign', look.camera.others.get(file) ?? FOREIGN, false)
    else {
      const lie = whatIsImpossible(context, file)
      add(file, lie === null ? 'listed' : 'failed', lie, lie === null && look.camera.mayBeCleared(file))
    }
  })
  await eachOf(look.skipped, (entry) => add(entry, isPassedOver(entry) ? 'failed' : 'foreign', entry.reason, false))
  for (const named of look.camera.refused) rows.push(refusedRow(row, named))
  return rows
}

/** Nobody knows what is in it: a recording may be. What is foreign by nature, such as a link, holds none. */
export const isPassedOver = ({ outcome }: Skipped): boolean => outcome !== 'foreign'

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

const REFUSED = "Refused: the camera's list names a file outside the camera. Nothing there was looked at."
const FOREIGN = 'No recording of this camera; it was left where it is.'

/** A file that lies about its length would be asked for until the disk is full. */
function whatIsImpossible(context: Context, file: FoundFile): string | null {
  const { bytes } = volumeOf(context)
  if (file.length > context.parts.fileBytes)
    return `It is longer than the ${context.parts.fileBytes} bytes that one file may have.`
  if (bytes !== null && file.length > bytes.total)
    return `It claims ${file.length} bytes, which is more than the whole volume has.`
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

/** Of these nobody is held up for longer than it takes to look at so many. */
const BETWEEN_BREATHS = 1_000

async function eachOf<T>(all: readonly T[], work: (one: T) => unknown): Promise<void> {
  for (let at = 0; at < all.length; at++) {
    work(all[at] as T)
    if (at % BETWEEN_BREATHS === BETWEEN_BREATHS - 1) await breathe()
  }
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
    // Where several wore it nobody can say who recorded: it is attributed to none.
    officer: officers.length === 1 && officer !== undefined ? JSON.stringify(officerThen(officer)) : null,
    marks: JSON.stringify(recording.marks.map(({ seconds, title }) => ({ seconds, title: title.toWellFormed() }))),
    location_wkt: recording.locationWkt,
    evidence_id: null,
  }
}

/** What the dock knows of the offset of this recording; nothing where no offset was applied. */
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
