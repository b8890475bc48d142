import { Suspense, useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import * as contract from '../../../../shared/network/contract.ts'
import { addressOf, call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { useAct } from '../../../ui/act/use-act.ts'
import { Button, LinkButton } from '../../../ui/button/button.tsx'
import { FingerprintDigits, FingerprintWords } from '../../../ui/fingerprint/fingerprint.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { Section } from '../../../ui/layout/overview.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { Pair } from './addresses.tsx'
import { Refusal } from './change-dialog.tsx'
import { type Certificate, type Lan, leftWords, standingOf, useLanAct } from './queries.ts'
import styles from './network.module.css'
import { lazyPart } from '../../../client/load-chunk.ts'

const NewCa = lazyPart(() => import('./new-ca.tsx'))

/** What paired computers trust. */
export function Ca({ lan }: { readonly lan: Lan }) {
  const { t } = useTranslation('network')
  const [replacing, setReplacing] = useState(false)
  const { Ca: ca } = lan
  if (ca === null)
    return (
      <Section title={t('ca')} lead={t('caLead')}>
        <p className={styles['nothing']}>
          <strong>{t('caNone')}</strong> {t('caNoneBody')}
        </p>
      </Section>
    )
  return (
    <Section
      title={t('ca')}
      lead={t('caLead')}
      act={
        <LinkButton size="small" icon="download" href={addressOf(contract.getCaDer, {})} download>
          {t('caDownload')}
        </LinkButton>
      }
    >
      <FingerprintWords words={ca.Words} label={t('words')} />
      <dl className={styles['pairs']}>
        <Pair label={t('fingerprint')}>
          <FingerprintDigits value={ca.Sha256Fingerprint} of={t('fingerprintCopy')} />
        </Pair>
        <Pair label={t('validity')}>
          <Validity certificate={ca} />
        </Pair>
        <Pair label={t('speaksFor')}>
          <Names names={ca.Names} />
        </Pair>
      </dl>
      <div className={styles['acts']}>
        <Button
          size="small"
          kind="danger"
          onPress={() => setReplacing(true)}
          why={lan.Enabled ? undefined : t('refusedOff')}
        >
          {t('caNew')}
        </Button>
      </div>
      {replacing && (
        <Suspense fallback={null}>
          <NewCa ca={ca} onClose={() => setReplacing(false)} />
        </Suspense>
      )}
    </Section>
  )
}

/** What is shown to whoever connects; by the CA. */
export function ServerCertificate({ lan }: { readonly lan: Lan }) {
  const { t } = useTranslation('network')
  const { tenant } = useSession()
  const format = useFormat()
  const act = useLanAct()
  const { busy, error, run } = useAct()
  const { Certificate: certificate } = lan
  if (certificate === null) return null
  return (
    <Section
      title={t('certificate')}
      lead={t('certificateLead')}
      act={
        <Button
          size="small"
          icon="refresh"
          busy={busy}
          why={lan.Enabled ? undefined : t('refusedOff')}
          onPress={() =>
            run(
              () => act(call(contract.renewLanCertificate, { params: { tenantId: tenant } })),
              () => toasts.show({ text: t('renewed') }),
            )
          }
        >
          {t('renew')}
        </Button>
      }
    >
      {error !== null && <Refusal error={error} title={t('renewFailed')} />}
      <dl className={styles['pairs']}>
        <Pair label={t('certificateFor')}>
          <Names names={certificate.Names} />
        </Pair>
        <Pair label={t('validity')}>
          <Validity certificate={certificate} />
        </Pair>
        {certificate.RenewsTimeUtc !== null && (
          <Pair label={t('renewsItself')}>{format.instant(certificate.RenewsTimeUtc, { precision: 'minute' })}</Pair>
        )}
        <Pair label={t('fingerprint')}>
          <FingerprintDigits value={certificate.Sha256Fingerprint} of={t('fingerprintCopy')} />
        </Pair>
        <Pair label={t('serial')}>
          <code className="mono">{certificate.SerialNumber}</code>
        </Pair>
      </dl>
    </Section>
  )
}

function Validity({ certificate }: { readonly certificate: Certificate }) {
  const { t } = useTranslation('network')
  const format = useFormat()
  const { NotBeforeUtc, NotAfterUtc } = certificate
  return (
    <span className={styles['withAct']}>
      {t('validityOf', { from: format.day(NotBeforeUtc), to: format.day(NotAfterUtc) })}
      <span className={styles['left']} data-late={standingOf(certificate) === 'good' ? undefined : true}>
        {leftWords(certificate, t)}
      </span>
    </span>
  )
}

function Names({ names }: { readonly names: readonly string[] }) {
  return (
    <ul className={styles['names']}>
      {names.map((name) => (
        <li key={name}>
          <bdi>{name}</bdi>
        </li>
      ))}
    </ul>
  )
}
