/**
 * Reads and verifies the export of a station. Nothing in it is believed before the signature over its lists holds under the key on the paper; what is read
 * later is hashed again as it is read, since the folder may lie on a volume that others write to.
 */
import { createHash, type KeyObject } from 'node:crypto'
import { join } from 'node:path'
import { leafHash, type StoredEntry } from '../../../kernel/ledger/format.ts'
import { compactRange } from '../../../kernel/ledger/merkle.ts'
import { isSameRoot } from '../../../kernel/ledger/signed-head.ts'
import { entriesIn, readTextIn } from '../../../storage/packages/read-package.ts'
import { namesIn } from '../../../platform/files/trees.ts'
import * as layout from '../format/layout.ts'
import { type PackageProblem, type Say, treeHead, verifyLists, verifyPackage } from '../verify.ts'
import { CARRIED } from './carried.ts'
import * as files from './export-layout.ts'
import { type JsonRow, readRowLine } from './row-lines.ts'

export interface VerifyExportWork {
  /** As it stands on the paper of the station. */
  readonly fingerprint: string
  readonly signal: AbortSignal
  readonly onProgress: (text: string) => void
}

export interface OpenedExport {
  readonly folder: string
  readonly about: files.About
  readonly blobs: ReadonlyMap<string, files.BlobLine>
  readonly fingerprint: string
  /** Raw, of the station's ledger. */
  readonly ledgerKey: Buffer
  readonly note: string
  readonly signedSha256: string
  /** @throws Error when the file is not the one that is listed */
  part(path: string): Promise<string>
}

export interface VerifiedExport {
  readonly problems: readonly PackageProblem[]
  /** Null unless the signed lists and the description hold. */
  readonly opened: OpenedExport | null
}

/** @throws Error when the folder cannot be read */
export async function verifyExport(folder: string, work: VerifyExportWork): Promise<VerifiedExport> {
  const problems: PackageProblem[] = []
  const say: Say = (where, text) => void problems.push({ where, text })
  const opened = await openExport(folder, work, say)
  if (opened !== null) {
    work.onProgress('the ledger')
    await verifyLedger(opened, work, say)
    await verifyRows(opened, work, say)
    await nothingBeside(folder, opened.about, say)
  }
  return { problems, opened }
}

/** Lists, signatures and hashes of all parts. */
async function openExport(folder: string, work: VerifyExportWork, say: Say): Promise<OpenedExport | null> {
  const station = join(folder, files.STATION)
  const inStation: Say = (where, text) => say(`${files.STATION}/${where}`, text)
  const reading = (what: string) => ({
    fingerprint: work.fingerprint,
    signal: work.signal,
    onBytes: countBytes((bytes) => work.onProgress(`${what}: ${Math.round(bytes / 1_000_000)} MB read`)),
  })
  const lists = await verifyLists(station, files.FOLDERS, reading(files.STATION), inStation)
  const head = await treeHead(station, lists.ledgerKey, inStation)
  // Whoever forges an export writes whatever they like into the rest: it is not looked at.
  if (!lists.isSigned || lists.ledgerKey === null || head === null) return null
  const hashes = new Map(lists.listed.map(({ path, sha256 }) => [path, sha256]))
  const part = async (path: string): Promise<string> => {
    const bytes = await readTextIn(station, path)
    const sha256 = hashes.get(path)
    if (bytes === null || sha256 === undefined || createHash('sha256').update(bytes).digest('hex') !== sha256)
      throw new Error(`${files.STATION}/${path} is not the file that was signed.`)
    return bytes.toString()
  }
  const about = await aboutIn(part, inStation)
  if (about === null) return null
  if (about.origin !== head.origin || about.entries !== head.size)
    say(`${files.STATION}/${files.ABOUT}`, 'it does not fit the signed tree head')
  const listed = new Map<string, ReadonlyMap<string, string>>([[files.STATION, hashes]])
  for (const one of about.packages) {
    const found = await verifyOne(folder, one, reading(one.folder), say)
    listed.set(one.folder, found)
  }
  const blobs = await blobsIn(part, listed, inStation)
  return {
    folder,
    about,
    blobs,
    fingerprint: lists.fingerprints.package as string,
    ledgerKey: rawKey(lists.ledgerKey),
    note: await part(layout.CHECKPOINT),
    signedSha256: createHash('sha256').update(lists.tags).digest('hex'),
    part,
  }
}

const rawKey = (key: KeyObject): Buffer => Buffer.from(key.export({ format: 'jwk' }).x as string, 'base64url')

function countBytes(tell: (bytes: number) => void): (bytes: number) => void {
  let sum = 0
  let told = 0
  return (bytes) => {
    sum += bytes
    if (sum - told < EVERY_BYTES) return
    told = sum
    tell(sum)
  }
}
const EVERY_BYTES = 50_000_000

async function aboutIn(part: OpenedExport['part'], say: Say): Promise<files.About | null> {
  try {
    const found = files.About.safeParse(JSON.parse(await part(files.ABOUT)))
    if (found.success) return found.data
    const [issue] = found.error.issues
    say(files.ABOUT, `it is not the description of an export: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`)
  } catch (error) {
    say(files.ABOUT, (error as Error).message)
  }
  return null
}

