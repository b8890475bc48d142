import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { z } from 'zod'
import { listNodes, type NodeModel } from '../../../../shared/nodes/contract.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { useTranslation } from '../../../client/translate.ts'
import { EmptyState } from '../../../ui/empty/empty.tsx'
import { type Format, useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { StateMark } from '../../../ui/state/state.tsx'
import { TwoLines } from '../../../ui/table/cells.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import type { Words } from '../labels.ts'
import { ListPage } from '../list-page.tsx'

type Node = z.output<typeof NodeModel>

const STATES = {
  running: { word: 'nodeRunning', state: 'ok' },
  'wrong-clock': { word: 'nodeWrongClock', state: 'attention' },
  lost: { word: 'nodeLost', state: 'danger' },
  stopped: { word: 'nodeStopped', state: 'waiting' },
} as const
/** Milliseconds between two questions: a heartbeat comes every two seconds. */
const AGAIN_MS = 5000

/** The processes that share the database of a headquarters. */
export function NodesPage() {
  const { t } = useTranslation('administration')
  const format = useFormat()
  const { tenant } = useSession()
  const { data, error, refetch } = useQuery({
    queryKey: ['administration', 'nodes', tenant],
    queryFn: ({ signal }) => call(listNodes, { params: { tenantId: tenant }, signal }),
    refetchInterval: AGAIN_MS,
  })
  const columns = useMemo(() => columnsOf(t, format), [t, format])
  return (
    <ListPage
      title={t('nodes')}
      lead={t('nodesLead')}
      columns={columns}
      list={{ rows: data?.Nodes ?? null, error, retry: () => void refetch() }}
      keyOf={({ NodeId }) => NodeId}
      empty={<EmptyState title={t('nodesNone')}>{t('nodesNoneBody')}</EmptyState>}
    />
  )
}

const columnsOf = (t: Words, format: Format): readonly Column<Node>[] => [
  {
    id: 'name',
    label: t('nodeName'),
    least: 12,
    cell: (node) => (
      <TwoLines
        strong
        first={<bdi>{visible(node.Name)}</bdi>}
        second={node.This ? t('nodeThis') : visible(node.Address)}
      />
    ),
    text: (node) => `${visible(node.Name)}, ${visible(node.Address)}`,
  },
  {
    id: 'state',
    label: t('nodeState'),
    width: 14,
    cell: ({ State }) => <StateMark state={STATES[State].state}>{t(STATES[State].word)}</StateMark>,
    text: ({ State }) => t(STATES[State].word),
  },
  {
    id: 'version',
    label: t('nodeVersion'),
    width: 10,
    priority: 3,
    cell: ({ Version, SchemaVersion }) => (
      <TwoLines first={visible(Version)} second={t('nodeSchema', { number: SchemaVersion })} />
    ),
    text: ({ Version, SchemaVersion }) => `${Version}, ${SchemaVersion}`,
  },
  {
    id: 'seen',
    label: t('nodeSeen'),
    width: 11,
    priority: 2,
    cell: ({ LastSeenTimeUtc }) => format.instant(LastSeenTimeUtc, { precision: 'second' }),
    text: ({ LastSeenTimeUtc }) => format.instant(LastSeenTimeUtc, { precision: 'second' }),
  },
  {
    id: 'clock',
    label: t('nodeClock'),
    width: 9,
    priority: 2,
    cell: ({ ClockOffsetMilliseconds: offset }) => t('nodeOffset', { millis: format.count(offset) }),
    text: ({ ClockOffsetMilliseconds: offset }) => t('nodeOffset', { millis: format.count(offset) }),
  },
]
