/** The items of a list of evidence: the record of each, and a summary of its files, jobs and checks. */
import type { z } from 'zod'
import type { EvidenceListItem } from '../../../shared/evidence/list.contract.ts'
import type { RecordedTime } from '../../../shared/evidence/recorded-time.ts'
import type { HttpCall } from '../../http/handlers.ts'
import type { Access } from '../../kernel/access/access.ts'
import type { Database } from '../../kernel/database/database.ts'
import { lastChecks } from '../../kernel/evidence/checks.store.ts'
import { categoryNames } from '../../kernel/evidence/categories.store.ts'
import { clocksOf } from '../../kernel/evidence/clocks.store.ts'
import { displayNames } from '../../kernel/evidence/display-names.store.ts'
import { camerasOf, recordingOfficers, viewableCasesOf } from '../../kernel/evidence/faces.store.ts'
import {
  evidenceRows,
  listedRows,
  playedRows,
  resourceRows,
  resourceStates,
} from '../../kernel/evidence/list-rows.store.ts'
import { LISTED_TYPES } from '../../kernel/evidence/list.store.ts'
import { type EvidenceRow, policiesOf, type ResourceRow, tagsOf } from '../../kernel/evidence/records.store.ts'
import { viewsOfKind } from '../../kernel/evidence/views.store.ts'
import type { JobQueue } from '../../kernel/jobs/queue.ts'
import type { JobView } from '../../kernel/jobs/types.ts'
import { evidenceModel } from './documents.models.ts'
import { faceModel, summaryModel } from './list.models.ts'

export type ListItem = z.input<typeof EvidenceListItem>

export interface ItemDeps {
  readonly db: Database
  readonly jobs: Pick<JobQueue, 'ofSubjects'>
  readonly access: Access
  /** IANA name, of the station. */
  readonly timeZone: string
}

type Known = Pick<ResourceRow, 'resource_id' | 'evidence_id' | 'state'>

/** Subjects asked for at once: SQLite takes so many values and no more. */
const SUBJECTS = 5000

/** In the order of the ids. */
export async function listItems(deps: ItemDeps, call: HttpCall, ids: readonly number[]): Promise<ListItem[]> {
  const { db, access } = deps
  const rows = new Map((await evidenceRows(db.read, ids)).map((row) => [row.evidence_id, row]))
  const tags = await tagsOf(db.read, ids)
  const policies = Map.groupBy(await policiesOf(db.read, ids), (policy) => policy.evidence_id)
  const { listed, leading, played, strips, known, work, gone } = await parts(deps, ids)
  const levels = await access.onEvidences(db.read, call.principal, ids)
  const clocks = await clocksOf(db.read, ids)
  const faces = await facesOf(deps, call, [...rows.values()], clocks)
  const inherited = Map.groupBy(await access.inherited(db.read, call.principal, ids), (policy) => policy.evidence_id)
  return ids.flatMap((id) => {
    const row = rows.get(id)
    const index = listed.get(id)
    const clock = clocks.get(id)
    if (row === undefined || index === undefined || clock === undefined) return []
    const summary = summaryModel({
      clock,
      listed: index,
      first: leading.get(index.first_id ?? 0),
      lead: leading.get(index.lead_id ?? 0),
      played: played.get(index.lead_id),
      tenant: row.tenant_id,
      strip: row.lifecycle_state === 'Deleted' ? undefined : strips.get(index.lead_id ?? 0),
      jobs: work.get(id) ?? [],
      refused: known.get(id)?.some(({ state }) => state === 'Failed') ?? false,
      gone: gone.has(id),
    })
    const face = faces.of(id)
    const record = evidenceModel(
      row,
      tags.get(id) ?? [],
      policies.get(id) ?? [],
      levels.get(id) ?? 'None',
      inherited.get(id) ?? [],
      clock,
      faces.names.get(id),
    )
    return [{ ...record, Summary: { ...summary, ...face } }]
  })
}

