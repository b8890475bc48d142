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

/** What ended long ago leaves the page's memory; the station keeps it. */
const MOST_ENDED = 200
function take(job: Job): void {
  known.set(job.JobId, job)
  if (known.size > MOST_ENDED * 2) {
    const ended = [...known.values()].filter(({ State }) => State === 'done' || State === 'cancelled')
    for (const { JobId } of ended.slice(0, Math.max(0, ended.length - MOST_ENDED))) known.delete(JobId)
  }
  changed()
}

/** @returns how to stop. Called once, by the frame, while somebody is signed in. */
export function watchJobs(tenant: string): () => void {
  source = new EventSource(addressOf(contract.jobEvents, { params: { tenantId: tenant } }))
  source.addEventListener('job', (event) => take(contract.JobModel.parse(JSON.parse(event.data))))
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
