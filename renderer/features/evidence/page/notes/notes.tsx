import { useTranslation } from '../../../../client/translate.ts'
import { useMayChange } from '../../../../client/authored.ts'
import { useNotesThread } from '../../../../client/notes.ts'
import { Button } from '../../../../ui/button/button.tsx'
import { EmptyState } from '../../../../ui/empty/empty.tsx'
import { NotesThread } from '../../../../ui/notes/notes.tsx'
import { Skeleton } from '../../../../ui/skeleton/skeleton.tsx'
import type { Evidence } from '../queries.ts'
import styles from '../marks/marks.module.css'
import { Problem } from '../stage/problem.tsx'
import { visible, written } from '../text/visible.ts'

/** What people wrote about the evidence, newest first. */
export function EvidenceNotes({ evidence }: { readonly evidence: Evidence }) {
  const { t } = useTranslation('evidencePage')
  const may = evidence.AccessorPermissions.includes('Edit')
  const { count, error, retry, more, thread } = useNotesThread({
    place: { on: 'evidence', id: evidence.EvidenceId },
    mayAdd: may,
    mayChange: useMayChange(evidence.AccessorPermissions),
    text: written,
    name: visible,
    gone: t('noteGone'),
  })
  if (count === null)
    return (
      <div className={styles['pad']}>
        {error === null ? <Skeleton lines={4} /> : <Problem error={error} onRetry={retry} />}
      </div>
    )
  return (
    <div className={styles['pad']}>
      {count === 0 && <EmptyState title={t('notesNone')}>{t(may ? 'notesNoneDo' : 'notesNoneBody')}</EmptyState>}
      <NotesThread label={t('notes')} {...thread} />
      {more !== null && (
        <Button size="small" {...more}>
          {t('older')}
        </Button>
      )}
    </div>
  )
}
