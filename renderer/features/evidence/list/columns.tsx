import type { Translate } from '../../../client/translate.ts'
import { STATUS_STATES, statusWords } from '../../../client/evidence-status.ts'
import type { Format } from '../../../ui/format/use-format.tsx'
import { CLOCK_COLUMN_WIDTH, ClockCell, type ClockText } from '../../../ui/clocks/clocks.tsx'
import { StateMark } from '../../../ui/state/state.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { Thumb } from './thumb.tsx'
import styles from './list.module.css'
import type { Item } from './use-window.ts'

export type Words = Translate<'evidenceList'>

/** What this browser shows before anybody chose. */
export const USUAL_COLUMNS: readonly string[] = ['name', 'recorded', 'length', 'created', 'state']

/** In words, with how far it is where that is known. */
export const statusOf = ({ Summary: { Status, Progress } }: Item, format: Format): string =>
  statusWords(Status, Progress, format)

/** How long, how many pixels, how many files: what tells most of its kind. */
export function extentOf(
  { Summary: { Type, DurationSeconds, Width, Height, LengthInBytes } }: Item,
  t: Words,
  format: Format,
): string {
  if (DurationSeconds !== null) return format.duration(DurationSeconds)
  if (Type === 'image' && Width !== null && Height !== null)
    return t('pixels', { count: Math.round((Width * Height) / 100_000) / 10 })
  return LengthInBytes === 0 ? '' : format.bytes(LengthInBytes)
}

function Two({ lead, under }: { readonly lead: string; readonly under: string }) {
  return (
    <span className={styles['two']}>
      <span>{lead}</span>
      <span className={styles['under']}>{under}</span>
    </span>
  )
}

export function columnsOf(t: Words, format: Format, clockText: ClockText): readonly Column<Item>[] {
  return [
    {
      id: 'name',
      label: t('columnName'),
      least: 15,
      sortable: true,
      cell: (item) => (
        <span className={styles['name']}>
          <Thumb item={item} />
          <span className={styles['two']}>
            <span className={styles['lead']}>{item.Name}</span>
            <span className={`${styles['under']} id`}>
              {item.EvidenceId}
              {item.Summary.ResourceCount > 1 && ` · ${t('files', { count: item.Summary.ResourceCount })}`}
            </span>
          </span>
        </span>
      ),
      text: (item) => item.Name,
    },
    {
      id: 'recorded',
      label: t('columnRecorded'),
      width: CLOCK_COLUMN_WIDTH,
      priority: 2,
      sortable: true,
      cell: (item) =>
        item.Summary.RecordedTimeUtc === null ? (
          <span className={styles['under']}>{t('notRecorded')}</span>
        ) : (
          <ClockCell clock={item.Clock} />
        ),
      text: (item) => (item.Summary.RecordedTimeUtc === null ? '' : clockText(item.Clock)),
    },
    {
      id: 'length',
      label: t('columnLength'),
      width: 7,
      align: 'end',
      priority: 3,
      sortable: true,
      cell: (item) => extentOf(item, t, format),
      text: (item) => extentOf(item, t, format),
    },
    {
      id: 'size',
      label: t('columnSize'),
      width: 6,
      align: 'end',
      priority: 6,
      cell: (item) => format.bytes(item.Summary.LengthInBytes),
      text: (item) => String(item.Summary.LengthInBytes),
    },
    {
      id: 'type',
      label: t('columnType'),
      width: 6,
      priority: 7,
      sortable: true,
      cell: (item) => (item.Summary.Type === 'none' ? '' : t(item.Summary.Type)),
      text: (item) => item.Summary.Type,
    },
    {
      id: 'created',
      label: t('columnAdded'),
      width: 11.5,
      priority: 4,
      sortable: true,
      cell: (item) => <Two lead={format.instant(item.CreatedTimeUtc)} under={item.CreatedBy.Username} />,
      text: (item) => item.CreatedTimeUtc,
    },
    {
      id: 'tags',
      label: t('columnTags'),
      width: 9,
      priority: 5,
      cell: (item) => item.Tags.join(', '),
      text: (item) => item.Tags.join(', '),
    },
    {
      id: 'file',
      label: t('columnFile'),
      width: 12,
      priority: 8,
      cell: (item) => item.Summary.FileName ?? '',
      text: (item) => item.Summary.FileName ?? '',
    },
    {
      id: 'state',
      label: t('columnState'),
      width: 9.5,
      priority: 1,
      cell: (item) => (
        <StateMark state={STATUS_STATES[item.Summary.Status]} wraps>
          {statusOf(item, format)}
        </StateMark>
      ),
      text: (item) => statusOf(item, format),
    },
  ]
}

/** Of the recycle bin: what it was, and who put it there when. */
export function binColumns(t: Words, format: Format, clockText: ClockText): readonly Column<Item>[] {
  const shown = new Set(['name', 'recorded', 'length'])
  const when = ({ DeletedOnUtc }: Item): string => (DeletedOnUtc === null ? '' : format.instant(DeletedOnUtc))
  return [
    ...columnsOf(t, format, clockText).filter(({ id }) => shown.has(id)),
    {
      id: 'deleted',
      label: t('columnDeleted'),
      width: 11.5,
      priority: 1,
      sortable: true,
      cell: (item) => <Two lead={when(item)} under={item.DeletedBy?.Username ?? ''} />,
      text: when,
    },
  ]
}
