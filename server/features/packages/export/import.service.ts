/**
 * Takes in the export of another station, into an empty one, or a single package, into any (docs/decisions/0036). All of it is verified first; what was taken in
 * when a run was interrupted is not taken in twice.
 */
import { fault } from '../../../../shared/kernel/errors.ts'
import type { Database, Tx } from '../../../kernel/database/database.ts'
import { newestSchema } from '../../../kernel/database/migrate.ts'
import { openRowSource } from '../../../kernel/database/row-source.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import { isoMillis } from '../../../platform/clock/clock.ts'
import { realPath } from '../../../platform/files/trees.ts'
import { packageFingerprint } from '../verify.ts'
import { LEFT_BEHIND } from './carried.ts'
import { STATION } from './export-layout.ts'
import { importPackage } from './import-package.ts'
import { receiveBlobs } from './import-blobs.ts'
import { type ImportDeps, type ImportReport, type ImportWork, NOTHING, refuse } from './import-report.ts'
import { numberedHere, writeRecords } from './import-rows.ts'
import * as rows from './imports.store.ts'
import { collectLists, compareRows, isEmpty, type Lists, rowsOfExport, rowsOfStation } from './lists.ts'
import { entriesOf, kindOf, type OpenedExport, verifyExport } from './read-export.ts'
import { recordImport } from './record-import.ts'
import { verifyImport } from './verify-imports.ts'

export interface ImportAsked {
  readonly path: string
  /** As it stands on the paper of the other station; null: nobody confirmed it. */
  readonly fingerprint: string | null
}

export function createImport(deps: ImportDeps) {
  let isBusy = false
  /** @throws Fault FingerprintNeeded, StationNotEmpty, ImportUnsuitable, ImportUnfinished; StorageFault; Error when the folder cannot be read */
  return async (call: Call, { path, fingerprint }: ImportAsked, work: ImportWork): Promise<ImportReport> => {
    if (isBusy) throw fault('ImportUnfinished', 'An import is under way already.')
    isBusy = true
    try {
      const folder = await realPath(path)
      const kind = await kindOf(folder)
      const confirmed = await requireFingerprint(kind === 'export' ? `${folder}/${STATION}` : folder, fingerprint)
      return kind === 'export'
        ? await importStation(deps, call, folder, { ...work, fingerprint: confirmed })
        : await importPackage(deps, call, folder, { ...work, fingerprint: confirmed })
    } finally {
      isBusy = false
    }
  }
}

/** A key that is found in the folder alone proves nothing: a person compares it with the paper of the station. */
async function requireFingerprint(folder: string, given: string | null): Promise<string> {
  if (given !== null) return given.toLowerCase()
  const found = await packageFingerprint(folder)
  throw fault(
    'FingerprintNeeded',
    found === null
      ? `There is no key in ${folder}: it is no export and no package.`
      : `The key in it has the fingerprint ${found}. Compare it with the paper of that station, or ask there for its fingerprint, and give it with --fingerprint. Nothing was taken in.`,
  )
}

interface StationWork extends ImportWork {
  readonly fingerprint: string
}

async function importStation(deps: ImportDeps, call: Call, folder: string, work: StationWork): Promise<ImportReport> {
  const { problems, opened } = await verifyExport(folder, {
    ...work,
    onProgress: (text) => work.onProgress(`verifying ${text}`),
  })
  const about = {
    kind: 'station',
    origin: opened?.about.origin ?? null,
    stationName: opened?.about.stationName ?? '',
    name: folder,
    fingerprint: work.fingerprint,
  } as const
  if (opened === null || problems.length > 0) return refuse(deps, call, { ...about, problems })
  const known = await rows.importBySignature(deps.db.read, opened.signedSha256)
  const counts = known?.state === 'Made' ? null : await takeIn(deps, call, opened, known ?? null, work)
  const row = await rows.importBySignature(deps.db.read, opened.signedSha256)
  if (row === undefined) throw new Error('The import is not recorded.')
  const lists = await listsOf(deps, opened, row, work)
  await deps.db.transaction((tx) =>
    deps.ledger.append(tx, call, {
      action: 'import.compared',
      object: { type: 'import', id: String(row.import_id), name: row.origin },
      outcome: isEmpty(lists) ? 'ok' : 'failed',
      detail: { changed: lists.changed.length, missing: lists.missing.length, untracked: lists.untracked.length },
    }),
  )
  return {
    ...NOTHING,
    ...about,
    ...counts,
    state: counts === null ? 'here' : 'made',
    problems: [],
    files: opened.blobs.size,
    entries: opened.about.entries,
    leftBehind: LEFT_BEHIND,
    lists,
  }
}

async function takeIn(
  deps: ImportDeps,
  call: Call,
  opened: OpenedExport,
  known: rows.ImportRow | null,
  work: StationWork,
) {
  const { db, store, clock } = deps
  requireSuitable(deps, opened)
  await requireEmpty(db.read)
  const absent = await bytesNotHere(db, opened)
  if (absent > (await store.freeBytes()))
    throw fault(
      'ImportUnsuitable',
      `The export has ${absent} bytes that are not here, and ${await store.freeBytes()} are free. Nothing was taken in.`,
    )
  await deps.requireBytes(absent)
  const row = known ?? (await begin(deps, call, opened))
  const resumed = await receiveBlobs(deps, call, { opened, importId: row.import_id }, work)
  await receiveEntries(db, opened, row.import_id, work)
  const source = await openRowSource(deps.database)
  try {
    const made = await db.transaction(async (tx) => {
      // Somebody may have begun to use the station meanwhile.
      await requireEmpty(tx)
      const written = await writeRecords(deps, tx, call, {
        opened,
        importId: row.import_id,
        columnsOf: (table) => source.columns(table),
        nowUtc: isoMillis(clock.now()),
        ...work,
      })
      await rows.finishImport(tx, row.import_id, isoMillis(clock.now()))
      await deps.ledger.append(tx, call, {
        action: 'import.made',
        object: { type: 'import', id: String(row.import_id), name: row.origin },
        sha256: row.signed_sha256,
        detail: {
          kind: row.kind,
          origin: row.origin,
          station: row.station_name,
          key: row.fingerprint,
          entries: row.entries,
          ...written,
        },
      })
      return written
    })
    deps.jobs.kick()
    return { evidence: made.evidence, cases: made.cases, people: made.people, resumed }
  } finally {
    await source.close()
  }
}

