import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay } from '../../client/rights.ts'
import { useSession } from '../../client/session.tsx'
import type { StationState } from '../../client/station.ts'
import { useSections } from '../../features/administration/rights.ts'
import { useIsAsked, useReviews } from '../../features/correlation/reviews.ts'
import { useFigures, useMayApprove } from '../../features/retention/figures.ts'
import { Icon } from '../../ui/icon/icon.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { StateShape, type State } from '../../ui/state/state.tsx'
import { openPanel } from './panel.ts'
import styles from './rail.module.css'

/** The areas, and the station always in sight. Only what is built has a place here. */
export function Rail({ station }: { readonly station: StationState | null }) {
  const { t } = useTranslation('frame')
  const format = useFormat()
  // The caller's own count; null where the station does not say.
  const count = station?.Evidence.Count ?? null
  return (
    <div className={styles['rail']} data-region>
      <nav aria-label={t('areas')} className={styles['areas']}>
        <Link to="/evidence" className={styles['brand']}>
          <svg viewBox="0 0 22 22" aria-hidden="true" className={styles['mark']}>
            <path d="M3 20V9a8 8 0 0 1 16 0v11M8 20v-9.500M14 20v-9.500" />
          </svg>
          <span className={styles['words']}>Sallyport</span>
        </Link>
        <Link to="/evidence" className={styles['area']} activeProps={{ 'aria-current': 'page' }} title={t('evidence')}>
          <Icon name="evidence" />
          <span className={styles['words']}>{t('evidence')}</span>
          {count !== null && <span className={styles['count']}>{format.count(count)}</span>}
        </Link>
        <Link to="/cases" className={styles['area']} activeProps={{ 'aria-current': 'page' }} title={t('cases')}>
          <Icon name="cases" />
          <span className={styles['words']}>{t('cases')}</span>
        </Link>
        <Link to="/dock" className={styles['area']} activeProps={{ 'aria-current': 'page' }} title={t('dock')}>
          <Icon name="dock" />
          <span className={styles['words']}>{t('dock')}</span>
        </Link>
        <Calls />
        <Link to="/search" className={styles['area']} activeProps={{ 'aria-current': 'page' }} title={t('searchGo')}>
          <Icon name="search" />
          <span className={styles['words']}>{t('searchGo')}</span>
        </Link>
        <ReviewArea />
        <Integrity alarms={station?.Alarms.Open ?? 0} />
      </nav>
      {station !== null && <StationPanel station={station} />}
    </div>
  )
}

/** Guests see what is shared with them, and no board. */
function Calls() {
  const { t } = useTranslation('frame')
  const { session } = useSession()
  if (session.User === null || session.User.Guest) return null
  return (
    <Link to="/calls" className={styles['area']} activeProps={{ 'aria-current': 'page' }} title={t('calls')}>
      <Icon name="calls" />
      <span className={styles['words']}>{t('calls')}</span>
    </Link>
  )
}

/** What is done with evidence in the long run; absent for whoever may do nothing of it. */
function Integrity({ alarms }: { readonly alarms: number }) {
  const { t } = useTranslation('frame')
  const { session } = useSession()
  const equips = useMay('ManageDevices')
  const disposes = useMayApprove()
  const administers = useSections().length > 0
  // It shows where copies of the station lie.
  const keeps = session.User?.Administrator === true
  if (!equips && !disposes && !administers && !keeps) return null
  return (
    <>
      <h2 className={styles['group']}>{t('integrity')}</h2>
      {equips && <DevicesArea />}
      {disposes && <DispositionArea />}
      {keeps && <FixityArea alarms={alarms} />}
      <Administration />
    </>
  )
}

/** What the station asks of people; counted as far as its first page goes. */
function ReviewArea() {
  const { t } = useTranslation('frame')
  const format = useFormat()
  const asked = useIsAsked()
  const { rows, more } = useReviews(asked)
  if (!asked) return null
  const waiting = rows?.length ?? 0
  return (
    <Link to="/review" className={styles['area']} activeProps={{ 'aria-current': 'page' }} title={t('review')}>
      <Icon name="help" />
      <span className={styles['words']}>{t('review')}</span>
      {waiting > 0 && (
        <span className={styles['asks']}>
          <StateShape state="attention" label={t('reviewWaits', { count: waiting })} />
          <span className={styles['asksCount']} aria-hidden="true">
            {format.count(waiting)}
            {more && '+'}
          </span>
        </span>
      )}
    </Link>
  )
}

function DevicesArea() {
  const { t } = useTranslation('frame')
  return (
    <Link to="/devices" className={styles['area']} activeProps={{ 'aria-current': 'page' }} title={t('devices')}>
      <Icon name="devices" />
      <span className={styles['words']}>{t('devices')}</span>
    </Link>
  )
}

/** What waits for an approval is counted; where the rail is folded the count is a mark. */
function DispositionArea() {
  const { t } = useTranslation('frame')
  const format = useFormat()
  const { data } = useFigures()
  const waiting = data?.Waiting ?? 0
  return (
    <Link
      to="/disposition"
      className={styles['area']}
      activeProps={{ 'aria-current': 'page' }}
      title={t('disposition')}
    >
      <Icon name="disposition" />
      <span className={styles['words']}>{t('disposition')}</span>
      {waiting > 0 && (
        <span className={styles['asks']}>
          <StateShape state="attention" label={t('dispositionWaits', { count: waiting })} />
          <span className={styles['asksCount']} aria-hidden="true">
            {format.count(waiting)}
          </span>
        </span>
      )}
    </Link>
  )
}

/** Absent for whoever may administer nothing. */
function Administration() {
  const { t } = useTranslation('frame')
  if (useSections().length === 0) return null
  return (
    <Link
      to="/administration"
      className={styles['area']}
      activeProps={{ 'aria-current': 'page' }}
      title={t('administration')}
    >
      <Icon name="admin" />
      <span className={styles['words']}>{t('administration')}</span>
    </Link>
  )
}

/** Alarms that nobody has acknowledged are counted. */
function FixityArea({ alarms }: { readonly alarms: number }) {
  const { t } = useTranslation('frame')
  return (
    <Link to="/fixity" className={styles['area']} activeProps={{ 'aria-current': 'page' }} title={t('fixity')}>
      <Icon name="fixity" />
      <span className={styles['words']}>{t('fixity')}</span>
      {alarms > 0 && (
        <span className={styles['asks']}>
          <StateShape state="danger" label={t('fixityAlarms', { count: alarms })} />
        </span>
      )}
    </Link>
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

type Words = ReturnType<typeof useTranslation<'frame'>>['t']

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
