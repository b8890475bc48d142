import { dayAfter } from '../../../shared/kernel/days.ts'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '../../client/translate.ts'
import { weekOf } from '../../../shared/reports/reports.ts'
import { Button, IconButton } from '../../ui/button/button.tsx'
import { cx } from '../../ui/given.ts'
import { useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Icon } from '../../ui/icon/icon.tsx'
import { Note } from '../../ui/note/note.tsx'
import { Problem } from '../../ui/problem/problem.tsx'
import { Skeleton } from '../../ui/skeleton/skeleton.tsx'
import { dayText } from './labels.ts'
import { type Calendar, type Day, useCalendar } from './queries.ts'
import type { ViewProps } from './search.ts'
import styles from './reports.module.css'

/** A month of what becomes due, by the rule that makes it go; a day opens below with all of it. */
export function CalendarView({ search, change }: ViewProps) {
  const { t } = useTranslation('reports')
  const format = useFormat()
  const { data, error, refetch } = useCalendar(search.month)
  const open = data?.Days.find(({ Day: day }) => day === search.day)
  const go = (months: number): void => {
    if (data !== undefined) change({ month: monthAfter(data.Month, months), day: undefined })
  }
  return (
    <section className={styles['view']} aria-labelledby="report-title">
      <header className={styles['top']}>
        <div className={styles['about']}>
          <h2 id="report-title" className={styles['title']}>
            {t('calendarTitle')}
          </h2>
          <p className={styles['second']}>{t('about_retention')}</p>
        </div>
      </header>
      <div className={styles['controls']}>
        <IconButton icon="chevron-left" label={t('previous')} onPress={() => go(-1)} />
        <strong className={styles['month']} aria-live="polite">
          {data === undefined ? '' : monthText(data.Month, format.locale)}
        </strong>
        <IconButton icon="chevron-right" label={t('next')} onPress={() => go(1)} />
        <Button size="small" onPress={() => change({ month: undefined, day: undefined })}>
          {t('thisMonth')}
        </Button>
      </div>
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton lines={10} />}
      {data !== undefined && (
        <div className={styles['scroll']}>
          {data.Overdue.Evidence > 0 && <Overdue overdue={data.Overdue} />}
          {data.More && <Note state="attention" title={t('limit', { most: format.count(data.Most) })} />}
          {data.Days.every(({ Evidence }) => Evidence === 0) && <p className={styles['second']}>{t('calendarNone')}</p>}
          <Month calendar={data} open={search.day} onOpen={(day) => change({ day, month: data.Month })} />
          {open !== undefined && open.Evidence > 0 && <DayDetails day={open} />}
        </div>
      )}
    </section>
  )
}

const monthAfter = (month: string, months: number): string => {
  const [year = 1970, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7)
}

const monthText = (month: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01T12:00:00Z`),
  )

function Overdue({ overdue }: { readonly overdue: Calendar['Overdue'] }) {
  const { t } = useTranslation('reports')
  const format = useFormat()
  const { Evidence: count, Held: held } = overdue
  return (
    <Note
      title={t('calendarQueued', { count, shown: format.count(count) })}
      action={
        <Link to="/disposition" className={styles['link']}>
          {t('toDisposition')}
        </Link>
      }
    >
      {held > 0 && t('calendarHeld', { shown: format.count(held) })}
    </Note>
  )
}

interface MonthProps {
  readonly calendar: Calendar
  readonly open: string | undefined
  readonly onOpen: (day: string) => void
}

/** Rules that stand in a day of the month; all of them stand below it. */
const SHOWN = 2

function Month({ calendar, open, onOpen }: MonthProps) {
  const { t } = useTranslation('reports')
  const format = useFormat()
  const byDay = new Map(calendar.Days.map((day) => [day.Day, day]))
  const weeks: string[] = []
  for (let week = weekOf(`${calendar.Month}-01`); week <= (calendar.Days.at(-1)?.Day ?? ''); week = dayAfter(week, 7))
    weeks.push(week)
  const weekdays = Array.from({ length: 7 }, (_, at) => dayAfter(weeks[0] ?? '2026-11-02', at))
  const weekday = (day: string, style: 'short' | 'long'): string =>
    new Intl.DateTimeFormat(format.locale, { weekday: style, timeZone: 'UTC' }).format(new Date(`${day}T12:00:00Z`))
  return (
    <table className={styles['calendar']} aria-label={monthText(calendar.Month, format.locale)}>
      <thead>
        <tr>
          {weekdays.map((day) => (
            <th key={day} scope="col" abbr={weekday(day, 'long')}>
              {weekday(day, 'short')}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week}>
            {weekdays.map((_, at) => {
              const day = byDay.get(dayAfter(week, at))
              return day === undefined ? (
                <td key={at} className={styles['outside']} />
              ) : (
                <td key={at} className={cx(styles['day'], day.Day === open && styles['open'])}>
                  <span className={styles['date']}>{Number(day.Day.slice(8))}</span>
                  {day.Evidence > 0 && (
                    <button
                      type="button"
                      className={styles['due']}
                      aria-expanded={day.Day === open}
                      onClick={() => onOpen(day.Day)}
                    >
                      <span className="unseen">{dayText(day.Day, format)}</span>
                      <b>{t('calendarDay', { count: day.Evidence, shown: format.count(day.Evidence) })}</b>
                      <small>{format.bytes(day.Bytes)}</small>
                      {day.Held > 0 && (
                        <small className={styles['held']}>
                          <Icon name="sealed" size="small" /> {t('calendarHeld', { shown: format.count(day.Held) })}
                        </small>
                      )}
                      {day.Categories.slice(0, SHOWN).map((one) => (
                        <small key={`${one.Kind}${one.Id}`} className={styles['rule']}>
                          <bdi>{ruleText(one, t)}</bdi> {format.count(one.Evidence)}
                        </small>
                      ))}
                      {day.Categories.length > SHOWN && <small>+{day.Categories.length - SHOWN}</small>}
                    </button>
                  )}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type T = ReturnType<typeof useTranslation<'reports'>>['t']

const ruleText = ({ Kind, Name }: Day['Categories'][number], t: T): string =>
  Kind === 'Deleted' ? t('ruleDeleted') : Kind === 'Source' ? t('ruleSource', { name: visible(Name) }) : visible(Name)

function DayDetails({ day }: { readonly day: Day }) {
  const { t } = useTranslation('reports')
  const format = useFormat()
  return (
    <section className={styles['details']} aria-label={dayText(day.Day, format)}>
      <h3 className={styles['title']}>{dayText(day.Day, format)}</h3>
      <table className={styles['rules']}>
        <thead>
          <tr>
            <th scope="col">{t('rule')}</th>
            <th scope="col" data-end>
              {t('column_evidence')}
            </th>
            <th scope="col" data-end>
              {t('column_files')}
            </th>
            <th scope="col" data-end>
              {t('column_bytes')}
            </th>
            <th scope="col" data-end>
              {t('column_held')}
            </th>
          </tr>
        </thead>
        <tbody>
          {day.Categories.map((one) => (
            <tr key={`${one.Kind}${one.Id}`}>
              <th scope="row">
                <bdi>{ruleText(one, t)}</bdi>
              </th>
              <td data-end>{format.count(one.Evidence)}</td>
              <td data-end>{format.count(one.Files)}</td>
              <td data-end>{format.bytes(one.Bytes)}</td>
              <td data-end>{format.count(one.Held)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
