/**
 * Exports the whole station (docs/decisions/0036): one package for each case, one for evidence of no case, and a signed station part with the records, the
 * ledger and every other blob. What an interrupted run left is taken up.
 */
import { join } from 'node:path'
import { fault } from '../../../../shared/kernel/errors.ts'
import type { DatabasePlace } from '../../../kernel/database/row-copy.ts'
import { openRowSource } from '../../../kernel/database/row-source.ts'
import { newestSchema } from '../../../kernel/database/migrate.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import { createLedgerTree } from '../../../kernel/ledger/tree.ts'
import { isoMillis } from '../../../platform/clock/clock.ts'
import { fileLength, realPath, removeTree } from '../../../platform/files/trees.ts'
import { type BlobStore, StorageFault } from '../../../storage/store.ts'
import { aboutTarget } from '../../../storage/packages/open-package.ts'
import { openPackageFolder } from '../../../storage/packages/package-folder.ts'
import {
  folderIsThere,
  requireRoomFor,
  requireFolder,
  UNFINISHED,
  writeBeside,
} from '../../../storage/packages/targets.ts'
import { hasSameItems, planned } from '../begin.ts'
import { type PackageAsked, type PackageDeps, programOf } from '../package-plan.ts'
import type { Packages } from '../packages.service.ts'
import { itemsOf, updatePackage } from '../packages.store.ts'
import * as layout from '../format/layout.ts'
import { LEFT_BEHIND } from './carried.ts'
import * as files from './export-layout.ts'
import * as rows from './export.store.ts'
import { type Lists, compareWithStation, isEmpty, listsText } from './lists.ts'
import { finishPart, writeBlobs, writeLedger, writeLists, writeRows } from './station-part.ts'
import { readmeOf } from './readme.ts'

export interface ExportDeps extends PackageDeps {
  readonly store: BlobStore
  readonly database: DatabasePlace
  readonly tenant: string
}

export interface ExportReport {
  readonly path: string
  readonly origin: string
  readonly fingerprint: string
  /** It was complete already, and was only compared with the station as it is now. */
  readonly compared: boolean
  readonly packages: number
  readonly blobs: number
  readonly bytes: number
  readonly entries: number
  /** Files and packages that an interrupted run had written already. */
  readonly resumed: number
  readonly atHeadquarters: number
  readonly leftBehind: readonly string[]
  readonly lists: Lists
}

export interface ExportWork {
  readonly signal: AbortSignal
  readonly onProgress: (text: string) => void
}

const busy = new Set<string>()

/** @param packages makes packages without what a disclosure adds, since an export discloses nothing to anybody */
export function createExport(deps: ExportDeps, packages: Pick<Packages, 'create'>) {
  const tree = createLedgerTree(deps.db)
  return async (call: Call, to: string, work: ExportWork): Promise<ExportReport> => {
    await requireFolder(to)
    const target = await realPath(to)
    if (busy.has(target)) throw fault('PackageInProgress', 'An export into this folder is under way already.')
    busy.add(target)
    try {
      const isThere = await folderIsThere(join(target, files.STATION))
      return isThere
        ? await compareAgain(deps, call, target, work)
        : await exportAll({ ...deps, tree }, packages, call, target, work)
    } catch (error) {
      throw aboutTarget(error, target)
    } finally {
      busy.delete(target)
    }
  }
}

type Exporting = ExportDeps & { readonly tree: ReturnType<typeof createLedgerTree> }

const objectOf = (target: string) => ({ type: 'export', id: '', name: target })

