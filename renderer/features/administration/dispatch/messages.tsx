import { useMemo } from 'react'
import { useCadReasons } from '../../../client/cad-reasons.ts'
import { langOf } from '../../../client/station-sentences.ts'
import { useTranslation } from '../../../client/translate.ts'
import { windowOf } from '../../../client/pages.ts'
import { EmptyState } from '../../../ui/empty/empty.tsx'
import { type Format, useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { Segments } from '../../../ui/segments/segments.tsx'
import { StateMark } from '../../../ui/state/state.tsx'
import { TwoLines } from '../../../ui/table/cells.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { DataTable } from '../../../ui/table/table.tsx'
import { Problem } from '../problem.tsx'
import { usePlace } from '../search-state.ts'
import styles from './cad.module.css'
import { type Message, type State, useMessages, useOverview } from './queries.ts'
import { MessagePanel } from './message-panel.tsx'
import { TryAll } from './try-all.tsx'
import { type CadWords, LOOKS, problemWords, reasonLang, reasonWords, type Say } from '../cad/labels.ts'

const WHICH = ['unreadable', 'review', 'all'] as const
type Which = (typeof WHICH)[number]
const EMPTY = {
  unreadable: ['unreadableNone', 'unreadableNoneBody'],
  review: ['reviewNone', 'reviewNoneBody'],
  all: ['allNone', 'allNoneBody'],
} as const satisfies Record<Which, readonly [string, string]>

const keyOf = ({ messageId }: Message): string => messageId

/** What came, newest first: what could not be read, what waits for its case, or all of it. */
export default function Messages() {
  const { t } = useTranslation('cad')
  const format = useFormat()
  const { search, change } = usePlace()
  const which = WHICH.find((one) => one === search.kind) ?? 'unreadable'
  const pages = useMessages(which === 'all' ? null : which)
  const waiting = useOverview().data?.waiting
  const say = useCadReasons()
  const columns = useMemo(() => columnsOf(t, format, say), [t, format, say])
  const counted = (id: Which): string => {
    const count = id === 'all' || waiting === undefined ? 0 : waiting[id]
    return count === 0 ? t(id) : `${t(id)} ${format.count(count)}`
  }
  const [title, body] = EMPTY[which]
  return (
    <div className={styles['beside']}>
      <div className={styles['column']}>
        <div className={styles['filters']}>
          <Segments
            label={t('which')}
            value={which}
            onChange={(kind) => change({ kind, open: undefined })}
            segments={WHICH.map((id) => ({ id, label: counted(id) }))}
          />
          {which !== 'all' && (pages.rows?.length ?? 0) > 0 && <TryAll key={which} state={which} />}
        </div>
        {pages.error !== null && (
          <div className={styles['note']}>
            <Problem error={pages.error} onRetry={pages.retry} />
          </div>
        )}
        <div className={styles['table']}>
          <DataTable
            label={t('messages')}
            columns={columns}
            {...windowOf(pages)}
            keyOf={keyOf}
            onOpen={({ messageId }) => change({ open: messageId })}
            media
            empty={<EmptyState title={t(title)}>{t(body)}</EmptyState>}
          />
        </div>
      </div>
      {search.open !== undefined && /^\d+$/.test(search.open) && (
        <MessagePanel key={search.open} messageId={search.open} onClose={() => change({ open: undefined })} />
      )}
    </div>
  )
}

const columnsOf = (t: CadWords, format: Format, say: Say): readonly Column<Message>[] => [
  {
    id: 'received',
    label: t('received'),
    width: 10,
    cell: ({ receivedUtc }) => format.instant(receivedUtc, { precision: 'second', year: false }),
    text: ({ receivedUtc }) => format.instant(receivedUtc, { zone: true }),
  },
  {
    id: 'call',
    label: t('call'),
    least: 9,
    cell: ({ eventId, sentBy }) => (
      <TwoLines
        strong
        first={<bdi>{eventId === null ? t('noNumber') : visible(eventId)}</bdi>}
        second={<bdi>{visible(sentBy.name)}</bdi>}
      />
    ),
    text: ({ eventId, sentBy }) => `${visible(eventId ?? t('noNumber'))}, ${visible(sentBy.name)}`,
  },
  {
    id: 'became',
    label: t('became'),
    width: 9,
    cell: ({ state }) => <StateMark state={LOOKS[state as State]}>{t(state)}</StateMark>,
    text: ({ state }) => t(state),
  },
  {
    id: 'reason',
    label: t('reason'),
    least: 10,
    cell: (message) => (
      <TwoLines
        first={<span lang={reasonLang(message, say)}>{reasonWords(message, t, say)}</span>}
        second={message.problems.map((one, at) => (
          <span key={at} lang={langOf(say(one.message), one.message)}>
            {at > 0 && '; '}
            {problemWords(one, say)}
          </span>
        ))}
      />
    ),
    text: (message) => `${reasonWords(message, t, say)} ${problemsOf(message, say)}`,
  },
  {
    id: 'attempts',
    label: t('attempts'),
    width: 6,
    align: 'end',
    priority: 3,
    cell: ({ attempts }) => format.count(attempts),
    text: ({ attempts }) => format.count(attempts),
  },
]

const problemsOf = ({ problems }: Message, say: Say): string => problems.map((one) => problemWords(one, say)).join('; ')
