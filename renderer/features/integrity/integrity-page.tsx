import { useTranslation } from '../../client/translate.ts'
import * as contract from '../../../shared/integrity/contract.ts'
import { call } from '../../client/api.ts'
import { useSession } from '../../client/session.tsx'
import { useAct } from '../../ui/act/use-act.ts'
import { Button } from '../../ui/button/button.tsx'
import { EmptyState } from '../../ui/empty/empty.tsx'
import { Halves, Overview, OverviewHead } from '../../ui/layout/overview.tsx'
import { Problem } from '../../ui/problem/problem.tsx'
import { Skeleton } from '../../ui/skeleton/skeleton.tsx'
import { StatePill } from '../../ui/state/state.tsx'
import { Alarms } from './alarms.tsx'
import { Checkpoints } from './checkpoints.tsx'
import { KnownStations } from './known-stations.tsx'
import { type Integrity, useIntegrity, useRefreshed } from './queries.ts'
import { Facts } from './facts.tsx'
import { LastRead, NextRead } from './reads.tsx'
import { Run } from './run.tsx'
import { Snapshots } from './snapshots.tsx'
import { Validation } from './validation/validation.tsx'
import { ClockWarning } from './warnings.tsx'

/** How what is stored is kept, with the proof beside each claim. */
export function IntegrityPage() {
  const { t } = useTranslation('integrity')
  const { session } = useSession()
  const { integrity, error, retry } = useIntegrity()
  if (session.User?.Administrator !== true)
    return (
      <Overview title={t('title')}>
        <EmptyState title={t('barredTitle')}>{t('barredBody')}</EmptyState>
      </Overview>
    )
  return (
    <Overview title={t('title')}>
      <Head integrity={integrity} />
      {error !== null && <Problem error={error} onRetry={retry} />}
      {integrity === null ? error === null && <Skeleton lines={8} /> : <Body integrity={integrity} />}
    </Overview>
  )
}

function Head({ integrity }: { readonly integrity: Integrity | null }) {
  const { t } = useTranslation('integrity')
  const { tenant } = useSession()
  const refreshed = useRefreshed()
  const { busy, error, run } = useAct()
  return (
    <OverviewHead
      title={t('title')}
      standing={integrity !== null && <Standing integrity={integrity} />}
      acts={
        integrity !== null &&
        integrity.Fixity.Run === null &&
        integrity.Fixity.Blobs > 0 && (
          <Button
            kind="main"
            icon="fixity"
            busy={busy}
            onPress={() => run(() => refreshed(call(contract.startFixityRun, { params: { tenantId: tenant } })))}
          >
            {t('runStart')}
          </Button>
        )
      }
      lead={t('lead')}
    >
      {error !== null && <Problem error={error} title={t('runFailed')} />}
    </OverviewHead>
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
      <Halves
        left={
          <>
            <Alarms integrity={integrity} />
            <LastRead integrity={integrity} />
            <NextRead integrity={integrity} />
            <Validation />
          </>
        }
        right={
          <>
            <Checkpoints integrity={integrity} />
            <KnownStations integrity={integrity} />
            <Snapshots integrity={integrity} />
          </>
        }
      />
    </>
  )
}
