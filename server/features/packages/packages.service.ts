/**
 * Makes packages (docs/decisions/0034): plans what goes in, copies it, writes what goes with it, signs the list of all, and records the package. The entry
 * that records it is in the ledger before the package has its name: what looks whole is always recorded.
 */
import { createHash } from 'node:crypto'
import { packageProblem } from '../../../shared/messages/package-problems.ts'
import { packageNumber } from '../../../shared/packages/kinds.ts'
import { fault } from '../../../shared/kernel/errors.ts'
import { join } from 'node:path'
import type { Tx } from '../../kernel/database/database.ts'
import { makeFolder, removeTree } from '../../platform/files/trees.ts'
import { evidenceRows } from '../../kernel/evidence/list-rows.store.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import { createLedgerTree } from '../../kernel/ledger/tree.ts'
import { isoMillis } from '../../platform/clock/clock.ts'
import { realPath } from '../../platform/files/trees.ts'
import { limitHeapGrowth } from '../../platform/threads/heap-growth.ts'
import { endIdleDrawing } from '../../platform/pdf/papers/drawing-thread.ts'
import type { PackageSigner } from '../../platform/secrets/package-key.ts'
import { aboutTarget, missingTools, openPackage, requireTools } from '../../storage/packages/open-package.ts'
import type { CopyWork, PackageWriter, WrittenFile } from '../../storage/packages/package-writer.ts'
import { type LocalCopy, StorageFault } from '../../storage/store.ts'
import { begin, begunEntry, cutOff, insertNew, NOT_MADE, type Ordered, planned, plannedAgain } from './begin.ts'
import type { LeftOut } from './collect.ts'
import {
  type Begun,
  type DescribedPackage,
  idOf,
  idOfNumber,
  type Maker,
  type PackageAsked,
  type PackageDeps,
} from './package-plan.ts'
import { type TextContent, textsOf } from './package-texts.ts'
import type { PackagedItem } from './format/items.ts'
import * as layout from './format/layout.ts'
import * as rows from './packages.store.ts'
import type { SaidSignature } from './agency-signature.ts'
import type { SaidCosignatures } from './cosignatures.ts'
import type { SaidTimestamp } from './timestamps.ts'
import { cosignLater, saidByKind, signLater, stampLater, type Witnessed, witnessed } from './witnesses.ts'

export interface MadePackage {
  readonly packageId: string
  readonly path: string
  /** Its number, such as `P000012`. */
  readonly number: string
  readonly items: number
  readonly bytes: number
  /** Of `tagmanifest-sha256.txt`. */
  readonly signedSha256: string
  readonly fingerprint: string
  readonly leftOut: readonly LeftOut[]
  /** Files that an interrupted run had copied already. */
  readonly resumed: number
  readonly timestamp: Witnessed['timestamp']
  readonly agencySignature: Witnessed['agencySignature']
  readonly cosignatures: Witnessed['cosignatures']
}

export interface PackageProgress {
  readonly bytes: number
  readonly total: number
}

export interface Work {
  /** Asked again in the transaction that records it. @throws when something in it may not leave any more */
  readonly authorize?: ((tx: Tx, evidenceIds: readonly number[]) => Promise<void>) | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: PackageProgress) => void) | undefined
}

export interface MakeWork extends Work {
  /** Null: it is not encrypted. */
  readonly passphrase: string | null
}

