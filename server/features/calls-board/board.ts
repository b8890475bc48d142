/**
 * Calls versus footage (issue 7): of each call and each officer sent to it whether it was recorded, and if not, why. Read, never stored, and
 * made of those facts alone that whoever asks may know: calls and recordings that they can view, and cameras that they are told of.
 */
import { parseTime } from '../../../shared/kernel/time.ts'
import type { Tx } from '../../kernel/database/database.ts'
import { assignedTo } from '../../kernel/cases/cases.store.ts'
import { activeWhenRecorded, type OfficerAt, officersOf, refusalsOf } from '../../kernel/evidence/attribution.store.ts'
import { DAY } from '../../../shared/correlation/rules.ts'
import * as rows from './board.store.ts'
import type { CallRow, OfficerRow, RecordedRow } from './board.store.ts'
import { resourcesIn, type Sent, sentTo } from './dispatch.ts'
import { type CameraFacts, type Footage, footageOf, type Span, within } from './footage.ts'
import { gapsIn, type Named } from './numbers.ts'

/** The facts that the caller may see. */
export interface Sight {
  cases(ids: readonly number[]): Promise<ReadonlySet<number>>
  evidences(ids: readonly number[]): Promise<ReadonlySet<number>>
  /** Whether the caller may see an officer's cameras, their dockings and failed files. */
  camerasOf(principalId: number): boolean
  /** Whether they may look through everything that ever came out of a bay. */
  readonly dockings: boolean
}

export interface Camera extends CameraFacts {
  readonly deviceId: string
  readonly name: string
  /** When everything on it had come in after the call, or when it was put in last. */
  readonly dockedAt: number | null
}

export interface Recorded extends Span {
  readonly evidenceId: number
  readonly deviceId: string
  /** Whether it counts: the association stands, and nobody said that it is not of this call. */
  readonly counts: boolean
}

export interface Pair {
  readonly call: CallRow
  readonly officer: OfficerRow
  readonly sent: Sent
  readonly footage: Footage
  /** Empty where the caller may not see them. */
  readonly cameras: readonly Camera[]
  readonly recordings: readonly Recorded[]
}

export interface NumberGap {
  readonly principalId: number
  readonly deviceId: string
  readonly camera: string
  readonly missing: readonly string[]
  /** Ends of the recordings around it. */
  readonly from: number
  readonly to: number
  readonly before: number
  readonly after: number
  /** Whether all docked recordings were searched too. Otherwise the number is missing only among recordings that the caller can view. */
  readonly sure: boolean
}

export interface Board {
  readonly calls: readonly CallRow[]
  readonly pairs: readonly Pair[]
  readonly gaps: readonly NumberGap[]
}

/** @param time calls that began in it */
export async function boardOf(
  from: Tx,
  tenant: string,
  time: { readonly from: number; readonly to: number },
  sight: Sight,
): Promise<Board> {
  const all = await rows.callsBetween(from, tenant, time)
  const seen = await sight.cases(all.map((call) => call.case_id))
  const calls = all.filter((call) => seen.has(call.case_id))
  return { calls, ...(await judged(from, calls, sight, time)) }
}

/** One call that the caller can view. */
export async function callFootage(from: Tx, call: CallRow, sight: Sight): Promise<Pair[]> {
  return (await judged(from, [call], sight, null)).pairs
}

interface Asked {
  readonly call: CallRow
  readonly officer: OfficerRow
  readonly sent: Sent
}

async function judged(
  from: Tx,
  calls: readonly CallRow[],
  sight: Sight,
  time: { readonly from: number; readonly to: number } | null,
): Promise<Pick<Board, 'gaps'> & { pairs: Pair[] }> {
  const asked = await askedOf(from, calls)
  if (asked.length === 0) return { pairs: [], gaps: [] }
  const officers = [...new Set(asked.map(({ officer }) => officer.principal_id))]
  const span = spanOf(asked)
  const recordings = await recordingsOf(from, officers, span, sight)
  const cameras = await camerasIn(from, officers.filter(sight.camerasOf), span)
  const refused = new Set<string>()
  for (let at = 0; at < recordings.all.length; at += AT_ONCE) {
    const ids = recordings.all.slice(at, at + AT_ONCE).map((row) => row.evidence_id)
    for (const row of await refusalsOf(from, ids)) refused.add(`${row.case_id} ${row.evidence_id}`)
  }
  const pairs = asked.map((one) => {
    const { call, officer, sent } = one
    const end = endOf(sent)
    const own = recordings.of(officer.principal_id, sent.from, end)
    const camerasThen = sight.camerasOf(officer.principal_id) ? cameras(officer.principal_id, sent.from, end) : null
    const isRefused = (id: number): boolean => refused.has(`${call.case_id} ${id}`)
    const counting = own.filter((row) => !row.waits && !isRefused(row.evidence_id))
    const left = own.filter((row) => within([spanOfRow(row)], sent.from, end).length > 0)
    const footage = footageOf({
      from: sent.from,
      to: sent.to,
      spans: counting.map(spanOfRow),
      cameras: camerasThen,
      waits: left.some((row) => row.waits),
      refused: left.some((row) => isRefused(row.evidence_id)),
    })
    return {
      ...one,
      footage,
      cameras: camerasThen ?? [],
      recordings: left.map((row) => ({
        ...spanOfRow(row),
        evidenceId: row.evidence_id,
        deviceId: row.device_id,
        counts: counting.includes(row),
      })),
    }
  })
  return { pairs, gaps: time === null ? [] : await gapsOf(from, recordings.all, new Set(officers), sight, time) }
}

