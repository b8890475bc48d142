/**
 * Packages that people ask for in the window: made by a job in the name of whoever asked, kept at the station or put on a drive, handed out and removed
 * (docs/decisions/0034). Download on everything that is in one is asked when it is ordered, when it is recorded, and when it is handed out.
 */
import { dirname } from 'node:path'
import { fault } from '../../../shared/kernel/errors.ts'
import { includes } from '../../../shared/kernel/permissions.ts'
import type {
  PackageForm,
  PackageLanguage,
  PackagePaper,
  PackagePart,
  PackageVariant,
  WitnessKind,
} from '../../../shared/packages/kinds.ts'
import type { Principal } from '../../../shared/kernel/principal.ts'
import type { HttpCall } from '../../http/handlers.ts'
import type { ReachCase } from '../../kernel/cases/reach-case.ts'
import type { Tx } from '../../kernel/database/database.ts'
import type { ReachRows } from '../../kernel/evidence/reach.ts'
import { FinalFailure, type JobContext, jobKind, LeaseLost } from '../../kernel/jobs/types.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import { makeFolder, removeTree } from '../../platform/files/trees.ts'
import { StorageFault } from '../../storage/store.ts'
import { besideEnding } from '../../storage/packages/later-files.ts'
import { isFinished } from '../../storage/packages/open-package.ts'
import { openPackageFile, type PackageFile } from '../../storage/packages/package-file.ts'
import {
  containerEnding,
  driveName,
  type FindDrives,
  requireAtHand,
  requireDrive,
  requireDriveOf,
  requireRoomOn,
  targetKept,
  targetOnDrive,
  withSpace,
} from './order-places.ts'
import { type PackageOut, packageModel } from './packages.models.ts'
import type { PackageAsked } from './package-plan.ts'
import type { Packages } from './packages.service.ts'
import * as rows from './packages.store.ts'
import { WITNESS_FILES } from './witnesses.ts'

export interface OrderAsked {
  readonly Variant: PackageVariant
  readonly Parts: readonly PackagePart[]
  readonly Papers: readonly PackagePaper[]
  readonly Language: PackageLanguage
  readonly Supplements?: string | null | undefined
  readonly Form?: PackageForm | undefined
  /** As `drives` has it; null: the package is kept at the station. */
  readonly DriveId?: string | null | undefined
  readonly Encrypted?: boolean | undefined
}

export type PackagePayload = {
  readonly packageId: string
  readonly tenant: string
  /** Who asked, as JSON of Principal. */
  readonly by: string
}
/** Its file lies on the machine that was asked. */
export const MAKE_JOB = jobKind<PackagePayload>('package.make', 'the node that queued it')
const subjectOf = (id: number): string => `package:${id}`

export interface OrderDeps extends Pick<Kernel, 'db' | 'jobs' | 'access'> {
  readonly ledger: Pick<Ledger, 'append' | 'record'>
  readonly packages: Packages
  readonly reachCase: ReachCase
  readonly reachRows: ReachRows
  readonly isMember: (principalId: number) => Promise<boolean>
  readonly requireWrites: () => void
  /** Where the files are kept. */
  readonly folder: string
  readonly drives: FindDrives
}

export type Orders = ReturnType<typeof createOrders>

