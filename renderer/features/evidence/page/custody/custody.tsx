import { useMemo, useState } from 'react'
import { useTranslation } from '../../../../client/translate.ts'
import * as exporting from '../../../../../shared/kernel/exports.contract.ts'
import { addressOf } from '../../../../client/api.ts'
import { useSession } from '../../../../client/session.tsx'
import { Button } from '../../../../ui/button/button.tsx'
import { Chip } from '../../../../ui/badge/badge.tsx'
import { EmptyState } from '../../../../ui/empty/empty.tsx'
import { useFormat } from '../../../../ui/format/use-format.tsx'
import { ExportMenu } from '../../../../ui/popover/export-menu.tsx'
import { PrintButton } from '../../print-button.tsx'
import { Skeleton } from '../../../../ui/skeleton/skeleton.tsx'
import { type CustodyView, type Entry, useCustody } from '../queries.ts'
import { Problem } from '../stage/problem.tsx'
import type { People } from './acts.ts'
import styles from './custody.module.css'
import { Entries } from './entries.tsx'
import { Imported } from './imported.tsx'
import { SealBox } from './seal-box.tsx'
import { useSeal } from './use-seal.ts'
import { foldVisits, type Line } from '../../../../../shared/evidence/visits.ts'

export interface CustodyProps {
  readonly evidenceId: string
  readonly kind: CustodyView
  readonly onKind: (kind: CustodyView) => void
  /** There is little room: the newest lines alone, until all are asked for. */
  readonly narrow: boolean
}

/** Everything that happened with an evidence, and the proof of it. */
export function Custody({ evidenceId, kind, onKind, narrow }: CustodyProps) {
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
  const lines = useMemo(() => foldVisits(entries ?? [], more), [entries, more])
  const people: People = useMemo(
    () => new Map(pages?.flatMap(({ People }) => People.map((one) => [one.Id, one] as const))),
    [pages],
  )
  const [wide, setWide] = useState(false)
  if (error !== null && entries === null)
    return (
      <div className={styles['section']}>
        <Problem error={error} onRetry={retry} />
      </div>
    )
  const of = (kind: CustodyView): number | undefined =>
    counts === undefined ? undefined : { all: counts.All, acts: counts.Acts }[kind]
  const few = narrow && !wide && lines.length > FEW
  const rest = (of(kind) ?? 0) - (entries?.length ?? 0)
  return (
    <div className={styles['panel']}>
      <div className={styles['section']}>
        <SealBox seal={seal} entries={entries ?? []} />
      </div>
      <div className={styles['scroll']} tabIndex={0} role="group" aria-label={t('custody')}>
        <div className={styles['chips']} role="group" aria-label={t('custodyFilter')}>
          {(['acts', 'all'] as const).map((one) => (
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
          <>
            <Folded kind={kind} lines={lines} entries={entries.length} left={counts && counts.All - counts.Acts} />
            <Entries lines={few ? lines.slice(0, FEW) : lines} people={people} bad={bad} />
            {narrow && lines.length > FEW && (
              <Button size="small" aria-expanded={!few} onPress={() => setWide(few)}>
                {t(few ? 'allLines' : 'fewLines', { shown: format.count(lines.length) })}
              </Button>
            )}
          </>
        )}
        {pages?.[0]?.Imported.map((from) => (
          <Imported key={`${from.Origin} ${from.SourceId}`} from={from} />
        ))}
      </div>
      <div className={styles['foot']}>
        {!few && more && (
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
          {/* Everything, whichever view is open: a file of custody that lacks entries would be taken for all of it. */}
          <PrintButton evidenceId={evidenceId} />
          <ExportMenu
            label={t('exportCustody')}
            size="small"
            address={(as) =>
              addressOf(exporting.exportCustody, {
                params: { tenantName: tenant, evidenceId },
                query: { kind: 'all', format: as },
              })
            }
          />
        </span>
      </div>
    </div>
  )
}

const CHIPS = { acts: 'kindChanges', all: 'kindAll' } as const
/** Lines that stand before the rest where there is little room. */
const FEW = 4

interface FoldedProps {
  readonly kind: CustodyView
  readonly lines: readonly Line<Entry>[]
  readonly entries: number
  /** Entries of visits in the whole ledger of this evidence. */
  readonly left: number | undefined
}

/** How many entries are not on lines of their own. The seal box proves all of them. */
function Folded({ kind, lines, entries, left }: FoldedProps) {
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  const visits = lines.flatMap((line) => (line.kind === 'visit' ? [line.entries.length] : []))
  const folded = visits.reduce((sum, count) => sum + count, 0)
  if (kind === 'acts' ? !left : folded === visits.length) return null
  return (
    <p className={styles['folded']} data-folded>
      {kind === 'acts'
        ? t('foldedViews', { count: left ?? 0, shown: format.count(left ?? 0) })
        : t('foldedVisits', {
            entries: format.count(folded),
            shown: format.count(entries),
            visits: format.count(visits.length),
          })}
    </p>
  )
}
