import { useEffect, useRef } from 'react'
import { listPackages } from '../../../shared/packages/contract.ts'
import { call } from '../../client/api.ts'
import { PACKAGES, type Package, usePackageJobs, usePackagesChanged } from '../../client/packages/packages.ts'
import { from, useItemPages } from '../../client/pages.ts'
import { useSession } from '../../client/session.tsx'

/** While one is made, in case an event was lost. */
const LOOKS_AGAIN_MS = 60_000

/** Packages that this person sees, newest first. Events of jobs have them asked for again. @param caseId null: of every case and of selections */
export function usePackages(caseId: string | null, count: number) {
  const { tenant } = useSession()
  const jobs = usePackageJobs()
  const changed = usePackagesChanged()
  const isGoing = useRef(false)
  const pages = useItemPages({
    queryKey: [...PACKAGES, tenant, caseId],
    ask: (cursor, signal) =>
      call(listPackages, {
        params: { tenantId: tenant },
        query: { ...(caseId === null ? {} : { caseId }), count: String(count), ...from(cursor) },
        signal,
      }),
    refetchEvery: () => (isGoing.current ? LOOKS_AGAIN_MS : false),
  })
  const { rows, isFetching } = pages
  useEffect(() => {
    isGoing.current = rows?.some(isOpen) ?? false
  }, [rows])
  // Each end of a job is a reason to ask once; so is the job of a package that somebody else asked for.
  const seen = useRef(new Set<string>())
  useEffect(() => {
    if (rows === null || isFetching) return
    const known = new Map(rows.map((row) => [row.PackageId, row]))
    let differs = false
    for (const [packageId, { JobId, State }] of jobs) {
      const row = known.get(packageId)
      const hasEnded = State === 'done' || State === 'failed' || State === 'cancelled'
      const isNews = row === undefined ? !hasEnded : hasEnded && isOpen(row)
      if (!isNews || seen.current.has(`${JobId} ${State}`)) continue
      seen.current.add(`${JobId} ${State}`)
      differs = true
    }
    if (differs) changed()
  }, [rows, isFetching, jobs, changed])
  return { ...pages, jobs }
}

const isOpen = ({ State }: Package): boolean => State === 'Waiting' || State === 'Making'
