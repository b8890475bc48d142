import { dockReason } from '../../../../shared/messages/dock-reasons.ts'
import { type CardFile, type CardListing, fits, foldCase, folderOf, stemOf } from './card.ts'
import { type Camera, isMedia, type ReadFiles, SIDECAR_BYTES } from './identify.ts'
import { fromManifest } from './listed.ts'
import type { Manifest } from './manifest.ts'
import { joined, partsOf } from './parts.ts'
import type { Profile } from './profile.ts'
import { readTrack, type Track } from './tracks.ts'
import type { Recording, RecordingMark } from './recording.types.ts'
export type { CameraTime, Recording, RecordingMark } from './recording.types.ts'

export interface Foreign {
  readonly file: CardFile
  readonly reason: string
}

/** Every file of the card is in here once: in a recording, as one of the camera's own, or foreign. */
export interface CardContents {
  readonly recordings: readonly Recording[]
  /** Its manifest and the like. */
  readonly own: readonly CardFile[]
  readonly foreign: readonly Foreign[]
  /** The time of the camera's clock when it wrote that; null where it wrote none. */
  readonly clock: { readonly cameraMs: number; readonly uncertaintyMs: number } | null
  readonly problems: readonly string[]
  /** Paths that its list names outside the camera: nothing there is looked at. */
  readonly refused: readonly string[]
}

/** The sidecars worth reading before `recordingsOf`. */
export function sidecarsIn(profile: Profile, card: CardListing): CardFile[] {
  const read = new Set(profile.sidecars.filter(({ as }) => as === 'gps').map(({ extension }) => extension))
  const listed = profile.manifest === null ? [] : ['gpx']
  for (const extension of listed) read.add(extension)
  return card.files.filter(({ name, length }) => read.has(stemOf(name).extension) && length <= SIDECAR_BYTES)
}

/**
 * The recordings on a card. Pure. @param read the sidecars, as far as they could be read
 * @param station the station's time zone, for cameras that show local time
 */
export function recordingsOf(camera: Camera, card: CardListing, read: ReadFiles, station: string): CardContents {
  const { profile, manifest } = camera
  const left = new Map(card.files.map((file) => [file.key, file]))
  const ownPaths = [profile.manifest, profile.configuration].filter((path) => path !== null).map(foldCase)
  const own = card.files.filter(({ path }) => ownPaths.includes(foldCase(path)))
  for (const { key } of own) left.delete(key)

  const listed = fromManifest(manifest?.recordings ?? [], left, read)
  const media = [...left.values()].filter((file) => isMedia(profile, file))
  for (const { key } of media) left.delete(key)

  const parts = partsOf(profile, media, station)
  const beside = sidecarsOf(profile, [...left.values()], media)
  const groups = joined(profile, parts)
  const recordings = groups.map((group): Recording => {
    const files = group.map(({ file }) => file)
    const along = files.flatMap(({ key }) => beside.get(key) ?? [])
    for (const { key } of along) left.delete(key)
    return recordingOf(profile, group, along, read)
  })
  const foreign = [...left.values()].map((file): Foreign => ({ file, reason: whyForeign(profile, file) }))
  return {
    recordings: [...listed.recordings, ...recordings].sort(byStart),
    own,
    foreign,
    clock: profile.clock === 'manifest' && manifest !== null ? clockOf(manifest) : null,
    problems: [...(manifest?.problems ?? []), ...listed.problems],
    refused: listed.refused,
  }
}

const clockOf = ({ clock }: Manifest): CardContents['clock'] =>
  clock === null ? null : { cameraMs: clock.nowUtc, uncertaintyMs: clock.uncertaintyMs }

const byStart = (a: Recording, b: Recording): number =>
  (a.start?.ms ?? Number.POSITIVE_INFINITY) - (b.start?.ms ?? Number.POSITIVE_INFINITY) || (a.key < b.key ? -1 : 1)

