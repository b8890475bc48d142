import { useJobReasons } from '../../../../client/job-reasons.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import * as contract from '../../../../../shared/integrity/fixity.contract.ts'
import { call } from '../../../../client/api.ts'
import { type Job, useJobs } from '../../../../client/jobs.ts'
import { useSession } from '../../../../client/session.tsx'
import { asError } from '../../../../ui/problem/as-error.ts'
import { useRefresh } from '../queries.ts'

export interface Check {
  /** Null between the press and the job's first word. */
  readonly job: Job | null
  readonly ended: boolean
  /** The order was refused, or the job itself failed. */
  readonly error: Error | null
}

export interface Checks {
  readonly of: (resourceId: string) => Check | null
  readonly begin: (resourceId: string) => void
}

interface Asked {
  readonly jobId: string | null
  readonly error: Error | null
}

const OVER = new Set(['done', 'failed', 'cancelled'])

/** *Check now* (promise I5): asks for the bytes to be read back from the disk, and follows the job that does it. */
export function useChecks(evidenceId: string): Checks {
  const { tenant } = useSession()
  const refresh = useRefresh(evidenceId)
  const say = useJobReasons()
  const jobs = useJobs()
  const [asked, setAsked] = useState<Readonly<Record<string, Asked>>>({})
  const begin = useCallback(
    (resourceId: string) => {
      const note = (one: Asked): void => setAsked((now) => ({ ...now, [resourceId]: one }))
      note({ jobId: null, error: null })
      call(contract.checkResource, { params: { tenantName: tenant, evidenceId, resourceId } }).then(
        ({ JobId }) => note({ jobId: JobId, error: null }),
        (error: unknown) => note({ jobId: null, error: asError(error) }),
      )
    },
    [tenant, evidenceId],
  )
  const jobOf = ({ jobId }: Asked): Job | null => jobs.find(({ JobId }) => JobId === jobId) ?? null
  const over = Object.values(asked).flatMap((one) => {
    const job = jobOf(one)
    return job !== null && OVER.has(job.State) ? [job.JobId] : []
  })
  const told = useRef(new Set<string>())
  const key = over.join()
  useEffect(() => {
    // The result stands in the record: it is asked for once for each job that ended.
    const fresh = key.split(',').filter((id) => id !== '' && !told.current.has(id))
    for (const id of fresh) told.current.add(id)
    if (fresh.length > 0) refresh()
  }, [key, refresh])
  return {
    begin,
    of: (resourceId) => {
      const one = asked[resourceId]
      if (one === undefined) return null
      const job = jobOf(one)
      const failed = job !== null && job.State === 'failed' ? new Error(say(job.Message)) : null
      const ended = one.error !== null || (job !== null && OVER.has(job.State))
      return { job, ended, error: one.error ?? failed }
    },
  }
}
