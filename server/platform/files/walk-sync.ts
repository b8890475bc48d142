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
import { shownName, shownPath } from './names.ts'
import type { FoundFile, FoundFolder, SkipOutcome, Skipped, WalkEntry } from './walk.types.ts'

/**
 * The walk itself, one system call after the other, for a thread of its own: a volume that does not answer then holds up that thread alone.
 *
 * On Linux every folder is held open and its entries are reached through its descriptor, as openat does: what a hostile volume puts in the
 * place of a folder between two looks is never followed. Elsewhere paths are all there is.
 */
const ANCHORED = existsSync('/proc/self/fd')
const O_DIRECTORY = constants.O_DIRECTORY ?? 0
const SLASH = 0x2f

interface Budget {
  left: number
  readonly depth: number
  /** Told before every system call: whoever watches knows that it goes on. */
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
  /** How it is opened now: through the descriptor of its folder where that is held. */
  readonly reach: Buffer
  /** Absolute, for later. */
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
    const reason = KINDS.find(([is]) => stat[is]())?.[1] ?? 'It is no regular file.'
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
    yield { kind: 'folder', path: shownPath(place.location), location: place.location }
    const { names, failure, more } = namesIn(held.base, budget)
    budget.left -= names.length
    const twins = twinsAmong(names)
    for (const name of names.sort(Buffer.compare)) {
      const location = joined(place.location, name)
      // No filesystem should give such names; one made to do harm may.
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

/** @returns where the folder's entries are reached, or why it cannot be entered */
function hold(place: Place, stat: BigIntStats, budget: Budget): { base: Buffer; release(): void } | string {
  if (!ANCHORED) return { base: place.location, release: () => {} }
  let fd: number
  try {
    budget.step()
    fd = openSync(place.reach, constants.O_RDONLY | O_DIRECTORY | NO_FOLLOW | NO_WAIT)
  } catch (error) {
    return problem(error)
  }
  // What lies on another volume by now would have been mounted over it.
  if (fstatSync(fd, { bigint: true }).dev === stat.dev)
    return { base: Buffer.from(`/proc/self/fd/${fd}`), release: () => closeSync(fd) }
  closeSync(fd)
  return 'It changed while it was looked at.'
}

/** At most what is left, so that a folder without end does not fill the memory. */
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

/** Names that a volume without case, or with another normal form, would take for the same. */
function twinsAmong(names: readonly Buffer[]): ReadonlySet<Buffer> {
  const first = new Map<string, Buffer>()
  const twins = new Set<Buffer>()
  for (const name of names) {
    const folded = shownName(name).normalize('NFC').toUpperCase().toLowerCase()
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
    path: shownPath(location),
    location,
    name: shownName(location.subarray(location.lastIndexOf(SLASH) + 1)),
    length: Number(stat.size),
    allocated: Number(stat.blocks) * 512,
    modifiedNs: stat.mtimeNs,
    device: stat.dev,
    twin,
  }
}

export const skipped = (location: Buffer, outcome: SkipOutcome, reason: string): Skipped => ({
  kind: 'skipped',
  path: shownPath(location),
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
