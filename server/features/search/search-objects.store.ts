/** Objects that a search names, and the texts of hits. */
import { type RawBuilder, sql } from 'kysely'
import type { EVIDENCE_STATUSES } from '../../../shared/evidence/list.contract.ts'
import type { Tx } from '../../kernel/database/database.ts'
import { byRow, caseViewable, type Viewer } from '../../kernel/access/viewable.store.ts'
import { KINDS, type Kind } from './search.store.ts'
import { joinedTexts, joinedValues, jsonArray, positionOf, sixDigits } from '../../kernel/database/expressions.ts'

export async function isGuest(from: Tx, principalId: number): Promise<boolean> {
  const row = await from
    .selectFrom('principals')
    .select('guest')
    .where('principal_id', '=', principalId)
    .executeTakeFirst()
  return row?.guest === 1
}

/** Rows with exactly this number or id. People are not searched by id. */
export async function exactRows(from: Tx, text: string, most: number): Promise<number[]> {
  const numbers = await from
    .selectFrom('search_numbers')
    .select('search_id')
    .where('number_key', '=', text.toLowerCase())
    .orderBy('search_id', 'desc')
    .limit(most)
    .execute()
  const ids = /^\d{1,15}$/.test(text)
    ? await from
        .selectFrom('search_list')
        .select('search_id')
        .where('object_id', '=', Number(text))
        .where('kind', 'in', [KINDS.indexOf('Case'), KINDS.indexOf('Evidence')])
        .execute()
    : []
  return [...new Set([...numbers, ...ids].map(({ search_id: id }) => id))]
}

/** Cases that the caller can view with this ordinal, number or id, or with these words in their titles. Without deleted cases. */
export async function casesNamed(
  from: Tx,
  tenant: string,
  viewer: Viewer,
  text: string,
  most: number,
): Promise<number[]> {
  const id = /^\d{1,15}$/.test(text) ? Number(text) : 0
  const { rows } = await sql<{ case_id: number }>`
    SELECT c.case_id FROM cases c WHERE c.tenant_id = ${tenant} AND c.lifecycle_state <> 'Deleted' AND c.case_id IN (
      SELECT s.object_id FROM search_numbers n JOIN search_list s ON s.search_id = n.search_id AND s.kind = 0 WHERE n.number_key = ${text.toLowerCase()}
      UNION SELECT CAST(${id} AS BIGINT))
    AND ${caseViewable('c.case_id', byRow(viewer))} LIMIT ${most}`.execute(from)
  return rows.map((row) => row.case_id)
}

/** Ids of categories in whose name a word begins with the text, compared by name key. */
export async function categoriesNamed(from: Tx, tenant: string, key: string): Promise<number[]> {
  const { rows } = await sql<{ category_id: number }>`
    SELECT category_id FROM categories WHERE tenant_id = ${tenant} AND ${positionOf(sql`' ' || name_key`, ` ${key}`)} > 0`.execute(
    from,
  )
  return rows.map((row) => row.category_id)
}

/** The texts of a hit, in which the words may occur, the most likely first. */
export interface ShownRow {
  readonly id: number
  /** Its public id, when it differs from the id of the row. */
  readonly named: string | null
  readonly title: string
  readonly number: string | null
  readonly start: string | null
  readonly end: string | null
  readonly created: string
  readonly location: string | null
  readonly wkt: string | null
  readonly thumbnail: number | null
  /** The status of evidence, as in the evidence list. */
  readonly status: (typeof EVIDENCE_STATUSES)[number] | null
  readonly texts: readonly (string | null)[]
}

type Raw = Omit<ShownRow, 'texts'> & { readonly texts: string }
type Text = RawBuilder<unknown>
/** @param columns texts are SQL */
const texts = (...columns: (string | Text)[]) =>
  sql`${jsonArray(...columns.map((one) => (typeof one === 'string' ? sql.raw(one) : one)))} AS texts`
const VALUES = (json: string): Text => joinedValues(sql.raw(json), ' · ')
const PART = (text: string | Text): Text => sql`substr(${typeof text === 'string' ? sql.raw(text) : text}, 1, 20000)`

