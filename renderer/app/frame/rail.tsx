import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from '../../client/translate.ts'
import type { Page, RailMark } from '../../client/page.ts'
import { useSession } from '../../client/session.tsx'
import type { StationState } from '../../client/station.ts'
import { stationFacts, worstOf } from '../../client/station-facts.ts'
import { Icon } from '../../ui/icon/icon.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { StateShape } from '../../ui/state/state.tsx'
import { allPages } from '../pages.ts'
import { openPanel } from './panel.ts'
import { RailViews } from './rail-views.tsx'
import styles from './rail.module.css'

/** The areas, and the station always in sight. Only what is built has a place here. */
export function Rail({ station }: { readonly station: StationState | null }) {
  const { t } = useTranslation('frame')
  const { session } = useSession()
  const offered = allPages.filter(({ isOffered }) => isOffered?.(session) !== false)
  const areas = offered.filter(({ rail }) => rail?.group === 'areas')
  const integrity = offered.filter(({ rail }) => rail?.group === 'integrity')
  return (
    <div className={styles['rail']} data-region>
      <nav aria-label={t('areas')} className={styles['areas']}>
        <Link to="/today" className={styles['brand']}>
          <svg viewBox="0 0 22 22" aria-hidden="true" className={styles['mark']}>
            <path d="M3 20V9a8 8 0 0 1 16 0v11M8 20v-9.500M14 20v-9.500" />
          </svg>
          <span className={styles['words']}>Sallyport</span>
        </Link>
        {areas.map((page) => (
          <Fragment key={page.path}>
            <Area page={page} />
            {page.path === '/evidence' && <RailViews />}
          </Fragment>
        ))}
        {integrity.length > 0 && <h2 className={styles['group']}>{t('integrity')}</h2>}
        {integrity.map((page) => (
          <Area key={page.path} page={page} />
        ))}
      </nav>
      {station !== null && <StationPanel station={station} />}
    </div>
  )
}

function Area({ page: { path, name, rail } }: { readonly page: Page }) {
  const { language } = useTranslation('frame')
  const label = name?.[language] ?? ''
  return (
    <Link to={path} className={styles['area']} activeProps={{ 'aria-current': 'page' }} title={label}>
      {rail !== undefined && <Icon name={rail.icon} />}
      <span className={styles['words']}>{label}</span>
      {rail?.useMark !== undefined && <Mark useMark={rail.useMark} />}
    </Link>
  )
}

/** How many, and whether somebody has to do something about it. Where the rail is folded, the count of what waits for somebody is a mark. */
export function Mark({ useMark }: { readonly useMark: () => RailMark | null }) {
  const format = useFormat()
  const mark = useMark()
  if (mark === null) return null
  const { count, more = false, asks } = mark
  if (asks === undefined) return <span className={styles['count']}>{format.count(count)}</span>
  return (
    <span className={styles['asks']}>
      <StateShape state={asks.state} label={asks.label} />
      {asks.uncounted !== true && (
        <span className={styles['asksCount']} aria-hidden="true">
          {format.count(count)}
          {more && '+'}
        </span>
      )}
    </span>
  )
}

function StationPanel({ station }: { readonly station: StationState }) {
  const { t } = useTranslation('frame')
  const { session } = useSession()
  const keeps = session.User?.Administrator === true
  const { facts, worst, word } = useStanding(station)
  const lines = facts.map(({ text, waived }) => (waived === undefined ? text : `${text}, ${waived}`))
  return (
    <section aria-label={t('station')} className={styles['station']} title={lines.join('\n')}>
      <h2 className={styles['name']}>
        <StateShape state={worst} label={word} />
        <span className={styles['words']}>{station.Name}</span>
      </h2>
      <dl className={styles['facts']}>
        {facts.map(({ key, label, text, waived, state }) => (
          <div key={key} className={styles['fact']}>
            <dt>{label}</dt>
            <dd data-state={state === 'ok' ? undefined : state}>
              <FactLink fact={key} keeps={keeps}>
                {text}
              </FactLink>
            </dd>
            {waived !== undefined && <dd className={styles['waived']}>{waived}</dd>}
          </div>
        ))}
      </dl>
    </section>
  )
}

/** How the station stands: line by line, the most serious of them, and that one in a word. */
export function useStanding(station: StationState) {
  const { t } = useTranslation('frame')
  const format = useFormat()
  const { session } = useSession()
  const facts = stationFacts(station, session.User?.Administrator === true, t, format)
  const worst = worstOf(facts)
  const allButWaived = WORST[worst] === 'stationWell' && facts.some(({ waived }) => waived !== undefined)
  return { facts, worst, word: t(allButWaived ? 'stationWaived' : WORST[worst]) }
}

/** To where one does something about it; the page of the keeping is for administrators. */
function FactLink({
  fact,
  keeps,
  children,
}: {
  readonly fact: string
  readonly keeps: boolean
  readonly children: ReactNode
}) {
  if (fact === 'queue')
    return (
      <button type="button" className={styles['go']} onClick={() => openPanel('jobs')}>
        {children}
      </button>
    )
  if (!keeps) return children
  return (
    <Link to="/fixity" className={styles['go']}>
      {children}
    </Link>
  )
}

const WORST = {
  ok: 'stationWell',
  waiting: 'stationWell',
  working: 'stationWell',
  sealed: 'stationWell',
  attention: 'stationAttention',
  danger: 'stationDanger',
} as const