export function createOrders(deps: OrderDeps) {
  const { db, jobs, ledger, packages } = deps
  const enqueue = async (tx: Tx, call: Call, tenant: string, id: number): Promise<void> => {
    const payload = { packageId: String(id), tenant, by: JSON.stringify(call.actor) }
    await jobs.enqueue(tx, MAKE_JOB.newJob(payload, { subject: subjectOf(id), key: subjectOf(id) }))
  }
  /** Of encrypted packages, from when they are begun until their job ends. They are kept nowhere else. */
  const passphrases = new Map<number, string>()
  const starting = new Set<string>()
  const order = async (call: HttpCall, of: PackageAsked['of'], given: OrderAsked): Promise<PackageOut> => {
    deps.requireWrites()
    // Of a package that they may not see, nobody learns what it has.
    const earlier = given.Supplements == null ? null : await find(deps, call, given.Supplements)
    const form = given.Form ?? 'zip'
    const isEncrypted = given.Encrypted === true
    const drive = await driveFor(deps, call, form, given.DriveId ?? null)
    let out: PackageOut | null = null
    const asked = {
      of,
      target: deps.folder,
      form,
      variant: given.Variant,
      parts: given.Parts,
      papers: given.Papers,
      language: given.Language,
      passphrase: null,
      supplements: earlier?.package_id ?? null,
    }
    const ordered = {
      isEncrypted,
      drive: drive === null ? null : driveName(drive),
      targetOf: (number: string, name: string) =>
        drive === null ? targetKept(deps.folder, form, number, name) : targetOnDrive(drive, form, name),
    }
    const recorded = packages.order(call, call.tenant, asked, ordered, async (tx, row, leftOut) => {
      // Judged by the rows of this transaction too: a right can go between two looks.
      await requireAll(deps, tx, call.principal, await evidenceIn(tx, row))
      if (drive !== null) await requireRoomOn(drive, row.bytes, isEncrypted)
      // One that is encrypted begins when its passphrase is given.
      if (!isEncrypted) await enqueue(tx, call, call.tenant, row.package_id)
      const order = await rows.orderOf(tx, row.package_id)
      out = await call.rememberAnswer(
        tx,
        packageModel(row, isEncrypted ? null : WAITING, { ...OF_NEW, leftOut, order }),
      )
    })
    await recorded.catch(toolMissing)
    jobs.kick()
    return out as PackageOut | null as PackageOut
  }
  const toBegin = async (call: HttpCall, id: string) => {
    deps.requireWrites()
    const row = await find(deps, call, id)
    if (row.state !== 'Making') throw fault('PackageNotOpen', 'The package is made, or cannot be made any more.')
    await requireAll(deps, db.read, call.principal, await evidenceIn(db.read, row))
    const order = await rows.orderOf(db.read, row.package_id)
    if (order?.drive != null) {
      requireAtHand(call)
      await requireDriveOf(deps.drives, row, order.drive)
    }
    return { row, order }
  }
  const begin = async (call: HttpCall, row: rows.PackageRow): Promise<PackageOut> => {
    await db.transaction(async (tx) => {
      await enqueue(tx, call, call.tenant, row.package_id)
      await ledger.append(tx, call, { action: 'package.ordered', object: objectOf(row), detail: { again: true } })
    })
    jobs.kick()
    return modelOf(deps, row)
  }
  const judge = async (call: HttpCall, evidenceIds: readonly string[]): Promise<void> => {
    for (const evidenceId of new Set(evidenceIds))
      await deps.reachRows(call, 'Download', { tenant: call.tenant, evidenceId })
  }
  return {
    /** Whether the caller may still get what a repeated request is answered with. */
    judgeCase: (call: HttpCall, caseId: string) => deps.reachCase(db.read, call, call.tenant, caseId, 'Download'),
    judge,
    orderCase: async (call: HttpCall, caseId: string, given: OrderAsked): Promise<PackageOut> => {
      const row = await deps.reachCase(db.read, call, call.tenant, caseId, 'Download')
      const { seen, levels } = await seenInCase(deps, call.principal, row.case_id)
      // What they may not take along must not be missing unsaid.
      requireDownload(seen, levels)
      return order(call, { caseId, evidenceIds: seen.map(String) }, given)
    },
    order: async (call: HttpCall, evidenceIds: readonly string[], given: OrderAsked): Promise<PackageOut> => {
      await judge(call, evidenceIds)
      return order(call, { evidenceIds: [...new Set(evidenceIds)] }, given)
    },
    list: async (
      call: HttpCall,
      page: { readonly caseId: string | null; readonly before: number; readonly count: number },
    ) => {
      const found: rows.PackageRow[] = []
      let before = page.before
      for (let more = true; more && found.length < page.count; ) {
        const some = await rows.packagesBefore(db.read, call.tenant, { ...page, before, count: PAGE })
        more = some.length === PAGE
        before = some.at(-1)?.package_id ?? before
        for (const row of some) if (await maySee(deps, call.principal, row)) found.push(row)
      }
      await ledger.record(call, {
        action: 'package.listed',
        object: { type: 'package', id: '', name: '' },
        detail: { caseId: page.caseId, count: Math.min(found.length, page.count) },
      })
      const shown = found.slice(0, page.count)
      return {
        Items: await Promise.all(shown.map((row) => modelOf(deps, row))),
        next:
          found.length > page.count || (found.length === page.count && before > 1)
            ? (shown.at(-1)?.package_id ?? null)
            : null,
      }
    },
    get: async (call: HttpCall, id: string): Promise<PackageOut> => {
      const row = await find(deps, call, id)
      await ledger.record(call, { action: 'package.read', object: objectOf(row) })
      return modelOf(deps, row)
    },
    stop: async (call: HttpCall, id: string): Promise<PackageOut> => {
      const row = await find(deps, call, id)
      const job = await lastJob(deps, row.package_id)
      await db.transaction(async (tx) => {
        if (job === undefined || (await jobs.cancel(tx, job.id)) === null)
          throw fault('PackageNotOpen', 'The package is not being made.')
        await ledger.append(tx, call, { action: 'package.stopped', object: objectOf(row) })
      })
      passphrases.delete(row.package_id)
      return modelOf(deps, row)
    },
    resume: async (call: HttpCall, id: string): Promise<PackageOut> => {
      const { row, order: given } = await toBegin(call, id)
      if (given?.encrypted === 1)
        throw fault('PassphraseNeeded', 'The station does not keep the passphrase of this package. Give it again.')
      return begin(call, row)
    },
    /** An encrypted one, for the first time or again. */
    start: async (call: HttpCall, id: string, passphrase: string): Promise<PackageOut> => {
      // Of two who start it at once, one would believe in a passphrase that the container does not have.
      if (starting.has(id)) throw isBeingMade()
      starting.add(id)
      try {
        const { row, order: given } = await toBegin(call, id)
        if (given?.encrypted !== 1) throw fault('PackageNotOpen', 'This package was not ordered with a passphrase.')
        if (isOpen(await lastJob(deps, row.package_id))) throw isBeingMade()
        // Before the job can begin.
        passphrases.set(row.package_id, passphrase)
        return await begin(call, row)
      } finally {
        starting.delete(id)
      }
    },
    /** Where packages can go, and in which forms. */
    places: async (call: HttpCall) => ({
      drives: call.arrival === 'local' ? await withSpace(await deps.drives()) : [],
      ...(await packages.forms()),
    }),
    /** The file, for somebody who may download everything in it. */
    file: async (
      call: HttpCall,
      id: string,
    ): Promise<{
      readonly row: rows.PackageRow
      readonly order: rows.PackageOrderRow | undefined
      readonly file: PackageFile
    }> => {
      const row = await find(deps, call, id)
      await requireAll(deps, db.read, call.principal, await evidenceIn(deps.db.read, row))
      const order = await rows.orderOf(db.read, row.package_id)
      const file = await keptFile(deps, row, order)
      if (file === null) throw fileGone(row)
      return { row, order, file }
    },
    receipt: async (
      call: HttpCall,
      id: string,
    ): Promise<{ readonly row: rows.PackageRow; readonly file: PackageFile }> => {
      const row = await find(deps, call, id)
      const file = await keptFile(deps, row, await rows.orderOf(db.read, row.package_id), '.receipt.pdf')
      if (file === null)
        throw fault('PackageNotOpen', 'The package has no receipt here: it is not made, or was removed.')
      return { row, file }
    },
    /** Of a package whose file is kept here, or lies on a drive that is connected. One of the command line gets it there. */
    askWitness: async (call: HttpCall, id: string, kind: WitnessKind, signal: AbortSignal): Promise<PackageOut> => {
      deps.requireWrites()
      const row = await find(deps, call, id)
      const order = await rows.orderOf(db.read, row.package_id)
      if (order?.drive != null) await requireDriveOf(deps.drives, row, order.drive)
      else if ((await keptFile(deps, row, order)) === null) throw fileGone(row)
      const { stamp, sign, cosign } = packages
      const ask = { timestamp: stamp, signature: sign, cosignature: cosign }[kind]
      await ask(call, call.tenant, row.package_id, signal)
      return modelOf(deps, row)
    },
    /** What was added later. */
    witnessFile: async (
      call: HttpCall,
      id: string,
      kind: WitnessKind,
    ): Promise<{ readonly row: rows.PackageRow; readonly file: PackageFile }> => {
      const row = await find(deps, call, id)
      const order = await rows.orderOf(db.read, row.package_id)
      const file = await keptFile(deps, row, order, besideEnding(WITNESS_FILES[kind]))
      if (file === null) throw fileGone(row)
      return { row, file }
    },
    removeFile: async (call: HttpCall, id: string): Promise<void> => {
      deps.requireWrites()
      const row = await find(deps, call, id)
      if ((await keptFile(deps, row, await rows.orderOf(db.read, row.package_id))) === null) throw fileGone(row)
      await db.transaction((tx) => ledger.append(tx, call, { action: 'package.fileRemoved', object: objectOf(row) }))
      await removeTree(dirname(row.target))
    },
    /** The job. */
    make: (job: JobContext<PackagePayload>): Promise<void> => makeOrdered(deps, passphrases, job),
  }
}

