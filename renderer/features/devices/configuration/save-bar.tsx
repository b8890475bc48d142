import { useTranslation } from '../../../client/translate.ts'
import { Button } from '../../../ui/button/button.tsx'
import styles from '../devices.module.css'
import { isSound, isWrong, type Wanted } from './draft.ts'

interface SaveBarProps {
  readonly wanted: Wanted
  readonly broken: boolean
  readonly changed: boolean
  readonly busy: boolean
  readonly onDrop: () => void
}

/** Pinned below the members: when it takes effect, and Save. */
export function SaveBar({ wanted, broken, changed, busy, onDrop }: SaveBarProps) {
  const { t } = useTranslation('devices')
  const wrong = wanted.members.filter(isWrong).length
  const unsound = broken ? t('jsonWrong') : t('valuesWrong', { count: wrong })
  const why = !changed && !broken ? t('nothingChanged') : isSound(wanted, broken) ? undefined : unsound
  return (
    <div className={styles['saveBar']}>
      <span className="second">{t(changed ? 'savesNext' : 'nothingChanged')}</span>
      <span className={styles['acts']}>
        {changed && <Button onPress={onDrop}>{t('dropAll')}</Button>}
        <Button kind="main" type="submit" busy={busy} why={why}>
          {t('save')}
        </Button>
      </span>
    </div>
  )
}
