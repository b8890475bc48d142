import type { ReactNode } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { type Certificate, type Lan, leftWords, type Moving, standingOf } from './queries.ts'
import styles from './network.module.css'

/** Where, by what, for whom, and who: each with what it rests on. */
export function Facts({ lan, hosts }: { readonly lan: Lan; readonly hosts: readonly Moving[] | null }) {
  const { t } = useTranslation('network')
  const format = useFormat()
  const [first, ...more] = lan.Origins
  const connected = hosts?.length ?? lan.Connected
  const refused = lan.Refused.Connections
  return (
    <dl className={styles['facts']}>
      <Fact label={t('factReach')} value={first ?? t('factReachNone')}>
        {first !== undefined && (more.length === 0 ? t('factOnly') : t('factMore', { count: more.length }))}
      </Fact>
      <Ends label={t('factCertificate')} certificate={lan.Certificate} />
      <Ends label={t('factCa')} certificate={lan.Ca} />
      <Fact label={t('factHosts')} value={t('factConnected', { count: connected })}>
        {refused === 0 ? t('factRefusedNone') : t('factRefused', { count: refused, shown: format.count(refused) })}
      </Fact>
    </dl>
  )
}

function Ends({ label, certificate }: { readonly label: string; readonly certificate: Certificate | null }) {
  const { t } = useTranslation('network')
  const format = useFormat()
  if (certificate === null) return <Fact label={label} value={t('factNone')} />
  const { NotAfterUtc, RenewsTimeUtc } = certificate
  return (
    <Fact label={label} value={leftWords(certificate, t)} late={standingOf(certificate) !== 'good'}>
      {RenewsTimeUtc === null
        ? t('validTo', { when: format.day(NotAfterUtc) })
        : t('renews', { when: format.day(RenewsTimeUtc) })}
    </Fact>
  )
}

interface FactProps {
  readonly label: string
  readonly value: string
  readonly late?: boolean
  readonly children?: ReactNode
}

function Fact({ label, value, late = false, children }: FactProps) {
  return (
    <div className={styles['fact']}>
      <dt>{label}</dt>
      <dd>
        <span className={styles['value']} data-late={late || undefined} title={value}>
          {value}
        </span>
        <span className={styles['second']}>{children}</span>
      </dd>
    </div>
  )
}
