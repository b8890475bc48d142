/** The bookmarks of an evidence: asked for whole, written from the player and from their list. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { z } from 'zod'
import * as contract from '../../../../../shared/evidence/bookmarks.contract.ts'
import { call, newKey } from '../../../../client/api.ts'
import { useSession } from '../../../../client/session.tsx'
import { takeAnswer } from '../../../../client/take-answer.ts'
import type { IconName } from '../../../../ui/icon/icon.tsx'

export type Bookmark = z.output<typeof contract.BookmarkModel>
export type BookmarkState = Bookmark['State']
export type BookmarkGiven = Omit<z.input<typeof contract.CreateBookmarkModel>, 'ResourceId'>

/** Shape and word of a state; without one it is a plain mark. */
export const SHAPES: Readonly<Record<NonNullable<BookmarkState>, IconName>> = {
  ok: 'ok',
  waiting: 'waiting',
  attention: 'attention',
  danger: 'danger',
}
export const STATE_WORDS = {
  ok: 'bookmarkOk',
  waiting: 'bookmarkWaiting',
  attention: 'bookmarkAttention',
  danger: 'bookmarkDanger',
} as const satisfies Readonly<Record<NonNullable<BookmarkState>, string>>

const keyOf = (evidenceId: string) => ['evidence', evidenceId, 'bookmarks'] as const

/** The station keeps at most a page of them on one evidence. */
export function useBookmarks(evidenceId: string) {
  const { tenant } = useSession()
  return useQuery({
    queryKey: keyOf(evidenceId),
    queryFn: async ({ signal }) =>
      (await call(contract.listBookmarks, { params: { tenantName: tenant, evidenceId }, query: {}, signal })).Items,
  })
}

export interface BookmarkActs {
  readonly add: (resourceId: string, given: BookmarkGiven) => Promise<Bookmark>
  readonly change: (bookmark: Pick<Bookmark, 'BookmarkId' | 'ConcurrencyId'>, given: BookmarkGiven) => Promise<Bookmark>
  readonly remove: (bookmark: Pick<Bookmark, 'BookmarkId' | 'ConcurrencyId'>) => Promise<void>
  readonly refresh: () => Promise<void>
}

export function useBookmarkActs(evidenceId: string): BookmarkActs {
  const { tenant } = useSession()
  const queries = useQueryClient()
  return useMemo(() => {
    const params = { tenantName: tenant, evidenceId }
    /** What the station answered is shown at once; the event that follows asks anew. */
    const put = (change: (now: readonly Bookmark[]) => readonly Bookmark[]): Promise<void> =>
      takeAnswer<readonly Bookmark[]>(queries, keyOf(evidenceId), (now) => change(now ?? []).toSorted(byPlace))
    return {
      add: async (ResourceId, given) => {
        const made = await call(contract.createBookmark, {
          params,
          body: { ResourceId, ...given },
          idempotencyKey: newKey(),
        })
        await put((now) => [...now.filter(({ BookmarkId }) => BookmarkId !== made.BookmarkId), made])
        return made
      },
      change: async ({ BookmarkId: bookmarkId, ConcurrencyId }, given) => {
        const body = { ...given, ConcurrencyId }
        const made = await call(contract.updateBookmark, { params: { ...params, bookmarkId }, body })
        await put((now) => now.map((one) => (one.BookmarkId === bookmarkId ? made : one)))
        return made
      },
      remove: async ({ BookmarkId: bookmarkId, ConcurrencyId: concurrencyId }) => {
        await call(contract.deleteBookmark, { params: { ...params, bookmarkId }, query: { concurrencyId } })
        await put((now) => now.filter((one) => one.BookmarkId !== bookmarkId))
      },
      refresh: () => queries.invalidateQueries({ queryKey: keyOf(evidenceId) }),
    }
  }, [tenant, evidenceId, queries])
}

const byPlace = (one: Bookmark, other: Bookmark): number =>
  one.StartSeconds - other.StartSeconds || Number(one.BookmarkId) - Number(other.BookmarkId)

/** What is written back where nothing is to change but what `change` says. */
export const givenOf = ({ StartSeconds, EndSeconds, Title, Text, State }: Bookmark): BookmarkGiven => ({
  StartSeconds,
  EndSeconds,
  Title,
  Text,
  State,
})
