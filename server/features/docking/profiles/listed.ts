import { type CardFile, foldCase, stemOf } from './card.ts'
import type { ReadFiles } from './identify.ts'
import type { ManifestRecording } from './manifest.ts'
import type { CameraTime, Recording } from './recording.types.ts'
import { readGpx, type TrackPoint } from './tracks.ts'

/** How well a camera is believed to know when its recordings began: to the second. */
const UNCERTAINTY = 1_000
const MOST_PROBLEMS = 100

/**
 * The recordings that a manifest lists. Takes their files out of `left`: a file that two of them claim belongs to the first. One that is not
 * there is a problem to be told, and what is there is still taken.
 */
export function fromManifest(
  listed: readonly ManifestRecording[],
  left: Map<string, CardFile>,
  read: ReadFiles,
): { recordings: Recording[]; problems: string[]; refused: string[] } {
  if (listed.length === 0) return { recordings: [], problems: [], refused: [] }
  const byPath = new Map<string, CardFile>()
  const byFolded = new Map<string, CardFile>()
  for (const file of left.values()) {
    byPath.set(file.path, file)
    if (!byFolded.has(foldCase(file.path))) byFolded.set(foldCase(file.path), file)
  }
  /** As it is written first: of twins in case each is reached by its own name. */
  const take = (path: string): CardFile | null => {
    const exact = byPath.get(path)
    const file = exact !== undefined && left.has(exact.key) ? exact : byFolded.get(foldCase(path))
    if (file === undefined || !left.delete(file.key)) return null
    return file
  }
  const recordings: Recording[] = []
  const problems: string[] = []
  const refused = new Set<string>()
  const tell = (problem: string): void => {
    if (problems.length < MOST_PROBLEMS) problems.push(problem)
  }
  for (const entry of listed) {
    const parts: CardFile[] = []
    const claimed = new Map<string, string>()
    const partTimes: Recording['partTimes'][number][] = []
    const own: string[] = []
    for (const { path, sha256, startUtc } of entry.files) {
      if (isOutside(path)) {
        if (refused.size < MOST_PROBLEMS) refused.add(path)
        continue
      }
      const file = take(path)
      if (file === null) own.push(`The manifest lists ${path}, which is not there or belongs to another recording.`)
      else {
        parts.push(file)
        partTimes.push({ start: startUtc === undefined ? null : timeOf(startUtc), end: null })
        if (sha256 !== undefined) claimed.set(file.key, sha256)
      }
    }
    const [first] = parts
    if (first === undefined) {
      for (const problem of own) tell(problem)
      continue
    }
    const { track, beside } = trackOf(entry, take, read, own)
    recordings.push({
      key: first.key,
      title: entry.title ?? entry.id ?? stemOf(first.name).stem,
      parts,
      beside,
      start: timeOf(entry.startUtc),
      end: entry.endUtc === undefined || entry.endUtc < entry.startUtc ? null : timeOf(entry.endUtc),
      partTimes,
      officer: entry.officer ?? null,
      marks: entry.marks.map(({ atUtc, label }) => ({ ms: atUtc, label })),
      track,
      cameraBehindMs: null,
      claimedSha256: claimed,
      problems: own,
    })
  }
  return { recordings, problems, refused: [...refused] }
}

/** Whether a path of a list leads out of the camera, by the rules of any system that may have written it. */
function isOutside(path: string): boolean {
  if (/^[/\\]|^[a-z]:/i.test(path)) return true
  let depth = 0
  for (const part of path.split(/[/\\]/)) {
    if (part === '..') depth--
    else if (part !== '' && part !== '.') depth++
    if (depth < 0) return true
  }
  return false
}

const timeOf = (ms: number): CameraTime => ({ ms, from: 'manifest', uncertaintyMs: UNCERTAINTY, doubtful: false })

function trackOf(
  { track }: ManifestRecording,
  take: (path: string) => CardFile | null,
  read: ReadFiles,
  problems: string[],
): { track: readonly TrackPoint[]; beside: readonly CardFile[] } {
  if (track === undefined) return { track: [], beside: [] }
  if (typeof track !== 'string')
    return { track: track.map(({ atUtc, latitude, longitude }) => ({ ms: atUtc, latitude, longitude })), beside: [] }
  const file = take(track)
  if (file === null) {
    problems.push(`The manifest names the track ${track}, which is not there.`)
    return { track: [], beside: [] }
  }
  const bytes = read.get(file.key)
  if (bytes === undefined) problems.push(`The track ${track} could not be read; it is taken as it is.`)
  return { track: bytes === undefined ? [] : readGpx(bytes.toString('utf8')).points, beside: [file] }
}
