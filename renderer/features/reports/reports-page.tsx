import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from '../../client/translate.ts'
import { useSession } from '../../client/session.tsx'
import { EmptyState } from '../../ui/empty/empty.tsx'
import { PageAlone, PageFrame } from '../../ui/layout/page-frame.tsx'
import { CalendarView } from './calendar-view.tsx'
import { ReportView } from './report-view.tsx'
import styles from './reports.module.css'
import { viewsOf } from './rights.ts'
import type { ReportsSearch, View } from './search.ts'

/** Figures of the station for those who answer for it: those that this person may ask for, one at a time. */
export function ReportsPage() {
  const { t } = useTranslation('reports')
  const { session } = useSession()
  const navigate = useNavigate({ from: '/reports' })
  const search = useSearch({ from: '/reports' })
  const views = viewsOf(session)
  const [first] = views
  if (first === undefined)
    return (
      <PageAlone>
        <EmptyState title={t('barredTitle')}>{t('barredBody')}</EmptyState>
      </PageAlone>
    )
  const view = search.report !== undefined && views.includes(search.report) ? search.report : first
  const change = (what: Partial<ReportsSearch>): void =>
    void navigate({ search: (now) => ({ ...now, ...what }), replace: true })
  return (
    <PageFrame title={t('title')} documentTitle={`${t('title')} · ${nameOf(view, t)}`}>
      <div className={styles['page']}>
        <nav className={styles['list']} aria-label={t('title')}>
          {views.map((one) => (
            <Link
              key={one}
              to="/reports"
              search={{ report: one }}
              className={styles['item']}
              aria-current={one === view ? 'page' : undefined}
            >
              {nameOf(one, t)}
            </Link>
          ))}
        </nav>
        <div className={styles['report']}>
          {view === 'calendar' ? (
            <CalendarView search={search} change={change} />
          ) : (
            <ReportView key={view} name={view} search={search} change={change} />
          )}
        </div>
      </div>
    </PageFrame>
  )
}

const nameOf = (view: View, t: ReturnType<typeof useTranslation<'reports'>>['t']): string =>
  view === 'calendar' ? t('calendarTitle') : t(`title_${view}`)
