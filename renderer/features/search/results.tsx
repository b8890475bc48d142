import { Fragment, useCallback, useMemo } from 'react'
import { findWords, parseSearch, wordsToShow } from '../../../shared/search/search-query.ts'
import { useCaseDrop } from '../../client/case-drop.ts'
import { startEvidenceDrag } from '../../client/evidence-drag.ts'
import { STATUS_STATES, statusInCase, statusWord } from '../../client/evidence-status.ts'
import { type Translate, useTranslation } from '../../client/translate.ts'
import { useOpenHit } from '../../client/use-open-hit.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import { CLOCK_COLUMN_WIDTH, ClockCell, type ClockText, useClockText } from '../../ui/clocks/clocks.tsx'
import { setDragWords } from '../../ui/drag/drag-image.ts'
import { EmptyState } from '../../ui/empty/empty.tsx'
import { type Format, useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import type { IconName } from '../../ui/icon/icon.tsx'
import { StateMark } from '../../ui/state/state.tsx'
import { MediaName, TwoLines } from '../../ui/table/cells.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/table.tsx'
import { type Hit, type Results, useCategoryNames } from './queries.ts'
import { isFiltered, type SearchState, WITHOUT_FILTERS } from './search-state.ts'
import styles from './search.module.css'

interface Props {
  readonly search: SearchState
  readonly results: Results
  readonly change: (what: Partial<SearchState>) => void
}

const keyOf = ({ Type, Id }: Hit): string => `${Type} ${Id}`

export function ResultTable({ search, results, change }: Props) {
  const { t } = useTranslation('search')
  const format = useFormat()
  const categories = useCategoryNames()
  const words = useMemo(() => wordsToShow(parseSearch(search.q)), [search.q])
  const clockText = useClockText()
  const columns = useMemo(
    () => columnsOf({ t, format, clockText, words, categories }),
    [t, format, clockText, words, categories],
  )
  const look = useCallback((q: string) => change({ q, types: [] }), [change])
  const open = useOpenHit(look)
  const drop = useCaseDrop(caseOf)
  return (
    <DataTable
      label={t('results')}
      columns={columns}
      total={results.total}
      rowAt={results.rowAt}
      keyOf={keyOf}
      onWindow={results.onWindow}
      onOpen={open}
      onDrag={dragHit}
      onDrop={drop}
      media
      busy={results.total === null}
      empty={<Nothing search={search} change={change} />}
    />
  )
}

/** An open case; whether it may be edited the station says. */
const caseOf = ({ Type, Id, Title, State }: Hit) =>
  Type === 'Case' && State === 'Open' ? { caseId: Id, title: Title } : null

function dragHit({ Type, Id, Title }: Hit, transfer: DataTransfer): void {
  if (Type !== 'Evidence') return
  setDragWords(transfer, visible(Title))
  startEvidenceDrag(transfer, { count: 1, gather: async () => [Id] })
}

type Words = Translate<'search'>
interface Given {
  readonly t: Words
  readonly format: Format
  readonly clockText: ClockText
  readonly words: readonly string[]
  readonly categories: ReadonlyMap<string, string>
}

const ICONS: Readonly<Record<string, IconName>> = {
  Case: 'cases',
  User: 'user',
  Group: 'user',
  Device: 'devices',
  video: 'video',
  audio: 'audio',
  image: 'picture',
  document: 'document',
  text: 'document',
}
const iconOf = ({ Type, MediaType }: Hit): IconName =>
  ICONS[MediaType ?? Type] ?? (Type === 'Evidence' ? 'file' : 'cases')

const KINDS = {
  Case: 'oneCase',
  Evidence: 'oneEvidence',
  User: 'oneUser',
  Group: 'oneGroup',
  Device: 'oneDevice',
} as const
const kindWords = ({ Type, MediaType }: Hit, t: Words): string =>
  Type === 'Evidence' && MediaType !== null && MediaType !== 'none' ? t(MediaType) : t(KINDS[Type])

const STATE_WORDS = {
  Open: 'stateOpen',
  Closed: 'stateClosed',
  None: 'stateNone',
  UserCompleted: 'stateUserCompleted',
  Protected: 'Protected',
  Deleted: 'stateDeleted',
  Enabled: 'stateEnabled',
  Disabled: 'stateDisabled',
} as const

function whenOf(
  { StartTimeUtc: start, EndTimeUtc: end, CreatedUtcTime: created, Type }: Hit,
  { t, format }: Given,
): string {
  if (Type !== 'Case' && Type !== 'Evidence') return ''
  if (start === null && end === null) return t('added', { time: format.instant(created, { precision: 'minute' }) })
  if (start === null) return t('until', { time: format.instant(end ?? '', { precision: 'minute' }) })
  const from = format.instant(start, { precision: 'minute' })
  if (end === null || format.instant(end, { precision: 'minute' }) === from) return from
  const to =
    format.day(start) === format.day(end) ? format.timeOfDay(end) : format.instant(end, { precision: 'minute' })
  return t('fromTo', { from, to })
}

const numberOf = (hit: Hit): string => hit.Number ?? (hit.Type === 'Evidence' ? hit.Id : '')

function columnsOf(given: Given): readonly Column<Hit>[] {
  const { t, clockText, words, categories } = given
  const category = ({ CategoryId }: Hit): string => visible(categories.get(CategoryId ?? '') ?? '')
  return [
    {
      id: 'hit',
      label: t('columnHit'),
      least: 19,
      fixed: true,
      cell: (hit) => (
        <MediaName
          thumb={hit.Thumbnail ?? undefined}
          icon={iconOf(hit)}
          paper={hit.Thumbnail === null}
          name={<Marked text={hit.DisplayName} words={words} />}
          note={
            <span className={styles['second']}>
              {hit.Exact && <Badge>{t('exact')}</Badge>}
              {numberOf(hit) !== '' && <span className="id">{visible(numberOf(hit))}</span>}
              {hit.Snippet !== null && <Marked text={hit.Snippet} words={words} />}
            </span>
          }
        />
      ),
      text: (hit) =>
        [hit.DisplayName, numberOf(hit), hit.Snippet ?? '']
          .filter((one) => one !== '')
          .map(visible)
          .join(', '),
    },
    {
      id: 'kind',
      label: t('columnKind'),
      width: 6.5,
      priority: 2,
      cell: (hit) => <TwoLines first={kindWords(hit, t)} second={category(hit)} />,
      text: (hit) => [kindWords(hit, t), category(hit)].filter((one) => one !== '').join(', '),
    },
    {
      id: 'when',
      label: t('columnWhen'),
      width: CLOCK_COLUMN_WIDTH,
      priority: 3,
      cell: (hit) =>
        hit.Clock === null || hit.Clock.CorrectedTimeUtc === null ? (
          whenOf(hit, given)
        ) : (
          <ClockCell clock={hit.Clock} />
        ),
      text: (hit) =>
        hit.Clock === null || hit.Clock.CorrectedTimeUtc === null ? whenOf(hit, given) : clockText(hit.Clock),
    },
    {
      id: 'where',
      label: t('columnWhere'),
      width: 10,
      priority: 4,
      cell: (hit) => (
        <span className="truncated">
          <Marked text={hit.LocationText ?? ''} words={words} />
        </span>
      ),
      text: (hit) => visible(hit.LocationText ?? ''),
    },
    {
      id: 'state',
      label: t('columnState'),
      width: 9.5,
      priority: 2,
      cell: (hit) => <HitState hit={hit} />,
      text: (hit) =>
        hit.Type === 'Evidence'
          ? statusWord(statusOfHit(hit))
          : [t(STATE_WORDS[hit.State]), ...(hit.Protected ? [t('Protected')] : [])].join(', '),
    },
  ]
}

const statusOfHit = (hit: Hit) =>
  statusInCase({
    State: hit.State,
    LifecycleState: hit.State === 'Deleted' ? 'Deleted' : hit.Protected ? 'Protected' : 'None',
    Status: hit.Status,
  })

/** Open, closed and complete are facts; what is protected or deleted somebody must know of. */
function HitState({ hit }: { readonly hit: Hit }) {
  const { t } = useTranslation('search')
  if (hit.Type === 'Evidence') {
    const status = statusOfHit(hit)
    return (
      <StateMark state={STATUS_STATES[status]} wraps>
        {statusWord(status)}
      </StateMark>
    )
  }
  if (hit.Protected) return <StateMark state="sealed">{t('Protected')}</StateMark>
  const words = t(STATE_WORDS[hit.State])
  return hit.State === 'Deleted' ? <StateMark state="attention">{words}</StateMark> : <span>{words}</span>
}

function Nothing({ search, change }: Pick<Props, 'search' | 'change'>) {
  const { t } = useTranslation('search')
  const filtered = isFiltered(search)
  return (
    <EmptyState
      title={t('nothingTitle')}
      action={filtered && <Button onPress={() => change(WITHOUT_FILTERS)}>{t('nothingFilters')}</Button>}
    >
      {t(filtered ? 'nothingBody' : 'nothingBodyWords')}
    </EmptyState>
  )
}

/** A text with the words that were looked for marked in it. */
function Marked({ text, words }: { readonly text: string; readonly words: readonly string[] }) {
  const shown = visible(text)
  const places = useMemo(() => findWords(shown, words), [shown, words])
  let at = 0
  return (
    <bdi>
      {places.map(({ start, end }) => {
        const before = shown.slice(at, start)
        at = end
        return (
          <Fragment key={start}>
            {before}
            <mark className={styles['mark']}>{shown.slice(start, end)}</mark>
          </Fragment>
        )
      })}
      {shown.slice(at)}
    </bdi>
  )
}
