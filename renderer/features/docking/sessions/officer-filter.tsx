import { useTranslation } from '../../../client/translate.ts'
import { OfficerField } from '../assign/officer-field.tsx'
import styles from './sessions.module.css'

/** Fetched when it is opened. */
export default function OfficerFilter({
  onChosen,
}: {
  readonly onChosen: (who: { id: string; name: string }) => void
}) {
  const { t } = useTranslation('dockSessions')
  return (
    <div className={styles['pick']}>
      <OfficerField label={t('findOfficer')} value={null} onChange={(who) => who !== null && onChosen(who)} />
    </div>
  )
}
