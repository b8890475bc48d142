/** The station's jobs as they go: asked once, then told by their event stream, also while the screen is locked. */
import { useSyncExternalStore } from 'react'
import type { z } from 'zod'
import * as contract from '../../shared/jobs/contract.ts'
import { addressOf, call } from './api.ts'

export type Job = z.output<typeof contract.JobModel>

const known = new Map<string, Job>()
const listeners = new Set<() => void>()
let snapshot: readonly Job[] = []
let source: EventSource | null = null
let told: ReturnType<typeof setTimeout> | null = null

function changed(): void {
  told ??= setTimeout(() => {
    told = null
    snapshot = [...known.values()].sort((one, other) => Number(other.JobId) - Number(one.JobId))
    for (const listener of listeners) listener()
  }, 100)
}

/** A job that makes a package, which is stopped and gone on with as the package. */
export const isPackageJob = ({ Kind }: Job): boolean => Kind === 'package.make'

/** A package that is gone on with has a new job; what became of the ones before means nothing any more. */
function isNewest(job: Job): boolean {
  for (const other of known.values()) {
    if (other.Subject !== job.Subject || !isPackageJob(other)) continue
    if (Number(other.JobId) > Number(job.JobId)) return false
    if (other.JobId !== job.JobId) known.delete(other.JobId)
  }
  return true
}

interface Awaited {
  /** Jobs of the subject up to this one are past. */
  readonly after: number
  readonly told: (job: Job) => void
}
const awaited = new Map<string, Awaited>()
const ENDS: readonly Job['State'][] = ['done', 'failed', 'cancelled']

function tellEnd(job: Job): void {
  const one = awaited.get(job.Subject)
  if (one === undefined || Number(job.JobId) <= one.after || !ENDS.includes(job.State)) return
  awaited.delete(job.Subject)
  one.told(job)
}

/** The number of the newest job about something; 0 where none is known. */
export const newestJobOf = (subject: string): number =>
  Math.max(0, ...[...known.values()].filter((job) => job.Subject === subject).map(({ JobId }) => Number(JobId)))

/** Calls `told` when the next job about something has ended, wherever in the window one is then. @param after as `newestJobOf` said it before */
export function whenJobEnds(subject: string, after: number, told: (job: Job) => void): void {
  awaited.set(subject, { after, told })
  for (const job of known.values()) if (job.Subject === subject) tellEnd(job)
}

/** What ended long ago leaves the page's memory; the station keeps it. */
const MOST_ENDED = 200
function take(job: Job): void {
  if (isPackageJob(job) && !isNewest(job)) return
  known.set(job.JobId, job)
  tellEnd(job)
  if (known.size > MOST_ENDED * 2) {
    const ended = [...known.values()].filter(({ State }) => State === 'done' || State === 'cancelled')
    for (const { JobId } of ended.slice(0, Math.max(0, ended.length - MOST_ENDED))) known.delete(JobId)
  }
  changed()
}

/** @returns how to stop. Called once, by the frame, while somebody is signed in. */
export function watchJobs(tenant: string): () => void {
  source = new EventSource(addressOf(contract.jobEvents, { params: { tenantId: tenant } }))
  source.addEventListener('job', (event) => take(JSON.parse(event.data) as Job))
  source.onopen = () => {
    for (const state of ['running', 'queued', 'waiting', 'failed'] as const) {
      call(contract.listJobs, { params: { tenantId: tenant }, query: { state } }).then(
        (jobs) => jobs.forEach(take),
        () => {},
      )
    }
  }
  return () => {
    source?.close()
    source = null
  }
}

/** Nothing of the person before is shown to the next. */
export function forgetJobs(): void {
  known.clear()
  awaited.clear()
  changed()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Newest first. */
export const useJobs = (): readonly Job[] => useSyncExternalStore(subscribe, () => snapshot)

export const cancelJob = (tenant: string, jobId: string): Promise<Job> =>
  call(contract.cancelJob, { params: { tenantId: tenant, jobId } }).then((job) => {
    take(job)
    return job
  })
export const retryJob = (tenant: string, jobId: string): Promise<Job> =>
  call(contract.retryJob, { params: { tenantId: tenant, jobId } }).then((job) => {
    take(job)
    return job
  })
