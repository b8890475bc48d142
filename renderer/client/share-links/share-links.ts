/** Links for somebody without an account, as officers make, see and recall them. */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { z } from 'zod'
import * as contract from '../../../shared/share-links/contract.ts'
import { Fault } from '../api.ts'

export type ShareLink = z.output<typeof contract.ShareLinkModel>
export type MadeShareLink = z.output<(typeof contract.createShareLink)['responses'][201]>
export type ShareLinkPreview = z.output<(typeof contract.previewShareLink)['responses'][200]>

export const SHARE_LINKS = ['share-links'] as const

export function useShareLinksChanged(): () => void {
  const queries = useQueryClient()
  return useCallback(() => void queries.invalidateQueries({ queryKey: SHARE_LINKS }), [queries])
}

const SAID = ['ShareLinkEnded', 'EvidenceRestricted', 'NothingToShare', 'OriginalForwarded'] as const

/** Refusals that the catalogue has words of its own for. */
export function saidOf(error: unknown): (typeof SAID)[number] | null {
  const code = error instanceof Fault ? error.code : null
  return SAID.find((one) => one === code) ?? null
}
