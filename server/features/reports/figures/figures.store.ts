/** The figures of reports: a few statements each, for long reads. Times are ticks of 100 ns since 1970 unless said. */
import { type CompiledQuery, sql } from 'kysely'
import type { Tx } from '../../../kernel/database/database.ts'
import { byIndex, entryMemberIfJson, jsonMember, jsonNumber } from '../../../kernel/database/expressions.ts'
import { viewable, type Viewer } from '../../../kernel/access/viewable.store.ts'
import { LISTED_TYPES } from '../../../kernel/evidence/list.store.ts'

export interface Span {
  readonly from: bigint
  /** Outside. */
  readonly to: bigint
}

/** Not in the recycle bin; destroyed evidence has no row in the list. */
const HERE = sql`l.evidence_id NOT IN (SELECT evidence_id FROM evidence ${byIndex('evidence_deleted')} WHERE lifecycle_state = 'Deleted')`

const SECONDS = sql`coalesce(
  (SELECT ${jsonNumber('r.media', 'DurationSeconds')} FROM resources r WHERE r.resource_id = l.lead_id),
  (SELECT max(${jsonNumber('m.media', 'DurationSeconds')}) FROM resources m WHERE m.evidence_id = l.evidence_id AND m.parent_id = l.lead_id), 0)`

export interface CoverageRow {
  readonly principal_id: number | null
  readonly recordings: number
  readonly seconds: number
}

/** Recordings (video and sound) of this time that the viewer can view, by whose they are; null: nobody's. */
export const coverageRows = (
  from: Tx,
  tenant: string,
  viewer: Viewer,
  span: Span,
  most: number,
): CompiledQuery<CoverageRow> =>
  sql<CoverageRow>`
    WITH seen AS MATERIALIZED (
      SELECT l.evidence_id, ${SECONDS} AS seconds FROM evidence_list l
      WHERE l.tenant_id = ${tenant} AND l.recorded_ticks >= ${span.from} AND l.recorded_ticks < ${span.to}
        AND l.type <= ${LISTED_TYPES.indexOf('audio')} AND ${HERE} AND ${viewable('l.evidence_id', viewer)}
      ORDER BY l.recorded_ticks DESC LIMIT ${most}),
    whose AS (
      SELECT DISTINCT s.evidence_id, s.seconds, a.principal_id FROM seen s
      LEFT JOIN evidence_recordings g ON g.evidence_id = s.evidence_id
      LEFT JOIN device_associations a ON a.device_id = g.device_id AND a.from_ticks <= g.recorded_ticks
        AND (a.to_ticks IS NULL OR a.to_ticks > g.recorded_ticks))
    SELECT principal_id, count(*) AS recordings, sum(seconds) AS seconds FROM whose GROUP BY principal_id`.compile(from)

/** Without a category of its own, and in no case that has one. */
const UNCATEGORIZED = sql`e.category_id IS NULL AND NOT EXISTS (
  SELECT 1 FROM case_links n JOIN cases h ON h.case_id = n.case_id
  WHERE n.evidence_id = e.evidence_id AND h.category_id IS NOT NULL AND h.lifecycle_state <> 'Deleted')`

export interface AgeRow {
  readonly age: number
  readonly evidence: number
  readonly bytes: number
}

/** @param limits begin of each age, the newest first; what is older than the last one has the age behind it */
export const uncategorizedByAge = (
  from: Tx,
  tenant: string,
  viewer: Viewer,
  limits: readonly bigint[],
  most: number,
): CompiledQuery<AgeRow> =>
  sql<AgeRow>`
    SELECT age, count(*) AS evidence, sum(length) AS bytes FROM (
      SELECT CASE ${sql.join(
        limits.map((limit, at) => sql`WHEN l.created_ticks >= ${limit} THEN ${sql.lit(at)}`),
        sql` `,
      )} ELSE ${sql.lit(limits.length)} END AS age, l.length
      FROM evidence_list l JOIN evidence e ON e.evidence_id = l.evidence_id
      WHERE l.tenant_id = ${tenant} AND ${UNCATEGORIZED} AND ${HERE} AND ${viewable('l.evidence_id', viewer)}
      ORDER BY l.created_ticks DESC LIMIT ${most}) counted GROUP BY age`.compile(from)

