import { Note } from '../../ui/note/note.tsx'
import { useTranslation } from '../translate.ts'

/** While the station is on no network. */
export function Unreachable() {
  const { t } = useTranslation('shareLinks')
  return (
    <Note state="attention" title={t('unreachable')}>
      {t('unreachableBody')}
    </Note>
  )
}
