/**
 * Makes packages (docs/decisions/0034): plans what goes in, copies it, writes what goes with it, signs the list of all, and records the package. The entry
 * that records it is in the ledger before the package has its name: what looks whole is always recorded.
 */
import { createHash, randomUUID } from 'node:crypto'
import { fault } from '../../../shared/kernel/errors.ts'
import { timeOf } from '../../../shared/kernel/time.ts'
import {
  PACKAGE_PAPERS,
  PACKAGE_PARTS,
  type PackageForm,
  type PackageLanguage,
  type PackagePaper,
  type PackagePart,
  type PackageVariant,
} from '../../../shared/packages/kinds.ts'
import type { Database } from '../../kernel/database/database.ts'
import { evidenceAsOf } from '../../kernel/evidence/lifecycle.ts'
import { principalThen } from '../../kernel/evidence/objects.ts'
import { evidenceRows } from '../../kernel/evidence/list-rows.store.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import { createLedgerTree } from '../../kernel/ledger/tree.ts'
import { isoMillis } from '../../platform/clock/clock.ts'
import { realPath } from '../../platform/files/trees.ts'
import type { PackageSigner } from '../../platform/secrets/package-key.ts'
import { aboutTarget, isUnfinished, openPackage, requireTools } from '../../storage/packages/open-package.ts'
import type { CopyWork, PackageWriter, WrittenFile } from '../../storage/packages/package-writer.ts'
import { type LocalCopy, StorageFault } from '../../storage/store.ts'
import {
  type Begun,
  type DescribedPackage,
  idOf,
  type Maker,
  type PackageDeps,
  type Plan,
  programOf,
} from './package-plan.ts'
import { textsOf } from './package-texts.ts'
import { collectItems, type LeftOut } from './collect.ts'
import type { PackagedItem } from './format/items.ts'
import * as layout from './format/layout.ts'
import { packageFolderName } from './format/names.ts'
import * as rows from './packages.store.ts'

export interface PackageAsked {
  /** A case, or evidence by its ids. */
  readonly of: { readonly caseId: string } | { readonly evidenceIds: readonly string[] }
  readonly form: PackageForm
  /** On the machine of the station: an existing folder in which the package becomes a folder, or the file that it becomes, in an existing folder. */
  readonly target: string
  /** The package is put into an encrypted container. Null: it is not. */
  readonly passphrase: string | null
  readonly variant: PackageVariant
  readonly parts: readonly PackagePart[]
  /** That a person signs, in this language. */
  readonly papers: readonly PackagePaper[]
  readonly language: PackageLanguage
}

export interface MadePackage {
  readonly packageId: string
  readonly path: string
  readonly items: number
  readonly bytes: number
  /** Of `tagmanifest-sha256.txt`. */
  readonly signedSha256: string
  readonly fingerprint: string
  readonly leftOut: readonly LeftOut[]
  /** Files that an interrupted run had copied already. */
  readonly resumed: number
}

export interface PackageProgress {
  readonly bytes: number
  readonly total: number
}

export interface Work {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: PackageProgress) => void) | undefined
}

export interface Packages {
  /** @throws Fault CaseNotFound, EvidenceNotFound, NothingToPackage, PackageInProgress; StorageFault NoSpace before anything is written */
  create(call: Call, tenant: string, asked: PackageAsked, work: Work): Promise<MadePackage>
  /** Newest first. */
  list(call: Call, tenant: string): Promise<rows.PackageRow[]>
}

const MOST_LISTED = 500
/** Files that are copied at the same time. */
const LANES = 2

export function createPackages(deps: PackageDeps): Packages {
  const { db, ledger } = deps
  const tree = createLedgerTree(db)
  const busy = new Set<string>()
  return {
    create: async (call, tenant, asked, work) => {
      // Two packages in one place at once could take each other for an interrupted run. A folder has several paths.
      const target = await realPath(asked.target)
      if (busy.has(target)) throw fault('PackageInProgress', 'A package is being made at this place already.')
      busy.add(target)
      try {
        await requireTools(asked.form, asked.passphrase !== null)
        const plan = await planned(deps, tenant, asked)
        const known = await cutOff(deps, tenant, target)
        const begun = await begin(deps, call, tenant, { ...asked, target }, plan, known)
        return await make({ ...deps, tree }, call, begun, { ...work, passphrase: asked.passphrase })
      } finally {
        busy.delete(target)
      }
    },
    list: async (call, tenant) => {
      const found = await rows.newestPackages(db.read, tenant, MOST_LISTED)
      await ledger.record(call, { action: 'package.listed', object: { type: 'package', id: '', name: '' } })
      return found
    },
  }
}

