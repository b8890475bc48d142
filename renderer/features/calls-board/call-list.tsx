import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from '../../client/translate.ts'
import { useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { cx } from '../../ui/given.ts'
import type { Chosen } from './board.tsx'
import styles from './call-list.module.css'
import type { Board, BoardItem, Officer } from './queries.ts'
import { FootageMark } from './mark.tsx'
import { callTime, officerOf, stateWords } from './labels.ts'

interface Props {
  readonly board: Board
  readonly chosen: Chosen
  readonly onChoose: (chosen: Chosen) => void
}

/** Every call in its order, with the state of each officer who was sent. */
export function CallList({ board, chosen, onChoose }: Props) {
  const { t } = useTranslation('calls')
  const format = useFormat()
  const sent = useMemo(() => {
    const all = board.Rows.flatMap((row) => row.Items.map((item) => ({ item, officer: row.Officer, unit: row.Unit })))
    return Map.groupBy(all, ({ item }) => item.CaseId)
  }, [board.Rows])
  return (
    <ol className={styles['list']} aria-label={t('callsList')}>
      {board.Calls.map((call) => (
        <li key={call.CaseId} className={styles['call']}>
          <div className={styles['what']}>
            <Link to="/cases/$caseId" params={{ caseId: call.CaseId }} className={styles['title']}>
              <bdi>{visible(call.Title)}</bdi>
            </Link>
            <small>
              <bdi>{visible(call.Number)}</bdi> · {callTime(call, t, format)}
            </small>
          </div>
          {(sent.get(call.CaseId) ?? []).length === 0 ? (
            <span className={styles['nobody']}>
              {t(call.Officers === 0 ? 'nobodySent' : 'officers', { count: call.Officers })}
            </span>
          ) : (
            <ul className={styles['officers']}>
              {(sent.get(call.CaseId) ?? []).map(({ item, officer, unit }) => (
                <li key={`${unit} ${officer.PrincipalId}`}>
                  <Sent {...{ item, officer, unit, chosen, onChoose }} />
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ol>
  )
}

interface SentProps extends Omit<Props, 'board'> {
  readonly item: BoardItem
  readonly officer: Officer
  readonly unit: string
}

function Sent({ item, officer, unit, chosen, onChoose }: SentProps) {
  const { t } = useTranslation('calls')
  const format = useFormat()
  const isChosen = chosen.call === item.CaseId && chosen.who === officer.PrincipalId
  return (
    <button
      type="button"
      className={cx(styles['sent'], isChosen && styles['chosen'])}
      aria-pressed={isChosen}
      onClick={() => onChoose({ call: item.CaseId, who: officer.PrincipalId })}
    >
      <span className={styles['name']}>
        <bdi>{officerOf(officer, format)}</bdi>
        {unit !== '' && (
          <small>
            <bdi>{visible(unit)}</bdi>
          </small>
        )}
      </span>
      <FootageMark state={item.State}>{stateWords(item.State, t)}</FootageMark>
    </button>
  )
}
