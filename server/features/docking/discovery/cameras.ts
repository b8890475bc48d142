import { dockReason } from '../../../../shared/messages/dock-reasons.ts'
import { OF_THE_CAMERA } from '../ports.ts'
import { timeOf } from '../../../../shared/kernel/time.ts'
import type { FoundFile } from '../../../platform/files/walk.ts'
import type { Camera, ClockReading, Identify, IdentifyInput, PartTimes, Recording } from '../ports.ts'
import { type CardFile, cardOf } from '../profiles/card.ts'
import * as profiles from '../profiles/identify.ts'
import type { Profile } from '../profiles/profile.ts'
import { trackWkt } from '../profiles/tracks.ts'
import {
  type CardContents,
  clearable,
  recordingsOf,
  type Recording as Recorded,
  sidecarsIn,
} from '../profiles/recordings.ts'

/** Between the profiles, which know nothing but cards, and sessions. */

export interface IdentifyDeps {
  /** In the order in which they are asked; as they are now. */
  readonly profiles: () => readonly Profile[]
  /** The station's, for cameras that show local time: an IANA name. */
  readonly timeZone: string
}

/** How long a camera may have been plugged in before it was seen. */
const SEEN_WITHIN_MS = 2000
/** Satellites' time against a file's: both are written by the second. */
const BY_SATELLITES_MS = 1000

export const createIdentify =
  (deps: IdentifyDeps): Identify =>
  async (input) => {
    const known = deps.profiles()
    const card = cardOf(input.volume, input.entries)
    const manifests = await read(input, profiles.manifestsIn(known, card), profiles.MANIFEST_BYTES)
    const found = profiles.identify(known, input.volume, card, manifests)
    if ('notACamera' in found) return found
    const { profile, manifest } = found
    const sidecars = await read(input, sidecarsIn(profile, card), profiles.SIDECAR_BYTES)
    const contents = recordingsOf(found, card, sidecars, deps.timeZone)
    const clearableKeys = clearable(profile, contents)
    const keys = new Map(card.files.map((file) => [file.found, file.key]))
    const named = found.serial !== null || found.manufacturer !== null || found.model !== null
    return {
      profile: profile.id,
      device: named
        ? {
            DeviceType: 'BodyWornCamera',
            Manufacturer: found.manufacturer,
            SerialNumber: found.serial,
            Model: found.model,
          }
        : null,
      commonName: found.commonName,
      clock: clockOf(input, contents),
      configuration: objectOf(manifest?.configuration),
      capabilities: objectOf(manifest?.capabilities) ?? {},
      configurationFile: profile.configuration,
      recordings: contents.recordings.map(recordingOf),
      others: othersOf(contents),
      notes: [...found.disagreements, ...contents.problems],
      refused: contents.refused,
      mayBeCleared: (file) => clearableKeys.has(keys.get(file) ?? ''),
    } satisfies Camera
  }

/** Small files of one card: a card of a year has a sidecar for every minute. */
const READ_AT_ONCE = 16

async function read(
  input: IdentifyInput,
  files: readonly CardFile[],
  most: number,
): Promise<ReadonlyMap<string, Buffer>> {
  const found = new Map<string, Buffer>()
  for (let at = 0; at < files.length; at += READ_AT_ONCE)
    await Promise.all(
      files.slice(at, at + READ_AT_ONCE).map(async ({ key, found: file }) => {
        const bytes = await input.read(file, most)
        if (bytes !== null) found.set(key, bytes)
      }),
    )
  return found
}

/** A camera writes the time of its clock when it is plugged in. It can be compared where the station saw it being plugged in. */
function clockOf({ pluggedAt, now }: IdentifyInput, { clock, recordings }: CardContents): ClockReading | null {
  if (clock !== null && pluggedAt !== null)
    return {
      camera: clock.cameraMs,
      station: pluggedAt,
      uncertainty: clock.uncertaintyMs + SEEN_WITHIN_MS,
      how: dockReason('byManifest'),
    }
  const behind = recordings.map(({ cameraBehindMs }) => cameraBehindMs).filter((ms) => ms !== null)
  const middle = behind.sort((a, b) => a - b)[Math.floor(behind.length / 2)]
  if (middle === undefined) return null
  const at = now()
  return { camera: at - middle, station: at, uncertainty: BY_SATELLITES_MS, how: dockReason('bySatellites') }
}

const objectOf = (value: unknown): Readonly<Record<string, unknown>> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null

function recordingOf(one: Recorded): Recording {
  const start = one.start
  return {
    key: one.key,
    name: one.title,
    files: [...one.parts, ...one.beside].map(({ found }) => found),
    start: start === null ? null : timeOf(start.ms),
    end: one.end === null || (start !== null && one.end.ms < start.ms) ? null : timeOf(one.end.ms),
    marks:
      start === null
        ? []
        : one.marks.map(({ ms, label }) => ({ seconds: Math.max(0, ms - start.ms) / 1000, title: label })),
    locationWkt: trackWkt(one.track),
    parts: partsOf(one),
    claimedSha256: new Map(
      one.parts.flatMap(({ key, found }) => {
        const claimed = one.claimedSha256.get(key)
        return claimed === undefined ? [] : [[found, claimed] as const]
      }),
    ),
  }
}

/**
 * Names of parts often carry the recording's time: what does not come after the part before it is no time of its own. The first part
 * begins with the recording, the last ends with it.
 */
function partsOf({ parts, partTimes, start, end }: Recorded): ReadonlyMap<FoundFile, PartTimes> {
  let before = Number.NEGATIVE_INFINITY
  return new Map(
    parts.map(({ found }, at) => {
      const own = partTimes[at]
      const begin = at === 0 ? start : (own?.start ?? null)
      const isOwn = begin !== null && begin.ms > before
      if (isOwn) before = begin.ms
      const last = at === parts.length - 1 ? (own?.end ?? end) : (own?.end ?? null)
      const isEnd = last !== null && (!isOwn || last.ms >= begin.ms)
      return [found, { start: isOwn ? timeOf(begin.ms) : null, end: isEnd ? timeOf(last.ms) : null }] as const
    }),
  )
}

function othersOf({ own, foreign }: CardContents): ReadonlyMap<FoundFile, string> {
  return new Map([
    ...own.map(({ found }) => [found, OF_THE_CAMERA] as const),
    ...foreign.map(({ file, reason }) => [file.found, reason] as const),
  ])
}
