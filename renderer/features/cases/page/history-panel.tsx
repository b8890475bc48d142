import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import * as contract from '../../../../shared/cases/contract.ts'
import * as exporting from '../../../../shared/kernel/exports.contract.ts'
import { type Answer, addressOf, call, Fault } from '../../../client/api.ts'
import { usePages } from '../../../client/pages.ts'
import { useSession } from '../../../client/session.tsx'
import { Button, IconButton } from '../../../ui/button/button.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import type { IconName } from '../../../ui/icon/icon.tsx'
import { ExportMenu } from '../../../ui/popover/export-menu.tsx'
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx'
import { Thread, type ThreadEntry } from '../../../ui/thread/thread.tsx'
import { type Case, evidencesOf } from '../queries.ts'
import type { Words } from '../people-labels.ts'
import { useNames } from '../people-names.tsx'
import { Problem } from '../problem.tsx'
import { holds, inPolicy } from '../rights.ts'
import { Differences } from './differences.tsx'
import { type Told, told } from './changes.ts'
import { evidenceMoved, type Run, runsOf } from './runs.ts'
import styles from './history.module.css'

interface HistoryProps {
  readonly record: Case
  /** The version that is looked at; null: now. */
  readonly seen: string | null
  readonly onSee: (concurrencyId: string) => void
}

/** As long as most cases ever get, in one page: with its beginning every difference has both sides. */
const PAGE = '1000'
/** The oldest entry's parent (decisions 4). */
const BEGINNING = '0'.repeat(40)

type History = Answer<typeof contract.getCaseHistory>
const PARTS = {
  rowsOf: ({ Entries }: History) => Entries,
  cursorOf: ({ Entries }: History) => {
    const parent = Entries.at(-1)?.ParentReferenceId ?? BEGINNING
    return parent === BEGINNING ? null : parent
  },
}

function useHistory(record: Case, enabled: boolean) {
  const { tenant } = useSession()
  return usePages(
    {
      queryKey: ['case', record.CaseId, 'history'],
      enabled,
      ask: (cursor, signal) =>
        call(contract.getCaseHistory, {
          params: { tenantId: tenant, caseId: record.CaseId },
          query: { count: PAGE, ...(cursor === null ? {} : { startingConcurrencyId: cursor }) },
          signal,
        }),
    },
    PARTS,
  )
}

/**
 * Who changed what, with what stood there before, and each version to be looked at again. It takes Manage and a policy that the session
 * may not tell of: one refusal is remembered for as long as the page lives, so that opening cases does not ask for nothing.
 */
export function HistoryPanel({ record, seen, onSee }: HistoryProps) {
  const { t } = useTranslation('cases')
  const format = useFormat()
  const { managers } = useNames()
  const { session, tenant } = useSession()
  const queries = useQueryClient()
  const remembered = queries.getQueryData(REFUSED(session.User?.PrincipalId)) === true
  const manages = holds(record, 'Manage')
  const may = inPolicy(session, 'AccessAuditTrail') !== false && (manages || session.User?.Administrator === true)
  const { rows: entries, more, busy, onMore, error, retry } = useHistory(record, may && !remembered)
  const lines = useMemo(() => (entries === null ? null : told(entries, !more)), [entries, more])
  const refused = error instanceof Fault && error.code === 'Forbidden'
  if (refused && !remembered && manages) queries.setQueryData(REFUSED(session.User?.PrincipalId), true)
  return (
    <section className={styles['panel']} aria-labelledby="case-history">
      <h2 id="case-history" className={styles['title']}>
        {t('history')}{' '}
        {lines !== null && (
          <span className={styles['count']}>
            {t('versions', { count: lines.length, shown: format.count(lines.length) })}
          </span>
        )}
      </h2>
      {!may || remembered || refused ? (
        <p className={styles['none']}>
          {manages ? t('historyPolicy') : t('historyManage', { names: managers(record) })}
        </p>
      ) : error !== null && lines === null ? (
        <Problem error={error} onRetry={retry} />
      ) : lines === null ? (
        <Skeleton lines={6} />
      ) : (
        <Versions lines={lines} record={record} seen={seen} onSee={onSee} />
      )}
      <div className={styles['foot']}>
        {more && (
          <Button size="small" busy={busy} onPress={onMore}>
            {t('older')}
          </Button>
        )}
        {lines !== null && (
          <ExportMenu
            label={t('exportHistory')}
            size="small"
            address={(format) =>
              addressOf(exporting.exportCaseHistory, {
                params: { tenantId: tenant, caseId: record.CaseId },
                query: { format },
              })
            }
          />
        )}
      </div>
    </section>
  )
}

const REFUSED = (who: string | undefined) => ['refused', 'AccessAuditTrail', who ?? ''] as const

const ICONS: Readonly<Record<string, IconName>> = {
  'case.created': 'plus',
  'case.changed': 'edit',
  'case.closed': 'check',
  'case.reopened': 'undo',
  'case.linked': 'link',
  'case.shared': 'share',
  'case.protected': 'sealed',
  'case.unprotected': 'unlock',
  'case.deleted': 'trash',
  'case.restored': 'undo',
}

