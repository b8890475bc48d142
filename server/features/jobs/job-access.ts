/** Whose business a job is: whoever may view the evidence sees what is made of it, and nobody else. */
import { includes, type Level } from '../../../shared/kernel/permissions.ts'
import type { Principal } from '../../../shared/kernel/principal.ts'
import type { Tx } from '../../kernel/database/database.ts'
import type { Access } from '../../kernel/access/access.ts'
import type { JobView } from '../../kernel/jobs/types.ts'
import { evidenceOfSubjects } from './subjects.store.ts'

export interface JobAccess {
  /** What the principal holds on the evidence of each job, in the order of the jobs; None where a job is about no evidence that is there. */
  levels(from: Tx, principal: Principal | null, jobs: readonly Pick<JobView, 'subject'>[]): Promise<Level[]>
  /**
   * Hands on those jobs that the principal may view, in their order. Rights are judged anew for every evidence after a few seconds, so
   * that a right that went closes the stream for it.
   */
  filtered(from: Tx, principal: Principal | null, send: (job: JobView) => void): (job: JobView) => void
}

/** Milliseconds for which a stream takes a judgement as it was; within five seconds nothing more is told (decisions 9 and 10). */
const JUDGED_FOR = 2_000
/** Of a principal whose jobs come faster than they are judged, events are left out: the next one carries the whole state again. */
const MOST_WAITING = 1_000

export function createJobAccess(access: Pick<Access, 'onEvidences'>, ticks: () => number): JobAccess {
  const levels: JobAccess['levels'] = async (from, principal, jobs) => {
    const evidence = await evidenceOfSubjects(
      from,
      jobs.map(({ subject }) => subject),
    )
    const held = await access.onEvidences(from, principal, [...new Set(evidence.values())])
    return jobs.map(({ subject }) => held.get(evidence.get(subject) ?? 0) ?? 'None')
  }
  return {
    levels,
    filtered: (from, principal, send) => {
      const judged = new Map<string, { readonly at: number; readonly may: boolean }>()
      let waiting = 0
      let last = Promise.resolve()
      const judge = async (job: JobView): Promise<void> => {
        let known = judged.get(job.subject)
        if (known === undefined || ticks() - known.at > JUDGED_FOR) {
          const [level = 'None'] = await levels(from, principal, [job])
          known = { at: ticks(), may: includes(level, 'View') }
          if (judged.size > MOST_WAITING) judged.clear()
          judged.set(job.subject, known)
        }
        if (known.may) send(job)
      }
      return (job) => {
        if (waiting >= MOST_WAITING) return
        waiting += 1
        // What cannot be judged is not told.
        last = last
          .then(() => judge(job))
          .catch(() => {})
          .finally(() => {
            waiting -= 1
          })
      }
    },
  }
}
