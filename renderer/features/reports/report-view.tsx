import { Link } from '@tanstack/react-router'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { retryJob } from '../../client/jobs.ts'
import { useSession } from '../../client/session.tsx'
import { useTranslation } from '../../client/translate.ts'
import { AGES, type ReportName } from '../../../shared/reports/reports.ts'
import { Button, LinkButton } from '../../ui/button/button.tsx'
import { EmptyState } from '../../ui/empty/empty.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { Note } from '../../ui/note/note.tsx'
import { Problem } from '../../ui/problem/problem.tsx'
import { Skeleton } from '../../ui/skeleton/skeleton.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/table.tsx'
import { toasts } from '../../ui/toast/toast.tsx'
import { Controls } from './controls.tsx'
import { dayText, cellText, isAmount, type Say, textIn } from './labels.ts'
import { type Report, useExports, useReport } from './queries.ts'
import styles from './reports.module.css'
import type { ViewProps } from './search.ts'
import { WeekBars } from './week-bars.tsx'

/** One report: what it is about, its time, its figures, and the table behind them. */
export function ReportView({ name, search, change }: ViewProps & { readonly name: ReportName }) {
  const { t, language } = useTranslation('reports')
  const { data: report, error, refetch } = useReport(name, search)
  const exported = useExports(name, search, language)
  return (
    <section className={styles['view']} aria-labelledby="report-title">
      <header className={styles['top']}>
        <div className={styles['about']}>
          <h2 id="report-title" className={styles['title']}>
            {t(`title_${name}`)}
          </h2>
          <p className={styles['second']}>{t(`about_${name}`)}</p>
        </div>
        <div className={styles['acts']}>
          {(['csv', 'pdf'] as const).map((format) => (
            <LinkButton key={format} icon="download" size="small" download href={exported(format)}>
              {t(format)}
            </LinkButton>
          ))}
        </div>
      </header>
      <Controls name={name} search={search} change={change} report={report} />
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {report === undefined && error === null && <Skeleton lines={10} />}
      {report !== undefined && <Body report={report} />}
    </section>
  )
}

function useSay(): Say {
  const { t } = useTranslation('reports')
  const { t: page } = useTranslation('evidencePage')
  const format = useFormat()
  return useMemo(
    () => ({ t: (key, values) => t(key as 'title', values ?? {}), page: (key) => page(key as 'custody'), format }),
    [t, page, format],
  )
}

function Body({ report }: { readonly report: Report }) {
  const { t } = useTranslation('reports')
  const say = useSay()
  const columns = useColumns(report, say)
  const { format } = say
  return (
    <>
      {report.Figures.length > 0 && <Figures report={report} say={say} />}
      {report.Notes.map((note) => (
        <Note key={note} title={t(`note_${note}` as 'note_tooFewDays')} />
      ))}
      {report.More && <Note state="attention" title={t('limit', { most: format.count(report.Most) })} />}
      {report.Report === 'storage' && <WeekBars rows={report.Rows} />}
      <div className={styles['table']}>
        <DataTable
          label={t(`title_${report.Report}`)}
          columns={columns}
          total={report.Rows.length}
          rowAt={(index) => report.Rows[index]}
          onWindow={() => {}}
          busy={false}
          keyOf={(row) => String(report.Rows.indexOf(row))}
          empty={<EmptyState title={t('emptyTitle')}>{t(`empty_${report.Report}`)}</EmptyState>}
        />
      </div>
    </>
  )
}

