/** What a new record of a disclosure holds: its recipient, items and withheld lines, with their numbers. Everything is asked in the transaction that writes. */
import type { z } from 'zod'
import type { CreateDisclosureModel } from '../../../shared/disclosure/contract.ts'
import { type RecipientRole, seesSensitive } from '../../../shared/disclosure/kinds.ts'
import { fault } from '../../../shared/kernel/errors.ts'
import type { Tx } from '../../kernel/database/database.ts'
import type { ScheduleNumbersTable } from '../../kernel/database/tables-disclosure.ts'
import type { CaseRow } from '../../kernel/cases/cases.store.ts'
import * as rows from './disclosure.store.ts'
import type { DisclosureRow, EvidenceNow, ItemRow, WithheldRow } from './disclosure.store.ts'
import { numbered, subjectOf } from './numbering.ts'
import { type RestrictionRow, standingAmong } from './restrictions.store.ts'
import type { Rights } from './rights.ts'

export type DisclosureGiven = z.output<typeof CreateDisclosureModel>

export interface Recipient {
  readonly name: string
  readonly role: RecipientRole
  readonly organisation: string
}

type NewItem = Omit<ItemRow, 'disclosure_id'>
type NewWithheld = Omit<WithheldRow, 'disclosure_id'>

export interface NewRecord {
  readonly items: readonly NewItem[]
  readonly withheld: readonly NewWithheld[]
  /** Evidence of the case that is neither given nor withheld. */
  readonly others: readonly number[]
  readonly numbers: readonly ScheduleNumbersTable[]
  readonly package: { readonly id: number; readonly sha256: string; readonly bytes: number } | null
}

const folded = (text: string): string => text.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toLowerCase()
const keyOf = ({ name, role, organisation }: Recipient): string => [role, folded(organisation), folded(name)].join('\n')

const recipientIn = (row: DisclosureRow): Recipient => ({
  name: row.recipient_name,
  role: row.recipient_role,
  organisation: row.recipient_organisation,
})

/** To whom, and the number of the first record of the case to them; null: this is the first one. @throws Fault DisclosureNotFound, InvalidModel */
export function recipientOf(
  records: readonly DisclosureRow[],
  { Recipient: given, Supplements }: Pick<DisclosureGiven, 'Recipient' | 'Supplements'>,
): { readonly recipient: Recipient; readonly chain: number | null } {
  const earlier = Supplements == null ? undefined : records.find(({ no }) => String(no) === Supplements)
  if (Supplements != null && earlier === undefined)
    throw fault('DisclosureNotFound', `The case has no disclosure ${Supplements}.`)
  if (earlier !== undefined) {
    if (given != null && given.Role !== earlier.recipient_role)
      throw invalid('Recipient.Role', 'must be the role of the disclosure that this one supplements')
    const recipient =
      given == null ? recipientIn(earlier) : { name: given.Name, role: given.Role, organisation: given.Organisation }
    return { recipient, chain: earlier.chain }
  }
  if (given == null) throw invalid('Recipient', 'is needed, unless an earlier disclosure is supplemented')
  const recipient = { name: given.Name, role: given.Role, organisation: given.Organisation }
  const same = records.find((row) => keyOf(recipientIn(row)) === keyOf(recipient))
  return { recipient, chain: same?.chain ?? null }
}

export const invalid = (Path: string, Message: string) =>
  fault('InvalidModel', `${Path} ${Message}.`, [{ Path, Message }])

interface About {
  readonly row: CaseRow
  readonly tenant: string
  readonly given: DisclosureGiven
  readonly rights: Rights
  /** Of the recipient. */
  readonly role: RecipientRole
  /** Who decides what is named as withheld, as JSON of a principal then. */
  readonly decidedBy: string
}

/**
 * @throws Fault PackageNotFound, EvidenceNotFound, EvidenceDeleted, EvidenceRelationsNotFound, EvidenceRestricted, NothingToDisclose, Forbidden, InvalidModel
 */
