import {
  type BigIntStats,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  opendirSync,
  openSync,
} from 'node:fs'
import { NO_FOLLOW, NO_WAIT } from './durable.ts'
import { displayName, displayPath } from './names.ts'
import type { FoundFile, FoundFolder, SkipOutcome, Skipped, WalkEntry } from './walk.types.ts'

/**
 * The synchronous walk, for a thread of its own: a volume that does not answer blocks only that thread.
 *
 * On Linux every folder is kept open, and its entries are reached through its descriptor, as with openat: a hostile volume cannot exchange a
 * folder between two calls. Other systems only offer paths.
 */
const ANCHORED = existsSync('/proc/self/fd')
const O_DIRECTORY = constants.O_DIRECTORY ?? 0
const SLASH = 0x2f

interface Budget {
  left: number
  readonly depth: number
  /** Called before every system call, as a sign of progress. */
  readonly step: () => void
}

/** @param locations absolute */
export function* walkSync(
  locations: readonly Uint8Array[],
  { depth, entries, step }: { depth: number; entries: number; step: () => void },
): Generator<WalkEntry | FoundFolder, void, undefined> {
  const budget: Budget = { left: entries, depth, step }
  for (const location of locations) {
    const bytes = Buffer.from(location)
    yield* visit({ reach: bytes, location: bytes }, null, 0, false, budget)
  }
}

interface Place {
  /** Path for opening it now: through the descriptor of its folder, if that is open. */
  readonly reach: Buffer
  /** Absolute path, for later use. */
  readonly location: Buffer
}

function* visit(
  place: Place,
  device: bigint | null,
  level: number,
  twin: boolean,
  budget: Budget,
): Generator<WalkEntry | FoundFolder, void, undefined> {
  let stat: BigIntStats
  try {
    budget.step()
    stat = lstatSync(place.reach, { bigint: true })
  } catch (error) {
    yield skipped(place.location, 'unreadable', problem(error))
    return
  }
  if (device !== null && stat.dev !== device) yield skipped(place.location, 'foreign', 'It lies on another volume.')
  else if (stat.isFile()) yield found(place.location, stat, twin)
  else if (stat.isDirectory()) yield* folder(place, stat, level, budget)
  else {
    const reason = KINDS.find(([is]) => stat[is]())?.[1] ?? 'It is not a regular file.'
    yield skipped(place.location, 'foreign', reason)
  }
}

const KINDS = [
  ['isSymbolicLink', 'It is a link; links are not followed.'],
  ['isFIFO', 'It is a pipe, not a file.'],
  ['isSocket', 'It is a socket, not a file.'],
  ['isBlockDevice', 'It is a device, not a file.'],
  ['isCharacterDevice', 'It is a device, not a file.'],
] as const

function* folder(
  place: Place,
  stat: BigIntStats,
  level: number,
  budget: Budget,
): Generator<WalkEntry | FoundFolder, void, undefined> {
  if (level > budget.depth) {
    const reason = `It lies deeper than ${budget.depth} folders; nothing in it was looked at.`
    yield skipped(place.location, 'too-deep', reason)
    return
  }
  const held = hold(place, stat, budget)
  if (typeof held === 'string') {
    yield skipped(place.location, 'unreadable', held)
    return
  }
  try {
    yield { kind: 'folder', path: displayPath(place.location), location: place.location }
    const { names, failure, more } = namesIn(held.base, budget)
    budget.left -= names.length
    const twins = findTwins(names)
    for (const name of names.sort(Buffer.compare)) {
      const location = joined(place.location, name)
      // Only a hostile filesystem returns such names.
      if (!isName(name)) yield skipped(location, 'foreign', 'Its name leads elsewhere.')
      else yield* visit({ reach: joined(held.base, name), location }, stat.dev, level + 1, twins.has(name), budget)
    }
    if (failure !== null)
      yield skipped(place.location, 'unreadable', `Not all of this folder could be read. ${failure}`)
    if (more) {
      const reason = 'There are too many entries; the rest of this folder was not looked at.'
      yield skipped(place.location, 'too-many', reason)
    }
  } finally {
    held.release()
  }
}

