import { type Kysely, sql } from 'kysely'
import { jsonOfTexts } from '../../../kernel/database/expressions.ts'
import type { Tables } from '../../../kernel/database/tables.ts'

type Db = Kysely<Tables>

export interface MetadataRow {
  readonly resource_id: number
  /** The picture that it was read from. */
  readonly parent_id: number
  readonly evidence_id: number
  readonly sha256: string
}

/** What was read from pictures, in stretches of all resources. @returns the last id that was looked at, too; null at the end */
export async function metadataAfter(
  db: Db,
  after: number,
  count: number,
): Promise<{ readonly last: number | null; readonly due: readonly MetadataRow[] }> {
  const { rows } = await sql<MetadataRow & { due: number }>`
    SELECT r.resource_id, r.parent_id, r.evidence_id, r.sha256,
      r.role = 'metadata' AND r.sha256 IS NOT NULL AND r.parent_id IS NOT NULL AND e.start_utc IS NULL AND e.start_ticks IS NULL
        AND e.container_start_utc IS NULL AND e.lifecycle_state <> 'Destroyed' AS due
    FROM resources r JOIN evidence e ON e.evidence_id = r.evidence_id
    WHERE r.resource_id > ${after} ORDER BY r.resource_id LIMIT ${count}`.execute(db)
  return {
    last: rows.length === count ? (rows.at(-1)?.resource_id ?? null) : null,
    due: rows.filter(({ due }) => due === 1),
  }
}

export interface LocalStartRow {
  readonly evidence_id: number
  readonly local: string
  readonly ticks: bigint
  /** ISO 8601 durations of its originals, the first one first. */
  readonly offsets: readonly string[]
}

/** Evidence that a local time of an unknown zone sorts, in stretches of all evidence. @returns as `metadataAfter` */
export async function localStartsAfter(
  db: Db,
  after: number,
  count: number,
): Promise<{ readonly last: number | null; readonly found: readonly LocalStartRow[] }> {
  const { rows } = await sql<{ evidence_id: number; local: string | null; ticks: string | null; offsets: string }>`
    SELECT e.evidence_id, e.container_start_utc AS local, CAST(e.start_ticks AS TEXT) AS ticks,
      CASE WHEN e.start_utc IS NOT NULL OR e.start_ticks IS NULL THEN '[]' ELSE
        (SELECT ${jsonOfTexts('o.time_offset')} FROM (SELECT time_offset FROM resources
          WHERE evidence_id = e.evidence_id AND role = 'original' AND time_offset IS NOT NULL ORDER BY resource_id) o) END AS offsets,
      e.start_utc IS NULL AND e.lifecycle_state <> 'Destroyed' AS open
    FROM evidence e WHERE e.evidence_id > ${after} ORDER BY e.evidence_id LIMIT ${count}`.execute(db)
  return {
    last: rows.length === count ? (rows.at(-1)?.evidence_id ?? null) : null,
    found: (rows as ((typeof rows)[number] & { open: number })[]).flatMap(
      ({ evidence_id, local, ticks, offsets, open }) =>
        open === 1 && local !== null && ticks !== null
          ? [{ evidence_id, local, ticks: BigInt(ticks), offsets: JSON.parse(offsets) as string[] }]
          : [],
    ),
  }
}