function Versions({ lines, record, seen, onSee }: HistoryProps & { readonly lines: readonly Told[] }) {
  const { t } = useTranslation('cases')
  const format = useFormat()
  const { nameOf } = useNames()
  const names = useMemo(
    () => new Map(evidencesOf(record).map(({ EvidenceId, DisplayName }) => [EvidenceId, DisplayName])),
    [record],
  )
  const detailOf = (line: Told): ReactNode => {
    const { ConcurrencyId } = line.entry
    const state = ConcurrencyId === record.ConcurrencyId ? 'now' : ConcurrencyId === seen ? 'seen' : 'past'
    return <Detail line={line} names={names} state={state} onSee={onSee} />
  }
  let day = ''
  const thread = runsOf(lines, format.day).map((run): ThreadEntry => {
    const { entry } = run[0]
    const own = format.day(entry.DateUtc)
    const head = own === day ? {} : { day: own }
    day = own
    return {
      ...head,
      id: entry.ConcurrencyId,
      icon: ICONS[entry.Action] ?? 'info',
      act: actWords(run, nameOf(entry.Author), t),
      time: format.timeOfDay(entry.DateUtc),
      at: entry.DateUtc,
      exact: format.instant(entry.DateUtc, { precision: 'millisecond', zone: true }),
      detail: run.length === 1 ? detailOf(run[0]) : <EachOf run={run} seen={seen} detailOf={detailOf} />,
    }
  })
  return <Thread label={t('history')} entries={thread} />
}

interface EachProps {
  readonly run: Run
  readonly seen: string | null
  readonly detailOf: (line: Told) => ReactNode
}

/** The versions of a line that stands for several. */
function EachOf({ run, seen, detailOf }: EachProps) {
  const { t } = useTranslation('cases')
  const format = useFormat()
  const [newest, oldest] = [run[0].entry, (run.at(-1) as Told).entry]
  const span = { from: format.timeOfDay(oldest.DateUtc), to: format.timeOfDay(newest.DateUtc) }
  return (
    <details open={run.some(({ entry }) => entry.ConcurrencyId === seen) || undefined}>
      <summary className={styles['each']}>
        {t('runVersions', { count: run.length, shown: format.count(run.length), ...span })}
      </summary>
      <ol className={styles['run']}>
        {run.map((line) => (
          <li key={line.entry.ConcurrencyId}>
            <time dateTime={line.entry.DateUtc} className={styles['id']}>
              {format.timeOfDay(line.entry.DateUtc)}
            </time>
            {detailOf(line)}
          </li>
        ))}
      </ol>
    </details>
  )
}

interface DetailProps {
  readonly line: Told
  readonly names: ReadonlyMap<string, string>
  readonly state: 'now' | 'seen' | 'past'
  readonly onSee: (concurrencyId: string) => void
}

function Detail({ line: { entry, changes }, names, state, onSee }: DetailProps) {
  const { t } = useTranslation('cases')
  const format = useFormat()
  return (
    <>
      {changes !== null && changes.length > 0 && <Differences changes={changes} names={names} />}
      <span className={styles['foot']}>
        {state === 'past' ? (
          <IconButton
            label={`${t('seeAsItWas')}, ${format.instant(entry.DateUtc)}`}
            icon="eye"
            size="small"
            onPress={() => onSee(entry.ConcurrencyId)}
          />
        ) : (
          <span>{t(state === 'now' ? 'asItIs' : 'seenNow')}</span>
        )}
        <span className={styles['id']} title={entry.ConcurrencyId}>
          {entry.ConcurrencyId.slice(0, 4)} {entry.ConcurrencyId.slice(4, 8)}
        </span>
      </span>
    </>
  )
}

function actWords(run: Run, name: string, t: Words): string {
  const { entry, changes } = run[0]
  switch (entry.Action) {
    case 'case.created':
      return t('didMake', { name })
    case 'case.closed':
      return t('didClose', { name })
    case 'case.reopened':
      return t('didReopen', { name })
    case 'case.shared':
      return t('didShare', { name })
    case 'case.protected':
      return t('didProtect', { name })
    case 'case.unprotected':
      return t('didUnprotect', { name })
    case 'case.deleted':
      return t('didDelete', { name })
    case 'case.restored':
      return t('didRestore', { name })
    case 'case.linked': {
      const { added, gone } = evidenceMoved(run) ?? { added: 0, gone: 0 }
      if (added > 0 && gone === 0) return t('didLinkAdd', { name, count: added })
      if (gone > 0 && added === 0) return t('didLinkRemove', { name, count: gone })
      return t('didLink', { name })
    }
    default:
      return run.length > 1 || changes === null || changes.length === 0
        ? t('didChange', { name })
        : t('didChangeFields', { name, count: changes.length })
  }
}