export interface Packages {
  /** @throws Fault CaseNotFound, EvidenceNotFound, NothingToPackage, PackageInProgress; StorageFault NoSpace before anything is written */
  create(call: Call, tenant: string, asked: PackageAsked, work: Work): Promise<MadePackage>
  /**
   * Records what somebody asked for, to be made later by `makeOrdered`.
   * @param inside done in the same transaction @throws as `create`, before anything is written
   */
  order(
    call: Call,
    tenant: string,
    asked: PackageAsked,
    ordered: Ordered,
    inside: (tx: Tx, row: rows.PackageRow, leftOut: readonly LeftOut[]) => Promise<void>,
  ): Promise<rows.PackageRow>
  /**
   * Makes what was ordered, or goes on with it. @param among as of `plannedAgain`
   * @throws Fault PackageChanged when it would have other items by now
   */
  makeOrdered(call: Call, row: rows.PackageRow, among: readonly number[], work: MakeWork): Promise<MadePackage>
  /** Asks the authority for a timestamp of a package that has none. @throws Fault PackageNotFound, PackageNotOpen, TimestampRefused; StorageFault */
  stamp(
    call: Call,
    tenant: string,
    packageId: number,
    signal?: AbortSignal,
  ): Promise<SaidTimestamp & { readonly path: string }>
  /** Signs a package for the agency that has no such signature. @throws Fault PackageNotFound, PackageNotOpen, SignatureUnavailable; StorageFault */
  sign(call: Call, tenant: string, packageId: number): Promise<SaidSignature & { readonly path: string }>
  /** Asks the paired stations that have not co-signed a package to do so. @throws Fault PackageNotFound, PackageNotOpen, CosignatureUnavailable; StorageFault */
  cosign(
    call: Call,
    tenant: string,
    packageId: number,
    signal?: AbortSignal,
  ): Promise<SaidCosignatures & { readonly path: string }>
  /** Removes what an interrupted run left at the station. Nothing may be being made. */
  recover(): Promise<void>
  /** Which need programs that this machine has. */
  forms(): Promise<{ readonly discImages: boolean; readonly containers: boolean }>
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
  const growing = new Set<number>()
  /** Two who add to a package at once would each replace what the other wrote. */
  const alone = async <Said>(packageId: number, add: () => Promise<Said>): Promise<Said> => {
    if (growing.has(packageId))
      throw fault('PackageInProgress', 'Something is being added to this package already. Try again in a moment.')
    growing.add(packageId)
    try {
      return await add()
    } finally {
      growing.delete(packageId)
    }
  }
  return {
    create: async (call, tenant, asked, work) => {
      // Two packages in one place at once could take each other for an interrupted run. A folder has several paths.
      const target = await realPath(asked.target)
      if (busy.has(target)) throw fault('PackageInProgress', 'A package is being made at this place already.')
      busy.add(target)
      try {
        await requireTools(asked.form, asked.passphrase !== null, deps.toolFolders)
        const plan = await planned(deps, tenant, asked)
        const known = await cutOff(deps, tenant, target)
        const begun = await begin(deps, call, tenant, { ...asked, target }, plan, known)
        return await make({ ...deps, tree }, call, begun, { ...work, passphrase: asked.passphrase })
      } finally {
        busy.delete(target)
      }
    },
    order: async (call, tenant, asked, ordered, inside) => {
      const { isEncrypted } = ordered
      await requireTools(asked.form, isEncrypted, deps.toolFolders)
      const plan = await planned(deps, tenant, asked)
      return db.transaction(async (tx) => {
        const row = await insertNew(deps, tx, call, { tenant, asked, plan, ordered })
        const { detail, ...entry } = begunEntry(deps, row, plan, { isEncrypted, resumed: false })
        await ledger.append(tx, call, {
          ...entry,
          action: 'package.ordered',
          detail: { ...detail, leftOut: plan.leftOut },
        })
        await inside(tx, row, plan.leftOut)
        return row
      })
    },
    makeOrdered: async (call, row, among, work) => {
      const plan = await plannedAgain(deps, row, among)
      const isEncrypted = work.passphrase !== null
      const { seq } = await db.transaction(async (tx) => {
        // The station ended between its entry and its name.
        if (row.state === 'Made') await rows.updatePackage(tx, row.package_id, NOT_MADE)
        return ledger.append(tx, call, begunEntry(deps, row, plan, { isEncrypted, resumed: false }))
      })
      return make({ ...deps, tree }, call, { plan, row, seq }, work)
    },
    stamp: (call, tenant, packageId, signal) =>
      alone(packageId, () => stampLater(deps, call, { tenant, packageId, signal })),
    sign: (call, tenant, packageId) => alone(packageId, () => signLater(deps, call, { tenant, packageId })),
    cosign: (call, tenant, packageId, signal) =>
      alone(packageId, () => cosignLater(deps, call, { tenant, packageId, signal })),
    recover: () => removeTree(deps.texts),
    forms: async () => {
      const missing = await missingTools(deps.toolFolders)
      return { discImages: !missing.includes('xorriso'), containers: !missing.includes('7z') }
    },
    list: async (call, tenant) => {
      const found = await rows.newestPackages(db.read, tenant, MOST_LISTED)
      await ledger.record(call, { action: 'package.listed', object: { type: 'package', id: '', name: '' } })
      return found
    },
  }
}

