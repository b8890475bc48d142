import { useTranslation } from '../../../client/translate.ts'
import { useMayChange } from '../../../client/authored.ts'
import { useNotesThread } from '../../../client/notes.ts'
import { Button } from '../../../ui/button/button.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { NotesThread } from '../../../ui/notes/notes.tsx'
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx'
import type { Case } from '../queries.ts'
import { Problem } from '../problem.tsx'
import { holds } from '../rights.ts'
import styles from './history.module.css'

/** What people wrote on the case, newest first. A closed case is read and not written on. */
export function NotesPanel({ record }: { readonly record: Case }) {
  const { t } = useTranslation('cases')
  const open = record.State !== 'Closed'
  const may = open && holds(record, 'Edit')
  const { count, error, retry, more, thread } = useNotesThread({
    place: { on: 'case', id: record.CaseId },
    mayAdd: may,
    mayChange: useMayChange(open ? record.AccessorPermissions : []),
    text: visible,
    name: visible,
    gone: t('noteGone'),
  })
  return (
    <section className={styles['panel']} aria-labelledby="case-notes">
      <h2 id="case-notes" className={styles['title']}>
        {t('notes')}
      </h2>
      {count === null ? (
        error === null ? (
          <Skeleton lines={3} />
        ) : (
          <Problem error={error} onRetry={retry} />
        )
      ) : (
        <>
          {count === 0 && !may && <p className={styles['none']}>{t(open ? 'notesNoneBody' : 'notesNoneClosed')}</p>}
          <NotesThread label={t('notes')} {...thread} />
        </>
      )}
      {more !== null && (
        <Button size="small" {...more}>
          {t('older')}
        </Button>
      )}
    </section>
  )
}
