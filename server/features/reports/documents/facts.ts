/** What documents say of evidence, gathered for many at once. */
import { includes } from '../../../../shared/kernel/permissions.ts'
import type { RecordedTime } from '../../../../shared/evidence/recorded-time.ts'
import type { HttpCall } from '../../../http/handlers.ts'
import type { Access } from '../../../kernel/access/access.ts'
import type { Database } from '../../../kernel/database/database.ts'
import { officersOf } from '../../../kernel/evidence/attribution.store.ts'
import { clocksOf } from '../../../kernel/evidence/clocks.store.ts'
import { evidenceRows, type ListedRow, listedRows, resourceRows } from '../../../kernel/evidence/list-rows.store.ts'
import { LISTED_TYPES } from '../../../kernel/evidence/list.store.ts'
import type { EvidenceRow, ResourceRow } from '../../../kernel/evidence/records.store.ts'
import { casesOfEvidence, categoryNames, type LinkedCaseRow, peopleById, secondsOf } from './documents.store.ts'
import type { DocumentWord, DocumentWords } from './paper.ts'
import { nameOf } from './paper.ts'

export interface EvidenceFacts {
  readonly row: EvidenceRow
  readonly listed: ListedRow
  readonly clock: RecordedTime
  /** The first original; null where there is none yet. */
  readonly first: ResourceRow | null
  /** What the thumbnail belongs to. */
  readonly pictured: ResourceRow | null
  readonly seconds: number | null
  readonly category: string | null
  readonly officers: readonly { readonly name: string; readonly waits: boolean }[]
  /** That the caller can view. */
  readonly cases: readonly LinkedCaseRow[]
}

interface Deps {
  readonly db: Database
  readonly access: Pick<Access, 'onCases'>
}

/** In the order of the ids; without those that are gone. */
export async function factsOf({ db, access }: Deps, call: HttpCall, ids: readonly number[]): Promise<EvidenceFacts[]> {
  const { read } = db
  const rows = new Map((await evidenceRows(read, ids)).map((row) => [row.evidence_id, row]))
  const listed = new Map((await listedRows(read, ids)).map((row) => [row.evidence_id, row]))
  const clocks = ids.length === 0 ? new Map<number, RecordedTime>() : await clocksOf(read, ids)
  const resources = new Map(
    (await resourceRows(read, resourcesNamed([...rows.values()], [...listed.values()]))).map((row) => [
      row.resource_id,
      row,
    ]),
  )
  const seconds = await secondsOf(read, ids)
  const categories = await categoryNames(
    read,
    [...rows.values()].flatMap((row) => row.category_id ?? []),
  )
  const officers = Map.groupBy(await officersOf(read, ids), (one) => one.evidence_id)
  const people = await peopleById(read, new Set([...officers.values()].flat().map((one) => one.principal_id)))
  const linked = await casesOfEvidence(read, ids)
  const levels = await access.onCases(read, call.principal, [...new Set(linked.map((one) => one.case_id))])
  const cases = Map.groupBy(
    linked.filter((one) => includes(levels.get(one.case_id) ?? 'None', 'View')),
    (one) => one.evidence_id,
  )
  return ids.flatMap((id): EvidenceFacts[] => {
    const [row, index, clock] = [rows.get(id), listed.get(id), clocks.get(id)]
    if (row === undefined || index === undefined || clock === undefined) return []
    return [
      {
        row,
        listed: index,
        clock,
        first: resources.get(index.first_id ?? 0) ?? null,
        pictured: resources.get(row.thumbnail_resource_id ?? 0) ?? null,
        seconds: seconds.get(id) ?? null,
        category: row.category_id === null ? null : (categories.get(row.category_id) ?? row.category_id),
        officers: (officers.get(id) ?? []).flatMap(({ principal_id, waits }) => {
          const person = people.get(principal_id)
          return person === undefined ? [] : [{ name: nameOf(person), waits: waits === 1 }]
        }),
        cases: cases.get(id) ?? [],
      },
    ]
  })
}

const resourcesNamed = (rows: readonly EvidenceRow[], listed: readonly ListedRow[]): number[] => [
  ...new Set([
    ...listed.flatMap((one) => one.first_id ?? []),
    ...rows.flatMap((row) => row.thumbnail_resource_id ?? []),
  ]),
]

export const ordinalOf = (one: { readonly ordinal_year: number; readonly ordinal_number: number }): string =>
  `${one.ordinal_year}-${String(one.ordinal_number).padStart(6, '0')}`

const TYPES: Readonly<Record<string, DocumentWord>> = {
  video: 'typeVideo',
  audio: 'typeAudio',
  image: 'typeImage',
  pdf: 'typePdf',
  text: 'typeText',
  other: 'typeOther',
}

export const typeOf = ({ listed }: EvidenceFacts, { say }: DocumentWords): string =>
  say(TYPES[LISTED_TYPES[listed.type] ?? ''] ?? 'typeNone')

export function officersText({ officers }: EvidenceFacts, { say }: DocumentWords): string {
  if (officers.length === 0) return say('noOfficer')
  return officers.map(({ name, waits }) => (waits ? say('officerWaits', { who: name }) : name)).join(', ')
}
