import { deviceRecordId } from '../../../kernel/evidence/device.ts'
import { type ClockStatement, statementOf } from '../session/clock-statement.ts'
import { type Context, rowOf, type StepResult, volumeKey, volumeOf } from '../session/context.ts'
import { filesOf } from '../session/sessions.store.ts'
import { readCamera } from './camera-contents.ts'

/** More are not stored. */
const MOST_NOTES = 100

export async function identify(context: Context): Promise<StepResult> {
  const { parts } = context
  const volume = volumeOf(context)
  const row = await rowOf(context)
  const contents = await readCamera(context)
  if (typeof contents === 'string') return { event: 'notACamera', reason: contents }
  const { device, profile, clock, notes } = contents.camera
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
