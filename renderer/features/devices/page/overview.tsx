import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { fieldOf, IDENTIFICATION_NAMES } from '../../../../shared/devices/fields.ts'
import { useTranslation } from '../../../client/translate.ts'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { StateMark } from '../../../ui/state/state.tsx'
import { MemberPath, MemberValue } from '../configuration/member-labels.tsx'
import { membersOf } from '../configuration/members.ts'
import styles from '../devices.module.css'
import { agoWords, CONFIGURATION, nameOf, typeWords } from '../labels.ts'
import type { Device } from '../queries.ts'
import { Credentials } from './credentials.tsx'

/** What it is, and what it said of itself last. */
export function Overview({ device, now }: { readonly device: Device; readonly now: number }) {
  const { t } = useTranslation('devices')
  return (
    <div className={styles['columns']}>
      <div className={styles['column']}>
        <Section id="device-now" title={t('standing')}>
          <Now device={device} now={now} />
        </Section>
        <Section id="device-identity" title={t('identity')}>
          <Identity device={device} />
        </Section>
      </div>
      <div className={styles['column']}>
        <Section id="device-capabilities" title={t('capabilities')} lead={t('capabilitiesLead')}>
          <Capabilities device={device} />
        </Section>
        <Section id="device-credentials" title={t('credentials')} lead={t('credentialsLead')}>
          <Credentials device={device} />
        </Section>
      </div>
    </div>
  )
}

function Identity({ device }: { readonly device: Device }) {
  const { t } = useTranslation('devices')
  const format = useFormat()
  const said = (text: string | null): string => (text === null || text === '' ? t('notSaid') : visible(text))
  return (
    <dl className={styles['facts']}>
      {IDENTIFICATION_NAMES.map((name) => (
        <Fact key={name} label={t(fieldOf(name).label)}>
          <bdi className={fieldOf(name).code ? 'id' : undefined}>{said(device.DeviceIdentification[name])}</bdi>
        </Fact>
      ))}
      <Fact label={t('type')}>
        <bdi>{typeWords(device.DeviceType, t)}</bdi>
      </Fact>
      <Fact label={t('recordId')}>
        <span className="mono">{device.Id}</span>
      </Fact>
      <Fact label={t('known')}>{format.instant(device.CreatedUtcTime, { precision: 'minute' })}</Fact>
    </dl>
  )
}

function Now({ device, now }: { readonly device: Device; readonly now: number }) {
  const { t } = useTranslation('devices')
  const format = useFormat()
  const { LastDock, Configuration, ExpectedFrom } = device.Standing
  const [state, word] = CONFIGURATION[Configuration]
  const since = device.Activity[0]?.ToUtc === null ? device.Activity[0].FromUtc : null
  return (
    <dl className={styles['facts']}>
      <Fact label={t('activeSince')}>
        {since === null ? t('inactive') : format.instant(since, { precision: 'minute' })}
      </Fact>
      <Fact label={t('officer')}>
        <bdi>
          {device.AssignedTo.length === 0 ? t('nobody') : device.AssignedTo.map((who) => nameOf(who, t)).join(', ')}
        </bdi>
      </Fact>
      <Fact label={t('configuration')}>
        <StateMark state={state} small>
          {t(word)}
        </StateMark>{' '}
        <span className="muted">{t(FROM[ExpectedFrom ?? 'Nowhere'])}</span>
      </Fact>
      <Fact label={t('lastSeen')}>
        {device.LastSeenUtc === null ? t('never') : format.instant(device.LastSeenUtc, { precision: 'minute' })}
      </Fact>
      <Fact label={t('docked')}>
        {LastDock === null ? (
          t('never')
        ) : (
          <>
            {`${agoWords(LastDock.DetectedTimeUtc, now, t)}, ${format.instant(LastDock.DetectedTimeUtc, { precision: 'minute' })}`}{' '}
            <Link to="/dock/sessions" search={{ device: device.Id }} className={styles['link']}>
              {t('dockedAll')}
            </Link>
          </>
        )}
      </Fact>
    </dl>
  )
}

const FROM = { Device: 'fromDevice', Type: 'fromType', Nowhere: 'fromNowhere' } as const

function Capabilities({ device }: { readonly device: Device }) {
  const { t } = useTranslation('devices')
  const members = device.Capabilities === null ? [] : membersOf(device.Capabilities)
  if (members.length === 0) return <p className="second">{t('capabilitiesNone')}</p>
  return (
    <dl className={styles['facts']}>
      {members.slice(0, MOST_SHOWN).map((member) => (
        <Fact key={JSON.stringify(member.path)} label={<MemberPath path={member.path} />}>
          <MemberValue member={member} />
        </Fact>
      ))}
      {members.length > MOST_SHOWN && (
        <Fact label={t('more')}>{t('membersMore', { count: members.length - MOST_SHOWN })}</Fact>
      )}
    </dl>
  )
}

/** A device may send a megabyte of them. */
const MOST_SHOWN = 100

function Fact({ label, children }: { readonly label: ReactNode; readonly children: ReactNode }) {
  return (
    <div className={styles['fact']}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

interface SectionProps {
  readonly id: string
  readonly title: string
  readonly lead?: string | undefined
  /** Beside the title. */
  readonly act?: ReactNode
  readonly children: ReactNode
}

function Section({ id, title, lead, act, children }: SectionProps) {
  return (
    <section className={styles['section']} aria-labelledby={id}>
      <div className={styles['sectionHead']}>
        <h2 id={id} className={styles['heading']}>
          {title}
        </h2>
        {act}
      </div>
      {lead !== undefined && <p className="second">{lead}</p>}
      {children}
    </section>
  )
}
