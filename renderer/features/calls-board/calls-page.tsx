import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { useTranslation } from '../../client/translate.ts'
import { useMay } from '../../client/rights.ts'
import { useSession } from '../../client/session.tsx'
import { Button } from '../../ui/button/button.tsx'
import { EmptyState } from '../../ui/empty/empty.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { ExportMenu } from '../../ui/popover/export-menu.tsx'
import { Problem } from '../../ui/problem/problem.tsx'
import { Segments } from '../../ui/segments/segments.tsx'
import { Skeleton } from '../../ui/skeleton/skeleton.tsx'
import { type Chosen, LaneBoard } from './board.tsx'
import { CallList } from './call-list.tsx'
import { PageAlone, PageNote, useDocumentTitle } from '../../ui/layout/page-frame.tsx'
import { SidePane, TwoPane, WorkPane } from '../../ui/layout/two-pane.tsx'
import styles from './calls.module.css'
import { type Board, useBoard, useExportAddress } from './queries.ts'
import { Filters, ShiftSteps, useShiftWords } from './filters.tsx'
import { FootageMark } from './mark.tsx'
import { ReasonPanel } from './reason-panel.tsx'
import { type CallsSearch, callsSearch, isFiltered, VIEWS } from './search.ts'
import { Trend, Weeks } from './weeks.tsx'
import { shareOf, STATES, stateWords } from './labels.ts'

/** A station with more in a day reckons twelve weeks when somebody asks for them, not beside every shift. */
const MANY_CALLS = 300

/** Calls versus footage: a shift at one look, the reason one key away. */
export function CallsPage() {
  const { t } = useTranslation('calls')
  const { session } = useSession()
  useDocumentTitle(t('title'))
  if (session.User === null || session.User.Guest)
    return (
      <PageAlone>
        <EmptyState title={t('barredTitle')}>{t('barredBody')}</EmptyState>
      </PageAlone>
    )
  return <Page />
}

function Page() {
  const navigate = useNavigate({ from: '/calls' })
  const given = useSearch({ from: '/calls' })
  const search = useMemo(() => callsSearch.read(given), [given])
  const { data: board, error, refetch } = useBoard(search, true)
  const change = useCallback(
    (what: Partial<CallsSearch>): void =>
      void navigate({
        search: (now) => callsSearch.withoutUsual(callsSearch.read({ ...now, ...what })),
        replace: true,
      }),
    [navigate],
  )
  if (board === undefined)
    return (
      <PageAlone>
        {error === null ? <Skeleton lines={8} /> : <Problem error={error} onRetry={() => void refetch()} />}
      </PageAlone>
    )
  return (
    <div className={styles['page']}>
      <Head {...{ board, search, change }} />
      <Filters {...{ board, search, change }} />
      {error !== null && (
        <PageNote>
          <Problem error={error} onRetry={() => void refetch()} />
        </PageNote>
      )}
      {board.AnyCalls ? <Columns {...{ board, search, change }} /> : <NoCalls />}
    </div>
  )
}

interface Shown {
  readonly board: Board
  readonly search: CallsSearch
  readonly change: (what: Partial<CallsSearch>) => void
}

const VIEW_WORDS = { units: 'viewUnits', calls: 'viewCalls', weeks: 'viewWeeks' } as const

function Head({ board, search, change }: Shown) {
  const { t } = useTranslation('calls')
  const address = useExportAddress({ ...search, date: board.Date, shift: String(board.Shift ?? 'all') })
  return (
    <header className={styles['head']}>
      <h1 className={styles['title']}>{t('title')}</h1>
      <ShiftSteps {...{ board, change }} />
      <ShiftTitle board={board} />
      <div className={styles['acts']}>
        <Segments
          label={t('view')}
          value={search.view}
          onChange={(view) => change({ view })}
          segments={VIEWS.map((id) => ({ id, label: t(VIEW_WORDS[id]) }))}
        />
        <ExportMenu label={t('export')} address={address} />
      </div>
    </header>
  )
}

