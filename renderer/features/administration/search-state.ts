/** What a page of the administration shows, as it stands in the address. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { z } from 'zod'

/** In `open`: a new one is being made. No id of the station reads like this. */
export const NEW = 'new'

const TEXT = z.coerce.string().max(256)
export const adminSearch = z.object({
  /** Which one is open beside the list. */
  open: TEXT.optional().catch(undefined),
  q: TEXT.optional().catch(undefined),
  /** Of the templates. */
  type: z.enum(['Case', 'Evidence']).optional().catch(undefined),
  /** Of the rights: the columns of people are open. */
  people: z.boolean().optional().catch(undefined),
  /** Of the denials. */
  kind: TEXT.optional().catch(undefined),
  /** Of dispatch: which part of its page. */
  view: TEXT.optional().catch(undefined),
  days: z.coerce.number().int().min(1).max(366).optional().catch(undefined),
})
export type AdminSearch = z.output<typeof adminSearch>

export interface Place {
  readonly search: AdminSearch
  readonly change: (what: Partial<AdminSearch>, replace?: boolean) => void
}

export function usePlace(): Place {
  const search = useSearch({ from: '/administration' })
  const navigate = useNavigate()
  const change = useCallback(
    (what: Partial<AdminSearch>, replace = false): void =>
      void navigate({ to: '.', search: { ...search, ...what }, replace }),
    [navigate, search],
  )
  return { search, change }
}
