/** What a package begins with: what goes in, and its record (docs/decisions/0034). An interrupted run for the same things into the same folder is taken up. */
import { packageProblem } from '../../../shared/messages/package-problems.ts'
import { randomUUID } from 'node:crypto'
import { fault } from '../../../shared/kernel/errors.ts'
import { timeOf } from '../../../shared/kernel/time.ts'
import { packageNumber, PACKAGE_PAPERS, PACKAGE_PARTS, type PackagePart } from '../../../shared/packages/kinds.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import { evidenceAsOf } from '../../kernel/evidence/lifecycle.ts'
import { evidenceRows } from '../../kernel/evidence/list-rows.store.ts'
import { principalThen } from '../../kernel/evidence/objects.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import { isoMillis } from '../../platform/clock/clock.ts'
import { isUnfinished } from '../../storage/packages/open-package.ts'
import { collectItems, type LeftOut } from './collect.ts'
import type { PackagedItem } from './format/items.ts'
import { packageFolderName } from './format/names.ts'
import { type Begun, idOfNumber, type PackageAsked, type PackageDeps, type Plan, programOf } from './package-plan.ts'
import * as rows from './packages.store.ts'
import { earlierPackage } from './supplement.ts'

export async function planned(
  { db, clock, gate }: PackageDeps,
  tenant: string,
  { of, title, parts, variant, supplements }: PackageAsked,
): Promise<Plan> {
  const caseOf = 'caseId' in of ? await requireCase(db, tenant, of.caseId) : null
  const ids =
    of.evidenceIds?.map(Number) ?? ('caseId' in of ? await rows.evidenceOfCase(db.read, Number(of.caseId)) : [])
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
  const earlier =
    supplements === null
      ? null
      : await earlierPackage(db.read, { tenant, packageId: supplements, caseId: caseOf?.id ?? null, variant })
  const { items, leftOut } = await collectItems(db.read, may, new Set(parts), earlier?.given)
  if (items.length === 0)
    throw fault(
      'NothingToPackage',
      earlier === null
        ? 'There is no complete file in what was chosen. Nothing was written.'
        : `All files of what was chosen are in package ${earlier.base.packageId} or one that it supplements. Nothing was written.`,
    )
  return {
    items,
    leftOut: [...leftOut, ...[...restricted.keys()].map((one) => restrictedOut(one, known))],
    withheld: [...restricted.keys()],
    evidenceIds: [...new Set(items.map(({ evidenceId }) => Number(evidenceId)))],
    title: caseOf?.title ?? title ?? items[0]?.title ?? '',
    case: caseOf,
    supplements: earlier?.base ?? null,
  }
}

const restrictedOut = (evidenceId: number, known: ReadonlyMap<number, { readonly name: string }>): LeftOut => ({
  evidenceId,
  title: known.get(evidenceId)?.name ?? '',
  why: 'restricted',
})

/**
 * What was ordered, as it is now. @param among evidence of the case that whoever ordered it may know of: of it, what is restricted is named as withheld
 * @throws Fault PackageChanged
 */
export async function plannedAgain(
  { db, gate }: PackageDeps,
  row: rows.PackageRow,
  among: readonly number[],
): Promise<Plan> {
  const items = await rows.itemsOf(db.read, row.package_id)
  const parts = JSON.parse(row.parts) as PackagePart[]
  const evidenceIds = [...new Set(items.map(({ evidence_id }) => evidence_id))]
  const withheld = [...(await gate.restrictedAmong(db.read, [...evidenceIds, ...among])).keys()]
  if (evidenceIds.some((id) => withheld.includes(id))) throw fault('PackageChanged', packageProblem('restrictedSince'))
  const { case_id: caseId, variant, tenant_id: tenant } = row
  const earlier =
    row.supplements === null
      ? null
      : await earlierPackage(db.read, { tenant, packageId: row.supplements, caseId, variant })
  const collected = await collectItems(db.read, evidenceIds, new Set(parts), earlier?.given)
  if (!(await hasSameItems(db.read, row.package_id, collected.items)))
    throw fault('PackageChanged', packageProblem('changedSince'))
  const caseOf = row.case_id === null ? null : await requireCase(db, row.tenant_id, String(row.case_id))
  return { ...collected, withheld, evidenceIds, title: row.title, case: caseOf, supplements: earlier?.base ?? null }
}

async function requireCase(db: Database, tenant: string, id: string) {
  const row = /^\d{1,15}$/.test(id) ? await rows.caseRow(db.read, tenant, Number(id)) : undefined
  if (row === undefined || row.lifecycle_state === 'Deleted') throw fault('CaseNotFound', `There is no case ${id}.`)
  const number = `${row.ordinal_year}-${String(row.ordinal_number).padStart(6, '0')}`
  return { id: row.case_id, title: row.title, number }
}

export const NOT_MADE = {
  state: 'Making',
  problem: '',
  signed_sha256: null,
  ledger_size: null,
  finished_utc: null,
} as const

