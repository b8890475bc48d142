import { Link } from '@tanstack/react-router'
import { inPolicy } from '../../client/rights.ts'
import { useSession } from '../../client/session.tsx'
import { stationFacts } from '../../client/station-facts.ts'
import { useStation } from '../../client/station.ts'
import { useTranslation } from '../../client/translate.ts'
import { type Format, useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Icon } from '../../ui/icon/icon.tsx'
import { type State, StateMark } from '../../ui/state/state.tsx'
import type { Words } from './labels.ts'
import type { Today } from './queries.ts'
import { Section } from './section.tsx'
import styles from './today.module.css'

type Cameras = NonNullable<Today['Cameras']>

/** How the station stands, for those who keep it; the same lines as at the foot of the rail, which folds where there is little room. */
export function StationSection({ cameras }: { readonly cameras: Today['Cameras'] }) {
  const { t } = useTranslation('today')
  const { t: say } = useTranslation('frame')
  const format = useFormat()
  const { session } = useSession()
  const station = useStation()
  const keeps = session.User?.Administrator === true
  if (!keeps && !inPolicy(session, 'ManageConfiguration') && cameras === null) return null
  return (
    <Section
      title={t('station')}
      {...(station === null ? {} : { second: station.Name })}
      {...(keeps ? { act: <Link to="/fixity">{t('stationMore')}</Link> } : {})}
    >
      {station !== null && (
        <dl className={styles['station']}>
          {stationFacts(station, keeps, say, format).map(({ key, label, text, waived, state }) => (
            <div key={key}>
              <dt>{label}</dt>
              <dd>
                <FactText state={state}>{waived === undefined ? text : `${text}, ${waived}`}</FactText>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {cameras !== null && <IdleCameras cameras={cameras} />}
    </Section>
  )
}

/** What is well is said without a mark: *Not yet* is nothing that was checked. */
function FactText({ state, children }: { readonly state: State; readonly children: string }) {
  if (state === 'ok') return children
  return (
    <StateMark small wraps state={state}>
      {children}
    </StateMark>
  )
}

function IdleCameras({ cameras: { AfterDays: days, Items, Total } }: { readonly cameras: Cameras }) {
  const { t } = useTranslation('today')
  const format = useFormat()
  if (Items.length === 0) return <p className={styles['sum']}>{t('camerasNone', { days })}</p>
  const more = Total.Count - Items.length
  return (
    <>
      <p className={styles['sum']}>
        <StateMark small wraps state="attention">
          {t('cameras', { count: Total.Count, days })}
        </StateMark>
      </p>
      <ul className={styles['lines']}>
        {Items.map((camera) => (
          <li key={camera.DeviceId}>
            <Link
              to="/devices/$deviceId"
              params={{ deviceId: camera.DeviceId }}
              className={styles['line']}
              data-line={camera.DeviceId}
            >
              <Icon name="devices" className={styles['icon']} />
              <span className={styles['main']}>
                <span className={styles['name']}>
                  <bdi>{visible(camera.Name)}</bdi>
                </span>
                <span className={styles['under']}>{cameraWords(camera, t, format)}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p className={styles['sum']}>
          <Link to="/devices">{t('camerasMore', { count: more })}</Link>
        </p>
      )}
    </>
  )
}

const cameraWords = ({ Officer, LastDockedUtc }: Cameras['Items'][number], t: Words, format: Format): string =>
  [
    ...(Officer === null ? [] : [format.person(Officer)]),
    LastDockedUtc === null ? t('cameraNever') : t('cameraLast', { when: format.day(LastDockedUtc) }),
  ].join(' · ')