/** By id. */
export async function shownRows(from: Tx, kind: Kind, ids: readonly number[]): Promise<Map<number, ShownRow>> {
  if (ids.length === 0) return new Map()
  const among = sql`(${sql.join([...ids])})`
  const asked =
    kind === 'Case'
      ? sql<Raw>`SELECT c.case_id AS id, NULL AS named, c.title, c.ordinal_year || '-' || ${sixDigits('c.ordinal_number')} AS number, c.occurred_on AS start,
          c.ended_on AS "end", c.created_utc AS created, c.location_text AS location, c.location_wkt AS wkt, NULL AS thumbnail, NULL AS status,
          ${texts(
            PART('c.description'),
            'c.location_text',
            'c.external_reference_1',
            'c.external_reference_2',
            VALUES('c.tags'),
            PART(VALUES('c.custom_fields')),
            PART(VALUES('c.location')),
            sql`(SELECT ${joinedTexts(sql`w.name || ' ' || w.first_name || ' ' || w.last_name || ' ' || w.badge`, ' · ')} FROM case_personnel p JOIN principals w ON w.principal_id = p.principal_id WHERE p.case_id = c.case_id)`,
          )}
          FROM cases c WHERE c.case_id IN ${among}`
      : kind === 'Evidence'
        ? sql<Raw>`SELECT e.evidence_id AS id, NULL AS named, e.name AS title, NULL AS number, e.start_utc AS start, e.end_utc AS "end", e.created_utc AS created,
          e.location_text AS location, e.location_wkt AS wkt, e.thumbnail_resource_id AS thumbnail,
          (SELECT l.status FROM evidence_list l WHERE l.evidence_id = e.evidence_id) AS status,
          ${texts(
            PART('e.description'),
            'e.location_text',
            sql`(SELECT ${joinedTexts(sql.raw('tag'), ' · ')} FROM evidence_tags t WHERE t.evidence_id = e.evidence_id)`,
            sql`(SELECT ${joinedTexts(sql.raw('name'), ' · ')} FROM resources r WHERE r.evidence_id = e.evidence_id AND r.role = 'original')`,
            'e.source_id',
            PART(VALUES('e.custom_fields')),
            VALUES('e.device'),
            sql`(SELECT ${joinedTexts(sql.raw('words'), ' ')} FROM search_exif x WHERE x.evidence_id = e.evidence_id)`,
          )}
          FROM evidence e WHERE e.evidence_id IN ${among}`
        : kind === 'Device'
          ? sql<Raw>`SELECT n.number AS id, d.device_id AS named, coalesce(nullif(trim(d.common_name), ''), d.serial_number) AS title,
          d.serial_number AS number, NULL AS start, NULL AS "end", d.created_utc AS created, NULL AS location, NULL AS wkt, NULL AS thumbnail, NULL AS status,
          ${texts(`d.manufacturer || coalesce(' ' || d.model, '')`, 'd.serial_number', 'd.common_name')}
          FROM search_devices n JOIN devices d ON d.device_id = n.device_id WHERE n.number IN ${among}`
          : sql<Raw>`SELECT p.principal_id AS id, NULL AS named, CASE WHEN trim(p.first_name || ' ' || p.last_name) = '' THEN p.name ELSE trim(p.first_name || ' ' || p.last_name) END AS title,
          CASE p.badge WHEN '' THEN NULL ELSE p.badge END AS number, NULL AS start, NULL AS "end", p.created_utc AS created, NULL AS location, NULL AS wkt, NULL AS thumbnail, NULL AS status,
          ${texts('p.name', 'p.badge')} FROM principals p WHERE p.principal_id IN ${among}`
  const { rows } = await asked.execute(from)
  return new Map(rows.map((row) => [row.id, { ...row, texts: JSON.parse(row.texts) as (string | null)[] }]))
}

/** What people wrote about cases and evidence. */
export interface WrittenRow {
  readonly object_id: number
  readonly note: 0 | 1
  readonly resource_id: number | null
  readonly start_seconds: number | null
  readonly said: string
}

/** Of many notes on a page of hits the oldest are looked through. */
const MOST_WRITTEN = 2_000

/** The marks and notes of these cases or this evidence: marks by their place, then notes as they were written. */
export async function writtenAbout(
  from: Tx,
  kind: 'Case' | 'Evidence',
  ids: readonly number[],
): Promise<readonly WrittenRow[]> {
  if (ids.length === 0) return []
  const among = sql`(${sql.join([...ids])})`
  const marks = sql`SELECT m.evidence_id AS object_id, 0 AS note, m.resource_id, m.start_seconds, ${PART(sql`m.title || coalesce(': ' || m.text, '')`)} AS said, m.bookmark_id AS id
    FROM bookmarks m WHERE m.evidence_id IN ${among} AND m.deleted_utc IS NULL UNION ALL`
  const column = sql.ref(kind === 'Case' ? 'n.case_id' : 'n.evidence_id')
  const { rows } = await sql<WrittenRow>`SELECT object_id, note, resource_id, start_seconds, said FROM (
    ${kind === 'Case' ? sql`` : marks}
    SELECT ${column} AS object_id, 1 AS note, NULL AS resource_id, NULL AS start_seconds, ${PART('n.text')} AS said, n.note_id AS id
    FROM notes n WHERE ${column} IN ${among} AND n.deleted_utc IS NULL) written
    ORDER BY note, start_seconds, id LIMIT ${MOST_WRITTEN}`.execute(from)
  return rows
}