/** `Night, 22:00 to 06:00 · 19 Nov 2026`. */
function ShiftTitle({ board }: { readonly board: Board }) {
  const { t } = useTranslation('calls')
  const format = useFormat()
  const shiftWords = useShiftWords()
  const shift = board.Shifts.find(({ Index }) => Index === board.Shift)
  return (
    <p className={styles['shift']} aria-live="polite">
      {format.day(board.FromUtc)}, {shift === undefined ? t('wholeDay') : shiftWords(shift)}
    </p>
  )
}

function Columns({ board, search, change }: Shown) {
  const { t } = useTranslation('calls')
  const chosen: Chosen = { call: search.call, who: search.who }
  const choose = ({ call, who }: Chosen): void => change({ call, who })
  if (search.view === 'weeks')
    return (
      <TwoPane className={styles['columns']}>
        <div className={styles['scroll']} tabIndex={0} role="group" aria-label={t('viewWeeks')} data-region>
          <Weeks search={search} date={board.Date} />
        </div>
      </TwoPane>
    )
  return (
    <TwoPane className={styles['columns']}>
      <WorkPane>
        <Tally board={board} />
        {board.Rows.length === 0 && (isFiltered(search) || board.Calls.length === 0) ? (
          <Nothing search={search} />
        ) : search.view === 'calls' ? (
          <div className={styles['scroll']} data-region>
            <CallList {...{ board, chosen }} onChoose={choose} />
          </div>
        ) : (
          <LaneBoard {...{ board, chosen }} onChoose={choose} />
        )}
      </WorkPane>
      <Panel {...{ board, search, change, chosen }} />
    </TwoPane>
  )
}

function Panel({ board, search, change, chosen }: Shown & { readonly chosen: Chosen }) {
  const { t } = useTranslation('calls')
  const isChosen = chosen.call !== '' && chosen.who !== ''
  const gaps = board.Rows.flatMap((row) => row.Gaps).filter(({ PrincipalId }) => PrincipalId === chosen.who)
  return (
    <SidePane label={t('panel')} scrolls>
      {isChosen ? (
        <ReasonPanel {...{ chosen, gaps }} onClose={() => change({ call: '', who: '' })} />
      ) : (
        <p className={styles['hint']}>
          {t('panelEmpty')} {search.view === 'units' && t('panelEmptyKeys')}
        </p>
      )}
      <Trend search={search} date={board.Calls.length <= MANY_CALLS ? board.Date : null} />
    </SidePane>
  )
}

/** How many of each, and what part of the time. */
function Tally({ board }: { readonly board: Board }) {
  const { t } = useTranslation('calls')
  const format = useFormat()
  const share = shareOf(board.Tally)
  return (
    <dl className={styles['tally']}>
      {STATES.map((state) => (
        <div key={state}>
          <dt>
            <FootageMark state={state}>{stateWords(state, t)}</FootageMark>
          </dt>
          <dd>{format.count(board.Tally[state])}</dd>
        </div>
      ))}
      {share !== null && (
        <div className={styles['share']}>
          <dt>{t('ofDispatched')}</dt>
          <dd>{format.percent(share)}</dd>
        </div>
      )}
    </dl>
  )
}

function Nothing({ search }: { readonly search: CallsSearch }) {
  const { t } = useTranslation('calls')
  return (
    <PageAlone>
      {isFiltered(search) ? (
        <EmptyState title={t('noneTitle')}>{t('noneBody')}</EmptyState>
      ) : (
        <EmptyState title={t('emptyTitle')}>{t('emptyBody')}</EmptyState>
      )}
    </PageAlone>
  )
}

/** No call has ever come that one may see: how one does. */
function NoCalls() {
  const { t } = useTranslation('calls')
  const navigate = useNavigate()
  const { session } = useSession()
  const connects = useMay('ManageConfiguration') && session.User?.Administrator === true
  return (
    <PageAlone>
      <EmptyState
        title={t('noCallsTitle')}
        action={
          connects && (
            <Button kind="main" onPress={() => void navigate({ to: '/administration/services' })}>
              {t('noCallsConnect')}
            </Button>
          )
        }
      >
        <p>{t('noCallsBody')}</p>
        {!connects && <p>{t('noCallsAsk')}</p>}
      </EmptyState>
    </PageAlone>
  )
}