async function askedOf(from: Tx, calls: readonly CallRow[]): Promise<Asked[]> {
  const assigned = await assignedTo(
    from,
    calls.map((call) => call.case_id),
  )
  const people = await rows.officerRows(from, [...new Set([...assigned.values()].flat())])
  return calls.flatMap((call) => {
    const resources = resourcesIn(call.stated)
    return (assigned.get(call.case_id) ?? []).flatMap((id) => {
      const officer = people.get(id)
      return officer === undefined ? [] : [{ call, officer, sent: sentTo(call, resources, officer) }]
    })
  })
}

const endOf = ({ from, to }: Sent): number => Math.min(Math.max(from, to ?? from), from + DAY)
const spanOfRow = (row: RecordedRow): Span => ({ from: row.from_ms, to: row.to_ms })
const spanOf = (asked: readonly Asked[]): Span =>
  asked.reduce((span, { sent }) => ({ from: Math.min(span.from, sent.from), to: Math.max(span.to, endOf(sent)) }), {
    from: Infinity,
    to: -Infinity,
  })

interface OwnRecording extends RecordedRow {
  /** 0: nobody's. */
  readonly principalId: number
  /** Its association is an unconfirmed change of the past. */
  readonly waits: boolean
}

/** Ids in one statement; SQLite's limit is 32,766. */
const AT_ONCE = 5_000

/** What whoever asks can view, and whose each is: of a device active then, by the association of then. */
async function recordingsOf(from: Tx, officers: readonly number[], span: Span, sight: Sight) {
  const found = await rows.recordedBetween(from, officers, { ...span, longest: DAY })
  const [seen, active] = [new Set<number>(), new Set<number>()]
  const whose: OfficerAt[] = []
  for (let at = 0; at < found.length; at += AT_ONCE) {
    const ids = found.slice(at, at + AT_ONCE).map((row) => row.evidence_id)
    for (const id of await sight.evidences(ids)) seen.add(id)
    for (const id of await activeWhenRecorded(from, ids)) active.add(id)
    whose.push(...(await officersOf(from, ids)))
  }
  const byEvidence = new Map(found.map((row) => [row.evidence_id, row]))
  const byOfficer = new Map<number, OwnRecording[]>()
  const nobodys = found
    .filter((row) => seen.has(row.evidence_id))
    .map((row) => ({ ...row, principalId: 0, waits: false }))
  const all = new Map<number, OwnRecording>(nobodys.map((row) => [row.evidence_id, row]))
  for (const { evidence_id: id, principal_id: principalId, waits } of whose) {
    const row = byEvidence.get(id)
    if (row === undefined || !seen.has(id) || !active.has(id)) continue
    const own = { ...row, principalId, waits: waits === 1 }
    all.set(id, own)
    const list = byOfficer.get(principalId)
    if (list === undefined) byOfficer.set(principalId, [own])
    else list.push(own)
  }
  for (const list of byOfficer.values()) list.sort((a, b) => a.from_ms - b.from_ms || a.evidence_id - b.evidence_id)
  return {
    all: [...all.values()],
    of: (principalId: number, first: number, last: number): OwnRecording[] =>
      (byOfficer.get(principalId) ?? []).filter((row) => row.to_ms >= first && row.from_ms <= last),
  }
}

