import { type CardFile, foldCase, folderOf, stemOf } from './card.ts'
import { namesOf } from './identify.ts'
import type { Profile } from './profile.ts'
import type { CameraTime } from './recording.types.ts'
import type { NameParts } from './template.ts'
import { instantOf } from '../../../../shared/kernel/time-zones.ts'

/** A media file with the facts from its name and dates. */
export interface Part {
  readonly file: CardFile
  readonly parts: NameParts | null
  readonly start: CameraTime | null
  readonly end: CameraTime | null
  readonly officer: string | null
  readonly problems: string[]
}

/** FAT keeps times in steps of two seconds. */
const MODIFIED_UNCERTAINTY = 2_000
/** Names are to the second, cut. */
const NAME_UNCERTAINTY = 1_000
/** No part of a recording is longer: a later date of its file is of something else. */
const LONGEST_PART = 24 * 3_600_000
/** Before this cameras had not been set: 1 January 1980 is where FAT begins. */
const FIRST_DAY = Date.UTC(1980, 0, 2)

export function partsOf(profile: Profile, media: readonly CardFile[], station: string): Part[] {
  const named = namesOf(profile)
  const zone = profile.time.zone === 'station' ? station : profile.time.zone
  return media.map((file) => {
    const parts = named(file.name)
    const problems: string[] = []
    if (parts === null && profile.media.names.length > 0) problems.push(`${file.name}: its name tells nothing.`)
    const { start, end } = timesOf(profile, file, parts, zone)
    if (start === null && end === null) problems.push(`${file.name}: nothing says when it was recorded.`)
    const officer = parts?.fields.get('officer')?.replaceAll('_', ' ').trim() ?? ''
    return { file, parts, start, end, officer: officer === '' ? null : officer, problems }
  })
}

function timesOf(profile: Profile, file: CardFile, parts: NameParts | null, zone: string): Pick<Part, 'start' | 'end'> {
  const named = parts?.wall == null ? null : instantOf(parts.wall, zone)
  const start: CameraTime | null =
    named === null ? null : { ms: named.ms, from: 'name', uncertaintyMs: NAME_UNCERTAINTY, doubtful: named.doubtful }
  if (profile.time.modified === 'nothing' || file.modifiedMs < FIRST_DAY) return { start, end: null }
  const modified: CameraTime = {
    ms: file.modifiedMs,
    from: 'modified',
    uncertaintyMs: MODIFIED_UNCERTAINTY,
    doubtful: false,
  }
  if (profile.time.modified === 'start') return { start: start ?? modified, end: null }
  // The filesystem's date may be in another zone than the name's: then it is no end of this.
  const isEnd =
    start === null || (modified.ms + MODIFIED_UNCERTAINTY >= start.ms && modified.ms - start.ms <= LONGEST_PART)
  return { start, end: isEnd ? modified : null }
}

type Group = [Part, ...Part[]]

/** What all parts of one recording say alike. Whether something was marked can differ from part to part. */
const LINE = ['serial', 'officer', 'unit', 'channel'] as const
const WHOSE = [...LINE, 'sequence'] as const

/** The parts of one recording together, in order. Every part is in one group. */
export function joined(profile: Profile, parts: readonly Part[]): Group[] {
  const { by } = profile.join
  if (by === 'none') return parts.map((part) => [part])
  return by === 'part' ? byNumber(parts) : byTime(profile, parts)
}

/** Names of the same recording, by the numbers of their parts. */
function byNumber(parts: readonly Part[]): Group[] {
  const groups = new Map<string, Part[]>()
  for (const part of parts) {
    const number = part.parts?.fields.get('part')
    const fields = WHOSE.map((field) => part.parts?.fields.get(field))
    const wall = part.parts?.wall ?? null
    const folder = foldCase(folderOf(part.file.path))
    const key = number === undefined ? `file ${part.file.key}` : JSON.stringify([folder, fields, wall])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [part])
    else group.push(part)
  }
  const numberOf = (part: Part): bigint => BigInt(part.parts?.fields.get('part')?.replace(/\D/g, '') || '0')
  return [...groups.values()].map((group) => {
    const [first, ...more] = group.sort((a, b) => compare(numberOf(a), numberOf(b)) || compare(a.file.key, b.file.key))
    more.forEach((part, at) => {
      const before = at === 0 ? (first as Part) : (more[at - 1] as Part)
      if (numberOf(part) !== numberOf(before) + 1n)
        part.problems.push(`${part.file.name} does not follow ${before.file.name}: a part is missing or there twice.`)
    })
    return [first as Part, ...more]
  })
}

const compare = <T extends bigint | string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0)

/** What goes on with what was before, by its name or because one begins when the other is full. */
function byTime(profile: Profile, parts: readonly Part[]): Group[] {
  const { by, partSeconds, toleranceSeconds } = profile.join
  const groups: Group[] = []
  /** The group that is still growing, of each camera, lens and name. */
  const open = new Map<string, Group>()
  const inOrder = [...parts].sort(
    (a, b) => compare(a.start?.ms ?? Infinity, b.start?.ms ?? Infinity) || compare(a.file.key, b.file.key),
  )
  for (const part of inOrder) {
    const line = JSON.stringify(LINE.map((field) => part.parts?.fields.get(field)))
    const group = open.get(line)
    const before = group?.at(-1)
    const gap = part.start === null || before?.start == null ? null : (part.start.ms - before.start.ms) / 1000
    const inTime = gap !== null && gap > 0 && gap <= partSeconds + toleranceSeconds
    const says = part.parts?.fields.has('continues') === true
    const isFull = gap !== null && Math.abs(gap - partSeconds) <= toleranceSeconds
    const goesOn = by === 'continues' ? says && inTime : isFull
    if (group !== undefined && goesOn) {
      group.push(part)
      continue
    }
    if (by === 'continues' && says)
      part.problems.push(`${stemOf(part.file.name).stem} goes on with a part that is not there.`)
    const fresh: Group = [part]
    groups.push(fresh)
    open.set(line, fresh)
  }
  return groups
}