async function planned({ db, clock, gate }: PackageDeps, tenant: string, { of, parts }: PackageAsked): Promise<Plan> {
  const caseOf = 'caseId' in of ? await requireCase(db, tenant, of.caseId) : null
  const ids = 'caseId' in of ? await rows.evidenceOfCase(db.read, Number(of.caseId)) : of.evidenceIds.map(Number)
  const now = timeOf(clock.now()).ticks
  const found = (await evidenceRows(db.read, ids)).filter((row) => row.tenant_id === tenant)
  const known = new Map(found.map((row) => [row.evidence_id, evidenceAsOf(row, now)]))
  const missing = ids.find((id) => !known.has(id))
  if (missing !== undefined) throw fault('EvidenceNotFound', `There is no evidence ${missing}.`)
  const restricted = await gate.restrictedAmong(db.read, ids)
  const [[id, kinds] = [0, []]] = restricted
  // What is named one by one is meant: leaving it out would be another package than the one that was asked for.
  if (restricted.size > 0 && caseOf === null)
    throw fault('EvidenceRestricted', `Evidence ${id} may not be disclosed (${kinds.join(', ')}). Nothing was written.`)
  const may = [...new Set(ids)].filter((one) => !restricted.has(one))
  const { items, leftOut } = await collectItems(db.read, may, new Set(parts))
  if (items.length === 0)
    throw fault('NothingToPackage', 'There is no complete file in what was chosen. Nothing was written.')
  return {
    items,
    leftOut: [...leftOut, ...[...restricted.keys()].map((one) => restrictedOut(one, known))],
    withheld: [...restricted.keys()],
    evidenceIds: [...new Set(items.map(({ evidenceId }) => Number(evidenceId)))],
    title: caseOf?.title ?? items[0]?.title ?? '',
    case: caseOf,
  }
}

const restrictedOut = (evidenceId: number, known: ReadonlyMap<number, { readonly name: string }>): LeftOut => ({
  evidenceId,
  title: known.get(evidenceId)?.name ?? '',
  why: 'restricted',
})

async function requireCase(db: Database, tenant: string, id: string) {
  const row = /^\d{1,15}$/.test(id) ? await rows.caseRow(db.read, tenant, Number(id)) : undefined
  if (row === undefined || row.lifecycle_state === 'Deleted') throw fault('CaseNotFound', `There is no case ${id}.`)
  const number = `${row.ordinal_year}-${String(row.ordinal_number).padStart(6, '0')}`
  return { id: row.case_id, title: row.title, number }
}

const NOT_MADE = { state: 'Making', signed_sha256: null, ledger_size: null, finished_utc: null } as const

/** Packages that are recorded as made, and did not get their name before the station ended. */
async function cutOff({ db }: PackageDeps, tenant: string, target: string): Promise<Set<number>> {
  const found = new Set<number>()
  for (const row of await rows.newestIn(db.read, tenant, target))
    if (row.state === 'Made' && (await isUnfinished(row))) found.add(row.package_id)
  return found
}

/** Records what is going to be made; an interrupted run for the same things into the same folder is taken up. */
async function begin(
  deps: PackageDeps,
  call: Call,
  tenant: string,
  asked: PackageAsked,
  plan: Plan,
  cutOffAtTheEnd: ReadonlySet<number>,
): Promise<Begun> {
  const { db, ledger, clock } = deps
  const bytes = plan.items.reduce((sum, item) => sum + item.bytes, 0)
  const parts = JSON.stringify(PACKAGE_PARTS.filter((part) => asked.parts.includes(part)))
  const papers = JSON.stringify(PACKAGE_PAPERS.filter((one) => asked.papers.includes(one)))
  const isEncrypted = asked.passphrase !== null
  return db.transaction(async (tx) => {
    for (const row of await rows.newestIn(tx, tenant, asked.target)) {
      if (row.state === 'Made' && !cutOffAtTheEnd.has(row.package_id)) continue
      const isSame =
        row.case_id === (plan.case?.id ?? null) &&
        row.variant === asked.variant &&
        row.form === asked.form &&
        row.parts === parts &&
        row.papers === papers &&
        row.language === asked.language
      if (!isSame || !(await hasSameItems(tx, row.package_id, plan.items))) continue
      const entries = await ledger.entriesFor('package', String(row.package_id), { count: ENTRIES_OF_ONE })
      if (wasEncrypted(entries) !== isEncrypted) continue
      if (row.state === 'Made') await rows.updatePackage(tx, row.package_id, NOT_MADE)
      const { seq } = await ledger.append(tx, call, begunEntry(deps, row, plan, { isEncrypted, resumed: true }))
      return { plan, row, seq }
    }
    const values = {
      tenant_id: tenant,
      name: randomUUID(),
      title: plan.title,
      case_id: plan.case?.id ?? null,
      variant: asked.variant,
      form: asked.form,
      parts,
      papers,
      language: asked.language,
      target: asked.target,
      supplements: null,
      state: 'Making',
      items: plan.items.length,
      bytes,
      signed_sha256: null,
      ledger_size: null,
      created_utc: isoMillis(clock.now()),
      created_by: JSON.stringify(principalThen(call.actor)),
      finished_utc: null,
    } as const
    const id = await rows.insertPackage(tx, values)
    const name = packageFolderName(plan.title, packageNumber(id))
    await rows.updatePackage(tx, id, { name })
    await rows.insertItems(
      tx,
      plan.items.map((item) => ({
        package_id: id,
        no: item.no,
        kind: item.kind,
        parent_no: item.parent,
        path: item.path,
        evidence_id: Number(item.evidenceId),
        resource_id: Number(item.resourceId),
        sha256: item.sha256,
        length: item.bytes,
      })),
    )
    const row = { ...values, package_id: id, name, problem: '' }
    const { seq } = await ledger.append(tx, call, begunEntry(deps, row, plan, { isEncrypted, resumed: false }))
    return { plan, row, seq }
  })
}

