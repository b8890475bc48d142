/** Cameras that stay away, and jobs that failed. */
import { includes } from '../../../../shared/kernel/permissions.ts'
import { timeOf } from '../../../../shared/kernel/time.ts'
import { evidenceRows, resourceRows } from '../../../kernel/evidence/list-rows.store.ts'
import { isoMillis } from '../../../platform/clock/clock.ts'
import { nameOf } from '../documents/paper.ts'
import type { Asking, FigureDeps, Found } from './asking.ts'
import { type AwayRow, camerasAway, type FailedRow, failedJobs } from './figures.store.ts'

const DAY = 86_400_000
const MOST = 1_000

export async function camerasReport({ db }: FigureDeps, asking: Asking): Promise<Found> {
  const { tenant, days, now, signal } = asking
  const found = await db.longRead(camerasAway(db.read, tenant, now - days * DAY, timeOf(now).ticks, MOST + 1), signal)
  return {
    rows: found.slice(0, MOST).map((row) => ({
      device: row.device_id,
      deviceName: row.name,
      serial: row.serial_number,
      officer: officerOf(row),
      docked: row.docked_at === null ? null : isoMillis(Number(row.docked_at)),
      days: row.docked_at === null ? null : Math.floor((now - Number(row.docked_at)) / DAY),
    })),
    figures: [{ Key: 'cameras', Kind: 'count', Value: Math.min(found.length, MOST) }],
    most: MOST,
    more: found.length > MOST,
  }
}

function officerOf({ username, first_name, last_name }: AwayRow): string | null {
  if (username === null) return null
  const name = nameOf({ name: username, first_name, last_name })
  return name === username ? username : `${name} (${username})`
}

/** Those that the caller may start again. */
export async function jobsReport({ db, levelsOnJobs }: FigureDeps, asking: Asking): Promise<Found> {
  const found = await db.longRead(failedJobs(db.read, MOST + 1), asking.signal)
  const levels = await levelsOnJobs(db.read, asking.call.principal, found)
  const jobs = found.slice(0, MOST).filter((_job, at) => includes(levels[at] ?? 'None', 'Edit'))
  const files = new Map((await resourceRows(db.read, idsIn('resource', jobs))).map((row) => [row.resource_id, row]))
  const ids = new Set([...idsIn('evidence', jobs), ...[...files.values()].map((row) => row.evidence_id)])
  const records = new Map((await evidenceRows(db.read, [...ids])).map((row) => [row.evidence_id, row]))
  return {
    rows: jobs.map((job) => {
      const file = files.get(idIn('resource', job) ?? 0)
      const record = records.get(file?.evidence_id ?? idIn('evidence', job) ?? 0)
      return {
        id: String(job.job_id),
        kind: job.kind,
        evidence: record === undefined ? null : String(record.evidence_id),
        evidenceName: record?.name ?? null,
        file: file?.name ?? null,
        finished: job.finished_utc,
        attempts: Number(job.attempts),
        message: job.message,
      }
    }),
    figures: [{ Key: 'jobs', Kind: 'count', Value: jobs.length }],
    most: MOST,
    more: found.length > MOST,
  }
}

function idIn(kind: 'evidence' | 'resource', { subject }: FailedRow): number | null {
  const [, id] = new RegExp(`^${kind}:(\\d{1,15})$`).exec(subject) ?? []
  return id === undefined ? null : Number(id)
}

const idsIn = (kind: 'evidence' | 'resource', jobs: readonly FailedRow[]): number[] => [
  ...new Set(jobs.flatMap((job) => idIn(kind, job) ?? [])),
]
