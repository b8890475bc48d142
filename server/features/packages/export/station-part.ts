/**
 * Writes the station part of an export: every carried row in one consistent state, the whole ledger with its signed tree head, and each blob that no
 * package of the export holds.
 */
import { createHash } from 'node:crypto'
import { fault } from '../../../../shared/kernel/errors.ts'
import type { RowSource } from '../../../kernel/database/row-copy.ts'
import { leafHash } from '../../../kernel/ledger/format.ts'
import { compactRange } from '../../../kernel/ledger/merkle.ts'
import { isSameRoot, LedgerDiffers, signedHead } from '../../../kernel/ledger/signed-head.ts'
import { ed25519PublicKey, signCheckpoint } from '../../../kernel/ledger/signed-note.ts'
import type { PackageSigner } from '../../../platform/secrets/package-key.ts'
import type { PackageWriter, WrittenFile } from '../../../storage/packages/package-writer.ts'
import type { Maker } from '../package-plan.ts'
import * as layout from '../format/layout.ts'
import { CARRIED, seeRows } from './carried.ts'
import * as files from './export-layout.ts'
import { entriesUpTo } from './export.store.ts'
import { type JsonRow, jsonValue, rowLine } from './row-lines.ts'

/** A part is written, read back and later read whole. */
const PART_BYTES = 32 * 1024 * 1024
const ENTRIES_AT_ONCE = 2000

export interface WrittenRows {
  readonly tables: files.About['tables']
  readonly written: readonly WrittenFile[]
  /** Blobs of the station by hash, with their lengths, but for those whose bytes are at headquarters only. */
  readonly blobs: ReadonlyMap<string, number>
  readonly atHeadquarters: number
  /** The last entry of the ledger in the state of these rows. */
  readonly entries: number
}

type Between = () => void

/** Collects lines, and writes a file whenever there are enough. */
function partsOf(writer: PackageWriter, nameOf: (at: number) => string) {
  let lines: string[] = []
  let bytes = 0
  const written: WrittenFile[] = []
  const flush = async (): Promise<void> => {
    if (lines.length === 0) return
    written.push(await writer.write(nameOf(written.length + 1), lines.join('')))
    lines = []
    bytes = 0
  }
  return {
    written,
    add: async (line: string): Promise<void> => {
      lines.push(line)
      bytes += Buffer.byteLength(line)
      if (bytes >= PART_BYTES) await flush()
    },
    flush,
  }
}

/** @param source a state in which all packages of the export are recorded */
export async function writeRows(source: RowSource, writer: PackageWriter, between: Between): Promise<WrittenRows> {
  const entries = await source.entries()
  const tables: Record<string, files.About['tables'][string]> = {}
  const written: WrittenFile[] = []
  const here = new Set(source.tables)
  for await (const [table, rows] of carriedRows(source)) {
    const parts = partsOf(writer, (at) => files.tableFile(table, at))
    let count = 0
    for await (const row of rows) {
      between()
      await parts.add(rowLine(row))
      count++
    }
    await parts.flush()
    written.push(...parts.written)
    tables[table] = { rows: count, files: parts.written.map(({ path }) => path) }
  }
  const away = new Set<string>()
  for await (const rows of source.rows('forwarded_blobs', ['sha256']))
    for (const [sha256] of rows) away.add(String(sha256))
  const blobs = new Map<string, number>()
  if (here.has('blobs'))
    for await (const rows of source.rows('blobs', ['sha256', 'length']))
      for (const [sha256, length] of rows) if (!away.has(String(sha256))) blobs.set(String(sha256), Number(length))
  return { tables, written, blobs, atHeadquarters: away.size, entries }
}

/** The carried rows of a database, table by table, without what is not carried of them. */
export async function* carriedRows(
  source: RowSource,
): AsyncGenerator<readonly [table: string, rows: AsyncIterable<JsonRow>]> {
  const seen = seeRows()
  for (const [table, { without = [], order }] of Object.entries(CARRIED)) {
    const columns = await source.columns(table)
    const left = new Set(without)
    const each = async function* (): AsyncGenerator<JsonRow> {
      for await (const rows of source.rows(table, columns, order))
        for (const values of rows) {
          const row = Object.fromEntries(
            columns.map((name, at) => [name, left.has(name) ? null : jsonValue(values[at] ?? null)]),
          )
          if (seen.isCarried(table, row)) yield row
        }
    }
    yield [table, each()]
  }
}

