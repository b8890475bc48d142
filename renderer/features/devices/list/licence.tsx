import { useTranslation } from '../../../client/translate.ts'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { StateMark } from '../../../ui/state/state.tsx'
import styles from '../devices.module.css'

interface LicenceProps {
  readonly active: number
  readonly most: number
}

/** How many may be active, and how many are. */
export function Licence({ active, most }: LicenceProps) {
  const { t } = useTranslation('devices')
  const format = useFormat()
  const full = active >= most
  return (
    <div className={styles['licence']}>
      <span className={styles['licenceWords']}>
        {t('licence', { active: format.count(active), most: format.count(most) })}
      </span>
      <span
        className={styles['meter']}
        role="meter"
        aria-label={t('licenceOf')}
        aria-valuemin={0}
        aria-valuemax={Math.max(most, 1)}
        aria-valuenow={Math.min(active, Math.max(most, 1))}
        aria-valuetext={t('licence', { active: format.count(active), most: format.count(most) })}
        data-full={full || undefined}
      >
        <span style={{ inlineSize: `${most === 0 ? 100 : Math.min(100, (active / most) * 100)}%` }} />
      </span>
      {full && (
        <StateMark state="attention" small>
          {t('licenceFull')}
        </StateMark>
      )}
    </div>
  )
}
