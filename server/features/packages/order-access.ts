/** Packages that were ordered: who may see one, whether all of it may be downloaded, and how it is (docs/decisions/0034). */
import { dirname } from 'node:path'
import { fault } from '../../../shared/kernel/errors.ts'
import type { Principal } from '../../../shared/kernel/principal.ts'
import { includes } from '../../../shared/kernel/permissions.ts'
import type { HttpCall } from '../../http/handlers.ts'
import type { ReachCase } from '../../kernel/cases/reach-case.ts'
import type { Tx } from '../../kernel/database/database.ts'
import type { ReachRows } from '../../kernel/evidence/reach.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import { openPackageFile, type PackageFile } from '../../storage/packages/package-file.ts'
import { containerEnding, type FindDrives } from './order-places.ts'
import { type PackageOut, packageModel } from './packages.models.ts'
import type { Packages } from './packages.service.ts'
import * as rows from './packages.store.ts'

export const subjectOf = (id: number): string => `package:${id}`

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

export const objectOf = (row: rows.PackageRow) =>
  ({ type: 'package', id: String(row.package_id), name: row.name }) as const
export const fileGone = (row: rows.PackageRow) =>
  fault(
    'PackageFileGone',
    `The file of package ${row.package_id} is not at this station: it is not made, was removed, or lies elsewhere.`,
  )
/** Packages of the command line lie where it put them: they are nothing to hand out, and nothing to remove. */
export async function keptFile(
  { folder }: Pick<OrderDeps, 'folder'>,
  row: rows.PackageRow,
  order: rows.PackageOrderRow | undefined,
  ending = '',
): Promise<PackageFile | null> {
  const isKept = row.state === 'Made' && dirname(dirname(row.target)) === folder
  return isKept ? openPackageFile(row.target + containerEnding(order) + ending) : null
}

export const lastJob = async ({ jobs }: Pick<OrderDeps, 'jobs'>, id: number) =>
  (await jobs.ofSubjects([subjectOf(id)])).at(-1)

export async function modelsOf(deps: OrderDeps, packages: readonly rows.PackageRow[]): Promise<PackageOut[]> {
  if (packages.length === 0) return []
  const { db, jobs } = deps
  const ids = packages.map((row) => row.package_id)
  const [last, orders, ofExport, witnesses] = await Promise.all([
    jobs.ofSubjects(ids.map(subjectOf)).then((all) => new Map(all.map((job) => [job.subject, job]))),
    rows.ordersOf(db.read, ids).then((all) => new Map(all.map((order) => [order.package_id, order]))),
    rows.ofExportAmong(db.read, ids),
    rows.witnessesOf(db.read, ids).then((all) => Map.groupBy(all, (one) => one.package_id)),
  ])
  return Promise.all(
    packages.map(async (row) => {
      const { package_id: id } = row
      const order = orders.get(id)
      return packageModel(row, last.get(subjectOf(id)) ?? null, {
        kept: (await keptFile(deps, row, order)) !== null,
        order,
        leftOut: null,
        isOfExport: ofExport.has(id),
        witnesses: witnesses.get(id) ?? [],
      })
    }),
  )
}

export async function modelOf(deps: OrderDeps, row: rows.PackageRow): Promise<PackageOut> {
  const [model] = await modelsOf(deps, [row])
  return model as PackageOut
}

export async function evidenceIn(from: Tx, row: rows.PackageRow): Promise<number[]> {
  const items = await rows.itemsOf(from, row.package_id)
  return [...new Set(items.map(({ evidence_id }) => evidence_id))]
}

/** Evidence of a case that somebody may view: what they may not is not there for them. */
export async function seenInCase(
  { access, db }: Pick<OrderDeps, 'access' | 'db'>,
  principal: Principal | null,
  caseId: number,
) {
  const ids = await rows.evidenceOfCase(db.read, caseId)
  const levels = await access.onEvidences(db.read, principal, ids)
  return { seen: ids.filter((id) => includes(levels.get(id) ?? 'None', 'View')), levels }
}

/** Those that somebody may see: whoever made it, and who can download its case. A package of a selection is its maker’s alone. */
export async function seenAmong(
  { access, db }: Pick<OrderDeps, 'access' | 'db'>,
  principal: Principal | null,
  packages: readonly rows.PackageRow[],
): Promise<rows.PackageRow[]> {
  const isOwn = (row: rows.PackageRow): boolean =>
    principal !== null && (JSON.parse(row.created_by) as { readonly PrincipalId: string }).PrincipalId === principal.id
  const cases = new Set(packages.flatMap((row) => (isOwn(row) ? [] : (row.case_id ?? []))))
  const levels = cases.size === 0 ? null : await access.onCases(db.read, principal, [...cases])
  const mayDownload = (caseId: number): boolean => includes(levels?.get(caseId) ?? 'None', 'Download')
  return packages.filter((row) => isOwn(row) || (row.case_id !== null && mayDownload(row.case_id)))
}

export async function find(deps: OrderDeps, call: HttpCall, id: string): Promise<rows.PackageRow> {
  const row = Number.isSafeInteger(Number(id))
    ? await rows.packageById(deps.db.read, call.tenant, Number(id))
    : undefined
  const [seen] = row === undefined ? [] : await seenAmong(deps, call.principal, [row])
  if (seen === undefined) throw fault('PackageNotFound', `There is no package ${id}.`)
  return seen
}

export function requireDownload(
  ids: readonly number[],
  levels: ReadonlyMap<number, Parameters<typeof includes>[0]>,
): void {
  const short = ids.filter((id) => !includes(levels.get(id) ?? 'None', 'Download'))
  if (short.length > 0)
    throw fault(
      'NotAllDownloadable',
      `Evidence ${short.slice(0, 5).join(', ')}${short.length > 5 ? ` and ${short.length - 5} more` : ''} may not be downloaded by you. Ask whoever manages it, or make a package of the others.`,
    )
}

export async function requireAll(
  { access }: Pick<OrderDeps, 'access'>,
  from: Tx,
  principal: Principal | null,
  ids: readonly number[],
): Promise<void> {
  requireDownload(ids, await access.onEvidences(from, principal, ids))
}