function requireSuitable({ origin, tenant }: ImportDeps, { about }: OpenedExport): void {
  if (about.origin === origin)
    throw fault(
      'ImportUnsuitable',
      'It is an export of this very station. To go back to an earlier state, restore a backup.',
    )
  if (about.schema !== newestSchema())
    throw fault(
      'ImportUnsuitable',
      `The export has records of schema ${about.schema} (${about.program}), and this program those of schema ${newestSchema()}. ` +
        'Import it with a program of that version, then upgrade it. Nothing was taken in.',
    )
  if (about.tenant !== tenant)
    throw fault(
      'ImportUnsuitable',
      `The export is of the tenant “${about.tenant}”, and this station is set up for “${tenant}”. Start it with SALLYPORT_TENANT=${about.tenant}. Nothing was taken in.`,
    )
}

async function requireEmpty(from: Tx): Promise<void> {
  const here = await rows.recordsHere(from)
  const some = Object.entries(here).filter(([, count]) => count > 0)
  if (some.length === 0) return
  throw fault(
    'StationNotEmpty',
    `The station is not empty: it has ${some.map(([what, count]) => `${count} ${what}`).join(', ')}. ` +
      'An export goes into a new station, before its first user is made. Nothing was taken in.',
  )
}

async function bytesNotHere(db: Database, opened: OpenedExport): Promise<number> {
  const known = await rows.knownAmong(db.read, [...opened.blobs.keys()])
  return [...opened.blobs.values()].reduce((sum, { sha256, bytes }) => sum + (known.has(sha256) ? 0 : bytes), 0)
}

async function begin(deps: ImportDeps, call: Call, opened: OpenedExport): Promise<rows.ImportRow> {
  const { origin, stationName, exportedUtc: name, entries } = opened.about
  return deps.db.transaction(async (tx) => {
    const other = (await rows.importsOf(tx)).find(({ state }) => state === 'Receiving')
    if (other !== undefined)
      throw fault(
        'ImportUnfinished',
        `An import from ${other.origin} was begun here and is not complete. Run that one again, or begin with a new station.`,
      )
    return recordImport(deps, tx, call, { ...opened, kind: 'station', origin, stationName, name, entries })
  })
}

const ENTRIES_AT_ONCE = 500

/** The ledger of the other station, byte for byte, beside ours. */
async function receiveEntries(
  db: Database,
  opened: OpenedExport,
  importId: number,
  { signal, onProgress }: ImportWork,
): Promise<void> {
  const last = await rows.lastEntryOf(db.read, importId)
  let some: Parameters<typeof rows.insertEntries>[1][number][] = []
  const flush = async (): Promise<void> => {
    signal.throwIfAborted()
    const group = some
    some = []
    if (group.length > 0) await db.transaction((tx) => rows.insertEntries(tx, group))
  }
  for await (const { entry, body } of entriesOf(opened)) {
    if (entry.seq <= last) continue
    some.push({
      import_id: importId,
      seq: entry.seq,
      body,
      proof: null,
      object_type: entry.object.type,
      object_id: entry.object.id,
    })
    if (some.length === ENTRIES_AT_ONCE) {
      onProgress(`ledger: ${entry.seq} of ${opened.about.entries} entries`)
      await flush()
    }
  }
  await flush()
}

/** Both ways: bytes, records and entries of the export against the station, and of the station against the export. */
async function listsOf(
  { db, store, database }: ImportDeps,
  opened: OpenedExport,
  row: rows.ImportRow,
  { signal, onProgress }: ImportWork,
): Promise<Lists> {
  const { lists, add } = collectLists()
  const between = (): void => signal.throwIfAborted()
  const station = await rowsOfStation({ db, database }, between, row.import_id)
  let at = 0
  for (const { sha256 } of opened.blobs.values()) {
    onProgress(`comparing: file ${++at} of ${opened.blobs.size}`)
    const { result } = await store.verifyBlob(sha256, { signal })
    if (result !== 'ok') add(result, `blob ${sha256}`)
  }
  for (const { sha256, what } of opened.about.broken) add(what, `blob ${sha256}: it was ${what} at the other station`)
  const broken = new Set(opened.about.broken.map(({ sha256 }) => sha256))
  for (const sha256 of station.blobs)
    if (!opened.blobs.has(sha256) && !broken.has(sha256)) add('untracked', `blob ${sha256}`)
  const rowsThere = await rowsOfExport(db, opened, between, (table, one) => numberedHere(table, one, row.import_id))
  compareRows(rowsThere, station.rows, add)
  for (const text of (await verifyImport(db, row, signal)).problems) add('changed', `ledger of ${row.origin}: ${text}`)
  return lists
}
