import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import * as contract from '../../../shared/forwarding/contract.ts'
import { call } from '../../client/api.ts'
import { ConnectionReason, useConnectionReasons } from '../../client/connection-reasons.tsx'
import { windowOf } from '../../client/pages.ts'
import { useSession } from '../../client/session.tsx'
import { useTranslation } from '../../client/translate.ts'
import { useAct } from '../../ui/act/use-act.ts'
import { Button } from '../../ui/button/button.tsx'
import { EmptyState } from '../../ui/empty/empty.tsx'
import { type Format, useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { PageAlone, PageBody, PageFrame, PageNote } from '../../ui/layout/page-frame.tsx'
import { Note } from '../../ui/note/note.tsx'
import { Problem } from '../../ui/problem/problem.tsx'
import { ProgressBar } from '../../ui/progress/progress.tsx'
import { Segments } from '../../ui/segments/segments.tsx'
import { TwoLines } from '../../ui/table/cells.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/table.tsx'
import { type Headquarters, type Item, useHeadquarters, useItems, useRefreshed, type Words } from './queries.ts'
import { Questions } from './questions.tsx'

type Show = Item['State']
type Say = ReturnType<typeof useConnectionReasons>

/** What waits, what a person has to look at, and what headquarters has. */
export function BacklogPage() {
  const { t } = useTranslation('forwarding')
  const format = useFormat()
  const { session } = useSession()
  const navigate = useNavigate()
  const { show = 'waiting' } = useSearch({ strict: false }) as { readonly show?: Show }
  const isAdministrator = session.User?.Administrator === true
  const { headquarters } = useHeadquarters()
  const items = useItems(show, isAdministrator)
  const say = useConnectionReasons()
  const columns = useMemo(() => columnsOf(show, t, format, say), [show, t, format, say])
  if (!isAdministrator)
    return (
      <PageAlone>
        <EmptyState title={t('barredTitle')}>{t('barredBody')}</EmptyState>
      </PageAlone>
    )
  const backlog = headquarters?.Backlog
  return (
    <PageFrame
      title={t('backlog')}
      lead={
        <Segments<Show>
          label={t('backlogShow')}
          value={show}
          onChange={(chosen) => void navigate({ to: '/headquarters/backlog', search: { show: chosen }, replace: true })}
          segments={[
            { id: 'waiting', label: t('showWaiting', { shown: format.count(backlog?.Waiting ?? 0) }) },
            { id: 'failed', label: t('showFailed', { shown: format.count(backlog?.Failed ?? 0) }) },
            { id: 'done', label: t('showDone', { shown: format.count(backlog?.Done ?? 0) }) },
          ]}
        />
      }
    >
      {items.error !== null && (
        <PageNote>
          <Problem error={items.error} onRetry={items.retry} />
        </PageNote>
      )}
      {backlog !== undefined && show === 'waiting' && <Standing backlog={backlog} />}
      {(backlog?.Questions ?? 0) > 0 && <Questions />}
      <PageBody>
        <DataTable<Item>
          label={t('backlog')}
          columns={columns}
          {...windowOf(items)}
          keyOf={({ EvidenceId }) => EvidenceId}
          media
          empty={<EmptyState title={t(EMPTY[show][0])}>{t(EMPTY[show][1])}</EmptyState>}
        />
      </PageBody>
    </PageFrame>
  )
}

const EMPTY = {
  waiting: ['emptyWaiting', 'emptyWaitingBody'],
  failed: ['emptyFailed', 'emptyFailedBody'],
  done: ['emptyDone', 'emptyDoneBody'],
} as const

/** How far the one that is sent now is, and when all of it will be there. */
function Standing({ backlog }: { readonly backlog: Headquarters['Backlog'] }) {
  const { t } = useTranslation('forwarding')
  const format = useFormat()
  const { Current, Waiting, WaitingBytes, DoneTimeUtc, BytesPerSecond, NextWindowUtc } = backlog
  if (Waiting === 0) return null
  return (
    <PageNote>
      <Note
        state={Current === null ? 'waiting' : 'working'}
        title={t('standing', { count: Waiting, shown: format.count(Waiting), size: format.bytes(WaitingBytes) })}
      >
        {DoneTimeUtc === null ? t('estimateNone') : t('estimate', { when: format.timeOrDay(DoneTimeUtc) })}{' '}
        {BytesPerSecond !== null && t('atPace', { pace: format.speed(BytesPerSecond) })}{' '}
        {NextWindowUtc !== null && t('windowOpens', { when: format.timeOrDay(NextWindowUtc) })}
      </Note>
      {Current !== null && (
        <ProgressBar
          label={t('sending', { name: visible(Current.Name) })}
          value={Current.Bytes === 0 ? null : (100 * Current.SentBytes) / Current.Bytes}
        />
      )}
    </PageNote>
  )
}

const GROUNDS = {
  requested: 'groundRequested',
  everything: 'groundEverything',
  category: 'groundCategory',
  case: 'groundCase',
  age: 'groundAge',
  changed: 'groundChanged',
} as const

const columnsOf = (show: Show, t: Words, format: Format, say: Say): readonly Column<Item>[] => {
  const act: Column<Item> = {
    id: 'act',
    label: t('columnAct'),
    width: 9,
    cell: (item) => <Retry item={item} />,
    text: () => t('retry'),
  }
  return show === 'failed' ? [...plainColumns(show, t, format, say), act] : plainColumns(show, t, format, say)
}

const plainColumns = (show: Show, t: Words, format: Format, say: Say): readonly Column<Item>[] => [
  {
    id: 'name',
    label: t('columnItem'),
    least: 14,
    cell: ({ EvidenceId, Name, Problem: problem }) => (
      <TwoLines
        strong
        first={
          <Link to="/evidence/$evidenceId" params={{ evidenceId: EvidenceId }} tabIndex={-1}>
            <bdi>{visible(Name)}</bdi>
          </Link>
        }
        second={problem === null ? '' : <ConnectionReason text={problem} />}
      />
    ),
    text: ({ Name, Problem: problem }) => (problem === null ? visible(Name) : `${visible(Name)}, ${say(problem)}`),
  },
  {
    id: 'ground',
    label: t('columnGround'),
    width: 12,
    priority: 3,
    cell: ({ Ground }) => t(GROUNDS[Ground]),
    text: ({ Ground }) => t(GROUNDS[Ground]),
  },
  {
    id: 'size',
    label: t('columnSize'),
    width: 6,
    priority: 2,
    align: 'end',
    cell: ({ Bytes }) => format.bytes(Bytes),
    text: ({ Bytes }) => format.bytes(Bytes),
  },
  {
    id: 'since',
    label: t(show === 'done' ? 'columnDone' : 'columnSince'),
    width: 8,
    priority: 2,
    cell: (item) => format.timeOrDay(timeOf(item)),
    text: (item) => format.instant(timeOf(item)),
  },
]

const timeOf = ({ State, DoneTimeUtc, QueuedTimeUtc }: Item): string =>
  State === 'done' ? (DoneTimeUtc ?? QueuedTimeUtc) : QueuedTimeUtc

function Retry({ item }: { readonly item: Item }) {
  const { t } = useTranslation('forwarding')
  const { tenant } = useSession()
  const refreshed = useRefreshed()
  const { busy, error, run } = useAct()
  const [tried, setTried] = useState(false)
  return (
    <Button
      size="small"
      busy={busy}
      icon="retry"
      {...(error !== null && tried ? { 'aria-description': error.message } : {})}
      onPress={() => {
        setTried(true)
        run(() =>
          refreshed(call(contract.retryForwarding, { params: { tenantName: tenant, evidenceId: item.EvidenceId } })),
        )
      }}
    >
      {t('retry')}
    </Button>
  )
}