async function exportAll(
  deps: Exporting,
  packages: Pick<Packages, 'create'>,
  call: Call,
  target: string,
  work: ExportWork,
): Promise<ExportReport> {
  const { db, ledger, keys, clock } = deps
  const needed = await rows.bytesToExport(db.read)
  await requireRoomFor(target, needed)
  await db.transaction((tx) =>
    ledger.append(tx, call, { action: 'export.begun', object: objectOf(target), bytes: needed.bytes }),
  )
  const made = await makePackages(deps, packages, call, target, work)
  const signer = keys.packages.current()
  if (signer === null) throw new Error('The station has no key for packages')
  const between = (): void => work.signal.throwIfAborted()
  const writer = await openPackageFolder(target, files.STATION, { bytes: 0, files: 0, folders: files.FOLDERS })
  try {
    work.onProgress('records')
    const source = await openRowSource(deps.database)
    const carried = await writeRows(source, writer, between).finally(() => source.close())
    work.onProgress(`ledger: ${carried.entries} entries`)
    const ledgerFiles = await writeLedger(deps, writer, carried.entries, between)
    let done = 0
    const copied = await writeBlobs(deps, writer, carried.blobs, made.places, {
      signal: work.signal,
      onBytes: (bytes) => {
        done += bytes
        work.onProgress(`other files: ${Math.round(done / 2_000_000)} MB`)
      },
      broken: (sha256, error) => whatIsWrong(deps, sha256, error),
    })
    const exportedUtc = isoMillis(clock.now())
    const about: files.About = {
      format: files.FORMAT,
      origin: deps.origin,
      stationName: deps.stationName,
      program: programOf(deps),
      schema: newestSchema(),
      tenant: deps.tenant,
      exportedUtc,
      entries: carried.entries,
      ledger: ledgerFiles.ledger,
      packages: made.packages,
      tables: carried.tables,
      blobs: {
        count: copied.lines.length,
        bytes: copied.lines.reduce((sum, { bytes }) => sum + bytes, 0),
      },
      broken: copied.broken,
      atHeadquarters: carried.atHeadquarters,
      leftBehind: [...LEFT_BEHIND],
    }
    const written = [
      ...carried.written,
      ...ledgerFiles.written,
      ...copied.written,
      copied.list,
      await writer.write(files.ABOUT, `${JSON.stringify(about, null, 1)}\n`),
      await writer.write(layout.PACKAGE_KEY, signer.publicKey),
      await writer.write(files.README, readmeOf('en', about, signer.fingerprint)),
      await writer.write(files.README_FR, readmeOf('fr', about, signer.fingerprint)),
    ]
    const list = await writeLists(writer, { ...deps, madeUtc: exportedUtc }, written)
    between()
    await db.transaction((tx) =>
      ledger.append(tx, call, {
        action: 'export.made',
        object: objectOf(target),
        sha256: list.sha256,
        bytes: about.blobs.bytes,
        detail: {
          packages: about.packages.length,
          blobs: about.blobs.count,
          entries: about.entries,
          key: signer.fingerprint,
          broken: about.broken.length,
        },
      }),
    )
    await finishPart(writer, signer, list.bytes)
    return await compared(deps, call, target, work, {
      about,
      fingerprint: signer.fingerprint,
      resumed: made.resumed + copied.resumed,
      isFirst: true,
    })
  } finally {
    await writer.close()
  }
}

/** The export is complete: it is compared with the station as it is now, and nothing is written over it. */
async function compareAgain(deps: ExportDeps, call: Call, target: string, work: ExportWork): Promise<ExportReport> {
  const signer = deps.keys.packages.current()
  if (signer === null) throw new Error('The station has no key for packages')
  return compared(deps, call, target, work, {
    about: null,
    fingerprint: signer.fingerprint,
    resumed: 0,
    isFirst: false,
  })
}