/** @returns the path for the folder's entries, or the reason why it cannot be entered */
function hold(place: Place, stat: BigIntStats, budget: Budget): { base: Buffer; release(): void } | string {
  if (!ANCHORED) return { base: place.location, release: () => {} }
  let fd: number
  try {
    budget.step()
    fd = openSync(place.reach, constants.O_RDONLY | O_DIRECTORY | NO_FOLLOW | NO_WAIT)
  } catch (error) {
    return problem(error)
  }
  // A folder on another device was mounted over it meanwhile.
  if (fstatSync(fd, { bigint: true }).dev === stat.dev)
    return { base: Buffer.from(`/proc/self/fd/${fd}`), release: () => closeSync(fd) }
  closeSync(fd)
  return 'It changed while it was looked at.'
}

/** Reads at most the remaining number of entries, so that an endless folder does not fill the memory. */
function namesIn(base: Buffer, budget: Budget): { names: Buffer[]; failure: string | null; more: boolean } {
  const names: Buffer[] = []
  try {
    budget.step()
    const open = opendirSync(base as unknown as string, { encoding: 'buffer' as BufferEncoding, bufferSize: 512 })
    try {
      for (;;) {
        budget.step()
        const entry = open.readSync()
        if (entry === null) return { names, failure: null, more: false }
        if (names.length >= budget.left) return { names, failure: null, more: true }
        names.push(entry.name as unknown as Buffer)
      }
    } finally {
      open.closeSync()
    }
  } catch (error) {
    return { names, failure: problem(error), more: false }
  }
}

/** Names that a case-insensitive or normalising volume would treat as the same. */
function findTwins(names: readonly Buffer[]): ReadonlySet<Buffer> {
  const first = new Map<string, Buffer>()
  const twins = new Set<Buffer>()
  for (const name of names) {
    const folded = displayName(name).normalize('NFC').toUpperCase().toLowerCase()
    const other = first.get(folded)
    if (other === undefined) first.set(folded, name)
    else twins.add(other).add(name)
  }
  return twins
}

export const isName = (name: Uint8Array): boolean =>
  name.length > 0 && !name.includes(SLASH) && !name.includes(0) && !/^\.\.?$/.test(Buffer.from(name).toString('latin1'))

const joined = (base: Buffer, name: Buffer): Buffer =>
  Buffer.concat([base, base.at(-1) === SLASH ? Buffer.alloc(0) : Buffer.from('/'), name])

function found(location: Buffer, stat: BigIntStats, twin: boolean): FoundFile {
  return {
    kind: 'file',
    path: displayPath(location),
    location,
    name: displayName(location.subarray(location.lastIndexOf(SLASH) + 1)),
    length: Number(stat.size),
    allocated: Number(stat.blocks) * 512,
    modifiedNs: stat.mtimeNs,
    device: stat.dev,
    twin,
  }
}

export const skipped = (location: Buffer, outcome: SkipOutcome, reason: string): Skipped => ({
  kind: 'skipped',
  path: displayPath(location),
  location,
  outcome,
  reason,
})

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'It is not there.',
  EACCES: 'The station may not read it.',
  EPERM: 'The station may not read it.',
  EIO: 'The disk could not read it.',
  ELOOP: 'It changed while it was looked at.',
  ENOTDIR: 'It changed while it was looked at.',
  ENAMETOOLONG: 'Its path is too long to be opened.',
  ENODEV: 'The volume was pulled.',
  ENXIO: 'The volume was pulled.',
  ENOTCONN: 'The volume was pulled.',
}

export const problem = (error: unknown): string => {
  const code = (error as NodeJS.ErrnoException).code ?? 'UNKNOWN'
  return PROBLEMS[code] ?? `The system could not open it (${code}).`
}
