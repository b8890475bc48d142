/** Takes in a single package of another station, beside what is here (docs/decisions/0036). It is verified before anything of it is shown. */
import { createHash, createPublicKey } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { fault } from '../../../../shared/kernel/errors.ts'
import { parseTime } from '../../../../shared/kernel/time.ts'
import type { Tx } from '../../../kernel/database/database.ts'
import { placeAndCommit } from '../../../kernel/evidence/place-and-commit.ts'
import { evidenceOf } from '../../../kernel/evidence/records.store.ts'
import { evidenceObject } from '../../../kernel/evidence/objects.ts'
import { wholeEntry } from '../../../kernel/ledger/format.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import { isoMillis } from '../../../platform/clock/clock.ts'
import { readTextIn } from '../../../storage/packages/read-package.ts'
import * as layout from '../format/layout.ts'
import { type PackageProblem, verifyPackage } from '../verify.ts'
import { type ImportDeps, type ImportReport, type ImportWork, NOTHING, refuse } from './import-report.ts'
import * as rows from './imports.store.ts'
import { linesOf } from './read-export.ts'
import { recordImport } from './record-import.ts'

const Text = z.string().max(10_000)
const Id = z.string().regex(/^\d{1,15}$/)

/** What is read of an item in `meta/items.json`; the rest is for others. */
const Item = z.object({
  kind: z.enum(['original', 'copy', 'clip', 'redacted', 'still', 'report']),
  path: z.string().regex(/^data\/[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/),
  evidenceId: Id,
  resourceId: Id,
  title: Text,
  originalName: Text,
  type: z.string().max(200).nullable(),
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  recorded: z.object({ start: z.string().max(60).nullable(), end: z.string().max(60).nullable() }),
})
type Item = z.output<typeof Item>

interface OpenedPackage {
  readonly folder: string
  readonly name: string
  readonly stationName: string
  readonly origin: string
  readonly fingerprint: string
  readonly signedSha256: string
  readonly ledgerKey: Buffer
  readonly note: string
  readonly items: readonly Item[]
  /** Lines of the other ledger with their proofs. */
  readonly lines: readonly { readonly line: string; readonly proof: string }[]
}

export async function importPackage(
  deps: ImportDeps,
  call: Call,
  folder: string,
  work: ImportWork & { readonly fingerprint: string },
): Promise<ImportReport> {
  const { problems, opened } = await openPackage(folder, work)
  const about = {
    kind: 'package',
    origin: opened?.origin ?? null,
    stationName: opened?.stationName ?? '',
    name: opened?.name ?? folder,
    fingerprint: work.fingerprint,
  } as const
  if (opened === null || problems.length > 0) return refuse(deps, call, { ...about, problems })
  if (opened.origin === deps.origin)
    throw fault('ImportUnsuitable', 'It is a package of this very station: what is in it is here.')
  await deps.requireBytes(opened.items.reduce((sum, { bytes }) => sum + bytes, 0))
  const known = await rows.importBySignature(deps.db.read, opened.signedSha256)
  const row = known ?? (await begin(deps, call, opened))
  const { made, alreadyHere, resumed, files } = await takeItems(deps, call, opened, row, work)
  if (row.state !== 'Made') await finish(deps, call, row, { evidence: made.length, files })
  return {
    ...NOTHING,
    ...about,
    state: known?.state === 'Made' ? 'here' : 'made',
    problems: [],
    evidence: made.length,
    files,
    entries: opened.lines.length,
    resumed,
    alreadyHere,
    made,
    leftBehind: [],
  }
}

async function openPackage(
  folder: string,
  work: ImportWork & { readonly fingerprint: string },
): Promise<{ readonly problems: readonly PackageProblem[]; readonly opened: OpenedPackage | null }> {
  work.onProgress('verifying the package')
  const { problems, origin } = await verifyPackage(folder, work)
  if (problems.length > 0 || origin === null) return { problems, opened: null }
  // What is read from here on is hashed again: the folder may lie on a volume that others write to.
  const tags = (await readTextIn(folder, layout.TAG_LIST)) ?? Buffer.alloc(0)
  const hashes = new Map(layout.readManifest(tags.toString()).map(({ path, sha256 }) => [path, sha256]))
  const bytesOf = async (path: string): Promise<Buffer> => {
    const bytes = await readTextIn(folder, path)
    if (bytes === null || sha256Of(bytes) !== hashes.get(path)) throw new Error(`${path} changed while it was read.`)
    return bytes
  }
  try {
    const payload = new Map(
      layout.readManifest((await bytesOf(layout.PAYLOAD_LIST)).toString()).map(({ path, sha256 }) => [path, sha256]),
    )
    const items = z
      .array(Item)
      .max(1_000_000)
      .parse(JSON.parse((await bytesOf(layout.ITEMS_JSON)).toString()))
    for (const { path, sha256 } of items)
      if (payload.get(path) !== sha256)
        throw new Error(`${path} is listed with another hash than in ${layout.ITEMS_JSON}.`)
    const info = (await bytesOf(layout.BAG_INFO)).toString()
    const field = (label: string): string => new RegExp(`^${label}: (.*)$`, 'm').exec(info)?.[1] ?? ''
    const proofs = linesOf((await bytesOf(layout.PROOFS)).toString()).filter((line) => !line.endsWith(' withheld'))
    const lines = linesOf((await bytesOf(layout.CUSTODY)).toString())
    const jwk = createPublicKey(await bytesOf(layout.LEDGER_KEY)).export({ format: 'jwk' })
    return {
      problems,
      opened: {
        folder,
        name: field('External-Identifier'),
        stationName: field('Source-Organization'),
        origin,
        fingerprint: work.fingerprint,
        signedSha256: sha256Of(tags),
        ledgerKey: Buffer.from(jwk.x as string, 'base64url'),
        note: (await bytesOf(layout.CHECKPOINT)).toString(),
        items: items.filter(({ kind }) => kind !== 'copy'),
        lines: lines.map((line, at) => ({ line, proof: proofs[at] ?? '' })),
      },
    }
  } catch (error) {
    const text = (error as Error).name === 'ZodError' ? 'it is no list of items' : (error as Error).message
    return { problems: [{ where: layout.ITEMS_JSON, text }], opened: null }
  }
}

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

async function begin(deps: ImportDeps, call: Call, opened: OpenedPackage): Promise<rows.ImportRow> {
  const { lines } = opened
  return deps.db.transaction(async (tx) => {
    const row = await recordImport(deps, tx, call, { ...opened, kind: 'package', entries: lines.length })
    for (let at = 0; at < lines.length; at += LINES_AT_ONCE)
      await rows.insertEntries(
        tx,
        lines.slice(at, at + LINES_AT_ONCE).map(({ line, proof }) => {
          const { seq, object } = wholeEntry(Buffer.from(line))
          return {
            import_id: row.import_id,
            seq,
            body: Buffer.from(line),
            proof,
            object_type: object.type,
            object_id: object.id,
          }
        }),
      )
    return row
  })
}
const LINES_AT_ONCE = 500

async function takeItems(
  deps: ImportDeps,
  call: Call,
  opened: OpenedPackage,
  row: rows.ImportRow,
  { signal, onProgress }: ImportWork,
) {
  const made: string[] = []
  const alreadyHere: { sourceId: string; evidenceId: string }[] = []
  let resumed = 0
  let files = 0
  const groups = Map.groupBy(opened.items, ({ evidenceId }) => evidenceId)
  for (const [sourceId, items] of groups) {
    const known = await rows.evidenceFrom(deps.db.read, opened.origin, sourceId)
    const earlier = known.find(({ import_id }) => import_id !== row.import_id)
    if (earlier !== undefined) {
      alreadyHere.push({ sourceId, evidenceId: String(earlier.evidence_id) })
      continue
    }
    for (const item of items) {
      signal.throwIfAborted()
      onProgress(`files: ${files} of ${opened.items.length}`)
      files++
      if (await takeItem(deps, call, opened, row, item, signal)) resumed++
    }
    made.push(await complete(deps, call, row, sourceId))
  }
  return { made, alreadyHere, resumed, files }
}

/** @returns whether an interrupted run had taken it in */
async function takeItem(
  deps: ImportDeps,
  call: Call,
  opened: OpenedPackage,
  row: rows.ImportRow,
  item: Item,
  signal: AbortSignal,
): Promise<boolean> {
  const { db, store, records } = deps
  if (await rows.isResourceHere(db.read, row.import_id, item.resourceId)) return true
  const staged = await store.copyIn(join(opened.folder, item.path), {
    signal,
    expect: { sha256: item.sha256, length: item.bytes },
  })
  const { origin } = opened
  await placeAndCommit({ db, store }, staged, async (tx, placed) => {
    const evidence = await evidenceFor(deps, tx, call, opened, row, item)
    const open = await records.createResource(tx, call, evidence, {
      name: item.originalName,
      mimeType: item.type ?? 'application/octet-stream',
      start: null,
      end: null,
      timeOffset: null,
      expectedSha256: item.sha256,
      expectedLength: item.bytes,
    })
    const resource = await records.completeResource(tx, call, open, placed, {
      detail: { origin, importId: String(row.import_id), sourceId: item.resourceId, kind: item.kind },
    })
    await rows.insertImportedResource(tx, {
      resource_id: resource.resource_id,
      import_id: row.import_id,
      source_id: item.resourceId,
      sha256: item.sha256,
    })
  })
  deps.jobs.kick()
  return false
}

/** The evidence of an item, made with the first of its files. */
async function evidenceFor(
  { records, ledger, tenant }: ImportDeps,
  tx: Tx,
  call: Call,
  opened: OpenedPackage,
  row: rows.ImportRow,
  item: Item,
) {
  const known = (await rows.evidenceFrom(tx, opened.origin, item.evidenceId)).find(
    ({ import_id }) => import_id === row.import_id,
  )
  if (known !== undefined) return evidenceOf(tx, known.evidence_id)
  const evidence = await records.createEvidence(tx, call, tenant, {
    Name: item.title,
    // As forwarding stations name theirs: the origin of the station and the number there.
    SourceId: `${opened.origin}/evidence/${item.evidenceId}`,
    StartTimeUtc: timeIn(item.recorded.start),
    EndTimeUtc: timeIn(item.recorded.end),
    device: null,
    deviceIdentity: null,
  })
  await rows.insertOneImportedEvidence(tx, evidence.evidence_id, row.import_id, item.evidenceId)
  await ledger.append(tx, call, {
    action: 'evidence.imported',
    object: evidenceObject(evidence),
    detail: { origin: opened.origin, importId: String(row.import_id), sourceId: item.evidenceId, package: opened.name },
  })
  return evidence
}

const timeIn = (text: string | null) => (text === null ? null : parseTime(text, { utcMember: true }))

/** @returns the number of the evidence here */
async function complete(
  { db, records }: ImportDeps,
  call: Call,
  row: rows.ImportRow,
  sourceId: string,
): Promise<string> {
  return db.transaction(async (tx) => {
    const [found] = (await rows.evidenceFrom(tx, row.origin, sourceId)).filter(
      ({ import_id }) => import_id === row.import_id,
    )
    if (found === undefined) throw new Error(`Evidence ${sourceId} of ${row.origin} is not here.`)
    const evidence = await evidenceOf(tx, found.evidence_id)
    if (evidence.state !== 'UserCompleted') await records.completeEvidence(tx, call, evidence)
    return String(found.evidence_id)
  })
}

async function finish(
  { db, ledger, clock }: ImportDeps,
  call: Call,
  row: rows.ImportRow,
  counts: { readonly evidence: number; readonly files: number },
): Promise<void> {
  await db.transaction(async (tx) => {
    await rows.finishImport(tx, row.import_id, isoMillis(clock.now()))
    await ledger.append(tx, call, {
      action: 'import.made',
      object: { type: 'import', id: String(row.import_id), name: row.name },
      sha256: row.signed_sha256,
      detail: {
        kind: row.kind,
        origin: row.origin,
        station: row.station_name,
        key: row.fingerprint,
        entries: row.entries,
        ...counts,
      },
    })
  })
}
