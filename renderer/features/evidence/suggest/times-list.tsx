import { useTranslation } from '../../../client/translate.ts'
import { Checkbox } from '../../../ui/field/choice.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { Select } from '../../../ui/select/select.tsx'
import type { Target } from '../acts/targets.ts'
import { visible } from '../page/text/visible.ts'
import { type ClockOffset, corrected, secondsOf } from './offset.ts'
import styles from './times.module.css'
import { isOneOfTwo, type Suggestion, useSuggestionWords } from './suggestion-words.ts'

export interface TimesRow {
  readonly target: Target
  readonly options: readonly Suggestion[]
  /** The one of them that is chosen; null where nothing is suggested. */
  readonly option: Suggestion | null
  /** Its time now; null where it has none. */
  readonly stands: string | null
  readonly ticked: boolean
}

interface TimesListProps {
  readonly rows: readonly TimesRow[]
  readonly offset: ClockOffset
  readonly onTick: (ids: readonly string[], on: boolean) => void
  readonly onChoose: (id: string, at: number) => void
}

/** Each item with its suggested time, where that comes from, and what it becomes. */
export function TimesList({ rows, offset, onTick, onChoose }: TimesListProps) {
  const { t } = useTranslation('evidenceSuggestions')
  // One of two is a choice that a person makes for each.
  const suggested = rows.filter(({ option, options }) => option !== null && !isOneOfTwo(option, options))
  const on = suggested.filter(({ ticked }) => ticked).length
  return (
    <div className={styles['box']}>
      {suggested.length > 1 && (
        <div className={styles['all']}>
          <Checkbox
            checked={on === suggested.length}
            some={on > 0}
            onChange={(checked) =>
              onTick(
                suggested.map(({ target }) => target.EvidenceId),
                checked,
              )
            }
          >
            {t('timesAll')}
          </Checkbox>
        </div>
      )}
      <ul className={styles['rows']} aria-label={t('timesList')} tabIndex={0}>
        {rows.map((row) => (
          <Row key={row.target.EvidenceId} row={row} offset={offset} onTick={onTick} onChoose={onChoose} />
        ))}
      </ul>
    </div>
  )
}

function Row({ row, offset, onTick, onChoose }: Omit<TimesListProps, 'rows'> & { readonly row: TimesRow }) {
  const { t } = useTranslation('evidenceSuggestions')
  const format = useFormat()
  const words = useSuggestionWords()
  const { target, options, option, stands, ticked } = row
  const id = target.EvidenceId
  const name = visible(target.DisplayName)
  const isPut = secondsOf(offset) > 0
  const to = (from: string): string => {
    const at = corrected(from, offset)
    const isToMinute = option !== null && option.PrecisionSeconds !== 1 && secondsOf(offset) % 60 === 0
    const date = format.day(at) !== format.day(from)
    return format.instant(at, { precision: isToMinute ? 'minute' : 'second', date })
  }
  const said = option === null ? format.instant(stands ?? '', { precision: 'second' }) : words.time(option)
  const becomes = isPut ? t('timesBecomes', { from: said, to: to(option?.Value ?? stands ?? '') }) : said
  const note = option === null ? null : [words.source(option), words.note(option)].filter(Boolean).join(' ')
  return (
    <li className={styles['row']}>
      <Checkbox
        checked={ticked}
        onChange={(checked) => onTick([id], checked)}
        why={option === null && !isPut ? t('timesStandsWhy') : undefined}
        description={option === null ? t('timesStands') : undefined}
      >
        <bdi className={styles['name']}>{name}</bdi>
      </Checkbox>
      <span className={styles['time']}>{becomes}</span>
      {note !== null && (
        <span className={styles['source']}>
          <bdi>{note}</bdi>
        </span>
      )}
      {options.length > 1 && (
        <Select
          label={t('timesChoice', { name })}
          hideLabel
          className={styles['choice']}
          value={String(options.indexOf(option as Suggestion))}
          onChange={(at) => onChoose(id, Number(at))}
          options={options.map((one, at) => ({ id: String(at), label: words.time(one), note: words.source(one) }))}
        />
      )}
    </li>
  )
}

const NAMED = 4

/** What stays as it is, by name. */
export function WithoutTimes({ targets, failed }: { readonly targets: readonly Target[]; readonly failed: number }) {
  const { t } = useTranslation('evidenceSuggestions')
  const { t: acts } = useTranslation('evidenceActs')
  const format = useFormat()
  const more = targets.length - NAMED
  return (
    <>
      {targets.length > 0 && (
        <p className="muted">
          {t('timesWithout', { count: targets.length, shown: format.count(targets.length) })}{' '}
          {targets
            .slice(0, NAMED)
            .map(({ DisplayName }) => visible(DisplayName))
            .join(', ')}
          {more > 0 && ` ${acts('andMore', { count: more, shown: format.count(more) })}`}
        </p>
      )}
      {failed > 0 && <p className="muted">{t('timesAsking', { count: failed, shown: format.count(failed) })}</p>}
    </>
  )
}