const isBeingMade = () => fault('PackageInProgress', 'This package is being made already.')
const isOpen = (job: { readonly state: string } | undefined): boolean =>
  job !== undefined && ['queued', 'waiting', 'running'].includes(job.state)

/** Of a package whose job was just queued. */
const WAITING = { state: 'queued', message: '', progress: null } as const
const OF_NEW = { kept: false, isOfExport: false, witnesses: [] } as const
const PAGE = 100

const objectOf = (row: rows.PackageRow) => ({ type: 'package', id: String(row.package_id), name: row.name }) as const
const fileGone = (row: rows.PackageRow) =>
  fault(
    'PackageFileGone',
    `The file of package ${row.package_id} is not at this station: it is not made, was removed, or lies elsewhere.`,
  )
/** Packages of the command line lie where it put them: they are nothing to hand out, and nothing to remove. */
async function keptFile(
  { folder }: Pick<OrderDeps, 'folder'>,
  row: rows.PackageRow,
  order: rows.PackageOrderRow | undefined,
  ending = '',
): Promise<PackageFile | null> {
  const isKept = row.state === 'Made' && dirname(dirname(row.target)) === folder
  return isKept ? openPackageFile(row.target + containerEnding(order) + ending) : null
}

/** @throws Fault InvalidModel, Forbidden, DriveUnavailable */
async function driveFor({ drives }: Pick<OrderDeps, 'drives'>, call: Call, form: PackageForm, id: string | null) {
  if (id !== null) {
    requireAtHand(call)
    return requireDrive(drives, id)
  }
  if (form === 'folder')
    throw fault('InvalidModel', 'The request cannot be understood.', [
      { Path: 'Form', Message: 'a folder is made on a drive: name one, or choose zip' },
    ])
  return null
}

