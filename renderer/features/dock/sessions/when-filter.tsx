import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/button/button.tsx'
import { DateTimeField } from '../../../ui/date-time/date-time.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { cx } from '../../../ui/given.ts'
import styles from './sessions.module.css'

interface Props {
  readonly from: string
  readonly to: string
  readonly onChange: (range: { from: string; to: string }) => void
}

/** Both ends in the station's zone; either may stay open. Fetched when it is opened. */
export default function WhenFilter({ from, to, onChange }: Props) {
  const { t } = useTranslation('dockSessions')
  const { zone } = useFormat()
  const [start, setStart] = useState<string | null>(from === '' ? null : from)
  const [end, setEnd] = useState<string | null>(to === '' ? null : to)
  return (
    <form
      className={cx(styles['pick'], styles['when'])}
      onSubmit={(event) => {
        event.preventDefault()
        onChange({ from: start ?? '', to: end ?? '' })
      }}
    >
      <DateTimeField label={t('from')} zone={zone} value={start} onChange={setStart} />
      <DateTimeField label={t('to')} zone={zone} value={end} onChange={setEnd} />
      <Button kind="main" type="submit">
        {t('show')}
      </Button>
    </form>
  )
}
