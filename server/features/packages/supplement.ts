/**
 * What a supplementary package adds to (docs/decisions/0034): an earlier package of the same case for the same recipient, with all that this one supplements
 * itself. A file that is in one of them is not given again, and numbers go on behind theirs.
 */
import { fault } from '../../../shared/kernel/errors.ts'
import type { PackageVariant } from '../../../shared/packages/kinds.ts'
import type { Tx } from '../../kernel/database/database.ts'
import * as rows from './packages.store.ts'

/** The earlier package, as the supplement names it. */
export interface Supplemented {
  readonly packageId: number
  readonly name: string
  /** SHA-256 of its signed list. */
  readonly signedSha256: string
}

/** Files that were given, and the numbers that they have. */
export interface AlreadyGiven {
  has(resourceId: number, sha256: string): boolean
  /** By resource, without copies to play: those have the number of their original. */
  readonly numbers: ReadonlyMap<number, number>
  readonly highest: number
}

export interface SupplementOf {
  readonly tenant: string
  readonly packageId: number
  readonly caseId: number | null
  readonly variant: PackageVariant
}

/** @throws Fault PackageNotFound, PackageNotOpen when it is not made, SupplementDiffers when it is of another case or for somebody else */
export async function earlierPackage(
  from: Tx,
  { tenant, packageId, caseId, variant }: SupplementOf,
): Promise<{ readonly base: Supplemented; readonly given: AlreadyGiven }> {
  const row = await rows.packageById(from, tenant, packageId)
  if (row === undefined) throw fault('PackageNotFound', `There is no package ${packageId}.`)
  const { signed_sha256: signedSha256 } = row
  if (row.state !== 'Made' || rows.isCutOff(row) || signedSha256 === null)
    throw fault('PackageNotOpen', `Package ${packageId} is not made, so nothing can supplement it.`)
  if (await rows.isOfExport(from, row.package_id))
    throw fault(
      'SupplementDiffers',
      `Package ${packageId} is part of an export of the station: it was made for no recipient, so nothing supplements it.`,
    )
  if (row.case_id !== caseId || row.variant !== variant)
    throw fault(
      'SupplementDiffers',
      `Package ${packageId} is ${row.case_id === caseId ? `for ${row.variant}, not for ${variant}` : 'of another case'}. A supplement is of the same case, for the same recipient.`,
    )
  return { base: { packageId, name: row.name, signedSha256 }, given: await givenIn(from, tenant, row) }
}

/** @param newest it, and what it supplements */
async function givenIn(from: Tx, tenant: string, newest: rows.PackageRow): Promise<AlreadyGiven> {
  const files = new Set<string>()
  const numbers = new Map<number, number>()
  let highest = 0
  // Each package supplements an older one, so this ends.
  for (let row: rows.PackageRow | undefined = newest; row !== undefined; ) {
    for (const item of await rows.itemsOf(from, row.package_id)) {
      files.add(`${item.resource_id} ${item.sha256}`)
      if (item.kind !== 'copy') numbers.set(item.resource_id, item.no)
      highest = Math.max(highest, item.no)
    }
    row = row.supplements === null ? undefined : await rows.packageById(from, tenant, row.supplements)
  }
  return { has: (resourceId, sha256) => files.has(`${resourceId} ${sha256}`), numbers, highest }
}
