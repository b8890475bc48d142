import { useTranslation } from '../../client/translate.ts'
import { useFormat } from '../../ui/format/use-format.tsx'
import { Problem } from '../../ui/problem/problem.tsx'
import { Skeleton } from '../../ui/skeleton/skeleton.tsx'
import { type Tally, useWeeks, type Week } from './queries.ts'
import type { CallsSearch } from './search.ts'
import styles from './weeks.module.css'
import { FootageMark } from './mark.tsx'
import { shareOf, STATES, stateWords } from './labels.ts'

/** Bars of twelve weeks; what they say stands in words below. */
export function WeekBars({ weeks, tall = false }: { readonly weeks: readonly Week[]; readonly tall?: boolean }) {
  const { t } = useTranslation('calls')
  const format = useFormat()
  const [first, last] = [weeks[0], weeks.at(-1)]
  if (first === undefined || last === undefined) return null
  const share = shareOf(last.Tally)
  const so = share === null ? t('noTime') : format.percent(share)
  return (
    <>
      <div className={tall ? styles['tall'] : styles['bars']} aria-hidden="true">
        {weeks.map((week) => {
          const own = shareOf(week.Tally)
          return (
            <span key={week.FromUtc} title={`${week.Week}: ${own === null ? t('noTime') : format.percent(own)}`}>
              <i style={{ blockSize: `${(own ?? 0) * 100}%` }} data-none={own === null ? '' : undefined} />
            </span>
          )
        })}
      </div>
      <p className={styles['ends']}>
        <span>{t('weekShort', { week: first.Week })}</span>
        <span>
          {t(Date.parse(last.ToUtc) > Date.now() ? 'weekNow' : 'weekLast', {
            week: t('weekShort', { week: last.Week }),
            share: so,
          })}
        </span>
      </p>
    </>
  )
}

/** At the foot of the panel. */
export function Trend({ search, date }: { readonly search: CallsSearch; readonly date: string | null }) {
  const { t } = useTranslation('calls')
  const { data } = useWeeks(search, date)
  if (data === undefined) return null
  return (
    <section className={styles['trend']} aria-labelledby="calls-trend">
      <h2 id="calls-trend" className={styles['title']}>
        {t('weeksTitle')} <small>{t('weeksUnit')}</small>
      </h2>
      <WeekBars weeks={data.Items} />
    </section>
  )
}

/** By week: the bars, and each week with all its figures. */
export function Weeks({ search, date }: { readonly search: CallsSearch; readonly date: string | null }) {
  const { t } = useTranslation('calls')
  const format = useFormat()
  const { data, error, refetch } = useWeeks(search, date)
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton lines={8} />
  const figure = (week: Week, state: keyof Tally): string => format.count(week.Tally[state])
  return (
    <div className={styles['weeks']}>
      <p className={styles['lead']}>{t('weeksLead')}</p>
      <WeekBars weeks={data.Items} tall />
      <table className={styles['table']}>
        <caption className="unseen">{t('weeksTitle')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('week')}</th>
            <th scope="col">{t('weekFrom')}</th>
            <th scope="col">{t('callsCount')}</th>
            <th scope="col">{t('covered')}</th>
            {STATES.map((state) => (
              <th key={state} scope="col">
                <FootageMark state={state}>{stateWords(state, t)}</FootageMark>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.Items.toReversed().map((week) => {
            const share = shareOf(week.Tally)
            return (
              <tr key={week.FromUtc}>
                <th scope="row">{week.Week}</th>
                <td>{format.day(week.FromUtc)}</td>
                <td>{format.count(week.Calls)}</td>
                <td>{share === null ? t('noTime') : format.percent(share)}</td>
                {STATES.map((state) => (
                  <td key={state}>{figure(week, state)}</td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
