import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { z } from 'zod'
import * as contract from '../../../../../shared/evidence/custody.contract.ts'
import { call } from '../../../../client/api.ts'
import { useSession } from '../../../../client/session.tsx'
import type { Entry } from '../queries.ts'
import { type ChainResult, recompute } from './chain.ts'

export type Verification = z.output<typeof contract.CustodyVerification>

export interface Seal {
  readonly station: Verification | null
  /** What this page found out by itself about the entries in sight. */
  readonly page: ChainResult | null
  readonly busy: boolean
  readonly error: Error | null
  readonly again: () => void
}

/** The chain, recomputed by the station over its whole length and by this page over everything it shows. */
export function useSeal(evidenceId: string, entries: readonly Entry[] | null): Seal {
  const { tenant } = useSession()
  const [page, setPage] = useState<ChainResult | null>(null)
  const [round, setRound] = useState(0)
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => call(contract.verifyCustody, { params: { tenantName: tenant, evidenceId } }),
  })
  const begun = useRef(false)
  const there = entries !== null
  useEffect(() => {
    if (!there || begun.current) return
    begun.current = true
    mutate()
  }, [there, mutate])
  useEffect(() => {
    if (entries === null) return
    let over = false
    void recompute(entries).then((result) => {
      if (!over) setPage(result)
    })
    return () => {
      over = true
    }
    // `round` stands for another press of *Verify again*.
  }, [entries, round])
  return {
    station: data ?? null,
    page,
    busy: isPending || page === null,
    error,
    again: () => {
      setPage(null)
      setRound((now) => now + 1)
      mutate()
    },
  }
}