async function compared(
  deps: ExportDeps,
  call: Call,
  target: string,
  work: ExportWork,
  made: {
    readonly about: files.About | null
    readonly fingerprint: string
    readonly resumed: number
    readonly isFirst: boolean
  },
): Promise<ExportReport> {
  const { db, ledger } = deps
  const { lists, about: found } = await compareWithStation(deps, target, { ...work, ...made })
  const about = made.about ?? found
  await db.transaction((tx) =>
    ledger.append(tx, call, {
      action: 'export.compared',
      object: objectOf(target),
      outcome: isEmpty(lists) ? 'ok' : 'failed',
      detail: { changed: lists.changed.length, missing: lists.missing.length, untracked: lists.untracked.length },
    }),
  )
  await writeBeside(join(target, files.STATION), '.lists.txt', Buffer.from(listsText(lists)))
  return {
    path: target,
    origin: deps.origin,
    fingerprint: made.fingerprint,
    compared: !made.isFirst,
    packages: about?.packages.length ?? 0,
    blobs: about?.blobs.count ?? 0,
    bytes: about?.blobs.bytes ?? 0,
    entries: about?.entries ?? 0,
    resumed: made.resumed,
    atHeadquarters: about?.atHeadquarters ?? 0,
    leftBehind: LEFT_BEHIND,
    lists,
  }
}

/** What was begun for other evidence than the cases have by now, or before a file turned out to be lost: it is no part of the export. */
async function removeUnfinished({ db, ledger, clock, tenant }: Exporting, call: Call, target: string): Promise<void> {
  for (const row of await rows.unfinishedIn(db.read, tenant, target)) {
    await removeTree(join(target, `${row.name}${UNFINISHED}`))
    const problem = 'The export went on without it.'
    await db.transaction(async (tx) => {
      await updatePackage(tx, row.package_id, { state: 'Failed', problem, finished_utc: isoMillis(clock.now()) })
      await ledger.append(tx, call, {
        action: 'package.failed',
        object: { type: 'package', id: String(row.package_id), name: row.name },
        outcome: 'failed',
        reason: problem,
        detail: { again: false, code: null },
      })
    })
  }
}

interface MadePackages {
  readonly packages: files.About['packages']
  /** Where the bytes of each hash lie, below the folder of the export. */
  readonly places: ReadonlyMap<string, readonly string[]>
  readonly resumed: number
}

async function makePackages(
  deps: Exporting,
  packages: Pick<Packages, 'create'>,
  call: Call,
  target: string,
  work: ExportWork,
): Promise<MadePackages> {
  const { db, tenant, gate } = deps
  const cases = await rows.casesWithEvidence(db.read, tenant)
  const rest = await rows.evidenceOfNoCase(db.read, tenant)
  // What may not be disclosed lies in no package, which somebody could hand on: its bytes are in the station part.
  const restricted = await gate.restrictedAmong(db.read, rest)
  const others = rest.filter((id) => !restricted.has(id)).map(String)
  const all: { readonly name: string; readonly of: PackageAsked['of'] }[] = [
    ...cases.map((id) => ({ name: `package of case ${id}`, of: { caseId: String(id) } })),
    ...(others.length === 0 ? [] : [{ name: 'package of evidence of no case', of: { evidenceIds: others } }]),
  ]
  const found: files.About['packages'] = []
  const places = new Map<string, string[]>()
  let resumed = 0
  for (const [at, { name, of }] of all.entries()) {
    work.signal.throwIfAborted()
    const say = (text: string): void => work.onProgress(`${name} (${at + 1} of ${all.length})${text}`)
    say('')
    const one = await makeOne(deps, packages, call, askedFor(target, of), { signal: work.signal, say })
    if (one === null) continue
    found.push(one.about)
    resumed += one.resumed
    for (const { path, sha256 } of await itemsOf(db.read, one.packageId))
      places.set(sha256, [...(places.get(sha256) ?? []), `${one.about.folder}/${path}`])
  }
  await removeUnfinished(deps, call, target)
  return { packages: found, places, resumed }
}

const askedFor = (target: string, of: PackageAsked['of']): PackageAsked => ({
  of,
  title: 'Evidence of no case',
  form: 'folder',
  target,
  passphrase: null,
  variant: 'court',
  parts: ['copies', 'clips', 'stills'],
  papers: [],
  language: 'en',
  supplements: null,
  isOfExport: true,
})

/** Faults that say that a blob of the station is not what it was. */
const OF_A_BLOB: ReadonlySet<string> = new Set([
  'BlobMissing',
  'BlobDamaged',
  'SourceMissing',
  'SourceNotRegular',
  'SourceUnreadable',
  'SourceChanged',
  'NotAsExpected',
])

