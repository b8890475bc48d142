/** What the page asks of the station. Every key begins with the evidence, so that one live event refreshes all of it. */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { z } from 'zod'
import * as custody from '../../../../shared/evidence/custody.contract.ts'
import * as documents from '../../../../shared/evidence/contract.ts'
import * as media from '../../../../shared/media/contract.ts'
import { type Answer, addressOf, call } from '../../../client/api.ts'
import { cursorIn, usePages } from '../../../client/pages.ts'
import { useSession } from '../../../client/session.tsx'

export type Evidence = z.output<typeof documents.EvidenceRecord>
export type Resource = z.output<typeof documents.ResourceRecord>
export type Media = z.output<typeof media.MediaModel>
export type Entry = z.output<typeof custody.CustodyEntry>
/** Changes (all but the reads of visits), and everything. */
export type CustodyView = Extract<(typeof custody.CUSTODY_KINDS)[number], 'acts' | 'all'>

export const evidenceQuery = (tenant: string, evidenceId: string) =>
  queryOptions({
    queryKey: ['evidence', evidenceId, 'record'],
    queryFn: ({ signal }) =>
      call(documents.getEvidence, { params: { tenantName: tenant, evidenceId }, query: {}, signal }),
  })

export const resourcesQuery = (tenant: string, evidenceId: string) =>
  queryOptions({
    queryKey: ['evidence', evidenceId, 'resources'],
    queryFn: ({ signal }) => call(documents.listResources, { params: { tenantName: tenant, evidenceId }, signal }),
  })

export const mediaQuery = (tenant: string, evidenceId: string, resourceId: string | null) =>
  queryOptions({
    queryKey: ['evidence', evidenceId, 'media', resourceId],
    enabled: resourceId !== null,
    queryFn: ({ signal }) =>
      call(media.getMedia, { params: { tenantName: tenant, evidenceId, resourceId: resourceId ?? '' }, signal }),
  })

/** What was refused when it was asked for ahead is not asked for again by showing it: each refusal is written down. */
export const useEvidence = (evidenceId: string) =>
  useQuery({ ...evidenceQuery(useSession().tenant, evidenceId), retryOnMount: false })
export const useResources = (evidenceId: string) => useQuery(resourcesQuery(useSession().tenant, evidenceId))
export const useMedia = (evidenceId: string, resourceId: string | null) =>
  useQuery(mediaQuery(useSession().tenant, evidenceId, resourceId))

/** Entries of a page: one visit is about ten of them. */
const PAGE = { acts: 50, all: 200 } as const

const CUSTODY = { rowsOf: ({ Entries }: Answer<typeof custody.getCustody>) => Entries, cursorOf: cursorIn }

export function useCustody(evidenceId: string, kind: CustodyView, enabled = true) {
  const { tenant } = useSession()
  return usePages(
    {
      queryKey: ['evidence', evidenceId, 'custody', kind],
      enabled,
      keepsPrevious: true,
      ask: (cursor, signal) =>
        call(custody.getCustody, {
          params: { tenantName: tenant, evidenceId },
          query: { kind, count: String(PAGE[kind]), ...(cursor === null ? {} : { before: cursor }) },
          signal,
        }),
    },
    CUSTODY,
  )
}

/** Addresses of bytes, for players and downloads. */
export interface Addresses {
  /** For playing or looking in place; only what was made from an original. */
  readonly play: (resourceId: string) => string
  /** Written down as a download. */
  readonly download: (resourceId: string) => string
  readonly thumbnail: (resourceId: string) => string
}

export function useAddresses(evidenceId: string): Addresses {
  const { tenant } = useSession()
  const params = (resourceId: string) => ({ tenantName: tenant, evidenceId, resourceId })
  return {
    play: (id) => addressOf(documents.getContent, { params: params(id), query: { purpose: 'play' } }),
    download: (id) => addressOf(documents.getContent, { params: params(id), query: {} }),
    thumbnail: (id) => addressOf(documents.getResourceThumbnail, { params: params(id) }),
  }
}

/** Asks anew for everything about an evidence: after an act whose event may come later. */
export function useRefresh(evidenceId: string): () => void {
  const queries = useQueryClient()
  return useCallback(
    () => void queries.invalidateQueries({ queryKey: ['evidence', evidenceId] }),
    [queries, evidenceId],
  )
}
