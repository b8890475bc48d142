/** Filters over a list: what is looked for is in the button, and a cross takes it away again. */
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../client/translate.ts'
import { Button, IconButton } from '../button/button.tsx'
import { SearchField } from '../field/field.tsx'
import { useFormat } from '../format/use-format.tsx'
import { Menu } from '../popover/menu.tsx'
import { Popover } from '../popover/popover.tsx'
import styles from './filter.module.css'
import type { Range } from './when-form.tsx'
import { lazyPart } from '../../client/load-chunk.ts'

const WhenForm = lazyPart(() => import('./when-form.tsx'))

/** The row of them. @param onClear all; left out while nothing is looked for */
export function Filters({
  label,
  clear,
  onClear,
  children,
}: {
  readonly label: string
  readonly clear: string
  readonly onClear: (() => void) | undefined
  readonly children: ReactNode
}) {
  return (
    <div className={styles['filters']} role="group" aria-label={label}>
      {children}
      {onClear !== undefined && (
        <Button kind="quiet" size="small" onPress={onClear}>
          {clear}
        </Button>
      )}
    </div>
  )
}

interface FilterProps {
  readonly name: string
  readonly set: boolean
  readonly onClear: () => void
  readonly children: ReactNode
}

/** One of them, with its cross where something is looked for. */
export function Filter({ name, set, onClear, children }: FilterProps) {
  const { t } = useTranslation('ui')
  return (
    <span className={styles['filter']}>
      {children}
      {set && <IconButton kind="quiet" size="small" icon="x" label={t('filterClear', { name })} onPress={onClear} />}
    </span>
  )
}

interface PickFilterProps extends Omit<FilterProps, 'children'> {
  /** What is looked for; left out: whatever there is. */
  readonly words: ReactNode
  /** Stands in the popover. */
  readonly children: (close: () => void) => ReactNode
}

/** One whose choice needs more room than a menu. */
export function PickFilter({ name, words, children, ...filter }: PickFilterProps) {
  return (
    <Filter name={name} {...filter}>
      <Popover
        label={name}
        placement="bottom start"
        trigger={
          <Button size="small" kind="plain">
            <b>{name}</b> {words}
          </Button>
        }
      >
        {children}
      </Popover>
    </Filter>
  )
}

interface Option {
  readonly id: string
  readonly label: string
}

interface OneFilterProps {
  readonly name: string
  readonly options: readonly Option[]
  /** Empty: any. */
  readonly chosen: string
  readonly onChange: (chosen: string) => void
  readonly any?: string | undefined
}

export function OneFilter({ name, options, chosen, onChange, any }: OneFilterProps) {
  const { t } = useTranslation('ui')
  const words = options.find(({ id }) => id === chosen)?.label ?? chosen
  return (
    <Filter name={name} set={chosen !== ''} onClear={() => onChange('')}>
      <Menu
        label={name}
        placement="bottom start"
        sections={[{ items: options, selected: chosen, onSelect: onChange }]}
        trigger={
          <Button size="small" kind="plain">
            <b>{name}</b> {chosen === '' ? (any ?? t('filterAny')) : words}
          </Button>
        }
      />
    </Filter>
  )
}

interface ManyFilterProps {
  readonly name: string
  readonly options: readonly Option[]
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
}

export function ManyFilter({ name, options, chosen, onChange }: ManyFilterProps) {
  const { t } = useTranslation('ui')
  const words = options.filter(({ id }) => chosen.includes(id)).map(({ label }) => label)
  return (
    <Filter name={name} set={words.length > 0} onClear={() => onChange([])}>
      <Menu
        label={name}
        placement="bottom start"
        sections={[{ items: options, selected: chosen, onSelectMany: onChange }]}
        trigger={
          <Button size="small" kind="plain">
            <b>{name}</b> {words.length === 0 ? t('filterAny') : words.join(', ')}
          </Button>
        }
      />
    </Filter>
  )
}

interface TextFilterProps {
  readonly label: string
  readonly value: string
  /** Asked once the typing pauses. */
  readonly onChange: (value: string) => void
}

const TYPING_PAUSE = 250

/** Asks once the typing pauses; the address follows what is asked. */
export function TextFilter({ label, value, onChange }: TextFilterProps) {
  const [text, setText] = useState(value)
  const asked = useRef(value)
  const change = useRef(onChange)
  useEffect(() => {
    change.current = onChange
  }, [onChange])
  useEffect(() => {
    if (value !== asked.current) {
      asked.current = value
      setText(value)
    }
  }, [value])
  useEffect(() => {
    if (text === asked.current) return
    const timer = setTimeout(() => {
      asked.current = text
      change.current(text)
    }, TYPING_PAUSE)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <div className={styles['text']} data-filter>
      <SearchField label={label} hideLabel placeholder={label} value={text} onChange={setText} />
    </div>
  )
}

/** A range of time in words, to the minute; empty where it is open on both sides. */
export function useRangeWords({ from, to }: Range): string {
  const { t } = useTranslation('ui')
  const format = useFormat()
  const at = (time: string): string => format.instant(time, { precision: 'minute' })
  if (from !== '' && to !== '') return t('filterBetween', { from: at(from), to: at(to) })
  if (from !== '') return t('filterSince', { time: at(from) })
  return to === '' ? '' : t('filterUntil', { time: at(to) })
}

interface WhenFilterProps extends Range {
  readonly name: string
  readonly onChange: (range: Range) => void
}

export function WhenFilter({ name, from, to, onChange }: WhenFilterProps) {
  const { t } = useTranslation('ui')
  const words = useRangeWords({ from, to })
  return (
    <PickFilter
      name={name}
      words={words === '' ? t('filterAny') : words}
      set={words !== ''}
      onClear={() => onChange({ from: '', to: '' })}
    >
      {(close) => (
        <Suspense fallback={<div className={styles['when']} />}>
          <WhenForm
            from={from}
            to={to}
            onChange={(range) => {
              onChange(range)
              close()
            }}
          />
        </Suspense>
      )}
    </PickFilter>
  )
}