type Entries = Awaited<ReturnType<Ledger['entriesFor']>>
/** A package that was taken up so often is one of a script that went wrong. */
const ENTRIES_OF_ONE = 1000

/** As its newest entry says: the ledger has all that is known of it. */
const wasEncrypted = (entries: Entries): boolean =>
  entries.find(({ entry }) => entry.action === 'package.begun')?.entry.detail?.['encrypted'] === true

const begunEntry = (
  deps: PackageDeps,
  row: rows.PackageRow,
  plan: Plan,
  { isEncrypted, resumed }: { readonly isEncrypted: boolean; readonly resumed: boolean },
) =>
  ({
    action: 'package.begun',
    object: { type: 'package', id: String(row.package_id), name: row.name },
    bytes: row.bytes,
    detail: {
      caseId: row.case_id === null ? null : String(row.case_id),
      variant: row.variant,
      form: row.form,
      evidence: plan.evidenceIds.map(String),
      items: row.items,
      encrypted: isEncrypted,
      resumed,
      // What the papers say of the station has an entry that states it.
      station: deps.stationName,
      origin: deps.origin,
      program: programOf(deps),
      case: plan.case,
    },
  }) as const

async function hasSameItems(tx: Parameters<typeof rows.itemsOf>[0], id: number, items: readonly PackagedItem[]) {
  const keyOf = (no: number, kind: string, path: string, sha256: string): string => `${no} ${kind} ${path} ${sha256}`
  const stored = (await rows.itemsOf(tx, id)).map((one) => keyOf(one.no, one.kind, one.path, one.sha256))
  const planned = new Set(items.map((one) => keyOf(one.no, one.kind, one.path, one.sha256)))
  return stored.length === planned.size && stored.every((one) => planned.has(one))
}

interface MakeWork extends Work {
  readonly passphrase: string | null
}

async function make(deps: Maker, call: Call, begun: Begun, work: MakeWork): Promise<MadePackage> {
  const { plan, row } = begun
  const signer = deps.keys.packages.current()
  if (signer === null) throw new Error('The station has no key for packages')
  let writer: PackageWriter | null = null
  const held: LocalCopy[] = []
  let hasName = false
  try {
    writer = await openWriter(begun, work.passphrase)
    const copying = copyWork(plan.items, work)
    const resumed = await copyItems(deps, writer, plan.items, { work: copying, held })
    work.signal?.throwIfAborted()
    const texts = await textsOf(deps, begun, signer, () => work.signal?.throwIfAborted())
    const written: WrittenFile[] = []
    for (const [path, content] of texts.files) written.push(await writer.write(path, content))
    const payload = [
      ...plan.items.map(({ path, sha256, bytes }) => ({ path, sha256, bytes })),
      ...written.filter(isPayload),
    ]
    const list = await signedLists(
      deps,
      writer,
      begun,
      payload,
      written.filter((file) => !isPayload(file)),
    )
    await writer.keepOnly(
      new Set([...payload, ...list.tags].map(({ path }) => path).concat(layout.TAG_LIST, layout.SIGNATURE)),
    )
    work.signal?.throwIfAborted()
    await writer.settle({ path: layout.SIGNATURE, length: SIGNATURE_BYTES }, copying)
    work.signal?.throwIfAborted()
    const recorded = {
      signedSha256: list.signed.sha256,
      size: texts.ledgerSize,
      fingerprint: signer.fingerprint,
      isEncrypted: work.passphrase !== null,
      described: texts.described,
    }
    await record(deps, call, begun, recorded)
    await recordItems(deps, call, begun)
    await writer.finish({ path: layout.SIGNATURE, bytes: signatureOf(signer, list.signed.bytes) }, copying)
    hasName = true
    const receipt = await texts.receipt({ signedSha256: recorded.signedSha256, items: row.items, bytes: row.bytes })
    await writer.writeBeside('.receipt.pdf', receipt)
    return {
      packageId: idOf(deps, row),
      path: writer.path,
      items: row.items,
      bytes: row.bytes,
      signedSha256: list.signed.sha256,
      fingerprint: signer.fingerprint,
      leftOut: plan.leftOut,
      resumed,
    }
  } catch (cause) {
    const error = aboutTarget(cause, row.target)
    if (isOver(error)) await writer?.abandon()
    await failed(deps, call, row, { error, hasName })
    throw error
  } finally {
    await writer?.close()
    for (const one of held) await one.release()
  }
}