/** A program that the station is without. */
function toolMissing(error: unknown): never {
  if (error instanceof StorageFault && error.code === 'StoreFailed') throw fault('PackageToolMissing', error.message)
  throw error
}

const lastJob = async ({ jobs }: Pick<OrderDeps, 'jobs'>, id: number) => (await jobs.ofSubjects([subjectOf(id)])).at(-1)

async function modelOf(deps: OrderDeps, row: rows.PackageRow): Promise<PackageOut> {
  const job = (await lastJob(deps, row.package_id)) ?? null
  const order = await rows.orderOf(deps.db.read, row.package_id)
  return packageModel(row, job, {
    kept: (await keptFile(deps, row, order)) !== null,
    order,
    leftOut: null,
    isOfExport: await rows.isOfExport(deps.db.read, row.package_id),
    witnesses: await rows.witnessesOf(deps.db.read, [row.package_id]),
  })
}

async function evidenceIn(from: Tx, row: rows.PackageRow): Promise<number[]> {
  const items = await rows.itemsOf(from, row.package_id)
  return [...new Set(items.map(({ evidence_id }) => evidence_id))]
}

/** Evidence of a case that somebody may view: what they may not is not there for them. */
async function seenInCase(
  { access, db }: Pick<OrderDeps, 'access' | 'db'>,
  principal: Principal | null,
  caseId: number,
) {
  const ids = await rows.evidenceOfCase(db.read, caseId)
  const levels = await access.onEvidences(db.read, principal, ids)
  return { seen: ids.filter((id) => includes(levels.get(id) ?? 'None', 'View')), levels }
}