/** Cameras of these officers, and how each stands with regard to some time. */
async function camerasIn(from: Tx, officers: readonly number[], span: Span) {
  const cameras = Map.groupBy(await rows.camerasOf(from, officers, span), (row) => row.principal_id)
  const devices = [...new Set([...cameras.values()].flat().map((row) => row.device_id))]
  const activity = Map.groupBy(await rows.activityOf(from, devices), (row) => row.device_id)
  const dockings = await rows.dockingsOf(from, devices, span)
  const byDevice = Map.groupBy(dockings, (row) => row.device_id)
  const failed = Map.groupBy(
    await rows.failedFiles(
      from,
      dockings.map((row) => row.session_id),
    ),
    (row) => row.device_id,
  )
  return (principalId: number, first: number, last: number): Camera[] => {
    const own = (cameras.get(principalId) ?? []).filter(
      (row) => row.from_ms <= last && (row.to_ms === null || row.to_ms > first),
    )
    return [...new Map(own.map((row) => [row.device_id, row])).values()].map(({ device_id: deviceId, name }) => ({
      deviceId,
      name,
      active: (activity.get(deviceId) ?? []).some(
        (row) => row.from_ms <= last && (row.to_ms === null || row.to_ms > first),
      ),
      ...standingOf(byDevice.get(deviceId) ?? [], failed.get(deviceId) ?? [], { from: first, to: last }),
    }))
  }
}

/** @param dockings the oldest first */
export function standingOf(
  dockings: readonly rows.DockingRow[],
  failed: readonly rows.FailedRow[],
  call: Span,
): Pick<Camera, 'docked' | 'failed' | 'dockedAt'> {
  const since = dockings.find((row) => row.committed_at !== null && row.committed_at >= call.to)
  const last = dockings.at(-1)
  const lost = failed.some((row) => {
    const [start, end] = [millisOf(row.from_utc), millisOf(row.to_utc)]
    // A recording whose time nobody knows may be of this call when it was found at the first docking after it.
    if (start === null) return row.session_id === (since ?? last)?.session_id
    return start <= call.to && (end ?? start) >= call.from
  })
  const files = lost ? ('Files' as const) : null
  if (since !== undefined) return { docked: 'Since', failed: files, dockedAt: since.committed_at }
  const later = last !== undefined && (last.ended === 0 || last.detected_at >= call.from) ? last : undefined
  if (later === undefined || later.committed_at !== null || later.state === 'refused')
    return { docked: 'No', failed: files, dockedAt: null }
  if (later.state === 'failed') return { docked: 'No', failed: 'Docking', dockedAt: later.detected_at }
  return { docked: later.state === 'pulled' ? 'Pulled' : 'Now', failed: files, dockedAt: later.detected_at }
}

const millisOf = (text: string | null): number | null => {
  const time = text === null ? null : parseTime(text, { utcMember: true })
  return time === null ? null : Number(time.ticks / 10_000n)
}

interface NamedRow extends Omit<RecordedRow, 'name'>, Named {
  readonly principalId: number
}

/** Gaps before recordings of this time, each told to the officer of the recording behind it, where they are one of these. */
async function gapsOf(
  from: Tx,
  recordings: readonly OwnRecording[],
  officers: ReadonlySet<number>,
  sight: Sight,
  time: { readonly from: number; readonly to: number },
): Promise<NumberGap[]> {
  const devices = [...new Set(recordings.map((row) => row.device_id))]
  const before = await rows.recordedBefore(from, devices, Math.min(...recordings.map((row) => row.from_ms), time.from))
  const seen = await sight.evidences(before.map((row) => row.evidence_id))
  const named = [
    ...before.filter((row) => seen.has(row.evidence_id)).map((row) => ({ ...row, principalId: 0 })),
    ...recordings,
  ].flatMap((row): NamedRow[] => (row.name === null ? [] : [{ ...row, name: row.name, at: row.from_ms }]))
  const names = await rows.deviceNames(from, devices)
  const found: NumberGap[] = []
  for (const [deviceId, own] of Map.groupBy(named, (row) => row.device_id)) {
    const inTime = ({ after }: { readonly after: NamedRow }): boolean =>
      officers.has(after.principalId) && after.at >= time.from && after.at < time.to
    const gaps = gapsIn(own).filter(inTime)
    const known =
      gaps.length > 0 && sight.dockings
        ? await rows.namesDocked(from, deviceId, {
            from: Math.min(...gaps.map((gap) => gap.before.at)),
            to: Math.max(...gaps.map((gap) => gap.after.at)),
          })
        : []
    for (const { before: one, after, missing } of known.length === 0 ? gaps : gapsIn(own, known).filter(inTime))
      found.push({
        principalId: after.principalId,
        deviceId,
        camera: names.get(deviceId) ?? '',
        missing,
        from: one.to_ms,
        to: after.from_ms,
        before: one.evidence_id,
        after: after.evidence_id,
        sure: sight.dockings,
      })
  }
  return found.sort((a, b) => a.to - b.to || a.after - b.after)
}
