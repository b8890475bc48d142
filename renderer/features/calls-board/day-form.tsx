import { dayIn } from '../../../shared/kernel/days.ts'
import { useState } from 'react'
import { useTranslation } from '../../client/translate.ts'
import { Button } from '../../ui/button/button.tsx'
import { DateTimeField } from '../../ui/date-time/date-time.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import styles from './calls.module.css'

interface Props {
  /** An instant of that day. */
  readonly value: string
  /** @param date on the wall of the station */
  readonly onChange: (date: string) => void
}

/** A day of the station's calendar. Fetched when it is opened. */
export default function DayForm({ value, onChange }: Props) {
  const { t } = useTranslation('calls')
  const { zone } = useFormat()
  const [day, setDay] = useState<string | null>(value)
  return (
    <form
      className={styles['pick']}
      onSubmit={(event) => {
        event.preventDefault()
        // The one language that writes dates as addresses do.
        if (day !== null) onChange(dayIn(zone, day))
      }}
    >
      <DateTimeField label={t('day')} zone={zone} precision="day" value={day} onChange={setDay} />
      <Button kind="main" type="submit">
        {t('dayShow')}
      </Button>
    </form>
  )
}
