import { useEffect } from 'react'
import { useTranslation } from '../../client/translate.ts'
import * as contract from '../../../shared/integrity/contract.ts'
import { call } from '../../client/api.ts'
import { useSession } from '../../client/session.tsx'
import { useAct } from '../../ui/act/use-act.ts'
import { Button } from '../../ui/button/button.tsx'
import { EmptyState } from '../../ui/empty/empty.tsx'
import { Problem } from '../../ui/problem/problem.tsx'
import { Skeleton } from '../../ui/skeleton/skeleton.tsx'
import { StatePill } from '../../ui/state/state.tsx'
import { Alarms } from './alarms.tsx'
import { Checkpoints } from './checkpoints.tsx'
import { KnownStations } from './known-stations.tsx'
import { type Integrity, useIntegrity, useRefreshed } from './queries.ts'
import { Facts } from './facts.tsx'
import styles from './integrity.module.css'
import { LastRead, NextRead } from './reads.tsx'
import { Run } from './run.tsx'
import { Snapshots } from './snapshots.tsx'
import { ClockWarning } from './warnings.tsx'

/** How what is stored is kept, with the proof beside each claim. */
export function IntegrityPage() {
  const { t } = useTranslation('integrity')
  const { session } = useSession()
  const { integrity, error, retry } = useIntegrity()
  useEffect(() => {
    document.title = `${t('title')} · Sallyport`
  }, [t])
  if (session.User?.Administrator !== true)
    return (
      <div className={styles['page']}>
        <EmptyState title={t('barredTitle')}>{t('barredBody')}</EmptyState>
      </div>
    )
  return (
    <div className={styles['page']}>
      <Head integrity={integrity} />
      {error !== null && <Problem error={error} onRetry={retry} />}
      {integrity === null ? error === null && <Skeleton lines={8} /> : <Body integrity={integrity} />}
    </div>
  )
}

function Head({ integrity }: { readonly integrity: Integrity | null }) {
  const { t } = useTranslation('integrity')
  const { tenant } = useSession()
  const refreshed = useRefreshed()
  const { busy, error, run } = useAct()
  return (
    <header className={styles['head']}>
      <div className={styles['headline']}>
        <h1 className={styles['title']}>{t('title')}</h1>
        {integrity !== null && <Standing integrity={integrity} />}
        {integrity !== null && integrity.Fixity.Run === null && integrity.Fixity.Blobs > 0 && (
          <div className={styles['end']}>
            <Button
              kind="main"
              icon="fixity"
              busy={busy}
              onPress={() => run(() => refreshed(call(contract.startFixityRun, { params: { tenantId: tenant } })))}
            >
              {t('runStart')}
            </Button>
          </div>
        )}
      </div>
      <p className={styles['lead']}>{t('lead')}</p>
      {error !== null && <Problem error={error} title={t('runFailed')} />}
    </header>
  )
}

/** The first thing to be seen: whether everything is safe. */
function Standing({ integrity }: { readonly integrity: Integrity }) {
  const { t } = useTranslation('integrity')
  const { Fixity, OpenAlarms } = integrity
  if (OpenAlarms > 0) return <StatePill state="danger">{t('alarmed', { count: OpenAlarms })}</StatePill>
  // What somebody acknowledged is known, and not well for that.
  if (Fixity.BlobsBad > 0) return <StatePill state="danger">{t('bad', { count: Fixity.BlobsBad })}</StatePill>
  if (Fixity.Blobs === 0) return null
  if (Fixity.BlobsInTime < Fixity.Blobs) return <StatePill state="attention">{t('behind')}</StatePill>
  return <StatePill state="ok">{t('allGood')}</StatePill>
}

function Body({ integrity }: { readonly integrity: Integrity }) {
  return (
    <>
      <Facts integrity={integrity} />
      <ClockWarning integrity={integrity} />
      <Run integrity={integrity} />
      <div className={styles['columns']}>
        <div className={styles['column']}>
          <Alarms integrity={integrity} />
          <LastRead integrity={integrity} />
          <NextRead integrity={integrity} />
        </div>
        <div className={styles['column']}>
          <Checkpoints integrity={integrity} />
          <KnownStations integrity={integrity} />
          <Snapshots integrity={integrity} />
        </div>
      </div>
    </>
  )
}
