import { iconOfEvidence, isPaper } from '../../../client/evidence-icons.ts'
import { STATUS_STATES, statusInCase, statusWord } from '../../../client/evidence-status.ts'
import { Button } from '../../../ui/button/button.tsx'
import type { Format } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { StateMark } from '../../../ui/state/state.tsx'
import { CLOCK_COLUMN_WIDTH, ClockCell, type ClockText } from '../../../ui/clocks/clocks.tsx'
import { MediaName } from '../../../ui/table/cells.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import type { CaseEvidence } from '../queries.ts'
import type { Words } from '../people-labels.ts'

export const isOpenLink = ({ LinkKind, Confirmed }: CaseEvidence): boolean => LinkKind === 'Automatic' && !Confirmed

function linkWords(one: CaseEvidence, t: Words): string {
  if (one.LinkKind === 'Manual') return t('byHand')
  return t(one.Confirmed ? 'byRuleConfirmed' : 'byRule')
}

const linkedColumn = (t: Words): Column<CaseEvidence> => ({
  id: 'linked',
  label: t('columnLinked'),
  width: 7.5,
  priority: 3,
  cell: (one) => linkWords(one, t),
  text: (one) => linkWords(one, t),
})

const lengthOf = ({ StartTimeUtc, EndTimeUtc }: CaseEvidence, format: Format): string =>
  StartTimeUtc === null || EndTimeUtc === null
    ? ''
    : format.duration((Date.parse(EndTimeUtc) - Date.parse(StartTimeUtc)) / 1000)

/** @param confirm null where nothing is done, as in a version of the past @param byRule whether any link was made by a rule: else how they were linked says nothing */
export function evidenceColumns(
  t: Words,
  format: Format,
  clockText: ClockText,
  confirm: ((one: CaseEvidence) => void) | null,
  byRule: boolean,
): readonly Column<CaseEvidence>[] {
  const nameOf = (one: CaseEvidence): string => visible(one.DisplayName)
  return [
    {
      id: 'name',
      label: t('columnName'),
      least: 11,
      cell: (one) => (
        <MediaName
          icon={iconOfEvidence(one.Type)}
          paper={one.Thumbnail === null && isPaper(one.Type)}
          working={one.Status === 'working'}
          {...(one.Thumbnail === null ? {} : { thumb: one.Thumbnail })}
          name={<bdi>{nameOf(one)}</bdi>}
          note={<span className="id">{one.EvidenceId}</span>}
        />
      ),
      text: nameOf,
    },
    {
      id: 'start',
      label: t('columnStarts'),
      width: CLOCK_COLUMN_WIDTH,
      priority: 2,
      cell: (one) => (one.Clock.CorrectedTimeUtc === null ? t('noTime') : <ClockCell clock={one.Clock} />),
      text: (one) => (one.Clock.CorrectedTimeUtc === null ? t('noTime') : clockText(one.Clock)),
    },
    {
      id: 'length',
      label: t('columnLength'),
      width: 6,
      priority: 4,
      cell: (one) => lengthOf(one, format),
      text: (one) => lengthOf(one, format),
    },
    ...(byRule ? [linkedColumn(t)] : []),
    {
      id: 'state',
      label: t('columnState'),
      width: 8.25,
      cell: (one) => {
        if (isOpenLink(one))
          return confirm === null || !one.MayConfirm ? (
            <StateMark state="waiting">{t('linkOpen')}</StateMark>
          ) : (
            <Button size="small" icon="check" tabIndex={-1} onPress={() => confirm(one)}>
              {t('confirm')}
              <span className="unseen"> {nameOf(one)}</span>
            </Button>
          )
        const status = statusInCase(one)
        return (
          <StateMark state={STATUS_STATES[status]} wraps>
            {statusWord(status)}
          </StateMark>
        )
      },
      text: (one) => (isOpenLink(one) ? t('linkOpen') : statusWord(statusInCase(one))),
    },
  ]
}
