import type { Format } from '../../../ui/format/use-format.tsx'
import { StateMark } from '../../../ui/state/state.tsx'
import { TwoLines } from '../../../ui/table/cells.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import type { DeviceItem } from '../queries.ts'
import { warningsOf, warningWords } from '../warnings.ts'
import { agoWords, CONFIGURATION, nameOf, reasonOf, secondOf, titleOf, typeWords, type Words } from '../labels.ts'

const whatItIs = (t: Words): readonly Column<DeviceItem>[] => [
  {
    id: 'device',
    label: t('device'),
    least: 13,
    cell: (device) => <TwoLines strong first={<bdi>{titleOf(device)}</bdi>} second={<bdi>{secondOf(device)}</bdi>} />,
    text: (device) => `${titleOf(device)}, ${secondOf(device)}`,
  },
  {
    id: 'type',
    label: t('type'),
    width: 9,
    priority: 4,
    cell: ({ DeviceType }) => <bdi>{typeWords(DeviceType, t)}</bdi>,
    text: ({ DeviceType }) => typeWords(DeviceType, t),
  },
  {
    id: 'state',
    label: t('state'),
    width: 6.5,
    cell: ({ State }) => <ActiveMark active={State === 'Active'} t={t} />,
    text: ({ State }) => t(State === 'Active' ? 'active' : 'inactive'),
  },
  {
    id: 'officer',
    label: t('officer'),
    width: 9.5,
    priority: 3,
    cell: (device) => <bdi className={device.AssignedTo.length === 0 ? 'muted' : undefined}>{officers(device, t)}</bdi>,
    text: (device) => officers(device, t),
  },
]

const howItStands = (t: Words, format: Format, now: number): readonly Column<DeviceItem>[] => [
  {
    id: 'configuration',
    label: t('configuration'),
    width: 8,
    priority: 5,
    cell: ({ Standing }) => {
      const [state, word] = CONFIGURATION[Standing.Configuration]
      return (
        <StateMark state={state} small>
          {t(word)}
        </StateMark>
      )
    },
    text: ({ Standing }) => t(CONFIGURATION[Standing.Configuration][1]),
  },
  {
    id: 'docked',
    label: t('docked'),
    width: 8.5,
    priority: 3,
    cell: (device) => <TwoLines first={agoWords(dockedAt(device), now, t)} second={seenWords(device, t, format)} />,
    text: (device) => {
      const at = dockedAt(device)
      return [at === null ? t('never') : format.instant(at), seenWords(device, t, format)].join(', ')
    },
  },
  {
    id: 'needs',
    label: t('needs'),
    width: 13.5,
    priority: 2,
    cell: (device) => {
      const [worst, ...more] = warningsOf(device, now)
      if (worst === undefined) return null
      const second = [...more.map((one) => warningWords(one, t)), worst.id === 'rejected' ? rejection(device) : '']
      return (
        <TwoLines
          first={
            <StateMark state={worst.state} small>
              {warningWords(worst, t)}
            </StateMark>
          }
          second={<bdi>{second.filter((words) => words !== '').join(', ')}</bdi>}
        />
      )
    },
    text: (device) =>
      [...warningsOf(device, now).map((one) => warningWords(one, t)), rejection(device)]
        .filter((words) => words !== '')
        .join(', '),
  },
]

/** @param now by which days are counted */
export const columnsOf = (t: Words, format: Format, now: number): readonly Column<DeviceItem>[] => [
  ...whatItIs(t),
  ...howItStands(t, format, now),
]

export function ActiveMark({ active, t }: { readonly active: boolean; readonly t: Words }) {
  return (
    <StateMark state={active ? 'ok' : 'waiting'} small>
      {t(active ? 'active' : 'inactive')}
    </StateMark>
  )
}

const officers = ({ AssignedTo }: DeviceItem, t: Words): string =>
  AssignedTo.length === 0 ? t('nobody') : AssignedTo.map((who) => nameOf(who, t)).join(', ')

const rejection = ({ Standing, Transaction }: DeviceItem): string =>
  Standing.Configuration === 'Rejected' && Transaction !== null ? reasonOf(Transaction) : ''

const dockedAt = ({ Standing }: DeviceItem): string | null => Standing.LastDock?.DetectedTimeUtc ?? null

const seenWords = ({ LastSeenUtc }: DeviceItem, t: Words, format: Format): string =>
  LastSeenUtc === null ? t('seenNever') : t('seenAt', { time: format.timeOrDay(LastSeenUtc) })
