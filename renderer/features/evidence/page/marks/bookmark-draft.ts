/** What is typed into the form of a bookmark, kept until it is saved or given up. Of one evidence one form is open at a time. */
import { useMemo } from 'react'
import { draftKept, keepDraft } from '../../../../client/drafts.ts'
import { useSession } from '../../../../client/session.tsx'
import type { Bookmark, givenOf } from './bookmarks.ts'

interface Draft {
  readonly given: ReturnType<typeof givenOf>
  /** The bookmark as it was when the typing began. */
  readonly read: Bookmark
}

const isDraft = (value: unknown): value is Draft =>
  typeof value === 'object' && value !== null && 'given' in value && 'read' in value

export function useBookmarkDraft(evidenceId: string) {
  const { session } = useSession()
  const owner = session.User?.PrincipalId ?? ''
  return useMemo(() => {
    const key = `bookmark-${evidenceId}`
    const found = (): Draft | null => {
      const value = draftKept(key, owner)
      return isDraft(value) ? value : null
    }
    return {
      /** Of which bookmark something is kept. */
      open: (): string | null => found()?.read.BookmarkId ?? null,
      kept: (bookmarkId: string): Draft | null => {
        const draft = found()
        return draft?.read.BookmarkId === bookmarkId ? draft : null
      },
      keep: (draft: Draft | null): void => keepDraft(key, owner, draft ?? undefined),
    }
  }, [evidenceId, owner])
}
