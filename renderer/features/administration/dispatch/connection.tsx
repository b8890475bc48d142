import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from '../../../client/translate.ts'
import { Button } from '../../../ui/button/button.tsx'
import { EmptyState } from '../../../ui/empty/empty.tsx'
import { type Format, useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx'
import { StateMark } from '../../../ui/state/state.tsx'
import { Problem } from '../problem.tsx'
import { useRights } from '../rights.ts'
import { NEW, usePlace } from '../search-state.ts'
import { Addresses } from './addresses.tsx'
import styles from './cad.module.css'
import { type Overview, type Service, useOverview } from './queries.ts'
import { KeysPanel } from './keys-panel.tsx'
import { Standing } from '../cad/service-state.tsx'
import type { CadWords } from '../cad/labels.ts'

/** The connection at a glance: whether it goes, who is connected, and what its vendor has to be told. */
export function Connection() {
  const { search, change } = usePlace()
  const people = useRights()('people')
  const { data, error, refetch } = useOverview()
  if (data === undefined)
    return (
      <div className={styles['scroll']}>
        {error === null ? <Skeleton lines={8} /> : <Problem error={error} onRetry={() => void refetch()} />}
      </div>
    )
  const open = data.services.find(({ principalId }) => principalId === search.open)
  return (
    <div className={styles['beside']}>
      <div className={styles['scroll']}>
        {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
        <Health overview={data} />
        <Services services={data.services} onOpen={people ? (id) => change({ open: id }) : null} />
        <Addresses origins={data.origins} />
      </div>
      {open !== undefined && people && (
        <KeysPanel key={open.principalId} service={open} onClose={() => change({ open: undefined })} />
      )}
    </div>
  )
}

const DAY = ['applied', 'repeated', 'older', 'review', 'unreadable'] as const

function Health({ overview }: { readonly overview: Overview }) {
  const { t } = useTranslation('cad')
  const format = useFormat()
  const { change } = usePlace()
  const { lastDay, waiting, lastReceivedUtc } = overview
  const left = waiting.unreadable + waiting.review
  const came = DAY.some((state) => lastDay[state] > 0)
  return (
    <section className={styles['part']} aria-labelledby="cad-health">
      <h2 id="cad-health" className={styles['partTitle']}>
        {t('health')}
      </h2>
      <div className={styles['line']}>
        {left > 0 ? (
          <>
            <StateMark state="attention">{t('stateWaiting', { count: left, shown: format.count(left) })}</StateMark>
            <Button
              size="small"
              onPress={() =>
                change({ view: 'messages', kind: waiting.unreadable > 0 ? 'unreadable' : 'review', open: undefined })
              }
            >
              {t('showThem')}
            </Button>
          </>
        ) : (
          <StateMark state={came ? 'ok' : 'waiting'}>
            {t(lastReceivedUtc === null ? 'stateNever' : came ? 'stateFlowing' : 'stateQuiet')}
          </StateMark>
        )}
      </div>
      <dl className={styles['figures']}>
        <div>
          <dt>{t('lastMessage')}</dt>
          <dd title={lastReceivedUtc === null ? undefined : format.instant(lastReceivedUtc, { zone: true })}>
            {lastReceivedUtc === null ? t('neverYet') : format.relative(lastReceivedUtc)}
          </dd>
        </div>
        {DAY.map((state) => (
          <div key={state}>
            <dt>{t(state)}</dt>
            <dd>{format.count(lastDay[state])}</dd>
          </div>
        ))}
      </dl>
      <p className="small muted">{t('lastDay')}</p>
    </section>
  )
}

interface ServicesProps {
  readonly services: readonly Service[]
  /** null: keys are for account administrators. */
  readonly onOpen: ((id: string) => void) | null
}

function Services({ services, onOpen }: ServicesProps) {
  const { t } = useTranslation('cad')
  const format = useFormat()
  const navigate = useNavigate()
  const make = (): void => void navigate({ to: '/administration/services', search: { open: NEW } })
  return (
    <section className={styles['part']} aria-labelledby="cad-services">
      <h2 id="cad-services" className={styles['partTitle']}>
        {t('services')}
      </h2>
      {services.length === 0 ? (
        <EmptyState
          title={t('servicesNone')}
          action={
            onOpen !== null && (
              <Button kind="main" icon="plus" onPress={make}>
                {t('serviceNew')}
              </Button>
            )
          }
        >
          {t(onOpen === null ? 'servicesNoneAsk' : 'servicesNoneBody')}
        </EmptyState>
      ) : (
        <ul className={styles['services']}>
          {services.map((one) => (
            <li key={one.principalId} className={styles['service']}>
              <span className={styles['two']}>
                <bdi id={`cad-service-${one.principalId}`} className={styles['strong']}>
                  {visible(one.name)}
                </bdi>
                <span className={styles['second']}>{figuresOf(one, t, format)}</span>
              </span>
              <Standing service={one} />
              {onOpen !== null && (
                <Button
                  size="small"
                  icon="key"
                  aria-describedby={`cad-service-${one.principalId}`}
                  onPress={() => onOpen(one.principalId)}
                >
                  {t('keysAndPages')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {onOpen === null && services.length > 0 && <p className="small muted">{t('keysOnly')}</p>}
    </section>
  )
}

const figuresOf = (one: Service, t: CadWords, format: Format): string =>
  [
    t('keyCount', { count: one.apiKeys, shown: format.count(one.apiKeys) }),
    ...(one.origins.length === 0
      ? []
      : [t('pageCount', { count: one.origins.length, shown: format.count(one.origins.length) })]),
    t('deliveries', { count: one.lastDay, shown: format.count(one.lastDay) }),
    ...(one.lastReceivedUtc === null ? [] : [t('lastAt', { time: format.relative(one.lastReceivedUtc) })]),
  ].join(' · ')
