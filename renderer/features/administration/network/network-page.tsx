import { useState } from 'react'
import { ConnectionReason } from '../../../client/connection-reasons.tsx'
import { useTranslation } from '../../../client/translate.ts'
import { Button, LinkButton } from '../../../ui/button/button.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { Halves, Overview, OverviewHead } from '../../../ui/layout/overview.tsx'
import { Note } from '../../../ui/note/note.tsx'
import { Problem } from '../../../ui/problem/problem.tsx'
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx'
import { StatePill } from '../../../ui/state/state.tsx'
import { Addresses } from './addresses.tsx'
import { AllowList } from './allow-list.tsx'
import { Ca, ServerCertificate } from './certificates.tsx'
import { ChangeDialog } from './change-dialog.tsx'
import { daysLeft, isHere, type Lan, type Moving, standingOf, useHosts, useLan } from './queries.ts'
import { Facts } from './facts.tsx'
import { Hosts } from './hosts.tsx'
import styles from './network.module.css'

/** The station on its network: whether it is there, where, for whom, by which certificate, and who came. */
export function NetworkPage() {
  const { t } = useTranslation('network')
  const { lan, error, retry } = useLan()
  const connected = useHosts(lan?.Enabled === true)
  return (
    <Overview title={t('title')}>
      <Head lan={lan} hosts={connected.hosts} />
      {error !== null && <Problem error={error} onRetry={retry} />}
      {lan === null && error === null && <Skeleton lines={8} />}
      {lan !== null && (
        <>
          <Warnings lan={lan} />
          {lan.Ca === null && !lan.Enabled ? <Meaning lan={lan} /> : <Facts lan={lan} hosts={connected.hosts} />}
          {lan.Enabled && <Hosts {...connected} />}
          <Halves
            left={
              <>
                <Addresses lan={lan} />
                <AllowList lan={lan} hosts={connected.hosts} />
              </>
            }
            right={
              <>
                <Ca lan={lan} />
                <ServerCertificate lan={lan} />
              </>
            }
          />
        </>
      )}
    </Overview>
  )
}

function Head({ lan, hosts }: { readonly lan: Lan | null; readonly hosts: readonly Moving[] | null }) {
  const { t } = useTranslation('network')
  const [asking, setAsking] = useState(false)
  return (
    <OverviewHead
      title={t('title')}
      standing={lan !== null && <Standing lan={lan} />}
      acts={
        lan !== null &&
        (lan.Enabled ? (
          <>
            <Button onPress={() => setAsking(true)}>{t('turnOff')}</Button>
            <LinkButton kind="main" icon="link" href="/administration/network/pair">
              {t('pair')}
            </LinkButton>
          </>
        ) : (
          <Button kind="main" icon="network" onPress={() => setAsking(true)}>
            {t('turnOn')}
          </Button>
        ))
      }
      lead={t('lead')}
    >
      {asking && lan !== null && !lan.Enabled && <TurnOn lan={lan} onClose={() => setAsking(false)} />}
      {asking && lan?.Enabled === true && <TurnOff hosts={hosts ?? []} onClose={() => setAsking(false)} />}
    </OverviewHead>
  )
}

function Standing({ lan }: { readonly lan: Lan }) {
  const { t } = useTranslation('network')
  if (!lan.Enabled) return <StatePill state="waiting">{t('stateOff')}</StatePill>
  if (!lan.Listening) return <StatePill state="attention">{t('stateFailing')}</StatePill>
  return <StatePill state="ok">{t('stateOn')}</StatePill>
}

function TurnOn({ lan, onClose }: { readonly lan: Lan; readonly onClose: () => void }) {
  const { t } = useTranslation('network')
  return (
    <ChangeDialog
      title={t('onTitle')}
      lead={t('onLead', { port: lan.Port })}
      act={t('turnOn')}
      failed={t('onFailed')}
      change={{ Enabled: true }}
      onClose={onClose}
    >
      <Points lan={lan} />
      <p className={styles['second']}>
        {t('networks')}: {lan.AllowedNetworks.join(', ')}
      </p>
    </ChangeDialog>
  )
}

function TurnOff({ hosts, onClose }: { readonly hosts: readonly Moving[]; readonly onClose: () => void }) {
  const { t } = useTranslation('network')
  return (
    <ChangeDialog
      title={t('offAsk')}
      lead={hosts.length === 0 ? t('offAskNobody') : t('offAskLead', { count: hosts.length })}
      act={t('turnOff')}
      failed={t('offFailed')}
      danger
      change={{ Enabled: false }}
      onClose={onClose}
    >
      {hosts.some(isHere) && <Note state="attention" title={t('hereToo')} />}
    </ChangeDialog>
  )
}

/** Before it was ever on: what it is to be on. */
function Meaning({ lan }: { readonly lan: Lan }) {
  const { t } = useTranslation('network')
  return (
    <section className={styles['meaning']} aria-labelledby="network-means">
      <h2 id="network-means" className={styles['heading']}>
        {t('offTitle')}
      </h2>
      <p className={styles['words']}>{t('offBody')}</p>
      <h3 className={styles['small']}>{t('onMeans')}</h3>
      <Points lan={lan} />
    </section>
  )
}

function Points({ lan }: { readonly lan: Lan }) {
  const { t } = useTranslation('network')
  return (
    <ul className={styles['points']}>
      <li>{t('onMeansSignIn')}</li>
      <li>{t('onMeansCa')}</li>
      <li>{t('onMeansRecorded')}</li>
      <li>{t('onMeansFirewall', { port: lan.Port })}</li>
    </ul>
  )
}

/** What somebody has to do, in time. */
function Warnings({ lan }: { readonly lan: Lan }) {
  const { t } = useTranslation('network')
  const format = useFormat()
  const { Ca: ca, Certificate: certificate, PreviousCa: previous } = lan
  const warned = [
    { of: ca, ends: 'caEndsTitle', endsBody: 'caEndsBody', ended: 'caEndedTitle', endedBody: 'caEndedBody' },
    {
      of: certificate,
      ends: 'certificateEndsTitle',
      endsBody: 'certificateEndsBody',
      ended: 'certificateEndedTitle',
      endedBody: 'certificateEndedBody',
    },
  ] as const
  return (
    <>
      {lan.Enabled && !lan.Listening && (
        <Note state="attention" title={t('failingTitle')}>
          <ConnectionReason text={lan.Problem ?? ''} />
        </Note>
      )}
      {warned.map(({ of, ends, endsBody, ended, endedBody }) => {
        if (of === null || standingOf(of) === 'good') return null
        const over = standingOf(of) === 'ended'
        return (
          <Note
            key={ends}
            state={over ? 'danger' : 'attention'}
            title={over ? t(ended) : t(ends, { count: daysLeft(of.NotAfterUtc) })}
          >
            {t(over ? endedBody : endsBody)}
          </Note>
        )
      })}
      {lan.NamesOutsideCa.length > 0 && (
        <Note state="attention" title={t('outsideTitle', { names: lan.NamesOutsideCa.join(', ') })}>
          {t('outsideBody')}
        </Note>
      )}
      {previous !== null && (
        <Note title={t('previousTitle', { when: format.instant(previous.ReplacedTimeUtc, { precision: 'minute' }) })}>
          {t('previousBody', { digits: previous.Sha256Fingerprint.slice(0, 8) })}
        </Note>
      )}
    </>
  )
}
