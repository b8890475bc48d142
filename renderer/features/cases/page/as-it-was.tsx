import { useTranslation } from '../../../client/translate.ts'
import { Button } from '../../../ui/button/button.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { Note } from '../../../ui/note/note.tsx'
import type { Case } from '../queries.ts'
import { nameOf } from '../people-labels.ts'
import styles from './page.module.css'

/** The band over a version of the past: nothing can be changed in it, and rights are those of today. */
export function AsItWas({ record, onNow }: { readonly record: Case; readonly onNow: () => void }) {
  const { t } = useTranslation('cases')
  const format = useFormat()
  return (
    <div className={styles['band']}>
      <Note
        state="sealed"
        icon="clock"
        title={t('asItWas', { time: format.instant(record.LastModifiedUtcTime, { zone: true }) })}
        action={
          <Button size="small" onPress={onNow} autoFocus>
            {t('backToNow')}
          </Button>
        }
      >
        {t('asItWasBody', { name: nameOf(record.LastModifiedBy, t) })}
      </Note>
    </div>
  )
}