export async function newRecord(tx: Tx, about: About): Promise<NewRecord> {
  const { row, tenant, given, rights } = about
  const inCase = await rows.evidenceOfCase(tx, row.case_id)
  const live = new Map(inCase.filter(isThere).map((one) => [one.evidence_id, one]))
  const restrictions = await standingAmong(tx, live.keys())
  const isOf = (id: number): void => {
    if (!live.has(id)) throw notInCase(id, inCase)
  }
  const source = given.PackageId == null ? null : await packageOf(tx, tenant, given.PackageId, about.role)
  if (source !== null && given.EvidenceIds.length > 0)
    throw invalid('EvidenceIds', 'must be empty where a package is named: its items are what was given')
  const inPackage = source === null ? [] : await rows.itemsOfPackage(tx, source.id)
  const givenIds = new Set(source === null ? given.EvidenceIds.map(Number) : inPackage.map((one) => one.evidence_id))
  for (const id of givenIds) isOf(id)
  await rights.require(tx, pick(live, givenIds), 'Download')
  const restricted = [...givenIds].find((id) => restrictions.has(id))
  if (restricted !== undefined)
    throw fault(
      'EvidenceRestricted',
      `Evidence ${restricted} is restricted (${restrictions.get(restricted)?.[0]?.kind}): nothing was recorded. Lift the restriction first, or leave it out.`,
    )
  const files = source === null ? await originalsOf(tx, givenIds) : await packaged(tx, source.id, inPackage)
  for (const { EvidenceId } of given.Withheld) isOf(Number(EvidenceId))
  const named = new Set(given.Withheld.map(({ EvidenceId }) => Number(EvidenceId)))
  await rights.require(tx, pick(live, named), 'View')
  const lines = await withheldLines(tx, about, { live, restrictions, files })
  if (files.length === 0 && lines.length === 0)
    throw fault('NothingToDisclose', 'Nothing was named as given, and nothing as withheld. Nothing was recorded.')
  const whole = new Set(lines.flatMap((one) => (one.resource_id === null ? [one.evidence_id] : [])))
  const list = await numbered(
    tx,
    row.case_id,
    'list',
    files.map(({ numberedAs }) => numberedAs),
  )
  const perBasis = {
    MG6C: await numbered(tx, row.case_id, 'MG6C', subjectsOf(lines, 'MG6C')),
    MG6D: await numbered(tx, row.case_id, 'MG6D', subjectsOf(lines, 'MG6D')),
  }
  return {
    items: files.map(({ numberedAs, ...item }) => ({ ...item, number: list.numbers.get(numberedAs) as number })),
    withheld: lines.map((one) => ({ ...one, number: perBasis[one.basis].numbers.get(one.subject) as number })),
    others: [...live.keys()].filter((id) => !givenIds.has(id) && !whole.has(id)),
    numbers: [...list.added, ...perBasis.MG6C.added, ...perBasis.MG6D.added],
    package: source,
  }
}

const isThere = ({ lifecycle_state: state }: EvidenceNow): boolean => state !== 'Deleted' && state !== 'Destroyed'

const pick = (live: ReadonlyMap<number, EvidenceNow>, ids: ReadonlySet<number>): EvidenceNow[] =>
  [...ids].flatMap((id) => live.get(id) ?? [])

function notInCase(id: number, inCase: readonly EvidenceNow[]) {
  return inCase.some((one) => one.evidence_id === id)
    ? fault('EvidenceDeleted', `Evidence ${id} is in the recycle bin.`)
    : fault('EvidenceRelationsNotFound', `Evidence ${id} is not in this case.`)
}

const subjectsOf = (lines: readonly Line[], basis: Line['basis']): string[] =>
  lines.filter((one) => one.basis === basis).map(({ subject }) => subject)

type File = Omit<NewItem, 'number'> & {
  /** A copy to play is numbered as its original. */
  readonly numberedAs: string
}

async function packageOf(tx: Tx, tenant: string, id: string, role: RecipientRole) {
  const found = /^\d{1,15}$/.test(id) ? await rows.packageById(tx, tenant, Number(id)) : undefined
  // A problem of a package that is made: whether it got its name is not known.
  if (found === undefined || found.state !== 'Made' || found.problem !== '' || found.signed_sha256 === null)
    throw fault('PackageNotFound', `There is no package ${id} that was made.`)
  if (await rows.isOfExport(tx, found.package_id))
    throw invalid('PackageId', 'is part of an export of the station, which was made for no recipient')
  if (!seesSensitive(role) && found.variant !== 'defence')
    throw invalid('PackageId', 'is a package that may hold what this recipient may not know: make one for the defence')
  return { id: found.package_id, sha256: found.signed_sha256, bytes: found.bytes }
}

/** The items of a package as they are in it. */
async function packaged(tx: Tx, id: number, items: Awaited<ReturnType<typeof rows.itemsOfPackage>>): Promise<File[]> {
  const now = new Map(
    (await rows.filesOf(tx, new Set(items.map((one) => one.evidence_id)))).map((one) => [one.resource_id, one]),
  )
  const numberedBy = new Map(items.filter(({ kind }) => kind !== 'copy').map((one) => [one.no, one.resource_id]))
  return items.map((item) => {
    const file = now.get(item.resource_id)
    if (file === undefined || file.sha256 !== item.sha256)
      throw fault('PackageNotFound', `File ${item.resource_id} is not what it was when package ${id} was made.`)
    return {
      resource_id: item.resource_id,
      evidence_id: item.evidence_id,
      kind: item.kind,
      name: file.name,
      sha256: item.sha256,
      length: item.length,
      version: file.concurrency_id,
      numberedAs: subjectOf(item.evidence_id, numberedBy.get(item.no) ?? item.resource_id),
    }
  })
}

