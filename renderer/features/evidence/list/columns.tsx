import { actorName } from '../../../client/actor-name.ts'
import type { Translate } from '../../../client/translate.ts'
import { STATUS_STATES, statusWords } from '../../../client/evidence-status.ts'
import type { Format } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { CLOCK_COLUMN_WIDTH, ClockCell, type ClockText } from '../../../ui/clocks/clocks.tsx'
import { StateMark } from '../../../ui/state/state.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { Thumb } from './thumb.tsx'
import styles from './list.module.css'
import type { Item } from './use-window.ts'

export type Words = Translate<'evidenceList'>

/** What this browser shows before anybody chose. */
export const USUAL_COLUMNS: readonly string[] = ['name', 'recorded', 'duration', 'officer', 'category', 'state']

/** In words, with how far it is where that is known. */
export const statusOf = ({ Summary: { Status, Progress } }: Item, format: Format): string =>
  statusWords(Status, Progress, format)

/** On a tile: how long, how many pixels or how large, whichever tells most of its kind. */
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

/** Not known yet, or of what has none: nothing, rather than another figure. */
const durationOf = ({ Summary: { DurationSeconds } }: Item, format: Format): string =>
  DurationSeconds === null ? '' : format.duration(DurationSeconds)

/** Behind the id: its case, how many files it has, and what the camera called it. */
function secondOf({ Name, DisplayName, Summary: { Cases, ResourceCount } }: Item, t: Words): readonly string[] {
  const [first, ...others] = Cases
  return [
    ...(first === undefined ? [] : [others.length === 0 ? first.Ordinal : `${first.Ordinal} +${others.length}`]),
    ...(ResourceCount > 1 ? [t('files', { count: ResourceCount })] : []),
    ...(DisplayName === Name ? [] : [visible(Name)]),
  ]
}

/** Whose recording it is. Of what no camera recorded nobody is asked for. */
function officersOf({ Summary: { Officers, Camera } }: Item, t: Words, format: Format): string {
  if (Officers.length > 0) return Officers.map((one) => visible(format.personInList(one))).join('; ')
  return Camera === null ? '' : t('noOfficer')
}

function CaseCell({ item: { Summary } }: { readonly item: Item }) {
  const [first, ...others] = Summary.Cases
  if (first === undefined) return null
  return (
    <span className={styles['two']}>
      <bdi>{visible(first.Title)}</bdi>
      <span className={styles['under']}>
        <span className="id">{first.Ordinal}</span>
        {others.length > 0 && ` +${others.length}`}
      </span>
    </span>
  )
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
            <span className={styles['lead']}>
              <bdi>{visible(item.DisplayName)}</bdi>
            </span>
            <span className={styles['under']}>
              <span className="id">{item.EvidenceId}</span>
              {secondOf(item, t).map((one) => (
                <span key={one}>
                  {' · '}
                  <bdi>{one}</bdi>
                </span>
              ))}
            </span>
          </span>
        </span>
      ),
      text: (item) => [visible(item.DisplayName), item.EvidenceId, ...secondOf(item, t)].join(', '),
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
      id: 'duration',
      label: t('columnLength'),
      width: 7,
      align: 'end',
      priority: 3,
      cell: (item) => durationOf(item, format),
      text: (item) => durationOf(item, format),
    },
    {
      id: 'officer',
      label: t('columnOfficer'),
      width: 9.5,
      priority: 2,
      cell: (item) => <Two lead={officersOf(item, t, format)} under={visible(item.Summary.Camera?.Name ?? '')} />,
      text: (item) =>
        [officersOf(item, t, format), visible(item.Summary.Camera?.Name ?? '')].filter((one) => one !== '').join(', '),
    },
    {
      id: 'category',
      label: t('columnCategory'),
      width: 8,
      priority: 5,
      cell: (item) => <bdi className="truncated">{visible(item.Summary.CategoryName ?? '')}</bdi>,
      text: (item) => visible(item.Summary.CategoryName ?? ''),
    },
    {
      id: 'case',
      label: t('columnCase'),
      width: 11,
      priority: 6,
      cell: (item) => <CaseCell item={item} />,
      text: (item) => item.Summary.Cases.map(({ Ordinal, Title }) => `${Ordinal} ${visible(Title)}`).join(', '),
    },
    {
      // As the station calls this order.
      id: 'length',
      label: t('columnSize'),
      width: 6,
      align: 'end',
      priority: 7,
      sortable: true,
      cell: (item) => (item.Summary.LengthInBytes === 0 ? '' : format.bytes(item.Summary.LengthInBytes)),
      text: (item) => String(item.Summary.LengthInBytes),
    },
    {
      id: 'type',
      label: t('columnType'),
      width: 6,
      priority: 8,
      sortable: true,
      cell: (item) => (item.Summary.Type === 'none' ? '' : t(item.Summary.Type)),
      text: (item) => item.Summary.Type,
    },
    {
      id: 'created',
      label: t('columnAdded'),
      width: 11.5,
      priority: 9,
      sortable: true,
      cell: (item) => <Two lead={format.instant(item.CreatedTimeUtc)} under={actorName(item.CreatedBy)} />,
      text: (item) => item.CreatedTimeUtc,
    },
    {
      id: 'tags',
      label: t('columnTags'),
      width: 9,
      priority: 10,
      cell: (item) => item.Tags.join(', '),
      text: (item) => item.Tags.join(', '),
    },
    {
      id: 'file',
      label: t('columnFile'),
      width: 12,
      priority: 11,
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

const DAY = 86_400_000

/** Of the recycle bin: what it was, who put it there when, and how long it stays. @param binDays as the station is set up */
export function binColumns(t: Words, format: Format, clockText: ClockText, binDays: number): readonly Column<Item>[] {
  const shown = new Set(['name', 'recorded', 'duration'])
  const staysUntil = ({ DeletedOnUtc }: Item): number | null =>
    DeletedOnUtc === null ? null : Date.parse(DeletedOnUtc) + binDays * DAY
  const leftWords = (until: number): string => {
    const count = Math.ceil((until - Date.now()) / DAY)
    return count > 0 ? t('binLeft', { count, shown: format.count(count) }) : t('binOver')
  }
  const when = ({ DeletedOnUtc }: Item): string => (DeletedOnUtc === null ? '' : format.instant(DeletedOnUtc))
  return [
    ...columnsOf(t, format, clockText).filter(({ id }) => shown.has(id)),
    {
      id: 'deleted',
      label: t('columnDeleted'),
      width: 11.5,
      priority: 1,
      sortable: true,
      cell: (item) => <Two lead={when(item)} under={item.DeletedBy === null ? '' : actorName(item.DeletedBy)} />,
      text: when,
    },
    {
      id: 'stays',
      label: t('columnStays'),
      width: 13,
      priority: 2,
      cell: (item) => {
        const until = staysUntil(item)
        return until === null ? null : <Two lead={format.day(until)} under={leftWords(until)} />
      },
      text: (item) => {
        const until = staysUntil(item)
        return until === null ? '' : `${format.day(until)}, ${leftWords(until)}`
      },
    },
  ]
}