async function whatIsWrong({ store }: Pick<ExportDeps, 'store'>, sha256: string, error: unknown) {
  if (!(error instanceof StorageFault) || !OF_A_BLOB.has(error.code)) throw error
  const { result } = await store.verifyBlob(sha256)
  // The blob is as it was, so something else failed.
  if (result === 'ok') throw error
  return result
}

interface OnePackage {
  readonly packageId: number
  readonly about: files.About['packages'][number]
  readonly resumed: number
}

/** @returns null when nothing of it can go into a package */
async function makeOne(
  deps: Exporting,
  packages: Pick<Packages, 'create'>,
  call: Call,
  asked: PackageAsked,
  work: { readonly signal: AbortSignal; readonly say: (text: string) => void },
): Promise<OnePackage | null> {
  for (let of = asked.of; ; ) {
    const now = { ...asked, of }
    const plan = await planned(deps, deps.tenant, now).catch(nothing)
    if (plan === null) return null
    const known = await madeAlready(deps, now, plan)
    if (known !== null) return known
    try {
      const made = await packages.create(call, deps.tenant, now, {
        signal: work.signal,
        onProgress: ({ bytes, total }) =>
          work.say(`: ${Math.round(bytes / 2_000_000)} of ${Math.round(total / 2_000_000)} MB`),
      })
      return {
        packageId: Number(made.number.slice(1)),
        about: {
          folder: made.path.slice(asked.target.length + 1),
          caseId: plan.case === null ? null : String(plan.case.id),
          signedSha256: made.signedSha256,
          items: made.items,
          bytes: made.bytes,
        },
        resumed: made.resumed,
      }
    } catch (error) {
      if (!(error instanceof StorageFault) || !OF_A_BLOB.has(error.code)) throw error
      // Evidence with a blob that is lost or damaged here stays out of the package; its other files go into the station part, and the lists name the blob.
      const whole = await withoutBroken(deps.store, plan.items, work.signal)
      if (whole === null) throw error
      if (whole.length === 0) return null
      of = 'caseId' in of ? { caseId: of.caseId, evidenceIds: whole } : { evidenceIds: whole }
    }
  }
}

const nothing = (error: unknown): null => {
  if ((error as { code?: string }).code === 'NothingToPackage') return null
  throw error
}

/** Evidence all of whose files are as they were; null when every file is, so that something else is wrong. */
async function withoutBroken(
  store: BlobStore,
  items: readonly { readonly evidenceId: string; readonly sha256: string }[],
  signal: AbortSignal,
): Promise<string[] | null> {
  const broken = new Set<string>()
  for (const { evidenceId, sha256 } of items) {
    signal.throwIfAborted()
    if ((await store.verifyBlob(sha256, { signal })).result !== 'ok') broken.add(evidenceId)
  }
  if (broken.size === 0) return null
  return [...new Set(items.map(({ evidenceId }) => evidenceId))].filter((id) => !broken.has(id))
}

/** A package of an interrupted export that holds the same. Whether its bytes are still right is found by the lists at the end. */
async function madeAlready(
  deps: Exporting,
  asked: PackageAsked,
  plan: Awaited<ReturnType<typeof planned>>,
): Promise<OnePackage | null> {
  const { db, tenant } = deps
  for (const row of await rows.madeInto(db.read, tenant, asked.target, plan.case?.id ?? null)) {
    if (row.signed_sha256 === null || row.form !== 'folder') continue
    if ((await fileLength(join(asked.target, row.name, layout.SIGNATURE))) === null) continue
    if (!(await hasSameItems(db.read, row.package_id, plan.items))) continue
    return {
      packageId: row.package_id,
      about: {
        folder: row.name,
        caseId: plan.case === null ? null : String(plan.case.id),
        signedSha256: row.signed_sha256,
        items: row.items,
        bytes: row.bytes,
      },
      resumed: row.items,
    }
  }
  return null
}
