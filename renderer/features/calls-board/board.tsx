import { type CSSProperties, type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { useTranslation } from '../../client/translate.ts'
import { useShortcuts } from '../../ui/command/use-shortcuts.ts'
import { useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { cx } from '../../ui/given.ts'
import { Icon } from '../../ui/icon/icon.tsx'
import { Kbd } from '../../ui/kbd/kbd.tsx'
import styles from './board.module.css'
import type { Board, BoardCall, BoardItem, BoardRow, NumberGap } from './queries.ts'
import { type Axis, barsOf, type Placed, placed, shareAt, ticksOf } from './lanes.ts'
import {
  callTime,
  coveredWords,
  MARKS,
  missingWords,
  officerOf,
  shortNumber,
  stateWords,
  type Words,
} from './labels.ts'

export interface Chosen {
  readonly call: string
  readonly who: string
}

interface BoardProps {
  readonly board: Board
  readonly chosen: Chosen
  readonly onChoose: (chosen: Chosen) => void
}

const keyOf = (row: BoardRow, item: BoardItem): string => `${row.Officer.PrincipalId} ${item.CaseId}`

/** Officers by unit along one corrected axis: brackets are calls, bars what was recorded. One stop for Tab, arrows inside. */
export function LaneBoard({ board, chosen, onChoose }: BoardProps) {
  const { t } = useTranslation('calls')
  const format = useFormat()
  const axis = useMemo(
    () => ({ from: Date.parse(board.FromUtc), to: Date.parse(board.ToUtc) }),
    [board.FromUtc, board.ToUtc],
  )
  const calls = useMemo(() => new Map(board.Calls.map((call) => [call.CaseId, call])), [board.Calls])
  const { list, active, setActive, onKeyDown } = useBlocks(board, onChoose)
  const ticks = ticksOf(axis)
  return (
    <>
      <div className={styles['axis']} role="img" aria-label={t('axis', { zone: format.zoneLetters(board.FromUtc) })}>
        <span className={styles['zone']}>{format.zoneLetters(board.FromUtc)}</span>
        <div>
          {ticks.map((tick) => (
            <i key={tick} style={{ insetInlineStart: `${shareAt(tick, axis)}%` }}>
              {format.timeOfDay(tick)}
            </i>
          ))}
        </div>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveElementInteractions: arrows move among the buttons inside */}
      <ol className={styles['board']} aria-label={t('board')} ref={list} onKeyDown={onKeyDown}>
        {board.Rows.map((row, at) => (
          <li key={`${row.Unit} ${row.Officer.PrincipalId}`} className={styles['unit']}>
            {row.Unit !== board.Rows[at - 1]?.Unit && (
              <h2 className={styles['group']}>{row.Unit === '' ? t('noUnit') : <bdi>{visible(row.Unit)}</bdi>}</h2>
            )}
            <Row {...{ row, axis, calls, active, chosen, onChoose, ticks }} onFocus={setActive} />
          </li>
        ))}
      </ol>
      <footer className={styles['legend']}>
        <span>{t('legend')}</span>
        <span className={styles['keys']} aria-hidden="true">
          <Kbd>J</Kbd> <Kbd>K</Kbd> {t('keyNext')} <Kbd>W</Kbd> {t('keyWhy')}
        </span>
      </footer>
    </>
  )
}

interface RowProps {
  readonly row: BoardRow
  readonly axis: Axis
  readonly ticks: readonly number[]
  readonly calls: ReadonlyMap<string, BoardCall>
  readonly active: string
  readonly chosen: Chosen
  readonly onFocus: (key: string) => void
  readonly onChoose: (chosen: Chosen) => void
}

function Row({ row, axis, ticks, calls, active, chosen, onFocus, onChoose }: RowProps) {
  const { t } = useTranslation('calls')
  const format = useFormat()
  const { blocks, lanes } = useMemo(() => placed(row.Items, axis), [row.Items, axis])
  const name = officerOf(row.Officer, format)
  return (
    <div className={styles['row']} style={{ '--lanes': lanes } as CSSProperties}>
      <span className={styles['who']}>
        <bdi className={styles['name']}>{name}</bdi>
        <small>
          <bdi>{visible(row.Cameras.join(', ') || row.Officer.Badge)}</bdi>
        </small>
      </span>
      <div className={styles['line']}>
        {ticks.map((tick) => (
          <span key={tick} className={styles['tick']} style={{ insetInlineStart: `${shareAt(tick, axis)}%` }} />
        ))}
        {row.Gaps.map((gap) => (
          <Gap key={gap.AfterEvidenceId} gap={gap} axis={axis} blocks={blocks} />
        ))}
        {blocks.map(({ item, left, width, lane }) => {
          const call = calls.get(item.CaseId)
          const key = keyOf(row, item)
          if (call === undefined) return null
          const isChosen = chosen.call === item.CaseId && chosen.who === row.Officer.PrincipalId
          return (
            <button
              key={key}
              type="button"
              className={cx(styles['block'], isChosen && styles['chosen'])}
              data-state={item.State}
              data-block={key}
              aria-pressed={isChosen}
              title={`${callTime(item, t, format)}, ${visible(call.Title)}`}
              tabIndex={active === key ? 0 : -1}
              style={{ insetInlineStart: `${left}%`, inlineSize: `${width}%`, '--lane': lane } as CSSProperties}
              onFocus={() => onFocus(key)}
              onClick={() => onChoose({ call: item.CaseId, who: row.Officer.PrincipalId })}
            >
              {/* Not as a label: what is seen of the number is no word of it. */}
              <span className="unseen">{blockWords(item, call, name, t, format)}</span>
              <span className={styles['head']} aria-hidden="true">
                <Icon name={MARKS[item.State].icon} size="small" />
                <span className={styles['number']}>{shortNumber(call)}</span>
              </span>
              <span className={styles['film']} aria-hidden="true">
                {barsOf(item).map((bar) => (
                  <b key={bar.left} style={{ insetInlineStart: `${bar.left}%`, inlineSize: `${bar.width}%` }} />
                ))}
              </span>
            </button>
          )
        })}
      </div>
    </div>
  )
}

function blockWords(item: BoardItem, call: BoardCall, officer: string, t: Words, format: ReturnType<typeof useFormat>) {
  const common = {
    number: visible(call.Number),
    officer,
    from: format.timeOfDay(item.FromUtc),
    state: stateWords(item.State, t),
  }
  return item.ToUtc === null
    ? t('blockOpen', common)
    : t('block', { ...common, to: format.timeOfDay(item.ToUtc), covered: coveredWords(item, t, format) })
}

interface GapProps {
  readonly gap: NumberGap
  readonly axis: Axis
  readonly blocks: readonly Placed[]
}

/** Between the recordings around it, as far as there is room before the next call. */
function Gap({ gap, axis, blocks }: GapProps) {
  const { t } = useTranslation('calls')
  const what = missingWords(gap, t)
  const at = Math.min(98, Math.max(0, shareAt(Date.parse(gap.FromUtc), axis)))
  const next = Math.min(100, ...blocks.map(({ left }) => left).filter((left) => left > at))
  const sure = t(gap.Sure ? 'missingSure' : 'missingSeen')
  return (
    <span
      className={styles['gap']}
      style={{ insetInlineStart: `${at}%`, maxInlineSize: `${next - at}%` }}
      title={t('missingOf', { camera: visible(gap.Camera), what, sure })}
    >
      {what}
    </span>
  )
}

/** The blocks as one stop of the keyboard: the one that was touched last, else the first. */
function useBlocks(board: Board, onChoose: (chosen: Chosen) => void) {
  const list = useRef<HTMLOListElement>(null)
  const [touched, setActive] = useState('')
  const keys = useMemo(
    () => board.Rows.map((row) => row.Items.map((item) => ({ key: keyOf(row, item), at: Date.parse(item.FromUtc) }))),
    [board.Rows],
  )
  const all = keys.flat()
  const active = all.some(({ key }) => key === touched) ? touched : (all[0]?.key ?? '')
  const focus = (key: string | undefined): void => {
    const block = [...(list.current?.querySelectorAll<HTMLElement>('[data-block]') ?? [])].find(
      (one) => one.dataset['block'] === key,
    )
    block?.focus()
  }
  const step = (by: number): void => {
    const at = all.findIndex(({ key }) => key === active)
    const inside = list.current?.contains(document.activeElement) === true
    focus(all[inside ? Math.min(all.length - 1, Math.max(0, at + by)) : at]?.key)
  }
  const toRow = (by: number): void => {
    const row = keys.findIndex((one) => one.some(({ key }) => key === active))
    const from = all.find(({ key }) => key === active)?.at ?? 0
    const next = keys[row + by] ?? []
    // The one that began nearest in time.
    focus(next.toSorted((a, b) => Math.abs(a.at - from) - Math.abs(b.at - from))[0]?.key)
  }
  const why = (): void => {
    const [who = '', call = ''] = active.split(' ')
    if (call !== '') onChoose({ call, who })
  }
  useShortcuts({ j: () => step(1), k: () => step(-1), w: why })
  const onKeyDown = (event: KeyboardEvent): void => {
    const acts: Readonly<Record<string, () => void>> = {
      ArrowRight: () => step(1),
      ArrowLeft: () => step(-1),
      ArrowDown: () => toRow(1),
      ArrowUp: () => toRow(-1),
      Home: () => focus(all[0]?.key),
      End: () => focus(all.at(-1)?.key),
    }
    const act = event.ctrlKey || event.altKey || event.metaKey ? undefined : acts[event.key]
    if (act === undefined) return
    event.preventDefault()
    act()
  }
  return { list, active, setActive, onKeyDown }
}
