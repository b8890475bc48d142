/** What a tile says of its bay. Pure, and flat, so that a tile whose words did not change is not drawn again. */
import type { DockTile, DockWall } from './use-wall.ts'

/** `attention`: somebody has to look. `stranger`: what stands there is no camera. */
export type Kind =
  | 'empty'
  | 'looking'
  | 'waiting'
  | 'copying'
  | 'checking'
  | 'clearing'
  | 'safe'
  | 'stopped'
  | 'faulty'
  | 'pulled'
  | 'stranger'

type Unit = 's' | 'min' | 'h'

export interface Face {
  readonly key: string
  readonly session: string | null
  readonly number: number
  readonly kind: Kind
  readonly who: string
  /** Beside a name that people gave: which camera it is. */
  readonly what: string | null
  /** Whole percent that is done; what is not whole is never rounded up to it. */
  readonly share: number
  readonly files: number
  readonly filesDone: number
  /** Estimated, and rounded as people say it; null while nothing can be said. */
  readonly left: number | null
  readonly unit: Unit
  /** When one that waits has its turn, likewise. */
  readonly starts: number | null
  readonly startsUnit: Unit
  /** Others that wait and have their turn before it. */
  readonly before: number
  /** Minutes since it was plugged in; of one that is done, until then. */
  readonly minutes: number
  readonly problems: number
  /** Kept files that differ from the camera's own list: it is safe to take, and somebody has to look at them. */
  readonly differs: number
  readonly notLookedAt: number
  readonly foreign: number
  readonly cleared: number
  /** Nobody is known to wear it. */
  readonly nobodys: boolean
  readonly reason: string | null
}

const KINDS: Readonly<Record<DockTile['State'], Kind>> = {
  detected: 'looking',
  identified: 'looking',
  negotiated: 'looking',
  listed: 'looking',
  resumed: 'looking',
  copying: 'copying',
  verifying: 'checking',
  committed: 'clearing',
  cleared: 'safe',
  released: 'safe',
  failed: 'stopped',
  pulled: 'pulled',
  refused: 'stranger',
}

function kindOf(tile: DockTile): Kind {
  const kind = KINDS[tile.State]
  if (kind === 'copying' && tile.Waiting && tile.BytesDone === 0 && tile.FilesDone === 0) return 'waiting'
  if (kind !== 'safe') return kind
  if (tile.Problems > tile.Differs) return 'faulty'
  // Green is said of nothing that the station itself does not call safe.
  return tile.SafeToTake ? 'safe' : 'clearing'
}

/** Tens of seconds, whole minutes, whole hours; never less than it is. */
export function rounded(seconds: number | null): { readonly left: number | null; readonly unit: Unit } {
  if (seconds === null || !Number.isFinite(seconds)) return { left: null, unit: 'min' }
  if (seconds <= 50) return { left: Math.max(10, Math.ceil(seconds / 10) * 10), unit: 's' }
  if (seconds <= 99 * 60) return { left: Math.ceil(seconds / 60), unit: 'min' }
  return { left: Math.min(99, Math.ceil(seconds / 3600)), unit: 'h' }
}

const minutesBetween = (from: string, to: string): number =>
  Math.max(0, Math.floor((Date.parse(to) - Date.parse(from)) / 60_000))

export function faceOf(tile: DockTile, nowUtc: string): Face {
  const named = tile.Wearer ?? tile.Name
  const { left: starts, unit: startsUnit } = rounded(tile.StartsInSeconds)
  return {
    key: tile.DockSessionId,
    session: tile.DockSessionId,
    number: tile.Number,
    kind: kindOf(tile),
    who: named ?? tile.SerialNumber ?? tile.Model ?? tile.Bay,
    what: named === null ? null : tile.SerialNumber,
    share: tile.Bytes === 0 ? 0 : Math.floor((tile.BytesDone / tile.Bytes) * 100),
    files: tile.Files,
    filesDone: tile.FilesDone,
    ...rounded(tile.SecondsLeft),
    starts,
    startsUnit,
    before: tile.Before ?? 0,
    minutes: minutesBetween(tile.DetectedTimeUtc, tile.ReleasedTimeUtc ?? nowUtc),
    problems: tile.Problems - tile.Differs,
    differs: tile.Differs,
    notLookedAt: tile.NotLookedAt,
    foreign: tile.Foreign,
    cleared: tile.Cleared,
    nobodys: tile.Assigned === false,
    reason: tile.Reason,
  }
}

const emptyFace = ({ Bay, Number }: DockWall['Empty'][number]): Face => ({
  key: `empty ${Number}`,
  session: null,
  number: Number,
  kind: 'empty',
  who: Bay,
  what: null,
  share: 0,
  files: 0,
  filesDone: 0,
  left: null,
  unit: 'min',
  starts: null,
  startsUnit: 'min',
  before: 0,
  minutes: 0,
  problems: 0,
  differs: 0,
  notLookedAt: 0,
  foreign: 0,
  cleared: 0,
  nobodys: false,
  reason: null,
})

/** Every bay, by its number. */
export const facesOf = (wall: DockWall): Face[] =>
  [...wall.Tiles.map((tile) => faceOf(tile, wall.TimeUtc)), ...wall.Empty.map(emptyFace)].sort(
    (one, other) => one.number - other.number,
  )

export interface Tallies {
  readonly safe: number
  readonly working: number
  readonly attention: number
  readonly pulled: number
}

const COUNTED: Readonly<Record<Kind, keyof Tallies | null>> = {
  empty: null,
  looking: 'working',
  waiting: 'working',
  copying: 'working',
  checking: 'working',
  clearing: 'working',
  safe: 'safe',
  stopped: 'attention',
  faulty: 'attention',
  pulled: 'pulled',
  stranger: null,
}

export function talliesOf(faces: readonly Face[]): Tallies {
  const tallies = { safe: 0, working: 0, attention: 0, pulled: 0 }
  for (const { kind } of faces) {
    const at = COUNTED[kind]
    if (at !== null) tallies[at] += 1
  }
  return tallies
}

export const needsSomeone = (kind: Kind): boolean => kind === 'stopped' || kind === 'faulty' || kind === 'pulled'

/** What became so since the last look; a wall that is seen for the first time tells nothing. */
export function changesOf(before: ReadonlyMap<string, Kind>, faces: readonly Face[]): Face[] {
  return faces.filter(({ key, kind }) => {
    if (kind !== 'safe' && !needsSomeone(kind)) return false
    return before.get(key) !== kind
  })
}