export interface UncategorizedRow {
  readonly evidence_id: number
  readonly name: string
  readonly created_utc: string
  readonly length: number
  readonly by: string | null
}

/** The oldest first. */
export const uncategorizedList = (
  from: Tx,
  tenant: string,
  viewer: Viewer,
  span: Span,
  most: number,
): CompiledQuery<UncategorizedRow> =>
  sql<UncategorizedRow>`
    SELECT e.evidence_id, e.name, e.created_utc, l.length, ${jsonMember('e.created_by', 'Username')} AS "by"
    FROM evidence_list l JOIN evidence e ON e.evidence_id = l.evidence_id
    WHERE l.tenant_id = ${tenant} AND l.created_ticks >= ${span.from} AND l.created_ticks < ${span.to}
      AND ${UNCATEGORIZED} AND ${HERE} AND ${viewable('l.evidence_id', viewer)}
    ORDER BY l.created_ticks, l.evidence_id LIMIT ${most}`.compile(from)

/** The entry with this number or the next one that is there; its time in ISO 8601. */
export async function entryFrom(from: Tx, seq: number): Promise<{ seq: number; time: string } | null> {
  const { rows } = await sql<{ seq: number; time: string | null }>`
    SELECT seq, ${entryMemberIfJson('body', 'timeUtc')} AS time FROM ledger WHERE seq >= ${seq} ORDER BY seq LIMIT 1`.execute(
    from,
  )
  const [row] = rows
  return row === undefined ? null : { seq: row.seq, time: row.time ?? '' }
}

export interface AccessRow {
  readonly kind: string
  readonly actor_id: string
  readonly actor: string
  readonly action: string
  readonly evidence_id: number
  readonly name: string
  readonly file: string | null
  readonly times: number
  readonly first: string
  readonly last: string
  readonly bytes: number
}

interface AccessAsked {
  readonly tenant: string
  readonly viewer: Viewer
  /** Numbers of entries; both are in it. */
  readonly from: number
  readonly to: number
  /** ISO 8601; the second one is outside. */
  readonly since: string
  readonly before: string
  readonly actions: readonly string[]
  readonly most: number
}

/** Who did one of these with which evidence or file that the viewer can view, together for each person, act and file; the last ones first. */
export function accessRows(db: Tx, asked: AccessAsked): CompiledQuery<AccessRow> {
  const { tenant, viewer, from, to, since, before, actions, most } = asked
  const member = (name: string) => entryMemberIfJson('g.body', name)
  return sql<AccessRow>`
    SELECT x.kind, x.actor_id, x.actor, x.action, x.evidence_id, max(e.name) AS name, x.file, count(*) AS times,
      min(x.time) AS first, max(x.time) AS last, sum(x.bytes) AS bytes
    FROM (
      SELECT ${member('actor.kind')} AS kind, ${member('actor.id')} AS actor_id, ${member('actor.name')} AS actor,
        ${member('action')} AS action, ${member('timeUtc')} AS time,
        CAST(coalesce(${member('bytes')}, '0') AS BIGINT) AS bytes,
        CASE WHEN g.object_type = 'evidence' THEN CAST(g.object_id AS BIGINT) ELSE r.evidence_id END AS evidence_id, r.name AS file
      FROM ledger g LEFT JOIN resources r ON r.resource_id = CASE WHEN g.object_type = 'resource' THEN CAST(g.object_id AS BIGINT) END
      WHERE g.seq >= ${from} AND g.seq <= ${to} AND g.object_type IN ('evidence', 'resource') AND g.object_id <> ''
        AND ${member('action')} IN (${sql.join([...actions])}) AND ${member('outcome')} = 'ok') x
    JOIN evidence e ON e.evidence_id = x.evidence_id AND e.tenant_id = ${tenant} AND e.lifecycle_state <> 'Destroyed'
    WHERE x.time >= ${since} AND x.time < ${before} AND ${viewable('x.evidence_id', viewer)}
    GROUP BY x.kind, x.actor_id, x.actor, x.action, x.evidence_id, x.file
    ORDER BY last DESC, x.evidence_id LIMIT ${most}`.compile(db)
}

