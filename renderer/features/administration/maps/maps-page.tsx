import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { z } from 'zod'
import { listMaps, type MapModel, removeMap } from '../../../../shared/maps/contract.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { useTranslation } from '../../../client/translate.ts'
import { Button } from '../../../ui/button/button.tsx'
import { ConfirmDialog } from '../../../ui/dialog/dialog.tsx'
import { EmptyState } from '../../../ui/empty/empty.tsx'
import { type Format, useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { TwoLines } from '../../../ui/table/cells.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import type { Words } from '../labels.ts'
import { ListPage } from '../list-page.tsx'
import { Problem } from '../problem.tsx'
import { useList, useRefresh } from '../queries.ts'
import { ImportDialog } from './import-dialog.tsx'

type StreetMap = z.output<typeof MapModel>

/** Street maps of regions, imported once from a file. */
export function MapsPage() {
  const { t } = useTranslation('administration')
  const format = useFormat()
  const { session } = useSession()
  const refresh = useRefresh()
  const [importing, setImporting] = useState(false)
  const [removing, setRemoving] = useState<StreetMap | null>(null)
  const list = useList<StreetMap>('maps', (tenantId, signal) => call(listMaps, { params: { tenantId }, signal }))
  const columns = useMemo(() => columnsOf(t, format, setRemoving), [t, format])
  const done = (): void => {
    setImporting(false)
    setRemoving(null)
    refresh('maps')
  }
  return (
    <ListPage
      title={t('maps')}
      lead={session.Station.SeveralNodes ? `${t('mapsLead')} ${t('mapsNodes')}` : t('mapsLead')}
      columns={columns}
      list={list}
      keyOf={({ MapId }) => MapId}
      make={{ label: t('mapImport'), onPress: () => setImporting(true) }}
      empty={<EmptyState title={t('mapsNone')}>{t('mapsNoneBody')}</EmptyState>}
    >
      {importing && <ImportDialog onClose={() => setImporting(false)} onDone={done} />}
      {removing !== null && <RemoveDialog map={removing} onClose={() => setRemoving(null)} onDone={done} />}
    </ListPage>
  )
}

interface RemoveProps {
  readonly map: StreetMap
  readonly onClose: () => void
  readonly onDone: () => void
}

function RemoveDialog({ map, onClose, onDone }: RemoveProps) {
  const { t } = useTranslation('administration')
  const { tenant } = useSession()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(removeMap, { params: { tenantId: tenant, mapId: map.MapId } }),
    onSuccess: onDone,
  })
  return (
    <ConfirmDialog
      title={t('mapRemoveTitle', { name: visible(map.Name) })}
      confirm={t('mapRemove')}
      danger
      busy={isPending}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      <p>{t('mapRemoveBody')}</p>
      {error !== null && <Problem error={error} title={t('mapRemoveFailed')} />}
    </ConfirmDialog>
  )
}

const columnsOf = (t: Words, format: Format, onRemove: (map: StreetMap) => void): readonly Column<StreetMap>[] => [
  {
    id: 'name',
    label: t('mapName'),
    least: 12,
    cell: ({ Name, Attribution }) => (
      <TwoLines strong first={<bdi>{visible(Name)}</bdi>} second={<bdi>{visible(Attribution)}</bdi>} />
    ),
    text: ({ Name }) => visible(Name),
  },
  {
    id: 'bounds',
    label: t('mapBounds'),
    width: 15,
    priority: 3,
    cell: (map) => {
      const [first, second] = boundsWords(map, format)
      return <TwoLines first={first} second={second} />
    },
    text: (map) => boundsWords(map, format).join(', '),
  },
  {
    id: 'zooms',
    label: t('mapZooms'),
    width: 8,
    priority: 3,
    cell: (map) => <TwoLines first={`${map.MinZoom}–${map.MaxZoom}`} second={t(`mapType_${map.Type}`)} />,
    text: (map) => `${map.MinZoom}–${map.MaxZoom}, ${t(`mapType_${map.Type}`)}`,
  },
  {
    id: 'size',
    label: t('mapSize'),
    width: 8,
    priority: 2,
    cell: ({ Bytes }) => format.bytes(Bytes),
    text: ({ Bytes }) => format.bytes(Bytes),
  },
  {
    id: 'imported',
    label: t('mapImported'),
    width: 12,
    priority: 2,
    cell: ({ ImportedUtcTime, ImportedBy }) => (
      <TwoLines first={format.instant(ImportedUtcTime)} second={<bdi>{visible(ImportedBy)}</bdi>} />
    ),
    text: ({ ImportedUtcTime, ImportedBy }) => `${format.instant(ImportedUtcTime)}, ${visible(ImportedBy)}`,
  },
  {
    id: 'acts',
    label: t('mapActs'),
    width: 9,
    cell: (map) => (
      <Button size="small" onPress={() => onRemove(map)}>
        {t('mapRemove')}
      </Button>
    ),
    text: () => '',
  },
]

const DIGITS = 2

/** South to north, then west to east. */
function boundsWords({ Bounds: [west, south, east, north] }: StreetMap, { locale }: Format): [string, string] {
  const number = new Intl.NumberFormat(locale, { minimumFractionDigits: DIGITS, maximumFractionDigits: DIGITS })
  const degrees = (value: number, [above, below]: readonly [string, string]): string =>
    `${number.format(Math.abs(value))}° ${value < 0 ? below : above}`
  return [
    `${degrees(south, ['N', 'S'])} – ${degrees(north, ['N', 'S'])}`,
    `${degrees(west, ['E', 'W'])} – ${degrees(east, ['E', 'W'])}`,
  ]
}
