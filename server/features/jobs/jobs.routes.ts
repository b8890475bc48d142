import type { z } from 'zod'
import { Fault, fault } from '../../../shared/kernel/errors.ts'
import * as contract from '../../../shared/jobs/contract.ts'
import { includes } from '../../../shared/kernel/permissions.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import type { Access } from '../../kernel/access/access.ts'
import type { JobQueue } from '../../kernel/jobs/queue.ts'
import type { JobView } from '../../kernel/jobs/types.ts'
import { eventStream } from '../../http/event-stream.ts'
import { type BoundRoute, bytes, type HttpCall, json } from '../../http/handlers.ts'
import type { JobAccess } from './job-access.ts'
import { type JobSubject, subjectsOfJobs } from './job-subjects.ts'

interface Deps {
  db: Database
  jobs: JobQueue
  ledger: Ledger
  access: JobAccess
  evidenceAccess: Pick<Access, 'onEvidences'>
}

/** Jobs judged at a time, and at most for one list: whoever may view few of many is not looked through a whole station for. */
const PAGE = 500
const MOST_LOOKED_AT = 10_000

export function jobRoutes({ db, jobs, ledger, access, evidenceAccess }: Deps): BoundRoute[] {
  /** Stopping or starting a job changes the derivations of an evidence, so it needs Edit. @throws Fault JobNotFound, Forbidden */
  const requireEdit = async (from: Tx, call: HttpCall, job: JobView): Promise<void> => {
    const { id } = job
    const [level = 'None'] = await access.levels(from, call.principal, [job])
    if (level === 'None') throw fault('JobNotFound', `There is no job ${id}.`)
    if (!includes(level, 'Edit'))
      throw new Fault('Forbidden', `This needs Edit on the evidence that job ${id} is about.`, {
        reason: 'PrincipalCannotEditEvidence',
      })
  }
  const modelsOf = async (call: HttpCall, views: readonly JobView[]): Promise<Job[]> => {
    const subjects = await subjectsOfJobs({ db, access: evidenceAccess }, call.principal, views)
    return views.map((view) => model(view, subjects.get(view.id) ?? null))
  }
  const change = async (call: HttpCall, id: string, act: 'cancel' | 'retry') => {
    const before = await jobs.find(id)
    if (before === null) throw fault('JobNotFound', `There is no job ${id}.`)
    await requireEdit(db.read, call, before)
    await db.transaction(async (tx) => {
      await requireEdit(tx, call, before)
      if ((await jobs[act](tx, id)) === null) throw fault('JobNotInState', `Job ${id} is ${before.state}.`)
      await ledger.append(tx, call, {
        action: act === 'cancel' ? 'job.cancelled' : 'job.retried',
        object: { type: 'job', id, name: before.kind },
        detail: { subject: before.subject },
      })
    })
    jobs.kick()
    return (await modelsOf(call, [(await jobs.find(id)) ?? before]))[0] as Job
  }

  return [
    json(contract.listJobs, async ({ query, call }) => {
      const states = query.state === undefined ? {} : { states: [query.state] }
      const shown: JobView[] = []
      let { before } = query
      for (let looked = 0; looked < MOST_LOOKED_AT && shown.length < query.count; looked += PAGE) {
        const views = await jobs.list({ count: PAGE, ...states, ...(before === undefined ? {} : { before }) })
        const seen = await access.seen(db.read, call.principal, views)
        shown.push(...views.filter((_view, at) => seen[at]))
        before = views.at(-1)?.id
        if (views.length < PAGE) break
      }
      return modelsOf(call, shown.slice(0, query.count))
    }),
    json(contract.cancelJob, async ({ params, call }) => {
      return change(call, params.jobId, 'cancel')
    }),
    json(contract.retryJob, async ({ params, call }) => {
      return change(call, params.jobId, 'retry')
    }),
    bytes(contract.jobEvents, async (request, call) => {
      // For a slow reader events are dropped, not buffered: the next one has the whole state again.
      return eventStream(
        contract.jobEvents.events,
        (send) => {
          const tell = inTurns(async (views) => {
            for (const data of await modelsOf(call, views)) send({ event: 'job', data })
          })
          return jobs.watch(access.filtered(db.read, call.principal, tell))
        },
        request.signal,
      )
    }),
  ]
}

/** In their order; what changes while names are asked for waits, and is asked for together. */
function inTurns(tell: (jobs: readonly JobView[]) => Promise<void>): (job: JobView) => void {
  const changed: JobView[] = []
  let telling = false
  const go = async (): Promise<void> => {
    telling = true
    try {
      while (changed.length > 0) await tell(changed.splice(0))
    } catch {
      // The database closes with the station; the reader asks again when it comes back.
    } finally {
      telling = false
    }
  }
  return (job) => {
    changed.push(job)
    if (!telling) void go()
  }
}

type Job = z.input<typeof contract.JobModel>

function model(job: JobView, evidence: JobSubject | null): Job {
  return {
    Evidence: evidence,
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