function recordingOf(
  profile: Profile,
  group: ReturnType<typeof joined>[number],
  beside: readonly CardFile[],
  read: ReadFiles,
): Recording {
  const [first] = group
  const last = group.at(-1) as (typeof group)[number]
  const tracks = tracksOf(profile, beside, read)
  const behind = tracks.map(({ cameraBehindMs }) => cameraBehindMs).filter((ms) => ms !== null)
  return {
    key: first.file.key,
    title: stemOf(first.file.name).stem,
    parts: group.map(({ file }) => file),
    beside,
    start: first.start,
    end: last.end,
    partTimes: group.map(({ start, end }) => ({ start, end })),
    officer: first.officer,
    marks: group.flatMap((part) => marksOf(profile, part)),
    track: tracks.flatMap(({ points }) => points).sort((a, b) => a.ms - b.ms),
    cameraBehindMs:
      profile.clock === 'gps' ? (behind.sort((a, b) => a - b)[Math.floor(behind.length / 2)] ?? null) : null,
    claimedSha256: new Map(),
    problems: group.flatMap(({ problems }) => problems),
  }
}

const tracksOf = (profile: Profile, beside: readonly CardFile[], read: ReadFiles): Track[] =>
  beside.flatMap((file) => {
    const { extension } = stemOf(file.name)
    const format = profile.sidecars.find((rule) => rule.extension === extension)?.format
    const bytes = read.get(file.key)
    return format === undefined || bytes === undefined ? [] : [readTrack(format, bytes)]
  })

/** A sign in a name marks the part, not a moment in it: the mark stands at its start. */
function marksOf(profile: Profile, { parts, start }: ReturnType<typeof partsOf>[number]): RecordingMark[] {
  if (start === null) return []
  return profile.marks.flatMap(({ field, values, label }) => {
    const value = parts?.fields.get(field)
    const isOne =
      value !== undefined && (values === undefined || values.some((one) => foldCase(one) === foldCase(value)))
    return isOne ? [{ ms: start.ms, label }] : []
  })
}

/** Finds the recording of each sidecar file: the longest name that fits wins, and each goes with one file. @returns by the media's keys */
function sidecarsOf(
  profile: Profile,
  files: readonly CardFile[],
  media: readonly CardFile[],
): ReadonlyMap<string, CardFile[]> {
  const rules = new Map(profile.sidecars.map((rule) => [rule.extension, rule]))
  const byFolder = new Map<string, { key: string; stem: string }[]>()
  for (const { key, path, name } of media) {
    const folder = foldCase(folderOf(path))
    const list = byFolder.get(folder) ?? []
    if (list.length === 0) byFolder.set(folder, list)
    list.push({ key, stem: foldCase(stemOf(name).stem) })
  }
  for (const list of byFolder.values()) list.sort((a, b) => (a.stem < b.stem ? -1 : a.stem > b.stem ? 1 : 0))
  const found = new Map<string, CardFile[]>()
  for (const file of files) {
    const { stem, extension } = stemOf(file.name)
    const rule = rules.get(extension)
    if (rule === undefined) continue
    const list = byFolder.get(foldCase(folderOf(file.path))) ?? []
    const wanted = foldCase(stem)
    const at = firstFrom(list, wanted)
    const hit = list[at]
    const isHit = hit !== undefined && (rule.match === 'stem' ? hit.stem === wanted : hit.stem.startsWith(wanted))
    if (!isHit) continue
    const along = found.get(hit.key)
    if (along === undefined) found.set(hit.key, [file])
    else along.push(file)
  }
  return found
}

/** The first stem that is not less; of those that begin with it the shortest. */
function firstFrom(list: readonly { stem: string }[], wanted: string): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((list[middle] as { stem: string }).stem < wanted) low = middle + 1
    else high = middle
  }
  return low
}

function whyForeign(profile: Profile, file: CardFile): string {
  const { extension } = stemOf(file.name)
  if (profile.sidecars.some((rule) => rule.extension === extension)) return dockReason('foreignSidecar')
  if (!profile.media.folders.some((pattern) => fits(file.path, pattern))) return dockReason('foreignFolder')
  return dockReason('foreignKind')
}

/**
 * Which files may be taken away once they are durable, verified and in the ledger (I6), by their keys. Whatever the profile does not name
 * stays, and so does what is foreign.
 */
export function clearable({ clear }: Profile, { recordings }: CardContents): ReadonlySet<string> {
  const files = recordings.flatMap(({ parts, beside }) => [
    ...(clear.media ? parts : []),
    ...(clear.sidecars ? beside : []),
  ])
  return new Set(files.filter(({ path }) => !clear.never.some((pattern) => fits(path, pattern))).map(({ key }) => key))
}
