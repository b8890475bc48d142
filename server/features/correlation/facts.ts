/** From rows to what the engine judges: recordings with their officers, incidents with their assigned, and what is linked already. */
import { DAY } from '../../../shared/correlation/rules.ts'
import type { Tx } from '../../kernel/database/database.ts'
import { assignedTo } from '../../kernel/cases/cases.store.ts'
import { activeWhenRecorded, officersOf, refusalsOf } from '../../kernel/evidence/attribution.store.ts'
import * as rows from './correlation.store.ts'
import type { IncidentRow, LinkedRow, RecordingRow } from './correlation.store.ts'
import {
  FIRST_RULE_ALONE,
  type Incident,
  judge,
  type Known,
  planOf,
  type Plan,
  type Recording,
  type Rules,
  type Standing,
  type Verdict,
  WIDENED,
} from './engine.ts'
import { placeOf, recordingOf } from './recordings.ts'

/** Metres, where a rule was turned on without a distance. */
const USUAL_RADIUS = 200

export async function rulesOf(from: Tx, tenant: string): Promise<Rules> {
  const found = new Map((await rows.ruleRows(from, tenant)).map((row) => [row.rule, row]))
  const place = found.get('place')
  return {
    place: place?.enabled === 1 ? (place.radius_metres ?? USUAL_RADIUS) : FIRST_RULE_ALONE.place,
    number: found.get('number')?.enabled === 1,
  }
}

/** As they are at this moment, not as they were kept. */
export async function freshRecordings(from: Tx, evidenceIds: readonly number[]): Promise<RecordingRow[]> {
  const names = await rows.originalNames(from, evidenceIds)
  return (await rows.recordingFacts(from, evidenceIds)).map((facts) =>
    recordingOf(facts, names.get(facts.evidence_id) ?? []),
  )
}

export async function recordingsFor(from: Tx, found: readonly RecordingRow[]): Promise<Map<number, Recording>> {
  const ids = found.map(({ evidence_id: id }) => id)
  const active = await activeWhenRecorded(from, ids)
  const officers = Map.groupBy(await officersOf(from, ids), (row) => row.evidence_id)
  return new Map(
    found.map((row) => [
      row.evidence_id,
      {
        evidenceId: row.evidence_id,
        deviceId: row.device_id,
        from: row.from_ms,
        to: row.to_ms,
        offset: row.offset_ms,
        uncertainty: row.uncertainty_ms,
        active: active.has(row.evidence_id),
        officers: (officers.get(row.evidence_id) ?? []).map((one) => ({
          principalId: one.principal_id,
          waits: one.waits === 1,
        })),
        place:
          row.latitude === null || row.longitude === null ? null : { latitude: row.latitude, longitude: row.longitude },
        names: JSON.parse(row.names) as string[],
      },
    ]),
  )
}

export interface KnownIncident {
  readonly incident: Incident
  readonly standing: Standing
  readonly row: IncidentRow
}

const standingOf = ({ state, lifecycle_state: lifecycle }: IncidentRow): Standing =>
  lifecycle === 'Deleted' ? 'deleted' : state === 'Closed' ? 'closed' : lifecycle === 'Protected' ? 'protected' : 'open'

export async function incidentsFor(from: Tx, found: readonly IncidentRow[]): Promise<Map<number, KnownIncident>> {
  const assigned = await assignedTo(
    from,
    found.map(({ case_id: id }) => id),
  )
  return new Map(
    found.map((row) => [
      row.case_id,
      {
        row,
        standing: standingOf(row),
        incident: {
          caseId: row.case_id,
          from: row.from_ms,
          to: row.to_ms,
          assigned: assigned.get(row.case_id) ?? [],
          number: row.external_reference_2,
          place: placeOf(row.location_wkt),
        },
      },
    ]),
  )
}

/** When a case must have begun so that a recording may belong to it. */
export const startsFor = (recordings: readonly Pick<Recording, 'from' | 'to'>[]) => ({
  from: Math.min(...recordings.map(({ from }) => from)) - DAY,
  to: Math.max(...recordings.map(({ to }) => to)) + WIDENED,
})

export interface Judged {
  readonly tenant: string
  readonly recording: Recording
  readonly known: Known
  readonly plan: Plan
}

export interface Chunk {
  readonly judged: readonly Judged[]
  readonly incidents: ReadonlyMap<number, KnownIncident>
}

