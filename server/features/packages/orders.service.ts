/**
 * Packages that people ask for in the window, kept at the station or put on a drive (docs/decisions/0034). Download on everything that is in one is asked when it is ordered, when it is recorded, and when it is handed out.
 */
import { fault } from '../../../shared/kernel/errors.ts'
import type {
  PackageForm,
  PackageLanguage,
  PackagePaper,
  PackagePart,
  PackageVariant,
} from '../../../shared/packages/kinds.ts'
import type { HttpCall } from '../../http/handlers.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import { StorageFault } from '../../storage/store.ts'
import type { Making } from './making.service.ts'
import {
  evidenceIn,
  find,
  modelOf,
  modelsOf,
  objectOf,
  type OrderDeps,
  requireAll,
  requireDownload,
  seenAmong,
  seenInCase,
} from './order-access.ts'
import {
  driveName,
  requireAtHand,
  requireDrive,
  requireRoomOn,
  targetKept,
  targetOnDrive,
  withSpace,
} from './order-places.ts'
import { type PackageOut, packageModel } from './packages.models.ts'
import type { PackageAsked } from './package-plan.ts'
import * as rows from './packages.store.ts'

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

export type Orders = ReturnType<typeof createOrders>

/** @param enqueue queues the job that makes it, in the same transaction */
export function createOrders(deps: OrderDeps, { enqueue }: Pick<Making, 'enqueue'>) {
  const { db, jobs, ledger, packages } = deps
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
      if (drive !== null) {
        const lengths = (await rows.itemsOf(tx, row.package_id)).map(({ length }) => length)
        await requireRoomOn(drive, { form, isEncrypted, lengths })
      }
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
        found.push(...(await seenAmong(deps, call.principal, some)))
      }
      await ledger.record(call, {
        action: 'package.listed',
        object: { type: 'package', id: '', name: '' },
        detail: { caseId: page.caseId, count: Math.min(found.length, page.count) },
      })
      const shown = found.slice(0, page.count)
      return {
        Items: await modelsOf(deps, shown),
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
    /** Where packages can go, and in which forms. */
    places: async (call: HttpCall) => ({
      drives: call.arrival === 'local' ? await withSpace(await deps.drives()) : [],
      ...(await packages.forms()),
    }),
  }
}

/** Of a package whose job was just queued. */
const WAITING = { state: 'queued', message: '', progress: null } as const
const OF_NEW = { kept: false, isOfExport: false, witnesses: [] } as const
const PAGE = 100

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