/** The originals of evidence that was handed over without a package. @throws Fault NothingToDisclose for one that has no complete file */
async function originalsOf(tx: Tx, ids: ReadonlySet<number>): Promise<File[]> {
  const wanted = [...ids]
  const files = Map.groupBy(await rows.filesOf(tx, wanted), (one) => one.evidence_id)
  return wanted.flatMap((id) => {
    const originals = (files.get(id) ?? []).filter(({ role }) => role === 'original')
    if (originals.length === 0) throw fault('NothingToDisclose', `Evidence ${id} has no complete file.`)
    return originals.map((file) => ({
      resource_id: file.resource_id,
      evidence_id: id,
      kind: 'original' as const,
      name: file.name,
      sha256: file.sha256 as string,
      length: file.length ?? 0,
      version: file.concurrency_id,
      numberedAs: subjectOf(id, file.resource_id),
    }))
  })
}

type Line = Omit<NewWithheld, 'number'>

interface Known {
  readonly live: ReadonlyMap<number, EvidenceNow>
  readonly restrictions: ReadonlyMap<number, readonly RestrictionRow[]>
  readonly files: readonly File[]
}

/** What is named, then restricted evidence of the case that is not named: it is withheld whether somebody thinks of it or not. */
async function withheldLines(
  tx: Tx,
  { given, decidedBy }: About,
  { live, restrictions, files }: Known,
): Promise<Line[]> {
  const givenFiles = new Set(files.map((one) => one.resource_id))
  const givenIds = new Set(files.map((one) => one.evidence_id))
  const known = new Set(
    (
      await rows.filesOf(
        tx,
        given.Withheld.map(({ EvidenceId }) => Number(EvidenceId)),
      )
    ).map((one) => `${one.evidence_id} ${one.resource_id}`),
  )
  const lines: Line[] = []
  for (const [at, line] of given.Withheld.entries()) {
    const evidenceId = Number(line.EvidenceId)
    const resourceId = line.ResourceId == null ? null : Number(line.ResourceId)
    const [restriction] = restrictions.get(evidenceId) ?? []
    const problem = (member: string, text: string) => invalid(`Withheld[${at}].${member}`, text)
    if (resourceId === null ? givenIds.has(evidenceId) : givenFiles.has(resourceId))
      throw problem('EvidenceId', 'is given and withheld at the same time')
    if (resourceId !== null && !known.has(`${evidenceId} ${resourceId}`))
      throw problem('ResourceId', 'is no complete file of this evidence')
    if (restriction !== undefined && line.Basis !== 'MG6D')
      throw problem('Basis', 'must be MG6D: the evidence is restricted')
    lines.push({
      subject: subjectOf(evidenceId, resourceId),
      evidence_id: evidenceId,
      resource_id: resourceId,
      basis: line.Basis,
      description: line.Description,
      ground: line.Ground,
      reasons: line.Reasons,
      restriction_id: resourceId === null ? (restriction?.restriction_id ?? null) : null,
      decided_by: decidedBy,
    })
  }
  if (new Set(lines.map(({ subject }) => subject)).size < lines.length)
    throw invalid('Withheld', 'names something twice')
  const whole = new Set(lines.flatMap((one) => (one.resource_id === null ? [one.evidence_id] : [])))
  for (const [id, [first, ...more]] of [...restrictions].sort(([a], [b]) => a - b))
    if (first !== undefined && !whole.has(id)) lines.push(restrictedLine(live.get(id) as EvidenceNow, [first, ...more]))
  return lines
}

/** A line of the schedule of sensitive material, as the restrictions say it. */
export function restrictedLine(
  { evidence_id: id, name }: EvidenceNow,
  [first, ...more]: readonly [RestrictionRow, ...RestrictionRow[]],
): Line {
  const all = [first, ...more]
  return {
    subject: subjectOf(id, null),
    evidence_id: id,
    resource_id: null,
    basis: 'MG6D',
    description: name,
    ground: all.map(({ kind }) => kind).join(', '),
    reasons: all.map(({ reason }) => reason).join('; '),
    restriction_id: first.restriction_id,
    decided_by: first.set_by,
  }
}
