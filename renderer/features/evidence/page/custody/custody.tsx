import { useMemo } from 'react'
import { useTranslation } from '../../../../client/translate.ts'
import * as exporting from '../../../../../shared/kernel/exports.contract.ts'
import { addressOf } from '../../../../client/api.ts'
import { useSession } from '../../../../client/session.tsx'
import { Button } from '../../../../ui/button/button.tsx'
import { Chip } from '../../../../ui/badge/badge.tsx'
import { EmptyState } from '../../../../ui/empty/empty.tsx'
import { useFormat } from '../../../../ui/format/use-format.tsx'
import { ExportMenu } from '../../../../ui/popover/export-menu.tsx'
import { Skeleton } from '../../../../ui/skeleton/skeleton.tsx'
import { type CustodyKind, useCustody } from '../queries.ts'
import { Problem } from '../stage/problem.tsx'
import styles from './custody.module.css'
import { Entries } from './entries.tsx'
import { SealBox } from './seal-box.tsx'
import { useSeal } from './use-seal.ts'

export interface CustodyProps {
  readonly evidenceId: string
  readonly kind: CustodyKind
  readonly onKind: (kind: CustodyKind) => void
}

/** Everything that happened with an evidence, and the proof of it. */
export function Custody({ evidenceId, kind, onKind }: CustodyProps) {
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  const { tenant } = useSession()
  const { pages, rows: entries, more, busy, onMore, error, retry } = useCustody(evidenceId, kind)
  const counts = pages?.[0]?.Counts
  const seal = useSeal(evidenceId, entries)
  const bad = useMemo(
    () =>
      new Set([
        ...(seal.page?.faults.map(({ seq }) => seq) ?? []),
        ...(seal.station?.FirstBad ? [seal.station.FirstBad.Seq] : []),
      ]),
    [seal.page, seal.station],
  )
  if (error !== null && entries === null)
    return (
      <div className={styles['section']}>
        <Problem error={error} onRetry={retry} />
      </div>
    )
  const of = (kind: CustodyKind): number | undefined =>
    counts === undefined ? undefined : { all: counts.All, changes: counts.Changes, views: counts.Views }[kind]
  const rest = (of(kind) ?? 0) - (entries?.length ?? 0)
  return (
    <div className={styles['panel']}>
      <div className={styles['section']}>
        <SealBox seal={seal} entries={entries ?? []} />
      </div>
      <div className={styles['scroll']} tabIndex={0} role="group" aria-label={t('custody')}>
        <div className={styles['chips']} role="group" aria-label={t('custodyFilter')}>
          {(['all', 'changes', 'views'] as const).map((one) => (
            <Chip
              key={one}
              label={t(CHIPS[one])}
              on={one === kind}
              onPress={() => onKind(one)}
              {...(of(one) === undefined ? {} : { value: format.count(of(one) ?? 0) })}
            />
          ))}
        </div>
        {entries === null ? (
          <Skeleton lines={8} />
        ) : entries.length === 0 ? (
          <EmptyState title={t('custodyNone')}>{t('custodyNoneBody')}</EmptyState>
        ) : (
          <Entries entries={entries} bad={bad} />
        )}
      </div>
      <div className={styles['foot']}>
        {(more || rest > 0) && (
          <>
            <Button size="small" busy={busy} onPress={onMore}>
              {t('older')}
            </Button>
            <span className={styles['rest']}>
              {t('olderCount', { count: Math.max(0, rest), shown: format.count(Math.max(0, rest)) })}
            </span>
          </>
        )}
        <span className={styles['export']}>
          <ExportMenu
            label={t('exportCustody')}
            size="small"
            address={(as) =>
              addressOf(exporting.exportCustody, {
                params: { tenantName: tenant, evidenceId },
                query: { kind, format: as },
              })
            }
          />
        </span>
      </div>
    </div>
  )
}

const CHIPS = { all: 'kindAll', changes: 'kindChanges', views: 'kindViews' } as const
