/**
 * Access to jobs: callers with View on the evidence see its jobs, others do not. The jobs that make a package are seen by those who see the package:
 * whoever made it, and who can download its case.
 */
import { includes, type Level } from '../../../shared/kernel/permissions.ts'
import type { Principal } from '../../../shared/kernel/principal.ts'
import type { Tx } from '../../kernel/database/database.ts'
import type { Access } from '../../kernel/access/access.ts'
import type { JobView } from '../../kernel/jobs/types.ts'
import { evidenceOfSubjects, type JobPackage, packagesOfSubjects } from './subjects.store.ts'

export interface JobAccess {
  /** The principal's level on the evidence of each job, in the order of the jobs; None for a job without existing evidence. */
  levels(from: Tx, principal: Principal | null, jobs: readonly Pick<JobView, 'subject'>[]): Promise<Level[]>
  /** Whether the principal sees each job, in the order of the jobs. */
  seen(from: Tx, principal: Principal | null, jobs: readonly Pick<JobView, 'subject'>[]): Promise<boolean[]>
  /**
   * Passes on the jobs that the principal may view, in their order. Rights are checked again for every evidence after a few seconds, so that
   * a lost right ends the events of that evidence.
   */
  filtered(from: Tx, principal: Principal | null, send: (job: JobView) => void): (job: JobView) => void
}

/** Milliseconds for which a stream caches a decision. Within five seconds after a right ends nothing more is sent (decisions 9 and 10). */
const JUDGED_FOR = 2_000
/** Events beyond this backlog are dropped: the next one has the whole state again. */
const MOST_WAITING = 1_000

export function createJobAccess(access: Pick<Access, 'onEvidences' | 'onCases'>, ticks: () => number): JobAccess {
  const levels: JobAccess['levels'] = async (from, principal, jobs) => {
    const evidence = await evidenceOfSubjects(
      from,
      jobs.map(({ subject }) => subject),
    )
    const held = await access.onEvidences(from, principal, [...new Set(evidence.values())])
    return jobs.map(({ subject }) => held.get(evidence.get(subject) ?? 0) ?? 'None')
  }
  const seenPackages = async (from: Tx, principal: Principal | null, subjects: readonly string[]) => {
    const packages = await packagesOfSubjects(from, subjects)
    if (principal === null || packages.size === 0) return new Set<string>()
    const cases = [...packages.values()].flatMap(({ caseId }) => caseId ?? [])
    const onCases = await access.onCases(from, principal, [...new Set(cases)])
    const isSeen = ({ makerId, caseId }: JobPackage): boolean =>
      makerId === principal.id || (caseId !== null && includes(onCases.get(caseId) ?? 'None', 'Download'))
    return new Set([...packages].flatMap(([subject, one]) => (isSeen(one) ? [subject] : [])))
  }
  const seen: JobAccess['seen'] = async (from, principal, jobs) => {
    const held = await levels(from, principal, jobs)
    const packages = await seenPackages(
      from,
      principal,
      jobs.map(({ subject }) => subject),
    )
    return jobs.map(({ subject }, at) => includes(held[at] ?? 'None', 'View') || packages.has(subject))
  }
  return {
    levels,
    seen,
    filtered: (from, principal, send) => {
      const judged = new Map<string, { readonly at: number; readonly may: boolean }>()
      let waiting = 0
      let last = Promise.resolve()
      const judge = async (job: JobView): Promise<void> => {
        let known = judged.get(job.subject)
        if (known === undefined || ticks() - known.at > JUDGED_FOR) {
          const [may = false] = await seen(from, principal, [job])
          known = { at: ticks(), may }
          if (judged.size > MOST_WAITING) judged.clear()
          judged.set(job.subject, known)
        }
        if (known.may) send(job)
      }
      return (job) => {
        if (waiting >= MOST_WAITING) return
        waiting += 1
        // When the check fails, nothing is sent.
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
