import { useTranslation } from '../../client/translate.ts'
import * as contract from '../../../shared/integrity/contract.ts'
import { call } from '../../client/api.ts'
import { useSession } from '../../client/session.tsx'
import { useAct } from '../../ui/act/use-act.ts'
import { Button } from '../../ui/button/button.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { Problem } from '../../ui/problem/problem.tsx'
import { ProgressBar } from '../../ui/progress/progress.tsx'
import { type Integrity, useRefreshed } from './queries.ts'
import styles from './integrity.module.css'

/** The reading of everything that somebody asked for, or what came of the last one. */
export function Run({ integrity }: { readonly integrity: Integrity }) {
  const { t } = useTranslation('integrity')
  const format = useFormat()
  const { tenant } = useSession()
  const refreshed = useRefreshed()
  const { busy, error, run: act } = useAct()
  const { Run: run, LastRun: last, GivingWay } = integrity.Fixity
  if (run === null)
    return last === null ? null : (
      <p className={styles['words']}>
        {last.State === 'done'
          ? t('lastRunDone', {
              when: format.instant(last.EndedTimeUtc ?? last.StartedTimeUtc),
              count: last.Blobs,
              problems: t('problems', { count: last.Problems }),
            })
          : t('lastRunCancelled', {
              when: format.instant(last.EndedTimeUtc ?? last.StartedTimeUtc),
              done: format.count(last.Blobs),
              all: format.count(last.TotalBlobs),
            })}
      </p>
    )
  const share = run.TotalBytes === 0 ? 1 : run.Bytes / run.TotalBytes
  return (
    <section className={styles['run']} aria-label={t('runTitle')}>
      <div className={styles['runWords']}>
        <strong>{t('runTitle')}</strong>
        <span className={styles['second']}>
          {t('runBy', { who: run.StartedBy.Name, when: format.timeOrDay(run.StartedTimeUtc) })}
          {GivingWay && ` · ${t('runGiving')}`}
        </span>
      </div>
      <ProgressBar label={t('runTitle')} value={share * 100} />
      <div className={styles['runFoot']}>
        <span>
          {t('runAmount', {
            done: format.bytes(run.Bytes),
            total: format.bytes(run.TotalBytes),
            blobs: format.count(run.Blobs),
            all: format.count(run.TotalBlobs),
          })}
        </span>
        <Button
          icon="stop"
          size="small"
          busy={busy}
          onPress={() => act(() => refreshed(call(contract.cancelFixityRun, { params: { tenantId: tenant } })))}
        >
          {t('runStop')}
        </Button>
      </div>
      {error !== null && <Problem error={error} title={t('stopFailed')} />}
    </section>
  )
}
