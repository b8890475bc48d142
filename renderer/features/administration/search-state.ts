/** What a page of the administration shows, as it stands in the address. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { addressState, flag, oneOf, type StateOf, text, whole } from '../../client/address-state.ts'

/** In `open`: a new one is being made. No id of the station reads like this. */
export const NEW = 'new'

const members = {
  /** Which one is open beside the list. */
  open: text(256),
  q: text(256),
  /** Of the templates. */
  type: oneOf(['Case', 'Evidence']),
  /** Of the rights: the columns of people are open. */
  people: flag,
  /** Of the denials. */
  kind: text(256),
  /** Of dispatch: which part of its page. */
  view: text(256),
  days: whole(1, 366),
}
export const adminSearch = addressState(members)
export type AdminSearch = StateOf<typeof members>

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