/** @returns the files of a package of the export with their hashes */
async function verifyOne(
  folder: string,
  { folder: name, signedSha256 }: files.About['packages'][number],
  work: Parameters<typeof verifyPackage>[1],
  say: Say,
): Promise<ReadonlyMap<string, string>> {
  const path = join(folder, name)
  try {
    const { problems } = await verifyPackage(path, work)
    for (const { where, text } of problems) say(`${name}/${where}`, text)
    const tags = (await readTextIn(path, layout.TAG_LIST)) ?? Buffer.alloc(0)
    if (createHash('sha256').update(tags).digest('hex') !== signedSha256)
      say(`${name}/${layout.TAG_LIST}`, 'it is not the package that the export names')
    const payload = await readTextIn(path, layout.PAYLOAD_LIST)
    return new Map(layout.readManifest((payload ?? '').toString()).map((file) => [file.path, file.sha256]))
  } catch (error) {
    work?.signal?.throwIfAborted()
    say(
      name,
      (error as NodeJS.ErrnoException).code === undefined
        ? (error as Error).message
        : `it cannot be read: ${(error as Error).message}`,
    )
    return new Map()
  }
}

async function blobsIn(
  part: OpenedExport['part'],
  listed: ReadonlyMap<string, ReadonlyMap<string, string>>,
  say: Say,
): Promise<Map<string, files.BlobLine>> {
  const blobs = new Map<string, files.BlobLine>()
  try {
    for (const line of linesOf(await part(files.BLOBS))) {
      const blob = files.BlobLine.parse(JSON.parse(line))
      if (blobs.has(blob.sha256)) throw new Error(`${blob.sha256} is listed twice`)
      for (const at of blob.at) {
        const end = at.indexOf('/')
        if (listed.get(at.slice(0, end))?.get(at.slice(end + 1)) !== blob.sha256)
          throw new Error(`${at} is not listed with the hash ${blob.sha256}`)
      }
      blobs.set(blob.sha256, blob)
    }
  } catch (error) {
    say(files.BLOBS, error instanceof Error && error.name !== 'ZodError' ? error.message : 'a line of it names no blob')
  }
  return blobs
}

export const linesOf = (text: string): string[] => text.split('\n').slice(0, -1)

/** Every entry of the ledger of an export, in order. @throws Error when a file or a line is not what it should be */
export async function* entriesOf({
  about,
  part,
}: Pick<OpenedExport, 'about' | 'part'>): AsyncGenerator<{ readonly entry: StoredEntry; readonly body: Buffer }> {
  for (const path of about.ledger)
    for (const line of linesOf(await part(path))) {
      const entry = JSON.parse(line) as StoredEntry
      if (
        typeof entry?.object?.type !== 'string' ||
        typeof entry.object.id !== 'string' ||
        !Number.isSafeInteger(entry.seq)
      )
        throw new Error(`A line of ${path} is no entry.`)
      yield { entry, body: Buffer.from(line) }
    }
}

/** That the lines are the entries under the signed tree head, and that one of them introduces the key that signed the export. */
async function verifyLedger(opened: OpenedExport, { signal }: VerifyExportWork, say: Say): Promise<void> {
  const range = compactRange()
  let last = 0
  let introduces = false
  try {
    for await (const { entry, body } of entriesOf(opened)) {
      signal.throwIfAborted()
      if (entry.seq !== ++last) throw new Error(`Entry ${entry.seq} stands where entry ${last} belongs.`)
      range.append(leafHash(body))
      if (entry.action === 'key.created' && entry.object.id === opened.fingerprint) introduces = true
    }
  } catch (error) {
    signal.throwIfAborted()
    return say('the ledger', (error as Error).message)
  }
  const root = Buffer.from(opened.note.split('\n')[2] ?? '', 'base64')
  if (last !== opened.about.entries || !isSameRoot(range.root(), root))
    say('the ledger', 'it is not the ledger whose head the station signed: an entry was changed, left out or added')
  else if (!introduces) say('the ledger', 'no entry in it introduces the key that signed the export')
}

/** Rows of a table of an export. @throws Error when a file or a line is not what it should be */
export async function* rowsOf(
  { about, part }: Pick<OpenedExport, 'about' | 'part'>,
  table: string,
): AsyncGenerator<JsonRow> {
  for (const path of about.tables[table]?.files ?? [])
    for (const line of linesOf(await part(path))) {
      try {
        yield readRowLine(line)
      } catch (error) {
        throw new Error(`A line of ${path} is no row: ${(error as Error).message}`, { cause: error })
      }
    }
}

async function verifyRows(opened: OpenedExport, { signal }: VerifyExportWork, say: Say): Promise<void> {
  for (const table of Object.keys(opened.about.tables))
    if (CARRIED[table] === undefined) say(files.ABOUT, `there is a table ${table} in it that no export carries`)
  for (const table of Object.keys(CARRIED)) {
    const stated = opened.about.tables[table]
    if (stated === undefined) {
      say(files.ABOUT, `the table ${table} is missing`)
      continue
    }
    try {
      let count = 0
      for await (const _ of rowsOf(opened, table)) {
        if (++count % 1000 === 0) signal.throwIfAborted()
      }
      if (count !== stated.rows) say(`the table ${table}`, `it has ${count} rows, and should have ${stated.rows}`)
    } catch (error) {
      signal.throwIfAborted()
      say(`the table ${table}`, (error as Error).message)
    }
  }
}

/** What lies in the folder of the export and is none of it. */
async function nothingBeside(folder: string, about: files.About, say: Say): Promise<void> {
  const folders = [files.STATION, ...about.packages.map((one) => one.folder)]
  const known = new Set([...folders, ...folders.map((name) => `${name}${files.RECEIPT}`), files.LISTS])
  for (const name of (await namesIn(folder)) ?? []) if (!known.has(name)) say(name, 'it was added: no list names it')
}

/** What the folder is. */
export async function kindOf(path: string): Promise<'export' | 'package'> {
  const found = await entriesIn(path)
  return found.some((entry) => entry.path === `${files.STATION}/` && entry.kind === 'folder') ? 'export' : 'package'
}
