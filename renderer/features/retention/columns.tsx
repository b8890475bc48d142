import type { Format } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { StateMark } from '../../ui/state/state.tsx'
import { TwoLines } from '../../ui/table/cells.tsx'
import type { Column } from '../../ui/table/columns.ts'
import type { Certificate, Item } from './queries.ts'
import styles from './disposition.module.css'
import { nameOf, ruleWords, stageOf, titleOf, type Words } from './labels.ts'

const amount = ({ Files, Bytes }: { Files: number; Bytes: number }, t: Words, format: Format): string =>
  `${t('files', { count: Files, shown: format.count(Files) })} · ${format.bytes(Bytes)}`

export const itemColumns = (t: Words, format: Format): readonly Column<Item>[] => [
  {
    id: 'what',
    label: t('caseOrEvidence'),
    least: 13,
    cell: (item) => <TwoLines strong first={<bdi>{titleOf(item, t)}</bdi>} second={secondLine(item, t, format)} />,
    text: (item) => `${titleOf(item, t)}, ${secondLine(item, t, format)}`,
  },
  {
    id: 'rule',
    label: t('rule'),
    width: 14,
    priority: 2,
    cell: (item) => <span className={styles['second']}>{ruleWords(item, t)}</span>,
    text: (item) => ruleWords(item, t),
  },
  {
    id: 'due',
    label: t('dueSince'),
    width: 7.5,
    cell: ({ DueUtc }) => format.day(DueUtc),
    text: ({ DueUtc }) => format.instant(DueUtc),
  },
  {
    id: 'approvals',
    label: t('approvals'),
    width: 12.5,
    cell: (item) => <Approvals item={item} words={stageOf(item, Date.now(), t)} />,
    text: (item) => stageOf(item, Date.now(), t).words,
  },
]

const secondLine = (item: Item, t: Words, format: Format): string =>
  `${item.Case === null ? '' : `${item.Case.Ordinal} · `}${amount(item, t, format)}`

/** Two dots for the two people, and the state in words. */
function Approvals({ item, words }: { readonly item: Item; readonly words: ReturnType<typeof stageOf> }) {
  return (
    <span className={styles['approvals']}>
      {item.Held === null && (
        <span className={styles['dots']} aria-hidden="true">
          {[0, 1].map((index) => (
            <i key={index} data-given={index < item.Approvals.length ? '' : undefined} />
          ))}
        </span>
      )}
      <StateMark state={words.state}>{words.words}</StateMark>
    </span>
  )
}

export const certificateColumns = (t: Words, format: Format): readonly Column<Certificate>[] => [
  {
    id: 'what',
    label: t('evidence'),
    least: 13,
    cell: (one) => <TwoLines strong first={<bdi>{visible(one.Name)}</bdi>} second={certificateLine(one, t, format)} />,
    text: (one) => `${visible(one.Name)}, ${certificateLine(one, t, format)}`,
  },
  {
    id: 'rule',
    label: t('rule'),
    width: 14,
    priority: 2,
    cell: (one) => <span className={styles['second']}>{certificateRule(one, t)}</span>,
    text: (one) => certificateRule(one, t),
  },
  {
    id: 'by',
    label: t('approvedBy'),
    width: 12,
    priority: 3,
    cell: (one) => approvers(one, t),
    text: (one) => approvers(one, t),
  },
  {
    id: 'when',
    label: t('destroyedOn'),
    width: 7.5,
    cell: ({ DestroyedUtc }) => format.day(DestroyedUtc),
    text: ({ DestroyedUtc }) => format.instant(DestroyedUtc),
  },
]

const certificateLine = (one: Certificate, t: Words, format: Format): string =>
  [...one.Cases.map(({ Ordinal }) => Ordinal), amount(one, t, format)].join(' · ')

const approvers = (one: Certificate, t: Words): string => one.Approvals.map(({ By }) => nameOf(By, t)).join(', ')

export const certificateRule = ({ Rule, Cases }: Certificate, t: Words): string =>
  Rule.Kind === 'Deleted'
    ? t('ruleDeletedShort')
    : Rule.Kind === 'Sample'
      ? t('ruleSample')
      : ruleWords(
          {
            Rule,
            Case: Cases.length === 0 ? null : { CaseId: '', Ordinal: '', Title: '' },
            RequestedBy: { KId: null, Username: '', PrincipalId: '0', PrincipalType: null },
          },
          t,
        )
