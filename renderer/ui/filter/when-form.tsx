import { useState } from 'react'
import { useTranslation } from '../../client/translate.ts'
import { Button } from '../button/button.tsx'
import { DateTimeField } from '../date-time/date-time.tsx'
import { useFormat } from '../format/use-format.tsx'
import styles from './filter.module.css'

/** Instants as the address has them; empty: open on that side. */
export interface Range {
  readonly from: string
  readonly to: string
}

interface Props extends Range {
  readonly onChange: (range: Range) => void
}

/** Both ends in the station's zone; either may stay open. Fetched when it is opened. */
export default function WhenForm({ from, to, onChange }: Props) {
  const { t } = useTranslation('ui')
  const { zone } = useFormat()
  const [start, setStart] = useState<string | null>(from === '' ? null : from)
  const [end, setEnd] = useState<string | null>(to === '' ? null : to)
  return (
    <form
      className={styles['when']}
      onSubmit={(event) => {
        event.preventDefault()
        const [first, last] = [start ?? '', end ?? '']
        // Whoever gives the ends the wrong way round means the time between them.
        const turned = first !== '' && last !== '' && Date.parse(first) > Date.parse(last)
        onChange(turned ? { from: last, to: first } : { from: first, to: last })
      }}
    >
      <DateTimeField label={t('from')} zone={zone} value={start} onChange={setStart} />
      <DateTimeField label={t('to')} zone={zone} value={end} onChange={setEnd} />
      <Button kind="main" type="submit">
        {t('filterShow')}
      </Button>
    </form>
  )
}