/** The date when the disk is full is one figure with its range; the others stand by themselves. */
function Figures({ report, say }: { readonly report: Report; readonly say: Say }) {
  const { t, format } = say
  const value = (key: string) => report.Figures.find((one) => one.Key === key)?.Value ?? null
  const shown = report.Figures.filter(({ Key }) => !/^(full|perDay)(Least|Most|Soonest|Latest)$/.test(Key))
  const range = (key: string): string | null => {
    const [from, until] = key === 'full' ? ['fullSoonest', 'fullLatest'] : ['perDayLeast', 'perDayMost']
    if (key !== 'full' && key !== 'perDay') return null
    const text = (end: string): string => {
      const found = value(end)
      if (found === null) return t('notWithinTenYears')
      return key === 'full' ? dayText(String(found), format) : format.bytes(Number(found))
    }
    return t('forecastRange', { from: text(from as string), until: text(until as string) })
  }
  return (
    <dl className={styles['figures']}>
      {shown.map(({ Key, Kind, Value }) => {
        const second = range(Key)
        return (
          <div key={Key} className={styles['figure']}>
            <dt>{t(`figure_${Key}`)}</dt>
            <dd>
              <span className={styles['value']}>
                {Value === null && Key === 'full' ? t('notWithinTenYears') : cellText(Kind, Value, null, say)}
              </span>
              {second !== null && <span className={styles['second']}>{second}</span>}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

type Row = Report['Rows'][number]

function useColumns(report: Report, say: Say): readonly Column<Row>[] {
  const { t } = useTranslation('reports')
  const { tenant } = useSession()
  const queries = useQueryClient()
  return useMemo(() => {
    const columns = report.Columns.map(({ Key, Kind }, at): Column<Row> => {
      const text = (row: Row): string => textIn(report, row, Key, Kind, say)
      return {
        id: Key,
        label: t(`column_${Key}` as 'column_officer'),
        // The first one takes what is left, so that amounts stand beside each other at the end.
        ...(at === 0 || WIDTHS[Kind] === undefined ? { least: at === 0 ? 12 : 9 } : { width: WIDTHS[Kind] }),
        align: isAmount(Kind) ? 'end' : 'start',
        // Amounts are what a report is for: where there is no room, names beside the first give way before them.
        priority: at === 0 ? 1 : (isAmount(Kind) ? 2 : 20) + at,
        text,
        cell: (row) => <Cell kind={Kind} value={row[Key]} text={text(row)} report={report} />,
      }
    })
    if (report.Report !== 'jobs') return columns
    const retry = (row: Row): void =>
      void retryJob(tenant, String(row['id'])).then(() => {
        toasts.show({ text: t('retried') })
        void queries.invalidateQueries({ queryKey: ['reports'] })
      }, toasts.problem)
    return [
      ...columns,
      {
        id: 'retry',
        label: t('retry'),
        width: 9,
        text: () => t('retry'),
        cell: (row: Row) => (
          <Button size="small" icon="retry" onPress={() => retry(row)}>
            {t('retry')}
          </Button>
        ),
      },
    ]
  }, [report, say, t, tenant, queries])
}

/** In rem. */
const WIDTHS: Readonly<Partial<Record<Report['Columns'][number]['Kind'], number>>> = {
  count: 8,
  bytes: 7.5,
  hours: 9,
  time: 12,
  day: 9,
}

interface CellProps {
  readonly kind: Report['Columns'][number]['Kind']
  readonly value: Row[string] | undefined
  readonly text: string
  readonly report: Report
}

/** What it is about is one press away. */
function Cell({ kind, value, text, report }: CellProps): ReactNode {
  const words = <bdi>{text}</bdi>
  if (typeof value !== 'string') return words
  if (kind === 'evidence')
    return (
      <Link to="/evidence/$evidenceId" params={{ evidenceId: value }} className={styles['link']}>
        {words}
      </Link>
    )
  if (kind === 'device')
    return (
      <Link to="/devices/$deviceId" params={{ deviceId: value }} className={styles['link']}>
        {words}
      </Link>
    )
  if (kind === 'age' && report.Age === null)
    return (
      <Link
        to="/reports"
        search={{ report: 'uncategorized', age: AGES.find((age) => age === value) }}
        className={styles['link']}
      >
        {text}
      </Link>
    )
  return words
}