/** Judges these recordings against every case that they may belong to. Those in the recycle bin are left as they are. */
export async function judgeAll(from: Tx, evidenceIds: readonly number[]): Promise<Chunk> {
  const found = (await rows.recordingsById(from, evidenceIds)).filter(
    ({ lifecycle_state: state }) => state !== 'Deleted' && state !== 'Destroyed',
  )
  if (found.length === 0) return { judged: [], incidents: new Map() }
  const recordings = await recordingsFor(from, found)
  // A link without its reasons was made by something else: it is neither taken away nor made a second time.
  const reasons = new Set((await rows.linkFacts(from, evidenceIds)).map(pairOf))
  const [own, foreign] = [new Map<number, LinkedRow[]>(), new Map<number, number[]>()]
  for (const row of await rows.automaticLinks(from, evidenceIds))
    if (reasons.has(pairOf(row))) own.set(row.evidence_id, [...(own.get(row.evidence_id) ?? []), row])
    else foreign.set(row.evidence_id, [...(foreign.get(row.evidence_id) ?? []), row.case_id])
  const refused = Map.groupBy(await refusalsOf(from, evidenceIds), (row) => row.evidence_id)
  const incidents = new Map<number, KnownIncident>()
  const judged: Judged[] = []
  for (const [tenant, rowsOfTenant] of Map.groupBy(found, (row) => row.tenant_id)) {
    const rules = await rulesOf(from, tenant)
    const theirs = rowsOfTenant.map((row) => recordings.get(row.evidence_id) as Recording)
    const officers = [...new Set(theirs.flatMap((one) => one.officers.map(({ principalId }) => principalId)))]
    const everybody = rules.number || rules.place !== null
    const near = await rows.incidentsBetween(from, tenant, startsFor(theirs), everybody ? null : officers)
    const ids = rowsOfTenant.flatMap((row) => (own.get(row.evidence_id) ?? []).map((link) => link.case_id))
    const known = new Set(near.map((row) => row.case_id))
    const further = await rows.incidentsById(
      from,
      [...new Set(ids)].filter((id) => !known.has(id)),
    )
    const tenants = await incidentsFor(from, [...near, ...further])
    for (const [id, one] of tenants) incidents.set(id, one)
    const candidates = candidatesIn([...tenants.values()], everybody)
    for (const recording of theirs) {
      const links = new Map(
        (own.get(recording.evidenceId) ?? []).map((link) => [link.case_id, { confirmed: link.confirmed === 1 }]),
      )
      const of: Known = {
        linked: links,
        refused: new Set([
          ...(refused.get(recording.evidenceId) ?? []).map((row) => row.case_id),
          ...(foreign.get(recording.evidenceId) ?? []),
        ]),
      }
      const asked = new Set([...candidates(recording), ...links.keys()])
      judged.push({ tenant, recording, known: of, plan: planOf(judgedOf(recording, asked, tenants, rules), of) })
    }
  }
  return { judged, incidents }
}

const pairOf = (row: { readonly case_id: number; readonly evidence_id: number }): string =>
  `${row.case_id} ${row.evidence_id}`

const judgedOf = (
  recording: Recording,
  caseIds: ReadonlySet<number>,
  incidents: ReadonlyMap<number, KnownIncident>,
  rules: Rules,
) =>
  [...caseIds].flatMap((id) => {
    const one = incidents.get(id)
    if (one === undefined) return []
    const verdict: Verdict = judge(recording, one.incident, rules)
    return [{ verdict, start: one.incident.from ?? 0, standing: one.standing }]
  })

/** Of many incidents quickly those that a recording may belong to: by officer, in the order of their beginning. */
function candidatesIn(incidents: readonly KnownIncident[], everybody: boolean): (recording: Recording) => number[] {
  type Starting = { readonly caseId: number; readonly from: number }
  const byOfficer = new Map<number, Starting[]>()
  const all: Starting[] = []
  for (const { incident } of incidents) {
    if (incident.from === null) continue
    const one = { caseId: incident.caseId, from: incident.from }
    if (everybody) all.push(one)
    else
      for (const id of incident.assigned) {
        const list = byOfficer.get(id)
        if (list === undefined) byOfficer.set(id, [one])
        else list.push(one)
      }
  }
  const lists = everybody ? [all] : [...byOfficer.values()]
  for (const list of lists) list.sort((a, b) => a.from - b.from)
  return (recording) => {
    const { from, to } = startsFor([recording])
    const own = everybody ? [all] : recording.officers.map(({ principalId }) => byOfficer.get(principalId) ?? [])
    return own.flatMap((list) => {
      const ids: number[] = []
      for (let at = firstAt(list, from); at < list.length && (list[at] as Starting).from <= to; at++)
        ids.push((list[at] as Starting).caseId)
      return ids
    })
  }
}

/** The place of the first that begins then or later. */
function firstAt(list: readonly { readonly from: number }[], from: number): number {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((list[middle] as { from: number }).from < from) low = middle + 1
    else high = middle
  }
  return low
}
