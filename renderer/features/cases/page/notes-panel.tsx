import { useTranslation } from 'react-i18next'
import { useMayChange } from '../../../client/authored.ts'
import { useNoteActs, useNotes } from '../../../client/notes.ts'
import { Button } from '../../../ui/button/button.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { NotesThread } from '../../../ui/notes/notes.tsx'
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx'
import type { Case } from '../data.ts'
import { Problem } from '../problem.tsx'
import { holds } from '../rights.ts'
import styles from './history.module.css'

/** What people wrote on the case, newest first. A closed case is read and not written on. */
export function NotesPanel({ record }: { readonly record: Case }) {
  const { t } = useTranslation('cases')
  const place = { on: 'case', id: record.CaseId } as const
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useNotes(place)
  const acts = useNoteActs(place)
  const open = record.State !== 'Closed'
  const mayChange = useMayChange(open ? record.AccessorPermissions : [])
  const notes = data?.pages.flatMap(({ Items }) => Items) ?? null
  const may = open && holds(record, 'Edit')
  const of = (id: string) => {
    const found = notes?.find(({ NoteId }) => NoteId === id)
    if (found === undefined) throw new Error(t('noteGone'))
    return found
  }
  return (
    <section className={styles['panel']} aria-labelledby="case-notes">
      <h2 id="case-notes" className={styles['title']}>
        {t('notes')}
      </h2>
      {notes === null ? (
        error === null ? (
          <Skeleton lines={3} />
        ) : (
          <Problem error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <>
          {notes.length === 0 && !may && (
            <p className={styles['none']}>{t(open ? 'notesNoneBody' : 'notesNoneClosed')}</p>
          )}
          <NotesThread
            label={t('notes')}
            notes={notes.map((note) => ({
              id: note.NoteId,
              text: visible(note.Text),
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
                text: visible(was.Text),
                author: visible(was.Author.Username),
                atUtc: was.DateUtc,
              }))
            }
          />
        </>
      )}
      {hasNextPage && (
        <Button size="small" busy={isFetchingNextPage} onPress={() => void fetchNextPage()}>
          {t('older')}
        </Button>
      )}
    </section>
  )
}