/** The ledger up to an entry, with its tree head. @throws LedgerDiffers when its entries are not those of its tree, or of its newest checkpoint */
export async function writeLedger(deps: Maker, writer: PackageWriter, last: number, between: Between) {
  const { db, tree, origin, keys } = deps
  if (last === 0) throw fault('NothingToPackage', 'The station has no ledger yet.')
  const signer = keys.signing.current()
  await signedHead({ db, tree, origin, signer, between }, last)
  const range = compactRange()
  const parts = partsOf(writer, files.ledgerFile)
  for (let after = 0; after < last; ) {
    between()
    const page = await db.longRead(entriesUpTo(db.read, after, last, ENTRIES_AT_ONCE))
    for (const { seq, body } of page) {
      if (seq !== after + 1) throw new LedgerDiffers(`The ledger has no entry ${after + 1}. Verify the ledger.`)
      after = seq
      range.append(leafHash(body))
      await parts.add(`${Buffer.from(body).toString('utf8')}\n`)
    }
    if (page.length === 0) throw new LedgerDiffers(`The ledger has no entry ${after + 1}. Verify the ledger.`)
  }
  await parts.flush()
  const { root } = await tree.at(last, between)
  if (!isSameRoot(range.root(), root))
    throw new LedgerDiffers('Entries of the ledger do not fit their hashes. Verify the ledger.')
  const note = signCheckpoint({ origin, size: last, root }, signer)
  const ledgerKey = ed25519PublicKey(signer.publicKey).export({ type: 'spki', format: 'pem' })
  const written = [
    ...parts.written,
    await writer.write(layout.CHECKPOINT, note),
    await writer.write(layout.CHECKPOINT_BODY, note.slice(0, note.indexOf('\n\n') + 1)),
    await writer.write(layout.CHECKPOINT_SIGNATURE, layout.signatureIn(note)),
    await writer.write(layout.LEDGER_KEY, ledgerKey),
  ]
  return { written, ledger: parts.written.map(({ path }) => path) }
}

/** Where the bytes of each blob lie. Those that no package holds are copied into the station part. */
export async function writeBlobs(
  { store }: Pick<Maker, 'store'>,
  writer: PackageWriter,
  blobs: ReadonlyMap<string, number>,
  inPackages: ReadonlyMap<string, readonly string[]>,
  work: {
    readonly signal?: AbortSignal | undefined
    readonly onBytes: (bytes: number) => void
    /** @returns what is wrong with a blob that could not be copied; throws what is not about the blob */
    readonly broken: (sha256: string, error: unknown) => Promise<'missing' | 'changed'>
  },
) {
  const written: WrittenFile[] = []
  const lines: files.BlobLine[] = []
  const broken: files.About['broken'] = []
  let resumed = 0
  for (const [sha256, bytes] of [...blobs].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    work.signal?.throwIfAborted()
    const at = inPackages.get(sha256)
    if (at !== undefined) {
      lines.push({ sha256, bytes, at: [...at] })
      continue
    }
    const to = { path: files.blobFile(sha256), sha256, bytes }
    try {
      const local = await store.localCopy(sha256, work.signal === undefined ? {} : { signal: work.signal })
      try {
        if (await writer.copy(local.path, to, { signal: work.signal, onProgress: work.onBytes })) resumed++
      } finally {
        await local.release()
      }
      written.push(to)
      lines.push({ sha256, bytes, at: [`${files.STATION}/${to.path}`] })
    } catch (error) {
      work.signal?.throwIfAborted()
      broken.push({ sha256, bytes, what: await work.broken(sha256, error) })
    }
  }
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  return { written, lines, broken, resumed, list: await writer.write(files.BLOBS, text) }
}

/** The lists of the part, the second one as it is signed. */
export async function writeLists(
  writer: PackageWriter,
  { origin, stationName, madeUtc }: { readonly origin: string; readonly stationName: string; readonly madeUtc: string },
  all: readonly WrittenFile[],
) {
  const isPayload = ({ path }: WrittenFile): boolean => path.startsWith('data/')
  const payload = all.filter(isPayload)
  const info = layout.bagInfo({
    organization: stationName,
    id: `${origin}/export/${madeUtc}`,
    madeUtc,
    payload: { bytes: payload.reduce((sum, { bytes }) => sum + bytes, 0), files: payload.length },
    supplements: null,
  })
  const tags = [
    ...all.filter((file) => !isPayload(file)),
    await writer.write(layout.BAG, layout.BAG_TEXT),
    await writer.write(layout.BAG_INFO, info),
    await writer.write(layout.PAYLOAD_LIST, layout.manifestText(payload)),
  ]
  const bytes = Buffer.from(layout.manifestText(tags))
  await writer.write(layout.TAG_LIST, bytes)
  const names = [...payload, ...tags].map(({ path }) => path)
  await writer.keepOnly(new Set([...names, layout.TAG_LIST, layout.SIGNATURE]))
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
}

/** Signs the list and gives the part its name. */
export const finishPart = (writer: PackageWriter, signer: PackageSigner, list: Uint8Array): Promise<void> =>
  writer.finish({ path: layout.SIGNATURE, bytes: signer.sign(list) }, {})