async function make(deps: Maker, call: Call, begun: Begun, work: MakeWork): Promise<MadePackage> {
  const { plan, row } = begun
  const signer = deps.keys.packages.current()
  if (signer === null) throw new Error('The station has no key for packages')
  let writer: PackageWriter | null = null
  const held: LocalCopy[] = []
  let hasName = false
  const endLimit = limitHeapGrowth()
  const folder = join(deps.texts, String(row.package_id))
  try {
    writer = await openWriter(deps, begun, work.passphrase)
    const copying = copyWork(plan.items, work)
    const resumed = await copyItems(deps, writer, plan.items, { work: copying, held })
    work.signal?.throwIfAborted()
    await removeTree(folder)
    await makeFolder(folder)
    const texts = await textsOf(deps, begun, signer, { folder, between: () => work.signal?.throwIfAborted() })
    const written: WrittenFile[] = []
    for (const [path, content] of texts.files) written.push(await writeText(writer, path, content, work.signal))
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
    const { files: witnesses, ...said } = await witnessed(
      deps,
      { sha256: list.signed.sha256, ledgerSize: texts.ledgerSize },
      work.signal,
    )
    for (const [path, bytes] of witnesses) await writer.write(path, bytes)
    const later = [layout.TAG_LIST, layout.SIGNATURE, ...witnesses.map(([path]) => path)]
    await writer.keepOnly(new Set([...payload, ...list.tags].map(({ path }) => path).concat(later)))
    const receipt = await texts.receipt({ signedSha256: list.signed.sha256, items: row.items, bytes: row.bytes })
    // Copies of gigabytes are compared now.
    await endIdleDrawing()
    work.signal?.throwIfAborted()
    await writer.settle({ path: layout.SIGNATURE, length: SIGNATURE_BYTES }, copying)
    work.signal?.throwIfAborted()
    const recorded = {
      signedSha256: list.signed.sha256,
      size: texts.ledgerSize,
      fingerprint: signer.fingerprint,
      isEncrypted: work.passphrase !== null,
      said,
      described: texts.described,
    }
    await record(deps, call, begun, { ...recorded, authorize: work.authorize })
    await recordItems(deps, call, begun)
    await writer.finish({ path: layout.SIGNATURE, bytes: signatureOf(signer, list.signed.bytes) }, copying)
    hasName = true
    await writer.writeBeside('.receipt.pdf', receipt)
    return {
      packageId: idOf(deps, row),
      number: packageNumber(row.package_id),
      path: writer.path,
      items: row.items,
      bytes: row.bytes,
      signedSha256: list.signed.sha256,
      fingerprint: signer.fingerprint,
      leftOut: plan.leftOut,
      resumed,
      ...said,
    }
  } catch (cause) {
    const error = aboutTarget(cause, row.target)
    if (isOver(error)) await writer?.abandon()
    await failed(deps, call, row, { error, hasName })
    throw error
  } finally {
    endLimit()
    await writer?.close()
    for (const one of held) await one.release()
    // A package that is made stays so. What could not be removed is, at the next start.
    await removeTree(folder).catch(() => {})
  }
}

async function writeText(
  writer: PackageWriter,
  path: string,
  content: TextContent,
  signal: AbortSignal | undefined,
): Promise<WrittenFile> {
  if (typeof content === 'function') return writer.write(path, content())
  if (typeof content === 'string' || content instanceof Uint8Array) return writer.write(path, content)
  const { source, sha256, bytes } = content
  await writer.copy(source, { path, sha256, bytes }, { signal })
  return { path, sha256, bytes }
}

/** Lists, papers and keys beside the items, at most. */
const FILES_BESIDE = 40

const openWriter = ({ toolFolders }: Maker, { plan, row }: Begun, passphrase: string | null): Promise<PackageWriter> =>
  openPackage(
    { form: row.form, target: row.target, name: row.name, volume: packageNumber(row.package_id), passphrase },
    { bytes: row.bytes, files: plan.items.length + FILES_BESIDE, folders: layout.FOLDERS, toolFolders },
  )

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
  { row, plan: { supplements } }: Begun,
  payload: readonly WrittenFile[],
  texts: readonly WrittenFile[],
) {
  const info = layout.bagInfo({
    organization: deps.stationName,
    id: idOf(deps, row),
    madeUtc: row.created_utc,
    supplements: supplements === null ? null : idOfNumber(deps, supplements.packageId),
    payload: { bytes: payload.reduce((sum, { bytes }) => sum + bytes, 0), files: payload.length },
  })
  const tags = [
    ...texts,
    await writer.write(layout.BAG, layout.BAG_TEXT),
    await writer.write(layout.BAG_INFO, info),
    await writer.write(layout.PAYLOAD_LIST, layout.manifestText(payload)),
  ]
  const bytes = Buffer.from(layout.manifestText(tags))
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
  readonly said: Omit<Witnessed, 'files'>
  readonly described: DescribedPackage
}

/** Says that it is made, unless something in it may not leave any more. @throws Fault PackageChanged */
async function record(
  { db, ledger, clock, gate }: Maker,
  call: Call,
  { plan, row }: Begun,
  { signedSha256, size, fingerprint, isEncrypted, said, described, authorize }: Recorded & Pick<Work, 'authorize'>,
): Promise<void> {
  await db.transaction(async (tx) => {
    await authorize?.(tx, plan.evidenceIds)
    const now = await evidenceRows(tx, plan.evidenceIds)
    const gone = now.find(({ lifecycle_state }) => lifecycle_state === 'Deleted' || lifecycle_state === 'Destroyed')
    if (gone !== undefined || now.length < plan.evidenceIds.length)
      throw fault('PackageChanged', packageProblem('deletedMeanwhile', { id: gone?.evidence_id ?? '' }))
    const [restricted] = await gate.restrictedAmong(tx, plan.evidenceIds)
    if (restricted !== undefined)
      throw fault(
        'PackageChanged',
        packageProblem('restrictedMeanwhile', { id: restricted[0], kinds: restricted[1].join(', ') }),
      )
    if (!(await gate.settle(tx, described))) throw fault('PackageChanged', packageProblem('disclosedMeanwhile'))
    await rows.updatePackage(tx, row.package_id, {
      state: 'Made',
      signed_sha256: signedSha256,
      ledger_size: size,
      finished_utc: isoMillis(clock.now()),
    })
    for (const { kind, said: of } of saidByKind(said))
      await rows.keepWitness(tx, { package_id: row.package_id, kind, said: JSON.stringify(of), is_beside: 0 })
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
        ...said,
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
