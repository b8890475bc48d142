import { useMemo } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import type { z } from 'zod'
import * as exporting from '../../../../shared/kernel/exports.contract.ts'
import * as contract from '../../../../shared/identity/audit-trail.contract.ts'
import { type Answer, addressOf, call } from '../../../client/api.ts'
import { cursorIn, usePages } from '../../../client/pages.ts'
import { useSession } from '../../../client/session.tsx'
import { Chip } from '../../../ui/badge/badge.tsx'
import { EmptyState } from '../../../ui/empty/empty.tsx'
import { type Format, useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { ExportMenu } from '../../../ui/popover/export-menu.tsx'
import { TwoLines } from '../../../ui/table/cells.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { Segments } from '../../../ui/segments/segments.tsx'
import { ListPage } from '../list-page.tsx'
import { usePlace } from '../search-state.ts'
import { objectWords, type Words } from '../labels.ts'
import styles from '../list.module.css'

type Entry = z.output<typeof contract.SuspiciousEntry>
type Page = Answer<typeof contract.getSuspiciousActivity>
const DAYS = ['1', '7', '30', '366'] as const
const DAY_WORDS = { 1: 'lastDay', 7: 'lastWeek', 30: 'lastMonth', 366: 'lastYear' } as const
const KIND_WORDS = {
  SignIn: 'denialSignIn',
  Locked: 'denialLocked',
  Denied: 'denialDenied',
  Token: 'denialToken',
  Upload: 'denialUpload',
} as const

const PARTS = { rowsOf: ({ Entries }: Page) => Entries, cursorOf: cursorIn }

function useDenials(days: string, kind: contract.SuspiciousKind | undefined) {
  const { tenant } = useSession()
  return usePages(
    {
      queryKey: ['administration', 'denials', tenant, days, kind],
      keepsPrevious: true,
      ask: (cursor, signal) =>
        call(contract.getSuspiciousActivity, {
          params: { tenantId: tenant },
          query: { days, ...(kind === undefined ? {} : { kind }), ...(cursor === null ? {} : { before: cursor }) },
          signal,
        }),
    },
    PARTS,
  )
}

/** What the station refused: sign-ins, calls without a right, tokens, uploads. Read from the ledger, and reading it is written there too. */
export function DenialsPage() {
  const { t } = useTranslation('administration')
  const format = useFormat()
  const { search, change } = usePlace()
  const { tenant } = useSession()
  const days = DAYS.find((one) => one === String(search.days)) ?? '7'
  const kind = contract.SUSPICIOUS_KINDS.find((one) => one === search.kind)
  const list = useDenials(days, kind)
  const columns = useMemo(() => columnsOf(t, format), [t, format])
  const counts = list.pages?.[0]?.Counts
  return (
    <ListPage
      title={t('denials')}
      lead={t('denialsLead')}
      columns={columns}
      list={list}
      keyOf={({ Seq }) => String(Seq)}
      tools={
        <ExportMenu
          label={t('exportList')}
          address={(as) =>
            addressOf(exporting.exportSuspiciousActivity, {
              params: { tenantId: tenant },
              query: { days, ...(kind === undefined ? {} : { kind }), format: as },
            })
          }
        />
      }
      filters={
        <>
          <Segments
            label={t('period')}
            value={days}
            onChange={(one) => change({ days: Number(one) })}
            segments={DAYS.map((id) => ({ id, label: t(DAY_WORDS[id]) }))}
          />
          {contract.SUSPICIOUS_KINDS.map((one) => (
            <Chip
              key={one}
              label={t(KIND_WORDS[one])}
              value={counts === undefined ? undefined : format.count(counts[one])}
              on={kind === one}
              onPress={() => change({ kind: kind === one ? undefined : one })}
            />
          ))}
        </>
      }
      empty={<EmptyState title={t('denialsNone')}>{t('denialsNoneBody')}</EmptyState>}
    />
  )
}

const wordsOf = ({ Kind, Times }: Entry, t: Words, format: Format): string =>
  `${t(KIND_WORDS[Kind])}${Times > 1 ? ` × ${format.count(Times)}` : ''}`

const columnsOf = (t: Words, format: Format): readonly Column<Entry>[] => [
  {
    id: 'when',
    label: t('when'),
    width: 11,
    cell: ({ TimeUtc }) => format.instant(TimeUtc, { precision: 'second' }),
    text: ({ TimeUtc }) => format.instant(TimeUtc, { precision: 'second' }),
  },
  {
    id: 'what',
    label: t('whatWas'),
    least: 12,
    cell: (entry) => (
      <TwoLines
        first={<b>{wordsOf(entry, t, format)}</b>}
        second={<bdi className={styles['narrow']}>{actorOf(entry.Actor, t)}</bdi>}
      />
    ),
    text: (entry) => wordsOf(entry, t, format),
  },
  {
    id: 'who',
    label: t('who'),
    width: 11,
    priority: 2,
    cell: ({ Actor, Source }) => <TwoLines first={<bdi>{actorOf(Actor, t)}</bdi>} second={visible(Source)} />,
    text: ({ Actor, Source }) => `${actorOf(Actor, t)}, ${visible(Source)}`,
  },
  {
    id: 'object',
    label: t('onWhat'),
    width: 12,
    priority: 3,
    cell: ({ Object: one }) => <TwoLines first={<bdi>{visible(one.Name)}</bdi>} second={objectWords(one, t)} />,
    text: ({ Object: one }) => `${visible(one.Name)} ${objectWords(one, t)}`,
  },
  {
    id: 'reason',
    label: t('reason'),
    width: 12,
    priority: 4,
    cell: ({ Reason }) => visible(Reason ?? ''),
    text: ({ Reason }) => visible(Reason ?? ''),
  },
]

/** Whoever did not sign in has no name. */
const actorOf = ({ Kind, Name }: Entry['Actor'], t: Words): string =>
  Name === '' || Kind === 'anonymous' ? t('nobodyKnown') : visible(Name)
