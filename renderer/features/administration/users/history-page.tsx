import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { hasMessage, type Translate, useTranslation } from '../../../client/translate.ts'
import type { z } from 'zod'
import * as contract from '../../../../shared/identity/audit-trail.contract.ts'
import { type Answer, call } from '../../../client/api.ts'
import { cursorIn, usePages } from '../../../client/pages.ts'
import { useSession } from '../../../client/session.tsx'
import { EmptyState } from '../../../ui/empty/empty.tsx'
import { type Format, useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { StateMark } from '../../../ui/state/state.tsx'
import { TwoLines } from '../../../ui/table/cells.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { ListPage } from '../list-page.tsx'
import { useUser } from '../people-queries.ts'
import { objectWords, type Words } from '../labels.ts'
import { listName } from './user-labels.tsx'

type Entry = z.output<typeof contract.UserHistoryEntry>

const COUNT = '100'

/** What the ledger says of one person: what they did, and what was done to their account. Reading it is written there too. */
const PARTS = { rowsOf: ({ Entries }: Answer<typeof contract.getUserHistory>) => Entries, cursorOf: cursorIn }

export function UserHistoryPage({ userId }: { readonly userId: string }) {
  const { t } = useTranslation('administration')
  const { t: say } = useTranslation('evidencePage')
  const format = useFormat()
  const { tenant } = useSession()
  const { data: user } = useUser(userId)
  const list = usePages(
    {
      queryKey: ['administration', 'history', tenant, userId],
      ask: (cursor, signal) =>
        call(contract.getUserHistory, {
          params: { tenantId: tenant, userId },
          query: { count: COUNT, ...(cursor === null ? {} : { before: cursor }) },
          signal,
        }),
    },
    PARTS,
  )
  const columns = useMemo(() => columnsOf(t, format, wordsOf(say)), [t, format, say])
  const name = user === undefined ? '' : listName(user)
  return (
    <ListPage
      title={name === '' ? t('history') : t('historyOf', { name })}
      lead={t('historyLead')}
      columns={columns}
      list={list}
      keyOf={({ Seq }) => String(Seq)}
      filters={
        <Link to="/administration/users" search={{ open: userId }}>
          {t('historyBack')}
        </Link>
      }
      empty={<EmptyState title={t('historyNone')}>{t('historyNoneBody')}</EmptyState>}
    />
  )
}

/** The words that custody says an act in, in the reader's language; of an act without such words the meaning as the ledger has it. */
const wordsOf =
  (say: Translate<'evidencePage'>) =>
  ({ Action, Meaning }: Entry): string => {
    const key = `act${Action.split('.')
      .map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}`)
      .join('')}`
    return hasMessage('evidencePage', key) ? say(key as 'actSessionOpened') : visible(Meaning)
  }

const OUTCOMES = { denied: 'outcomeDenied', failed: 'outcomeFailed' } as const

const columnsOf = (t: Words, format: Format, said: (entry: Entry) => string): readonly Column<Entry>[] => [
  {
    id: 'when',
    label: t('when'),
    width: 11,
    cell: ({ TimeUtc }) => format.instant(TimeUtc, { precision: 'second' }),
    text: ({ TimeUtc }) => format.instant(TimeUtc, { precision: 'second' }),
  },
  {
    id: 'what',
    label: t('whatWasDone'),
    least: 12,
    cell: (entry) => <TwoLines strong first={said(entry)} second={detailOf(entry, t)} />,
    text: (entry) => [said(entry), detailOf(entry, t)].filter((part) => part !== '').join(', '),
  },
  {
    id: 'object',
    label: t('onWhat'),
    width: 13,
    cell: ({ Object: one }) => <TwoLines first={<bdi>{visible(one.Name)}</bdi>} second={objectWords(one, t)} />,
    text: ({ Object: one }) => `${visible(one.Name)} ${objectWords(one, t)}`,
  },
  {
    id: 'who',
    label: t('who'),
    width: 11,
    priority: 2,
    cell: ({ Actor, Source }) => <TwoLines first={<bdi>{visible(Actor.Name)}</bdi>} second={visible(Source)} />,
    text: ({ Actor, Source }) => `${visible(Actor.Name)}, ${visible(Source)}`,
  },
  {
    id: 'outcome',
    label: t('outcome'),
    width: 9,
    priority: 3,
    cell: ({ Outcome }) =>
      Outcome === 'ok' ? (
        t('outcomeOk')
      ) : (
        <StateMark state="attention" small>
          {t(OUTCOMES[Outcome])}
        </StateMark>
      ),
    text: ({ Outcome }) => t(Outcome === 'ok' ? 'outcomeOk' : OUTCOMES[Outcome]),
  },
]

/** The reason, and what was changed where the ledger says before and after; the members of other details are for programs. */
function detailOf({ Reason, Detail }: Entry, t: Words): string {
  const changed = [Detail?.['before'], Detail?.['after']].map((side) =>
    typeof side === 'object' && side !== null ? Object.keys(side) : [],
  )
  const members = [...new Set(changed.flat())]
  return [
    ...(Reason === null ? [] : [t('historyReason', { reason: visible(Reason) })]),
    ...(members.length === 0 ? [] : [t('historyChanged', { members: visible(members.join(', ')) })]),
  ].join(' · ')
}
