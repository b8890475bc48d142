import { useTranslation } from 'react-i18next'
import { useMayChange } from '../../../../client/authored.ts'
import { useNoteActs, useNotes } from '../../../../client/notes.ts'
import { Button } from '../../../../ui/button/button.tsx'
import { EmptyState } from '../../../../ui/empty/empty.tsx'
import { NotesThread } from '../../../../ui/notes/notes.tsx'
import { Skeleton } from '../../../../ui/skeleton/skeleton.tsx'
import type { Evidence } from '../data.ts'
import styles from '../marks/marks.module.css'
import { Problem } from '../stage/problem.tsx'
import { visible, written } from '../text/visible.ts'

/** What people wrote about the evidence, newest first. */
export function EvidenceNotes({ evidence }: { readonly evidence: Evidence }) {
  const { t } = useTranslation('evidencePage')
  const place = { on: 'evidence', id: evidence.EvidenceId } as const
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useNotes(place)
  const acts = useNoteActs(place)
  const mayChange = useMayChange(evidence.AccessorPermissions)
  const notes = data?.pages.flatMap(({ Items }) => Items) ?? null
  const may = evidence.AccessorPermissions.includes('Edit')
  const of = (id: string) => {
    const found = notes?.find(({ NoteId }) => NoteId === id)
    if (found === undefined) throw new Error(t('noteGone'))
    return found
  }
  if (notes === null)
    return (
      <div className={styles['pad']}>
        {error === null ? <Skeleton lines={4} /> : <Problem error={error} onRetry={() => void refetch()} />}
      </div>
    )
  return (
    <div className={styles['pad']}>
      {notes.length === 0 && <EmptyState title={t('notesNone')}>{t(may ? 'notesNoneDo' : 'notesNoneBody')}</EmptyState>}
      <NotesThread
        label={t('notes')}
        notes={notes.map((note) => ({
          id: note.NoteId,
          text: written(note.Text),
          source: note.Text,
          author: visible(note.Author.Username),
          atUtc: note.CreatedUtc,
          edits: note.Edits,
          changedUtc: note.ModifiedUtc,
          mayChange: mayChange(note),
        }))}
        onAdd={may ? acts.add : undefined}
        onChange={async (id, text) => acts.change(of(id), text)}
        onRemove={async (id) => acts.remove(of(id))}
        onEarlier={async (id) =>
          (await acts.versions(id)).map((was) => ({
            id: was.ConcurrencyId,
            text: written(was.Text),
            author: visible(was.Author.Username),
            atUtc: was.DateUtc,
          }))
        }
      />
      {hasNextPage && (
        <Button size="small" busy={isFetchingNextPage} onPress={() => void fetchNextPage()}>
          {t('older')}
        </Button>
      )}
    </div>
  )
}
