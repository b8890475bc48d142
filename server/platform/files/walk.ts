import type { BigIntStats } from 'node:fs'
import { lstat, opendir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { shownName, shownPath } from './names.ts'

export interface FoundFile {
  readonly kind: 'file'
  /** Absolute, for people: bytes that are not UTF-8 are escaped. */
  readonly path: string
  /** The same as bytes: what to open. A name that is not UTF-8 is reachable in no other way. */
  readonly location: Buffer
  /** The last component of `path`. */
  readonly name: string
  /** Bytes, when looked at. */
  readonly length: number
  readonly modifiedNs: bigint
}

/** Nothing is left out without one of these: what a receipt does not list would be believed copied. */
export interface Skipped {
  readonly kind: 'skipped'
  readonly path: string
  readonly location: Buffer
  /** For a person, in a sentence. */
  readonly reason: string
}

export type WalkEntry = FoundFile | Skipped

export interface WalkLimits {
  /** Folders below a given path. */
  readonly depth?: number
  /** Files and folders altogether. */
  readonly entries?: number
}

/**
 * Every regular file under the given paths, a folder's in the order of their names' bytes, and everything passed over with the reason
 * (promises.md, S12). Links are never followed, other volumes never entered. @throws nothing the disk does: that is an entry too
 */
export async function* walk(
  paths: readonly string[],
  { depth = 16, entries = 200_000 }: WalkLimits = {},
): AsyncGenerator<WalkEntry, void, undefined> {
  const budget = { left: entries, depth }
  for (const path of paths) yield* visit(Buffer.from(resolve(path)), null, 0, budget)
}

interface Budget {
  left: number
  readonly depth: number
}

const SLASH = Buffer.from('/')

async function* visit(
  location: Buffer,
  device: bigint | null,
  level: number,
  budget: Budget,
): AsyncGenerator<WalkEntry, void, undefined> {
  let stat: BigIntStats
  try {
    stat = await lstat(location, { bigint: true })
  } catch (error) {
    yield skipped(location, problem(error))
    return
  }
  if (device !== null && stat.dev !== device) yield skipped(location, 'It lies on another volume.')
  else if (stat.isFile()) yield found(location, stat)
  else if (stat.isDirectory()) yield* folder(location, stat.dev, level, budget)
  else yield skipped(location, KINDS.find(([is]) => stat[is]())?.[1] ?? 'It is no regular file.')
}

const KINDS = [
  ['isSymbolicLink', 'It is a link; links are not followed.'],
  ['isFIFO', 'It is a pipe, not a file.'],
  ['isSocket', 'It is a socket, not a file.'],
  ['isBlockDevice', 'It is a device, not a file.'],
  ['isCharacterDevice', 'It is a device, not a file.'],
] as const

async function* folder(
  location: Buffer,
  device: bigint,
  level: number,
  budget: Budget,
): AsyncGenerator<WalkEntry, void, undefined> {
  if (level > budget.depth) {
    yield skipped(location, `It lies deeper than ${budget.depth} folders; nothing in it was looked at.`)
    return
  }
  const { names, failure, more } = await namesIn(location, budget.left)
  budget.left -= names.length
  for (const name of names.sort(Buffer.compare))
    yield* visit(
      Buffer.concat([location, location.at(-1) === SLASH[0] ? Buffer.alloc(0) : SLASH, name]),
      device,
      level + 1,
      budget,
    )
  if (failure !== null) yield skipped(location, `Not all of this folder could be read. ${failure}`)
  if (more) yield skipped(location, 'There are too many entries; the rest of this folder was not looked at.')
}

/** At most `most` names, so that a folder without end does not fill the memory. */
async function namesIn(
  location: Buffer,
  most: number,
): Promise<{ names: Buffer[]; failure: string | null; more: boolean }> {
  const names: Buffer[] = []
  try {
    const folder = await opendir(location as unknown as string, {
      encoding: 'buffer' as BufferEncoding,
      bufferSize: 512,
    })
    for await (const entry of folder) {
      if (names.length >= most) return { names, failure: null, more: true }
      names.push(entry.name as unknown as Buffer)
    }
    return { names, failure: null, more: false }
  } catch (error) {
    return { names, failure: problem(error), more: false }
  }
}

function found(location: Buffer, stat: BigIntStats): FoundFile {
  return {
    kind: 'file',
    path: shownPath(location),
    location,
    name: shownName(location.subarray(location.lastIndexOf(SLASH) + 1)),
    length: Number(stat.size),
    modifiedNs: stat.mtimeNs,
  }
}

const skipped = (location: Buffer, reason: string): Skipped => ({
  kind: 'skipped',
  path: shownPath(location),
  location,
  reason,
})

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'It is not there.',
  EACCES: 'The station may not read it.',
  EPERM: 'The station may not read it.',
  EIO: 'The disk could not read it.',
  ENAMETOOLONG: 'Its path is too long to be opened.',
}

const problem = (error: unknown): string => {
  const code = (error as NodeJS.ErrnoException).code ?? 'UNKNOWN'
  return PROBLEMS[code] ?? `The system could not open it (${code}).`
}