/** Lists, papers and keys beside the items, at most. */
const FILES_BESIDE = 40

const openWriter = ({ plan, row }: Begun, passphrase: string | null): Promise<PackageWriter> =>
  openPackage(
    { form: row.form, target: row.target, name: row.name, volume: packageNumber(row.package_id), passphrase },
    { bytes: row.bytes, files: plan.items.length + FILES_BESIDE, folders: layout.FOLDERS },
  )

const packageNumber = (id: number): string => `P${String(id).padStart(6, '0')}`

/** Most signatures in DER are so long. A disc image has the place of its signature before there is one. */
const SIGNATURE_BYTES = 71
const MOST_TRIES = 500

/** Another signature of the same bytes is as good as the first one. */
function signatureOf(signer: PackageSigner, bytes: Uint8Array): Uint8Array {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const signature = signer.sign(bytes)
    if (signature.length === SIGNATURE_BYTES) return signature
  }
  throw new Error(`No signature of ${SIGNATURE_BYTES} bytes could be made`)
}

const isPayload = ({ path }: { readonly path: string }): boolean => path.startsWith('data/')

/** Tells how far all of it is: bytes are written once and read back once. */
function copyWork(items: readonly PackagedItem[], { signal, onProgress }: Work) {
  const total = items.reduce((sum, item) => sum + 2 * item.bytes, 0)
  let done = 0
  return {
    signal,
    onProgress: (bytes: number): void => {
      done += bytes
      onProgress?.({ bytes: Math.min(done, total), total })
    },
  }
}

/** @param held gets what has to stay where it is until the package is finished */
async function copyItems(
  deps: Maker,
  writer: PackageWriter,
  items: readonly PackagedItem[],
  { work, held }: { readonly work: CopyWork; readonly held: LocalCopy[] },
): Promise<number> {
  const { onProgress } = work
  let resumed = 0
  const left = items.values()
  // One that fails stops the others before their next file.
  const stop = new AbortController()
  const signal = work.signal === undefined ? stop.signal : AbortSignal.any([work.signal, stop.signal])
  const lane = async (): Promise<void> => {
    for (const item of left) {
      signal.throwIfAborted()
      const local = await deps.store.localCopy(item.sha256, { signal })
      try {
        if (await writer.copy(local.path, item, { signal, onProgress })) resumed++
      } catch (error) {
        stop.abort(error)
        throw error
      } finally {
        if (writer.readsLater) held.push(local)
        else await local.release()
      }
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: LANES }, lane))
  for (const one of ended) if (one.status === 'rejected') throw one.reason
  return resumed
}

/** The lists of payload and of all else, the second one as it is signed. */
async function signedLists(
  deps: Maker,
  writer: PackageWriter,
  { row }: Begun,
  payload: readonly WrittenFile[],
  texts: readonly WrittenFile[],
) {
  const listText = (files: readonly WrittenFile[]): string =>
    files
      .toSorted((a, b) => (a.path < b.path ? -1 : 1))
      .map(({ path, sha256 }) => layout.manifestLine(sha256, path))
      .join('')
  const info = layout.bagInfo({
    organization: deps.stationName,
    id: idOf(deps, row),
    madeUtc: row.created_utc,
    payload: { bytes: payload.reduce((sum, { bytes }) => sum + bytes, 0), files: payload.length },
  })
  const tags = [
    ...texts,
    await writer.write(layout.BAG, layout.BAG_TEXT),
    await writer.write(layout.BAG_INFO, info),
    await writer.write(layout.PAYLOAD_LIST, listText(payload)),
  ]
  const bytes = Buffer.from(listText(tags))
  await writer.write(layout.TAG_LIST, bytes)
  return { tags, signed: { bytes, sha256: createHash('sha256').update(bytes).digest('hex') } }
}