/** Packages that are recorded as made, and did not get their name before the station ended. */
export async function cutOff({ db }: PackageDeps, tenant: string, target: string): Promise<Set<number>> {
  const found = new Set<number>()
  for (const row of await rows.newestIn(db.read, tenant, target))
    if (row.state === 'Made' && (await isUnfinished(row))) found.add(row.package_id)
  return found
}

/** Records what is going to be made; an interrupted run for the same things into the same folder is taken up. */
export async function begin(
  deps: PackageDeps,
  call: Call,
  tenant: string,
  asked: PackageAsked,
  plan: Plan,
  cutOffAtTheEnd: ReadonlySet<number>,
): Promise<Begun> {
  const { db, ledger } = deps
  const { parts, papers } = chosenOf(asked)
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
        row.supplements === asked.supplements &&
        row.language === asked.language
      if (!isSame || !(await hasSameItems(tx, row.package_id, plan.items))) continue
      const entries = await ledger.entriesFor('package', String(row.package_id), { count: ENTRIES_OF_ONE })
      if (wasEncrypted(entries) !== isEncrypted) continue
      if (row.state === 'Made') await rows.updatePackage(tx, row.package_id, NOT_MADE)
      const { seq } = await ledger.append(tx, call, begunEntry(deps, row, plan, { isEncrypted, resumed: true }))
      return { plan, row, seq }
    }
    const row = await insertNew(deps, tx, call, { tenant, asked, plan })
    const { seq } = await ledger.append(tx, call, begunEntry(deps, row, plan, { isEncrypted, resumed: false }))
    return { plan, row, seq }
  })
}

/** The rows of a package that is going to be made. */
export async function insertNew(
  { clock }: PackageDeps,
  tx: Tx,
  call: Call,
  { tenant, asked, plan, ordered = null }: NewPackage,
): Promise<rows.PackageRow> {
  const values = {
    tenant_id: tenant,
    name: randomUUID(),
    title: plan.title,
    case_id: plan.case?.id ?? null,
    variant: asked.variant,
    form: asked.form,
    ...chosenOf(asked),
    language: asked.language,
    target: asked.target,
    supplements: plan.supplements?.packageId ?? null,
    state: 'Making',
    items: plan.items.length,
    bytes: plan.items.reduce((sum, item) => sum + item.bytes, 0),
    signed_sha256: null,
    ledger_size: null,
    created_utc: isoMillis(clock.now()),
    created_by: JSON.stringify(principalThen(call.actor)),
    finished_utc: null,
  } as const
  const id = await rows.insertPackage(tx, values)
  if (asked.isOfExport === true) await rows.insertOfExport(tx, id)
  const name = packageFolderName(plan.title, packageNumber(id))
  const target = ordered === null ? asked.target : ordered.targetOf(packageNumber(id), name)
  await rows.updatePackage(tx, id, { name, target })
  if (ordered !== null)
    await rows.insertOrder(tx, { package_id: id, encrypted: ordered.isEncrypted ? 1 : 0, drive: ordered.drive })
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
  return { ...values, package_id: id, name, target, problem: '' }
}

interface NewPackage {
  readonly tenant: string
  readonly asked: PackageAsked
  readonly plan: Plan
  /** How it leaves the station, where somebody ordered it in the window. */
  readonly ordered?: Ordered | null
}

export interface Ordered {
  /** With a passphrase that is given when it is begun. */
  readonly isEncrypted: boolean
  /** The name of the drive to which it goes; null: it is kept at the station. */
  readonly drive: string | null
  /** Where it is made. @param number as in P000012 @param name of its folder or file, without the ending */
  targetOf(number: string, name: string): string
}

/** As they are stored, in one order. */
const chosenOf = ({ parts, papers }: Pick<PackageAsked, 'parts' | 'papers'>) => ({
  parts: JSON.stringify(PACKAGE_PARTS.filter((part) => parts.includes(part))),
  papers: JSON.stringify(PACKAGE_PAPERS.filter((one) => papers.includes(one))),
})

type Entries = Awaited<ReturnType<Ledger['entriesFor']>>
/** A package that was taken up so often is one of a script that went wrong. */
const ENTRIES_OF_ONE = 1000

/** As its newest entry says: the ledger has all that is known of it. */
const wasEncrypted = (entries: Entries): boolean =>
  entries.find(({ entry }) => entry.action === 'package.begun')?.entry.detail?.['encrypted'] === true

export const begunEntry = (
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
      supplements:
        plan.supplements === null
          ? null
          : {
              package: idOfNumber(deps, plan.supplements.packageId),
              signedSha256: plan.supplements.signedSha256,
            },
    },
  }) as const

export async function hasSameItems(tx: Parameters<typeof rows.itemsOf>[0], id: number, items: readonly PackagedItem[]) {
  const keyOf = (no: number, kind: string, path: string, sha256: string): string => `${no} ${kind} ${path} ${sha256}`
  const stored = (await rows.itemsOf(tx, id)).map((one) => keyOf(one.no, one.kind, one.path, one.sha256))
  const planned = new Set(items.map((one) => keyOf(one.no, one.kind, one.path, one.sha256)))
  return stored.length === planned.size && stored.every((one) => planned.has(one))
}
