import { Link } from '@tanstack/react-router'
import { Note } from '../../ui/note/note.tsx'
import { useTranslation } from '../translate.ts'
import { useSample } from './queries.ts'
import styles from './sample.module.css'

/** On the page of an evidence or a case that is sample data, for those who can remove it. */
export default function SampleNote({ kind, id }: { readonly kind: 'evidence' | 'case'; readonly id: string }) {
  const { t } = useTranslation('sample')
  const sample = useSample()
  const ids = kind === 'evidence' ? sample?.EvidenceIds : sample?.CaseIds
  if (ids?.includes(id) !== true) return null
  return (
    <div className={styles['note']}>
      <Note title={t('line')} action={<Link to="/today">{t('lineRemove')}</Link>}>
        {t('lineBody')}
      </Note>
    </div>
  )
}
