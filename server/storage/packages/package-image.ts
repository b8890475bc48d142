/**
 * A package as a disc image: ISO 9660 with the long names of Rock Ridge and Joliet, made by xorriso. It reads the files where the station has them, so
 * there is no second copy. The last file, the signature, gets its place when the image is made and its bytes at the end: until then the image is no
 * package. What an interrupted run left is removed: it starts again.
 */
import { packageProblem } from '../../../shared/messages/package-problems.ts'
import { createHash, randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { NO_FOLLOW } from '../../platform/files/durable.ts'
import { writeNew } from '../../platform/files/trees.ts'
import { faultOf, StorageFault } from '../faults.ts'
import type { WorkerPool } from '../workers/worker-pool.ts'
import { packageTools, type PackageTools } from './package-tools.ts'
import type { CopyWork, LastFile, PackageContent, PackageWriter, WrittenFile } from './package-writer.ts'
import { compareParts } from './package-zip.ts'
import {
  giveName,
  notReadBack,
  openNew,
  poolFor,
  readBack,
  removeOldFile,
  removeOldFolder,
  requireFolder,
  requireFree,
  requireSource,
  requireSpace,
  UNFINISHED,
  whileConnected,
  writeBeside,
} from './targets.ts'

const SECTOR = 2048
/** Of a file beside its bytes, at most: its sector, and what the tables of three kinds of names say. */
const FILE = 2 * SECTOR
/** Milliseconds between two looks at how far it is. */
const LOOK = 500

interface Mapped extends WrittenFile {
  readonly source: string
}

/** @param volume its name as a disc @throws StorageFault as `openPackageFolder`, and when xorriso is not installed */
export async function openPackageImage(
  parent: string,
  name: string,
  volume: string,
  { bytes, files, folders, toolFolders }: PackageContent,
): Promise<PackageWriter> {
  const path = join(parent, name)
  const making = `${path}${UNFINISHED}`
  // Lists and papers lie beside it until it has them.
  const texts = `${path}.texts${UNFINISHED}`
  const tools = packageTools(toolFolders)
  await tools.require('xorriso')
  const device = await requireFolder(parent)
  await requireFree(path)
  await removeOldFile(making)
  await removeOldFolder(texts)
  await requireSpace(parent, bytes + files * FILE)
  await mkdir(texts, { mode: 0o700 }).catch((error: unknown) => {
    throw faultOf(error, 'open', texts)
  })
  const pool = await poolFor(parent, device)
  const mapped: Mapped[] = []
  let place: { readonly offset: number; readonly holds: Buffer } | null = null
  const write = async (to: string, content: string | Uint8Array): Promise<WrittenFile> => {
    const target = join(texts, to.replaceAll('/', '_'))
    const text = Buffer.from(content)
    await writeNew(target, text).catch((error: unknown) => {
      throw faultOf(error, 'write', target)
    })
    const sha256 = createHash('sha256').update(text).digest('hex')
    const written = { path: to, sha256, bytes: text.length }
    mapped.push({ ...written, source: target })
    return written
  }
  return {
    path,
    readsLater: true,
    copy: async (source, to) => {
      const found = await lstat(source, { bigint: true }).catch((error: unknown) => {
        throw faultOf(error, 'read source', source)
      })
      requireSource(found, source, to.bytes)
      mapped.push({ ...to, source })
      return false
    },
    write,
    keepOnly: async () => {},
    settle: async (last, work) => {
      // Its bytes are nobody's signature, and are found again in the image.
      const holds = randomBytes(last.length)
      await write(last.path, holds)
      await (await openNew(making)).close()
      const parts = await whileConnected(parent, device, async () => {
        await makeImage(tools, making, { volume, folders, mapped, work })
        return partsIn(tools, making, mapped, work)
      })
      await compareImage(pool, making, { parts, mapped, work })
      place = { offset: parts.find((part) => part.path === last.path)?.offset ?? -1, holds }
    },
    finish: async (last) => {
      if (place === null) throw new Error('The image is not settled')
      await fill(making, place, last)
      await giveName(making, path)
    },
    writeBeside: (ending, content) => writeBeside(path, ending, content),
    abandon: async () => {},
    close: async () => {
      await pool.close()
      await rm(making, { force: true })
      await rm(texts, { recursive: true, force: true, maxRetries: 2 })
    },
  }
}

async function makeImage(
  tools: PackageTools,
  making: string,
  image: {
    readonly volume: string
    readonly folders: readonly string[]
    readonly mapped: readonly Mapped[]
    readonly work: CopyWork
  },
): Promise<void> {
  const { volume, folders, mapped, work } = image
  const total = mapped.reduce((sum, { bytes }) => sum + bytes, 0)
  let [seen, isLooking] = [0, true]
  const reach = (bytes: number): void => {
    const now = Math.min(total, bytes)
    if (now > seen) work.onProgress?.(now - seen)
    seen = Math.max(now, seen)
  }
  const timer = setInterval(() => {
    void lstat(making).then(
      ({ size }) => isLooking && reach(size),
      () => {},
    )
  }, LOOK)
  try {
    await tools.run('xorriso', [...QUIET, '-outdev', `stdio:${making}`, ...NAMES, '-options_from_file', '-'], {
      // A list on the command line could be too long for the system.
      stdin: Buffer.from(optionsOf(volume, folders, mapped)),
      signal: work.signal,
    })
  } finally {
    isLooking = false
    clearInterval(timer)
  }
  reach(total)
}

/** No settings of the machine; any trouble with a file ends it. */
const QUIET = ['-no_rc', '-abort_on', 'SORRY', '-return_with', 'SORRY', '32', '-report_about', 'SORRY']
const NAMES = [
  '-joliet',
  'on',
  '-rockridge',
  'on',
  '-compliance',
  'iso_9660_level=3:joliet_long_names',
  '-padding',
  '0',
]

/** Everybody reads and nobody writes: so are discs. */
const optionsOf = (volume: string, folders: readonly string[], mapped: readonly Mapped[]): string =>
  [
    `-volid ${quoted(volume)}`,
    ...folders.map((folder) => `-mkdir ${quoted(`/${folder}`)} --`),
    ...mapped.map(({ source, path }) => `-map ${quoted(source)} ${quoted(`/${path}`)}`),
    '-find / -exec chown 0 --',
    '-find / -exec chgrp 0 --',
    '-find / -type d -exec chmod a=rx --',
    '-find / -type f -exec chmod a=r --',
    '',
  ].join('\n')

/** @throws StorageFault for a path that xorriso cannot be given */
function quoted(text: string): string {
  if (!text.includes("'") && !/[\n\r\0]/.test(text)) return `'${text}'`
  if (!text.includes('"') && !/[\n\r\0]/.test(text)) return `"${text}"`
  throw new StorageFault('StoreFailed', packageProblem('namelessFolder'), {
    path: text,
  })
}

interface Part {
  readonly path: string
  readonly offset: number
  readonly length: number
}

/** Where the files are in an image, as its own tables say. @throws StorageFault unless they are those that it was to have */
async function partsIn(
  tools: PackageTools,
  making: string,
  mapped: readonly Mapped[],
  { signal }: CopyWork,
): Promise<Part[]> {
  const listing = ['-indev', `stdio:${making}`, '-find', '/', '-type', 'f', '-exec', 'report_lba', '--']
  const { stdout } = await tools.run('xorriso', [...QUIET, ...listing], { signal, maxStdout: MOST_LISTING })
  const parts = new Map<string, Part & { readonly blocks: number }>()
  for (const line of stdout.toString().split('\n')) {
    const [, start, count, size, path] =
      /^File data lba: +\d+ , +(\d+) , +(\d+) , +(\d+) , '\/(.+)'$/.exec(line)?.map(String) ?? []
    if (path === undefined) continue
    const [at, blocks, length] = [Number(start), Number(count), Number(size)]
    const known = parts.get(path)
    // Files over 4 GiB have several extents, one behind the other.
    if (known !== undefined && at !== known.offset / SECTOR + known.blocks)
      throw notReadBack(making, packageProblem('placesOf', { path }))
    parts.set(
      path,
      known === undefined ? { path, offset: at * SECTOR, length, blocks } : { ...known, blocks: known.blocks + blocks },
    )
  }
  const isSame = mapped.every(({ path, bytes }) => parts.get(path)?.length === bytes)
  if (!isSame || parts.size !== mapped.length) throw notReadBack(making, packageProblem('theNames'))
  return [...parts.values()]
}
const MOST_LISTING = 512 * 1024 * 1024

/** Each file in it, from the volume, with its hash. Files of the same bytes have one place. */
async function compareImage(
  pool: WorkerPool,
  making: string,
  {
    parts,
    mapped,
    work,
  }: { readonly parts: readonly Part[]; readonly mapped: readonly Mapped[]; readonly work: CopyWork },
): Promise<void> {
  const sums = new Map(mapped.map(({ path, sha256 }) => [path, sha256]))
  const places = new Map<number, { readonly offset: number; readonly length: number; readonly sha256: string }>()
  for (const { path, offset, length } of parts.filter((part) => part.length > 0)) {
    const sha256 = sums.get(path) ?? ''
    const other = places.get(offset)
    if (other !== undefined && (other.sha256 !== sha256 || other.length !== length))
      throw notReadBack(making, packageProblem('thePlaces'))
    places.set(offset, { offset, length, sha256 })
  }
  const pieces = [...places.values()].toSorted((a, b) => a.offset - b.offset)
  const length = (await lstat(making)).size
  const paths = new Map(mapped.map(({ path, sha256 }) => [sha256, path]))
  await compareParts(pool, making, { pieces, length, paths, work })
}

/** Puts the last file in its place. */
async function fill(
  making: string,
  { offset, holds }: { readonly offset: number; readonly holds: Buffer },
  { path, bytes }: LastFile,
): Promise<void> {
  if (bytes.length !== holds.length) throw new Error(`${path} has ${bytes.length} bytes, and its place ${holds.length}`)
  if (offset < 0 || !(await readBack(making, offset, holds.length)).equals(holds))
    throw notReadBack(making, packageProblem('placesOf', { path }))
  const file = await open(making, constants.O_RDWR | NO_FOLLOW)
  try {
    await file.write(bytes, 0, bytes.length, offset)
    await file.sync()
  } catch (error) {
    throw faultOf(error, 'write', making)
  } finally {
    await file.close()
  }
  if (!(await readBack(making, offset, bytes.length)).equals(bytes))
    throw notReadBack(making, packageProblem('bytesOf', { path }))
}