export interface GrowthRow {
  /** In UTC. */
  readonly day: string
  readonly files: number
  readonly bytes: number
}

/** What is stored, by the day on which it came. */
export const growth = (from: Tx): CompiledQuery<GrowthRow> =>
  sql<GrowthRow>`
    SELECT substr(created_utc, 1, 10) AS day, count(*) AS files, sum(length) AS bytes FROM blobs GROUP BY 1 ORDER BY 1`.compile(
    from,
  )

export interface AwayRow {
  readonly device_id: string
  readonly name: string
  readonly serial_number: string | null
  /** Milliseconds; null: it was never docked here. */
  readonly docked_at: number | null
  readonly principal_id: number | null
  readonly username: string | null
  readonly first_name: string | null
  readonly last_name: string | null
}

/** Active cameras that were last docked before `before` (milliseconds), longest first, with the officer who had each last. */
export const camerasAway = (
  from: Tx,
  tenant: string,
  before: number,
  now: bigint,
  most: number,
): CompiledQuery<AwayRow> =>
  sql<AwayRow>`
    SELECT d.device_id, d.name, d.serial_number, d.docked_at, p.principal_id, p.name AS username, p.first_name, p.last_name
    FROM (SELECT device_id, coalesce(common_name, serial_number) AS name, serial_number, created_utc,
        (SELECT max(s.detected_at) FROM dock_sessions s WHERE s.device_id = devices.device_id) AS docked_at,
        (SELECT a.association_id FROM device_associations a WHERE a.device_id = devices.device_id AND a.from_ticks <= ${now}
          ORDER BY a.from_ticks DESC, a.association_id DESC LIMIT 1) AS association_id
      FROM devices WHERE tenant_id = ${tenant} AND active = 1) d
    LEFT JOIN device_associations a ON a.association_id = d.association_id
    LEFT JOIN principals p ON p.principal_id = a.principal_id
    WHERE d.docked_at < ${before} OR d.docked_at IS NULL
    ORDER BY coalesce(d.docked_at, 0), d.device_id LIMIT ${most}`.compile(from)

export interface FailedRow {
  readonly job_id: number
  readonly kind: string
  readonly subject: string
  readonly attempts: number
  readonly message: string
  readonly finished_utc: string | null
}

/** The newest first. */
export const failedJobs = (from: Tx, most: number): CompiledQuery<FailedRow> =>
  sql<FailedRow>`
    SELECT job_id, kind, subject, attempts, message, finished_utc FROM jobs WHERE state = 'failed'
    ORDER BY job_id DESC LIMIT ${most}`.compile(from)

/** Evidence that lies in the queue of disposition, and how much of it something holds. */
export const queued = (
  from: Tx,
  tenant: string,
): CompiledQuery<{ evidence: number; files: number; bytes: number; held: number }> =>
  sql<{ evidence: number; files: number; bytes: number; held: number }>`
    SELECT count(*) AS evidence, coalesce(sum(l.originals), 0) AS files, coalesce(sum(l.length), 0) AS bytes,
      coalesce(sum(CASE WHEN f.held IS NULL THEN 0 ELSE 1 END), 0) AS held
    FROM disposition_items i JOIN disposition_files f ON f.item_id = i.item_id AND f.state = 'in'
    JOIN evidence_list l ON l.evidence_id = f.evidence_id
    WHERE i.tenant_id = ${tenant} AND i.stage <> 'ended'`.compile(from)
