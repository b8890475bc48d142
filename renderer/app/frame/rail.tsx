import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Translate, useTranslation } from '../../client/translate.ts'
import type { Page, RailMark } from '../../client/page.ts'
import { useSession } from '../../client/session.tsx'
import type { StationState } from '../../client/station.ts'
import { Icon } from '../../ui/icon/icon.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { StateShape, type State } from '../../ui/state/state.tsx'
import { allPages } from '../pages.ts'
import { openPanel } from './panel.ts'
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
        <Link to="/evidence" className={styles['brand']}>
          <svg viewBox="0 0 22 22" aria-hidden="true" className={styles['mark']}>
            <path d="M3 20V9a8 8 0 0 1 16 0v11M8 20v-9.500M14 20v-9.500" />
          </svg>
          <span className={styles['words']}>Sallyport</span>
        </Link>
        {areas.map((page) => (
          <Area key={page.path} page={page} />
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

/** Where the rail is folded, the count of what waits for somebody is a mark. */
function Mark({ useMark }: { readonly useMark: () => RailMark | null }) {
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
  const format = useFormat()
  const { session } = useSession()
  const keeps = session.User?.Administrator === true
  const facts = factsOf(station, workIn(station), keeps, t, format)
  const worst = facts.reduce<State>((state, fact) => (rank(fact.state) > rank(state) ? fact.state : state), 'ok')
  const allButWaived = WORST[worst] === 'stationWell' && facts.some(({ waived }) => waived !== undefined)
  const lines = facts.map(({ text, waived }) => (waived === undefined ? text : `${text}, ${waived}`))
  return (
    <section aria-label={t('station')} className={styles['station']} title={lines.join('\n')}>
      <h2 className={styles['name']}>
        <StateShape state={worst} label={t(allButWaived ? 'stationWaived' : WORST[worst])} />
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

interface Work {
  readonly going: number
  readonly failed: number
}

/** The station counts what this person can view, and failures that they could do something about; null: too many to be judged. */
const workIn = ({ Queue: { Running, Queued, Waiting, Failed } }: StationState): Work | null =>
  Running === null || Queued === null || Waiting === null || Failed === null
    ? null
    : { going: Running + Queued + Waiting, failed: Failed }

const WORST = {
  ok: 'stationWell',
  waiting: 'stationWell',
  working: 'stationWell',
  sealed: 'stationWell',
  attention: 'stationAttention',
  danger: 'stationDanger',
} as const

const ORDER: readonly State[] = ['ok', 'waiting', 'working', 'sealed', 'attention', 'danger']
const rank = (state: State): number => ORDER.indexOf(state)

interface Fact {
  readonly key: string
  readonly label: string
  readonly text: string
  readonly state: State
  /** An administrator let it stand: until when. It does not count towards the mark for so long. */
  readonly waived?: string
}

type Words = Translate<'frame'>

/** @param keeps whether the person could set up what is missing; to others it is not said, for they can do nothing about it */
function factsOf(
  station: StationState,
  work: Work | null,
  keeps: boolean,
  t: Words,
  format: ReturnType<typeof useFormat>,
): Fact[] {
  const { Disk, Clock, Copies, LastVerification: last } = station
  const warning = (name: StationState['Waived'][number]['Warning']): Pick<Fact, 'state' | 'waived'> => {
    const waiver = station.Waived.find(({ Warning }) => Warning === name)
    return waiver === undefined
      ? { state: 'attention' }
      : { state: 'ok', waived: t('waivedUntil', { day: format.day(waiver.UntilUtc, false) }) }
  }
  const low = Disk.FreeBytes < Disk.FloorBytes * 1.2
  return [
    {
      key: 'disk',
      label: t('disk'),
      text: t('diskFree', { size: format.bytes(Disk.FreeBytes) }),
      state: station.Mode !== 'ready' ? 'danger' : low ? 'attention' : 'ok',
    },
    ...(work === null
      ? []
      : [
          {
            key: 'queue',
            label: t('queue'),
            text:
              work.failed > 0
                ? t('queueFailed', { count: work.failed })
                : work.going === 0
                  ? t('queueIdle')
                  : t('queueWork', { count: work.going }),
            state: work.failed > 0 ? ('attention' as const) : ('ok' as const),
          },
        ]),
    {
      key: 'clock',
      label: t('clock'),
      text:
        Clock.Source === 'ntp'
          ? Clock.ErrorMilliseconds === null
            ? t('clockNtpPlain')
            : t('clockNtp', { error: Clock.ErrorMilliseconds })
          : Clock.Source === 'free'
            ? t('clockFree')
            : t('clockUnknown'),
      ...(Clock.Source === 'ntp' ? { state: 'ok' as const } : warning('clock')),
    },
    {
      key: 'verified',
      label: t('verified'),
      text:
        last === null
          ? t('verifiedNever')
          : last.Result === 'intact'
            ? t('verifiedGood', { when: format.timeOrDay(last.TimeUtc) })
            : t('verifiedBad', { when: format.timeOrDay(last.TimeUtc), count: last.Problems }),
      state: last?.Result === 'broken' ? 'danger' : 'ok',
    },
    ...(keeps && Copies.Backups === 0
      ? [{ key: 'backup', label: t('backup'), text: t('backupNone'), ...warning('backup') }]
      : []),
    ...(keeps && Copies.Checkpoints === 0
      ? [{ key: 'checkpoints', label: t('checkpoints'), text: t('checkpointsNone'), ...warning('checkpoints') }]
      : []),
    ...(station.Alarms.Open === 0
      ? []
      : [
          {
            key: 'alarms',
            label: t('alarms'),
            text: t('alarmsOpen', { count: station.Alarms.Open }),
            state: 'danger' as const,
          },
        ]),
  ]
}
