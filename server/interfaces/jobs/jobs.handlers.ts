import { PassThrough } from 'node:stream'
import type { z } from 'zod'
import { fault } from '../../../shared/contract/errors.ts'
import * as contract from '../../../shared/contract/jobs.ts'
import type { Ledger } from '../../custody/ledger.ts'
import type { Database } from '../../db/database.ts'
import type { JobQueue } from '../../jobs/queue.ts'
import type { JobView } from '../../jobs/types.ts'
import { type BoundRoute, bytes, type HttpCall, json } from '../handlers.ts'

/** A comment line as often keeps proxies and clients from taking silence for an end. */
const HEARTBEAT_MS = 15_000

interface Deps {
  db: Database
  jobs: JobQueue
  ledger: Ledger
  tenant: (name: string) => string
}

export function jobRoutes({ db, jobs, ledger, tenant }: Deps): BoundRoute[] {
  const change = async (call: HttpCall, id: string, act: 'cancel' | 'retry') => {
    const before = await jobs.find(id)
    if (before === null) throw fault('JobNotFound', `There is no job ${id}.`)
    await db.transaction(async (tx) => {
      if ((await jobs[act](tx, id)) === null) throw fault('JobNotInState', `Job ${id} is ${before.state}.`)
      await ledger.append(tx, call, {
        action: act === 'cancel' ? 'job.cancelled' : 'job.retried',
        object: { type: 'job', id, name: before.kind },
        detail: { subject: before.subject },
      })
    })
    jobs.kick()
    return model((await jobs.find(id)) ?? before)
  }

  return [
    json(contract.listJobs, async ({ params, query }) => {
      tenant(params.tenantId)
      const views = await jobs.list({
        count: query.count,
        ...(query.state === undefined ? {} : { states: [query.state] }),
        ...(query.before === undefined ? {} : { before: query.before }),
      })
      return views.map(model)
    }),
    json(contract.cancelJob, async ({ params, call }) => {
      tenant(params.tenantId)
      return change(call, params.jobId, 'cancel')
    }),
    json(contract.retryJob, async ({ params, call }) => {
      tenant(params.tenantId)
      return change(call, params.jobId, 'retry')
    }),
    bytes(contract.jobEvents, async (request) => {
      tenant(request.params['tenantId'] ?? '')
      return {
        status: 200,
        headers: {
          'content-type': 'text/event-stream; charset=utf-8',
          'cache-control': 'no-store',
          'x-accel-buffering': 'no',
        },
        body: eventStream(jobs, request.signal),
      }
    }),
  ]
}

function eventStream(jobs: JobQueue, signal: AbortSignal): PassThrough {
  const out = new PassThrough()
  const send = (job: JobView): void => {
    // A reader that does not keep up misses progress, not memory: the next event carries the whole state again.
    if (out.writableLength < 256 * 1024) out.write(`event: job\ndata: ${JSON.stringify(model(job))}\n\n`)
  }
  out.write(': connected\n\n')
  const unwatch = jobs.watch(send)
  const heartbeat = setInterval(() => out.write(': still here\n\n'), HEARTBEAT_MS).unref()
  const stop = (): void => {
    unwatch()
    clearInterval(heartbeat)
    out.end()
  }
  signal.addEventListener('abort', stop, { once: true })
  out.once('close', () => {
    unwatch()
    clearInterval(heartbeat)
  })
  return out
}

function model(job: JobView): z.input<typeof contract.JobModel> {
  return {
    JobId: job.id,
    Kind: job.kind,
    Subject: job.subject,
    State: job.state,
    Attempts: job.attempts,
    Progress: job.progress,
    Message: job.message,
    CreatedTimeUtc: job.createdUtc,
    StartedTimeUtc: job.startedUtc,
    FinishedTimeUtc: job.finishedUtc,
  }
}
