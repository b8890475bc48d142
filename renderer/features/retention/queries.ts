/** What disposition asks of the station. Every key begins with `disposition`. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import * as contract from '../../../shared/retention/disposition.contract.ts'
import * as quarantine from '../../../shared/retention/quarantine.contract.ts'
import { call } from '../../client/api.ts'
import { from, type Pages, useItemPages } from '../../client/pages.ts'
import { useSession } from '../../client/session.tsx'

export type Item = z.output<typeof contract.DispositionItem>
export type Preview = z.output<typeof contract.DispositionPreview>
export type Stay = Preview['Stays']['Items'][number]
export type Certificate = z.output<typeof contract.Certificate>
export type Quarantined = z.output<typeof quarantine.Quarantined>

export function useItems(stage: 'Due' | 'RecycleBin', enabled: boolean): Pages<Item> {
  const { tenant } = useSession()
  return useItemPages({
    queryKey: ['disposition', 'items', tenant, stage],
    enabled,
    ask: (cursor, signal) =>
      call(contract.listDisposition, {
        params: { tenantName: tenant },
        query: { stage, ...from(cursor) },
        signal,
      }),
  })
}

export function useCertificates(enabled: boolean): Pages<Certificate> {
  const { tenant } = useSession()
  return useItemPages({
    queryKey: ['disposition', 'certificates', tenant],
    enabled,
    ask: (cursor, signal) =>
      call(contract.listCertificates, {
        params: { tenantName: tenant },
        query: from(cursor),
        signal,
      }),
  })
}

export function useQuarantine(enabled: boolean): Pages<Quarantined> {
  const { tenant } = useSession()
  return useItemPages({
    queryKey: ['disposition', 'quarantine', tenant],
    enabled,
    ask: (cursor, signal) =>
      call(quarantine.listQuarantine, {
        params: { tenantName: tenant },
        query: from(cursor),
        signal,
      }),
  })
}

/** Made anew for each selection, for each step of it, and whenever somebody comes back to it: it is never an old one. */
export function usePreview(items: readonly Item[]) {
  const { tenant } = useSession()
  const ids = items.map(({ ItemId }) => ItemId)
  return useQuery({
    queryKey: [
      'disposition',
      'preview',
      tenant,
      ...items.map(({ ItemId, Stage, Approvals, Held }) => [ItemId, Stage, Approvals.length, Held].join()),
    ],
    enabled: ids.length > 0,
    gcTime: 0,
    queryFn: ({ signal }) =>
      call(contract.previewDisposition, { params: { tenantName: tenant }, body: { Items: ids }, signal }),
  })
}

/** After an act: everything here is asked again, but for previews of what may be gone now. */
export function useRefresh(): () => void {
  const queries = useQueryClient()
  return () =>
    void queries.invalidateQueries({
      predicate: ({ queryKey }) => queryKey[0] === 'disposition' && queryKey[1] !== 'preview',
    })
}
