/** Trying camera profiles on a card, for whoever writes one (docs/camera-profiles.md). */
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { profilesFrom } from '../features/docking/profiles/profile.ts'
import type { CameraTime, Recording } from '../features/docking/profiles/recordings.ts'
import { shippedProfiles } from '../features/docking/profiles/shipped.ts'
import { type CardTrial, tryCard } from '../features/docking/profiles/try-card.ts'
import { namesEnding, textAt } from '../platform/files/texts.ts'
import { folderVolume } from '../platform/volumes/folders.ts'
import { createVolumeReading } from '../platform/volumes/volume-reader.ts'
import type { UsbIdentity } from '../platform/volumes/volumes.ts'
import { DATA, JSON_FLAG, note, one, out, row, settings } from './arguments.ts'
import type { Command } from './command.ts'
import { UsageError } from './error-messages.ts'
import { formatBytes } from './format.ts'

const MOST_PROFILE_BYTES = 1024 * 1024

export const PROFILE_COMMANDS: readonly (readonly [string, Command])[] = [
  [
    'profile test',
    {
      usage: 'profile test FOLDER [--profile FILE]… [--label TEXT] [--usb VVVV:PPPP] [--time-zone ZONE] [--json]',
      does: 'tells what the camera profiles make of a card; reads only. Exit 1 when none knows it, or one given by --profile cannot be used or is not the one that is taken',
      run: test,
    },
  ],
]

async function test(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      ...DATA,
      ...JSON_FLAG,
      profile: { type: 'string', multiple: true, default: [] },
      label: { type: 'string' },
      usb: { type: 'string' },
      'time-zone': { type: 'string' },
    },
  })
  const folder = resolve(one(positionals, 'profile test needs one folder: the card, or a copy of it.'))
  const station = settings(values)
  const timeZone = values['time-zone'] ?? station.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const volume = await folderVolume(folder)
  if (volume === null)
    throw new Error(`There is no folder ${folder}. Links and names that begin with a dot are not taken.`)
  const given = values.profile.map((file) => resolve(file))
  const own = given.length > 0 ? given : await profilesOf(join(station.data, 'profiles'))
  const shipped = shippedProfiles()
  const { profiles, problems } = profilesFrom(shipped, await textsOf(own))
  const known = {
    ...volume,
    removable: true,
    label: values.label ?? volume.label,
    usb: values.usb === undefined ? null : usbOf(values.usb),
  }
  const trial = await tryCard(known, { reading: createVolumeReading(), profiles, timeZone })
  for (const { file, message } of problems) note(`The profile ${file} is not used: ${message}.`)
  const taken = 'notACamera' in trial.camera ? null : trial.camera.profile
  if (values.json) out(JSON.stringify(jsonOf(trial), null, 2))
  else tell(trial)
  return taken !== null && problems.length === 0 && (given.length === 0 || !shipped.includes(taken)) ? 0 : 1
}

const profilesOf = async (folder: string): Promise<string[]> =>
  (await namesEnding(folder, '.json')).map((name) => join(folder, name))

async function textsOf(files: readonly string[]): Promise<{ name: string; text: string }[]> {
  return Promise.all(
    files.map(async (file) => {
      const text = await textAt(file, MOST_PROFILE_BYTES)
      if (text instanceof Error) throw new Error(`The profile ${file} ${text.message}.`)
      return { name: basename(file), text }
    }),
  )
}

/** @throws UsageError */
function usbOf(text: string): UsbIdentity {
  const [, vendorId, productId] = /^([0-9a-f]{4}):([0-9a-f]{4})$/i.exec(text) ?? []
  if (vendorId === undefined || productId === undefined)
    throw new UsageError('--usb takes the two USB numbers as lsusb prints them: 4255:1000.')
  return { vendorId: vendorId.toLowerCase(), productId: productId.toLowerCase(), serial: null, busPath: '' }
}

/** By the camera's clock, in UTC as far as its zone is known. */
const timeText = (time: CameraTime | null): string =>
  time === null ? 'not known' : `${new Date(time.ms).toISOString()}${time.doubtful ? ' (doubtful)' : ''}`

function jsonOf({ matching, camera, contents, clearable, skipped }: CardTrial): unknown {
  if ('notACamera' in camera)
    return { profile: null, reason: camera.notACamera, matching: matching.map(({ id }) => id) }
  return {
    profile: camera.profile.id,
    matching: matching.map(({ id }) => id),
    serial: camera.serial,
    serialFrom: camera.serialFrom,
    manufacturer: camera.manufacturer,
    model: camera.model,
    officer: camera.officer,
    recordings: contents?.recordings.map((one) => ({
      title: one.title,
      start: one.start === null ? null : { utc: timeText(one.start), from: one.start.from },
      end: one.end === null ? null : { utc: timeText(one.end), from: one.end.from },
      officer: one.officer,
      parts: one.parts.map(({ path }) => path),
      beside: one.beside.map(({ path }) => path),
      marks: one.marks.map(({ label }) => label),
      trackPoints: one.track.length,
      mayBeCleared: one.parts.every(({ key }) => clearable.has(key)),
      problems: one.problems,
    })),
    own: contents?.own.map(({ path }) => path),
    foreign: contents?.foreign.map(({ file, reason }) => ({ path: file.path, reason })),
    skipped: skipped.map(({ path, reason }) => ({ path, reason })),
    problems: [...camera.disagreements, ...(contents?.problems ?? [])],
  }
}

function tell({ matching, camera, contents, clearable, skipped }: CardTrial): void {
  if ('notACamera' in camera || contents === null) {
    row('no camera', 'notACamera' in camera ? camera.notACamera : '')
    return
  }
  const [taken, ...others] = matching
  row(
    'profile',
    `${taken?.id}: ${taken?.name}`,
    others.length === 0 ? '' : `others match: ${others.map(({ id }) => id).join(', ')}`,
  )
  row(
    'camera',
    [camera.manufacturer, camera.model].filter((text) => text !== null).join(' ') || 'maker and model not known',
  )
  row('serial', camera.serial ?? 'not known', camera.serialFrom === null ? '' : `from ${camera.serialFrom}`)
  if (camera.officer !== null) row('officer', camera.officer)
  row('recordings', String(contents.recordings.length))
  for (const recording of contents.recordings) tellRecording(recording, clearable)
  for (const { path } of contents.own) row('of the camera', path)
  for (const { file, reason } of contents.foreign) row('left alone', file.path, reason)
  for (const { path, reason } of skipped) row('not read', path, reason)
  for (const problem of [...camera.disagreements, ...contents.problems]) row('problem', problem)
}

function tellRecording(recording: Recording, clearable: ReadonlySet<string>): void {
  const { title, start, end, officer, parts, beside, marks, track, problems } = recording
  row('recording', title, `${timeText(start)} to ${timeText(end)}`, start === null ? '' : `from the ${start.from}`)
  for (const { path, length, key } of parts)
    row('  part', path, formatBytes(length), clearable.has(key) ? 'may be cleared' : 'stays on the camera')
  for (const { path } of beside) row('  beside it', path)
  if (officer !== null) row('  officer', officer)
  if (track.length > 0) row('  track', `${track.length} points`)
  for (const { label } of marks) row('  mark', label)
  for (const problem of problems) row('  problem', problem)
}
