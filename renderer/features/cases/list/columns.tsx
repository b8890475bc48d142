import { listedIn } from '../../../../shared/cases/fields.ts'
import { NOBODY, peopleAmong } from '../../../client/people.ts'
import type { Format } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { Icon } from '../../../ui/icon/icon.tsx'
import { MediaName, TwoLines } from '../../../ui/table/cells.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import type { CaseItem, Category } from '../queries.ts'
import type { CaseFields } from '../labels.ts'
import type { Words } from '../people-labels.ts'
import { nameAmong } from '../people-names.tsx'
import { CaseState } from '../states.tsx'
import styles from './list.module.css'

/** Before anybody chose. Where there is no room, the place and the numbers of other systems give way first. */
export const USUAL_COLUMNS: readonly string[] = [
  'title',
  'when',
  'officer',
  'category',
  'where',
  'numbers',
  'evidence',
  'age',
  'changed',
  'state',
]

interface Given {
  readonly t: Words
  readonly format: Format
  readonly label: CaseFields['label']
  readonly categories: readonly Category[]
  readonly bin: boolean
}

/** From its first minute to its last; without either nothing. */
export function whenOf(
  { OccurredOn, EndedOn }: Pick<CaseItem, 'OccurredOn' | 'EndedOn'>,
  t: Words,
  format: Format,
): string {
  if (OccurredOn === null && EndedOn === null) return ''
  if (OccurredOn === null) return t('until', { time: format.instant(EndedOn ?? '', { precision: 'minute' }) })
  const from = format.instant(OccurredOn, { precision: 'minute' })
  if (EndedOn === null) return from
  const sameDay = format.day(OccurredOn) === format.day(EndedOn)
  const to = sameDay ? format.timeOfDay(EndedOn) : format.instant(EndedOn, { precision: 'minute' })
  return t('fromTo', { from, to })
}

const HOUR = 3600_000

/** How long it has been open, or was until it was closed. */
export function ageOf(
  { CreatedUtcTime, ClosedOn }: Pick<CaseItem, 'CreatedUtcTime' | 'ClosedOn'>,
  t: Words,
  format: Format,
  now = Date.now(),
): string {
  const until = ClosedOn === null ? now : Date.parse(ClosedOn)
  const hours = Math.floor((until - Date.parse(CreatedUtcTime)) / HOUR)
  if (hours < 1) return t('ageUnderHour')
  const days = Math.floor(hours / 24)
  return days < 1
    ? t('ageHours', { count: hours, shown: format.count(hours) })
    : t('ageDays', { count: days, shown: format.count(days) })
}

const categoryOf = ({ CategoryId }: CaseItem, categories: readonly Category[]): string =>
  visible(categories.find((one) => one.CategoryId === CategoryId)?.Name ?? '')

const officersOf = ({ Officers: all }: CaseItem, format: Format): readonly string[] =>
  all.map((one) => visible(format.personInList(one)))

/** The first of them by name, and how many more. */
function Officers({ item, format }: { readonly item: CaseItem; readonly format: Format }) {
  const [first, second, ...others] = officersOf(item, format)
  if (first === undefined) return null
  return (
    <TwoLines
      first={<bdi>{first}</bdi>}
      second={
        second === undefined ? undefined : <bdi>{others.length === 0 ? second : `${second} +${others.length}`}</bdi>
      }
    />
  )
}

const changedBy = ({ LastModifiedBy, LastModifiedPerson: one }: CaseItem, t: Words): string =>
  nameAmong(one === null ? NOBODY : peopleAmong([one]), LastModifiedBy, t)

/** The number of the call, and those under which other systems know the case. */
const NUMBERS = listedIn('incident', 'references')
const numbersOf = (item: CaseItem): readonly string[] => NUMBERS.map((name) => visible(item[name] ?? ''))

export const stateWords = ({ State, LifecycleState }: CaseItem, t: Words): string =>
  LifecycleState === 'Deleted'
    ? t('stateDeleted')
    : [
        t(State === 'Open' ? 'stateOpen' : 'stateClosed'),
        ...(LifecycleState === 'Protected' ? [t('stateProtected')] : []),
      ].join(', ')