/** In the custody of every item: that it went into this package. Some at a time, so that other writers get their turn. */
async function recordItems({ db, ledger }: Maker, call: Call, { plan, row }: Begun): Promise<void> {
  const caseId = row.case_id === null ? null : String(row.case_id)
  for (let at = 0; at < plan.items.length; at += ENTRIES_AT_ONCE)
    await db.transaction(async (tx) => {
      for (const item of plan.items.slice(at, at + ENTRIES_AT_ONCE))
        await ledger.append(tx, call, {
          action: 'resource.packaged',
          object: { type: 'resource', id: item.resourceId, name: item.originalName },
          bytes: item.bytes,
          sha256: item.sha256,
          // Without the name of the package: it holds the title of its case, and this entry goes along with packages of others.
          detail: { evidenceId: item.evidenceId, packageId: String(row.package_id), caseId, no: item.no },
        })
    })
}
const ENTRIES_AT_ONCE = 100

interface Recorded {
  readonly signedSha256: string
  /** Of the tree of the ledger that the proofs in it are under. */
  readonly size: number
  readonly fingerprint: string
  readonly isEncrypted: boolean
  readonly described: DescribedPackage
}

/** Says that it is made, unless something in it may not leave any more. @throws Fault PackageChanged */
async function record(
  { db, ledger, clock, gate }: Maker,
  call: Call,
  { plan, row }: Begun,
  { signedSha256, size, fingerprint, isEncrypted, described }: Recorded,
): Promise<void> {
  await db.transaction(async (tx) => {
    const now = await evidenceRows(tx, plan.evidenceIds)
    const gone = now.find(({ lifecycle_state }) => lifecycle_state === 'Deleted' || lifecycle_state === 'Destroyed')
    if (gone !== undefined || now.length < plan.evidenceIds.length)
      throw fault(
        'PackageChanged',
        `Evidence ${gone?.evidence_id ?? ''} was deleted while the package was made. Make it again: it will be without it.`,
      )
    const [restricted] = await gate.restrictedAmong(tx, plan.evidenceIds)
    if (restricted !== undefined)
      throw fault(
        'PackageChanged',
        `Evidence ${restricted[0]} was restricted (${restricted[1].join(', ')}) while the package was made. Nothing went out.`,
      )
    if (!(await gate.settle(tx, described)))
      throw fault(
        'PackageChanged',
        'Something was disclosed meanwhile, so the numbers on the schedule do not hold. Make the package again.',
      )
    await rows.updatePackage(tx, row.package_id, {
      state: 'Made',
      signed_sha256: signedSha256,
      ledger_size: size,
      finished_utc: isoMillis(clock.now()),
    })
    await ledger.append(tx, call, {
      action: 'package.made',
      object: { type: 'package', id: String(row.package_id), name: row.name },
      bytes: row.bytes,
      sha256: signedSha256,
      detail: {
        caseId: row.case_id === null ? null : String(row.case_id),
        variant: row.variant,
        form: row.form,
        encrypted: isEncrypted,
        evidence: plan.evidenceIds.map(String),
        items: row.items,
        key: fingerprint,
        ledgerSize: size,
      },
    })
  })
}

const isOver = (error: unknown): boolean => (error as { readonly code?: string }).code === 'PackageChanged'

/** A stop, or a volume that went away, leaves it to be taken up; everything else ends it. */
async function failed(
  { db, ledger, clock }: Maker,
  call: Call,
  row: rows.PackageRow,
  { error, hasName }: { readonly error: unknown; readonly hasName: boolean },
): Promise<void> {
  const reason = (error as Error).message
  const again = !isOver(error) && !hasName
  await db
    .transaction(async (tx) => {
      const over = { ...NOT_MADE, state: 'Failed', problem: reason, finished_utc: isoMillis(clock.now()) } as const
      // With its name it is made, although its receipt is not.
      if (!hasName) await rows.updatePackage(tx, row.package_id, isOver(error) ? over : NOT_MADE)
      await ledger.append(tx, call, {
        action: 'package.failed',
        object: { type: 'package', id: String(row.package_id), name: row.name },
        outcome: 'failed',
        reason,
        detail: { again, code: error instanceof StorageFault ? error.code : null },
      })
    })
    // The disk under the station failed too: the package has no signature, so it is none.
    .catch(() => {})
}