/** Whose each is, in which cases, and under which name it is shown: a few statements for all of them. */
async function facesOf(
  { db, access, timeZone }: ItemDeps,
  { principal }: HttpCall,
  rows: readonly EvidenceRow[],
  clocks: ReadonlyMap<number, RecordedTime>,
) {
  const ids = rows.map((row) => row.evidence_id)
  const cameras = await camerasOf(db.read, rows)
  const all = await viewableCasesOf(db.read, await access.asker(db.read, principal), ids)
  const cases = Map.groupBy(all, (one) => one.evidence_id)
  const officers = Map.groupBy(await recordingOfficers(db.read, ids), (one) => one.evidence_id)
  const categories = await categoryNames(
    db.read,
    rows.flatMap((row) => row.category_id ?? []),
  )
  const filed = new Map(rows.map((row) => [row.evidence_id, row.category_id]))
  return {
    names: await displayNames({ access, timeZone }, db.read, principal, ids, { clocks, cameras, cases: all }),
    of: (id: number) =>
      faceModel(cameras.get(id), officers.get(id), cases.get(id), categories.get(filed.get(id) ?? '')),
  }
}

/** What the summaries of these evidences are made of, each by evidence. */
async function parts({ db, jobs }: ItemDeps, ids: readonly number[]) {
  const listed = await listedRows(db.read, ids)
  const leading = new Map(
    (
      await resourceRows(db.read, [
        ...new Set(listed.flatMap((row) => [row.first_id, row.lead_id]).filter((id) => id !== null)),
      ])
    ).map((row) => [row.resource_id, row]),
  )
  const unmeasured = listed
    .filter(({ type }) => type <= LISTED_TYPES.indexOf('audio'))
    .flatMap((row) => leading.get(row.lead_id ?? 0) ?? [])
    .filter((row) => !(row.media ?? '').includes('"DurationSeconds"'))
  const eventful = listed.filter(({ status }) => EVENTFUL.has(status)).map((row) => row.evidence_id)
  const known = Map.groupBy(await resourceStates(db.read, eventful), (row) => row.evidence_id)
  return {
    listed: new Map(listed.map((row) => [row.evidence_id, row])),
    leading,
    played: new Map((await playedRows(db.read, unmeasured)).map((row) => [row.parent_id, row])),
    known,
    strips: new Map((await stripsOf(db, listed)).map((view) => [view.resource_id, view])),
    work: await jobsByEvidence(jobs, [...known.values()].flat()),
    gone: await goneAmong(db, [...known.values()].flat()),
  }
}

const VIDEO = LISTED_TYPES.indexOf('video')

const stripsOf = (db: Database, listed: Awaited<ReturnType<typeof listedRows>>) =>
  viewsOfKind(
    db.read,
    listed.flatMap(({ type, lead_id }) => (type === VIDEO && lead_id !== null ? [lead_id] : [])),
    'strip',
  )

async function jobsByEvidence(jobs: ItemDeps['jobs'], resources: readonly Known[]): Promise<Map<number, JobView[]>> {
  const owner = new Map(resources.map((row) => [`resource:${row.resource_id}`, row.evidence_id]))
  const subjects = [...owner.keys()]
  const found: JobView[] = []
  for (let at = 0; at < subjects.length; at += SUBJECTS)
    found.push(...(await jobs.ofSubjects(subjects.slice(at, at + SUBJECTS))))
  return Map.groupBy(
    found.filter(({ kind }) => kind.startsWith('derive.')),
    ({ subject }) => owner.get(subject) as number,
  )
}

/** Whose summary says more than how it stands. */
const EVENTFUL: ReadonlySet<string> = new Set(['working', 'waiting', 'attention', 'danger'])

async function goneAmong(db: Database, resources: readonly Known[]): Promise<Set<number>> {
  const owner = new Map(resources.map((row) => [row.resource_id, row.evidence_id]))
  const checks = await lastChecks(db.read, [...owner.keys()])
  return new Set(
    [...checks.values()]
      .filter(({ result }) => result === 'missing')
      .map((row) => owner.get(row.resource_id) as number),
  )
}