/** On a phone: a line for each case, with what tells it from the others. */
export function linesOf({ t, format, label }: Given): readonly Column<CaseItem>[] {
  const under = (item: CaseItem): string =>
    [item.Ordinal, whenOf({ OccurredOn: item.OccurredOn, EndedOn: null }, t, format)].filter(Boolean).join(' · ')
  return [
    {
      id: 'title',
      label: label('Title'),
      least: 10,
      cell: (item) => (
        <TwoLines strong first={<bdi>{visible(item.Title)}</bdi>} second={<span className="id">{under(item)}</span>} />
      ),
      text: (item) => `${visible(item.Title)}, ${under(item)}`,
    },
    {
      id: 'state',
      label: t('columnState'),
      width: 6.5,
      cell: (item) => <CaseState of={item} />,
      text: (item) => stateWords(item, t),
    },
  ]
}

export function columnsOf({ t, format, label, categories, bin }: Given): readonly Column<CaseItem>[] {
  return [
    {
      id: 'title',
      label: label('Title'),
      least: 15,
      cell: (item) => (
        <MediaName
          icon="cases"
          paper={item.Thumbnail === null}
          thumb={item.Thumbnail ?? undefined}
          name={<bdi>{visible(item.Title)}</bdi>}
          note={
            <span className={styles['second']}>
              <span className="id">{item.Ordinal}</span>
              {item.Following && <Icon name="flag" size="small" label={t('following')} />}
            </span>
          }
        />
      ),
      text: (item) => `${visible(item.Title)}, ${item.Ordinal}`,
    },
    {
      id: 'when',
      label: label('OccurredOn'),
      width: 12,
      priority: 2,
      cell: (item) => <span className="truncated">{whenOf(item, t, format)}</span>,
      text: (item) => whenOf(item, t, format),
    },
    {
      id: 'officer',
      label: t('columnOfficer'),
      width: 9,
      priority: 3,
      cell: (item) => <Officers item={item} format={format} />,
      text: (item) => officersOf(item, format).join('; '),
    },
    {
      id: 'category',
      label: label('CategoryId'),
      width: 8,
      priority: 4,
      cell: (item) => <bdi className="truncated">{categoryOf(item, categories)}</bdi>,
      text: (item) => categoryOf(item, categories),
    },
    {
      id: 'where',
      label: label('LocationText'),
      least: 9,
      priority: 8,
      cell: (item) => <bdi className="truncated">{visible(item.LocationText ?? '')}</bdi>,
      text: (item) => visible(item.LocationText ?? ''),
    },
    {
      id: 'numbers',
      label: label(NUMBERS[0] ?? 'Title'),
      width: 9,
      priority: 7,
      cell: (item) => {
        const [first = '', ...others] = numbersOf(item)
        return <TwoLines first={<bdi>{first}</bdi>} second={<bdi>{others.filter(Boolean).join(', ')}</bdi>} />
      },
      text: (item) => numbersOf(item).filter(Boolean).join(', '),
    },
    {
      id: 'evidence',
      label: t('columnEvidence'),
      width: 5,
      align: 'end',
      priority: 3,
      cell: (item) => format.count(item.EvidenceCount),
      text: (item) => String(item.EvidenceCount),
    },
    {
      id: 'age',
      label: t('columnAge'),
      width: 6,
      priority: 6,
      cell: (item) => <TwoLines first={ageOf(item, t, format)} second={format.day(item.CreatedUtcTime)} />,
      text: (item) => ageOf(item, t, format),
    },
    {
      id: 'changed',
      label: bin ? t('columnDeletion') : t('columnChanged'),
      width: 8,
      priority: 5,
      cell: (item) => (
        <TwoLines
          first={<time dateTime={item.LastModifiedUtcTime}>{format.timeOrDay(item.LastModifiedUtcTime)}</time>}
          second={<bdi>{changedBy(item, t)}</bdi>}
        />
      ),
      text: (item) => item.LastModifiedUtcTime,
    },
    {
      id: 'state',
      label: t('columnState'),
      width: 10,
      priority: 1,
      cell: (item) => <CaseState of={item} />,
      text: (item) => stateWords(item, t),
    },
  ]
}
