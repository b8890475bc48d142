import { dayAfter, dayIn } from '../../../shared/kernel/days.ts'
import { useState } from 'react'
import { useTranslation } from '../../client/translate.ts'
import { AGES, MOST_DAYS, type ReportName, REPORTS } from '../../../shared/reports/reports.ts'
import { Button } from '../../ui/button/button.tsx'
import { DateTimeField } from '../../ui/date-time/date-time.tsx'
import { NumberField } from '../../ui/field/number-field.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { Segments } from '../../ui/segments/segments.tsx'
import { dayText } from './labels.ts'
import type { Report } from './queries.ts'
import type { ViewProps } from './search.ts'
import styles from './reports.module.css'

interface ControlsProps extends ViewProps {
  readonly name: ReportName
  readonly report: Report | undefined
}

/** For which time, how many days, or which age. */
export function Controls(props: ControlsProps) {
  const { takes } = REPORTS[props.name]
  if (takes === 'period' || takes === 'ahead') return <Period {...props} ahead={takes === 'ahead'} />
  if (takes === 'days') return <Days {...props} />
  return takes === 'age' ? <Ages {...props} /> : null
}

const BEHIND = [
  ['7', 'last7'],
  ['30', 'last30'],
  ['90', 'last90'],
  ['365', 'lastYear'],
] as const
const AHEAD = [
  ['30', 'next30'],
  ['90', 'next90'],
  ['365', 'nextYear'],
] as const

/** The day on the wall of the station. */
const useToday = (): string => {
  const { zone } = useFormat()
  return dayIn(zone, Date.now())
}

function Period({ ahead, search, change, report }: ControlsProps & { readonly ahead: boolean }) {
  const { t } = useTranslation('reports')
  const format = useFormat()
  const today = useToday()
  const presets = ahead ? AHEAD : BEHIND
  const spanOf = (days: string) =>
    ahead
      ? { from: today, until: dayAfter(today, Number(days)) }
      : { from: dayAfter(today, 1 - Number(days)), until: today }
  const [from, until] = [search.from ?? report?.From ?? null, search.until ?? report?.Until ?? null]
  const chosen =
    from === null && until === null
      ? ahead
        ? '90'
        : '30'
      : presets.find(([days]) => spanOf(days).from === from && spanOf(days).until === until)?.[0]
  const [own, setOwn] = useState(false)
  const value = own || (chosen === undefined && report !== undefined) ? 'own' : (chosen ?? (ahead ? '90' : '30'))
  return (
    <div className={styles['controls']}>
      <Segments<string>
        label={t('time')}
        value={value}
        onChange={(id) => {
          setOwn(id === 'own')
          if (id !== 'own') change(spanOf(id))
        }}
        segments={[
          ...presets.map(([id, word]) => ({ id: id as string, label: t(word) })),
          { id: 'own', label: t('ownDays') },
        ]}
      />
      {value === 'own' ? (
        <OwnDays from={from ?? today} until={until ?? today} change={change} />
      ) : (
        from !== null &&
        until !== null && (
          <span className={styles['second']}>
            {t('period', { from: dayText(from, format), until: dayText(until, format) })}
          </span>
        )
      )}
    </div>
  )
}

interface OwnProps extends Pick<ViewProps, 'change'> {
  readonly from: string
  readonly until: string
}

function OwnDays({ from, until, change }: OwnProps) {
  const { t } = useTranslation('reports')
  const { zone } = useFormat()
  const [first, setFirst] = useState<string | null>(`${from}T12:00:00Z`)
  const [last, setLast] = useState<string | null>(`${until}T12:00:00Z`)
  const dayOf = (at: string): string => dayIn(zone, at)
  const days =
    first === null || last === null ? 0 : (Date.parse(dayOf(last)) - Date.parse(dayOf(first))) / 86_400_000 + 1
  const wrong = days < 1 || days > MOST_DAYS
  return (
    <form
      className={styles['own']}
      onSubmit={(event) => {
        event.preventDefault()
        if (first !== null && last !== null && !wrong) change({ from: dayOf(first), until: dayOf(last) })
      }}
    >
      <DateTimeField label={t('fromDay')} zone={zone} precision="day" value={first} onChange={setFirst} />
      <DateTimeField
        label={t('untilDay')}
        zone={zone}
        precision="day"
        value={last}
        onChange={setLast}
        error={wrong ? t('daysWrong') : undefined}
      />
      <Button type="submit">{t('show')}</Button>
    </form>
  )
}

const DAYS = ['1', '7', '30', '90'] as const

function Days({ search, change }: ControlsProps) {
  const { t } = useTranslation('reports')
  const days = search.days ?? 7
  return (
    <div className={styles['controls']}>
      <span className={styles['label']}>{t('notDockedFor')}</span>
      <Segments<string>
        label={t('notDockedFor')}
        value={String(days)}
        onChange={(id) => change({ days: Number(id) })}
        segments={DAYS.map((id) => ({ id: id as string, label: t('days', { count: Number(id), shown: id }) }))}
      />
      <div className={styles['number']}>
        <NumberField
          label={t('ownDaysCount')}
          hideLabel
          value={days}
          min={1}
          max={MOST_DAYS}
          onChange={(value) => {
            if (Number.isInteger(value) && value >= 1 && value <= MOST_DAYS) change({ days: value })
          }}
        />
      </div>
    </div>
  )
}

function Ages({ search, change }: ControlsProps) {
  const { t } = useTranslation('reports')
  return (
    <div className={styles['controls']}>
      <Segments<string>
        label={t('column_age')}
        value={search.age ?? 'all'}
        onChange={(id) => change({ age: AGES.find((age) => age === id) })}
        segments={[
          { id: 'all', label: t('allAges') },
          ...AGES.map((age) => ({ id: age as string, label: t(`age_${age}`) })),
        ]}
      />
    </div>
  )
}