/** Whoever made it, and who can download its case. A package of a selection is its maker’s alone. */
async function maySee(
  { access, db }: Pick<OrderDeps, 'access' | 'db'>,
  principal: Principal | null,
  row: rows.PackageRow,
): Promise<boolean> {
  const { PrincipalId } = JSON.parse(row.created_by) as { readonly PrincipalId: string }
  if (principal !== null && principal.id === PrincipalId) return true
  if (row.case_id === null) return false
  const levels = await access.onCases(db.read, principal, [row.case_id])
  return includes(levels.get(row.case_id) ?? 'None', 'Download')
}

async function find(deps: OrderDeps, call: HttpCall, id: string): Promise<rows.PackageRow> {
  const row = Number.isSafeInteger(Number(id))
    ? await rows.packageById(deps.db.read, call.tenant, Number(id))
    : undefined
  const isThere = row !== undefined && (await maySee(deps, call.principal, row))
  if (!isThere) throw fault('PackageNotFound', `There is no package ${id}.`)
  return row
}

function requireDownload(ids: readonly number[], levels: ReadonlyMap<number, Parameters<typeof includes>[0]>): void {
  const short = ids.filter((id) => !includes(levels.get(id) ?? 'None', 'Download'))
  if (short.length > 0)
    throw fault(
      'NotAllDownloadable',
      `Evidence ${short.slice(0, 5).join(', ')}${short.length > 5 ? ` and ${short.length - 5} more` : ''} may not be downloaded by you. Ask whoever manages it, or make a package of the others.`,
    )
}

async function requireAll(
  { access }: Pick<OrderDeps, 'access'>,
  from: Tx,
  principal: Principal | null,
  ids: readonly number[],
): Promise<void> {
  requireDownload(ids, await access.onEvidences(from, principal, ids))
}

async function makeOrdered(
  deps: OrderDeps,
  passphrases: Map<number, string>,
  job: JobContext<PackagePayload>,
): Promise<void> {
  const { packageId, tenant, by } = job.payload
  const principal = JSON.parse(by) as Principal
  const row = await rows.packageById(deps.db.read, tenant, Number(packageId))
  if (row === undefined || row.state === 'Failed') return
  if (row.state === 'Made' && (await isFinished(row))) return
  const order = await rows.orderOf(deps.db.read, row.package_id)
  const passphrase = passphrases.get(row.package_id) ?? null
  const call: Call = { actor: principal, source: 'station', correlationId: `job-${job.id}` }
  try {
    if (order?.encrypted === 1 && passphrase === null)
      throw fault('PassphraseNeeded', 'The station was started again, and does not keep passphrases. Give it again.')
    await requireMember(deps, principal)
    await requireAll(deps, deps.db.read, principal, await evidenceIn(deps.db.read, row))
    if (order?.drive != null) await requireDriveOf(deps.drives, row, order.drive)
    else await makeFolder(dirname(row.target))
    const among = row.case_id === null ? [] : (await seenInCase(deps, principal, row.case_id)).seen
    await deps.packages.makeOrdered(call, row, among, {
      passphrase,
      signal: job.signal,
      authorize: async (tx, ids) => {
        await job.requireLease(tx)
        await requireMember(deps, principal)
        await requireAll(deps, tx, principal, ids)
      },
      onProgress: ({ bytes, total }) => job.progress(total === 0 ? 1 : bytes / total, ''),
    })
  } catch (error) {
    // People see why, and go on with it when that is mended: a second try by itself would only hide the reason.
    if (job.signal.aborted || error instanceof LeaseLost) throw error
    throw new FinalFailure((error as Error).message, { cause: error })
  } finally {
    passphrases.delete(row.package_id)
  }
}

async function requireMember({ isMember }: Pick<OrderDeps, 'isMember'>, principal: Principal): Promise<void> {
  if (principal.kind !== 'user' && principal.kind !== 'service') return
  if (!(await isMember(Number(principal.id))))
    throw new FinalFailure(`${principal.name} has no account that is enabled any more.`)
}
