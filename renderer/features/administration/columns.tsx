/** Columns that more than one list of the administration has. */
import type { Format } from '../../ui/format/use-format.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { InUse } from './in-use.tsx'
import { keptWords, type Words } from './labels.ts'

export const stateColumn = <Row extends { readonly Enabled: boolean }>(t: Words): Column<Row> => ({
  id: 'state',
  label: t('state'),
  width: 9,
  priority: 2,
  cell: ({ Enabled }) => <InUse enabled={Enabled} />,
  text: ({ Enabled }) => t(Enabled ? 'inUse' : 'disabled'),
})

export const keptColumn = <Row extends { readonly RetentionDays: number | null }>(t: Words): Column<Row> => ({
  id: 'kept',
  label: t('retention'),
  width: 11,
  cell: ({ RetentionDays }) => keptWords(RetentionDays, t),
  text: ({ RetentionDays }) => keptWords(RetentionDays, t),
})

export const changedColumn = <Row extends { readonly LastModifiedUtcTime: string }>(
  t: Words,
  format: Format,
): Column<Row> => ({
  id: 'changed',
  label: t('changed'),
  width: 10,
  priority: 3,
  cell: ({ LastModifiedUtcTime }) => format.day(LastModifiedUtcTime),
  text: ({ LastModifiedUtcTime }) => format.instant(LastModifiedUtcTime),
})

export const madeColumn = <Row extends { readonly CreatedUtcTime: string }>(t: Words, format: Format): Column<Row> => ({
  id: 'made',
  label: t('made'),
  width: 10,
  priority: 3,
  cell: ({ CreatedUtcTime }) => format.day(CreatedUtcTime),
  text: ({ CreatedUtcTime }) => format.instant(CreatedUtcTime),
})
