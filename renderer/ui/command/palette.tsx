import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { Dialog, Modal, ModalOverlay } from 'react-aria-components/Modal'
import { useTranslation } from '../../client/translate.ts'
import { cx } from '../given.ts'
import { Icon, type IconName } from '../icon/icon.tsx'
import { Kbd } from '../kbd/kbd.tsx'
import { Spinner } from '../progress/progress.tsx'
import { fitting, startsOne } from './matching.ts'
import styles from './command.module.css'

export interface CommandItem {
  readonly id: string
  readonly label: string
  readonly note?: string | undefined
  readonly icon?: IconName | undefined
  readonly keys?: string | undefined
  /** More words by which it is found. */
  readonly words?: string | undefined
  readonly onRun: () => void
}

export interface CommandSection {
  readonly id: string
  readonly label: string
  readonly items: readonly CommandItem[]
}

export interface CommandPaletteProps {
  readonly onClose: () => void
  /** Known at once, found by their words. */
  readonly commands: CommandSection
  /** Further sections for what is typed, known at once; after the commands. */
  readonly further?: ((text: string) => readonly CommandSection[]) | undefined
  /** Shown first while nothing is typed: what one looked at last, what can be done here. */
  readonly lead?: readonly CommandSection[] | undefined
  /** Asked of the station as one types; the signal is aborted when the text changes. */
  readonly search?: ((text: string, signal: AbortSignal) => Promise<readonly CommandSection[]>) | undefined
  readonly placeholder?: string | undefined
  /** Leads to everything that is found; stands first, unless what is typed begins a command. */
  readonly everything?: ((text: string) => CommandItem) | undefined
  /** Said when neither the commands nor the station have anything. */
  readonly nothing?: ((text: string) => string) | undefined
  readonly start?: string | undefined
}

const ASKS_AFTER = 150
const NO_SECTIONS: readonly CommandSection[] = []

/** Ctrl K: one field for finding and for doing. ↑ ↓ move, Enter runs, Esc closes; the list says how many it has. */
export function CommandPalette(props: CommandPaletteProps) {
  const { onClose, commands, lead = NO_SECTIONS, further, search, everything, placeholder, nothing, start = '' } = props
  const { t } = useTranslation('ui')
  const [text, setText] = useState(start)
  const found = useSearch(text.trim(), search)
  const sections = useMemo(
    () =>
      [
        ...sectionsOf({ text, found: found.sections, commands, lead, everything }),
        ...(text.trim() === '' ? [] : (further?.(text.trim()) ?? [])),
      ].filter(({ items }) => items.length > 0),
    [found.sections, commands, lead, text, everything, further],
  )
  const items = sections.flatMap((section) => section.items)
  const [at, setAt] = useState(0)
  const current = items[Math.min(at, items.length - 1)]
  const list = useId()
  const run = (item: CommandItem | undefined): void => {
    if (item === undefined) return
    onClose()
    item.onRun()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (by !== 0 && items.length > 0) setAt((Math.min(at, items.length - 1) + by + items.length) % items.length)
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) run(current)
    else return
    event.preventDefault()
  }
  // What leads to the search is no result.
  const results = items.length - (everything !== undefined && text.trim() !== '' ? 1 : 0)
  const empty = results === 0 && !found.busy
  return (
    <ModalOverlay isOpen onOpenChange={(open) => !open && onClose()} isDismissable className={styles['scrim'] ?? ''}>
      <Modal className={styles['palette'] ?? ''}>
        <Dialog data-modal="" aria-label={t('commands')} className={styles['dialog'] ?? ''}>
          <div className={styles['field']}>
            <Icon name="search" />
            <input
              autoFocus
              role="combobox"
              aria-label={t('commandField')}
              aria-expanded={items.length > 0}
              aria-controls={list}
              aria-autocomplete="list"
              aria-activedescendant={current === undefined ? undefined : `${list}-${current.id}`}
              className={styles['input']}
              placeholder={placeholder ?? t('commandField')}
              value={text}
              spellCheck={false}
              autoComplete="off"
              onChange={(event) => {
                setText(event.target.value)
                setAt(0)
              }}
              onKeyDown={onKeyDown}
            />
            {found.busy && <Spinner>{t('searching')}</Spinner>}
            <Kbd>Esc</Kbd>
          </div>
          <Results {...{ list, sections, current, run }} />
          <p className={cx(styles['foot'], empty && styles['nothing'])} role="status">
            {found.failed ?? (empty ? (nothing?.(text.trim()) ?? t('nothingFound')) : t('results', { count: results }))}
          </p>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

/** Whoever types a command means the command: it stands first. Else what leads to everything, what was found, and the commands. */
function sectionsOf({
  text,
  found,
  commands,
  lead,
  everything,
}: Required<Pick<CommandPaletteProps, 'commands' | 'lead'>> &
  Pick<CommandPaletteProps, 'everything'> & {
    readonly text: string
    readonly found: readonly CommandSection[]
    readonly lead: readonly CommandSection[]
  }): readonly CommandSection[] {
  const typed = text.trim()
  if (typed === '') {
    // What stands above is not told again below.
    const told = new Set(lead.flatMap(({ items }) => items.map(({ id }) => id)))
    return [...lead, ...found, { ...commands, items: commands.items.filter(({ id }) => !told.has(id)) }]
  }
  const own = { ...commands, items: fitting(commands.items, text) }
  if (everything === undefined) return [...found, own]
  const all = { id: 'everything', label: '', items: [everything(typed)] }
  return startsOne(own.items, typed) ? [own, all, ...found] : [all, ...found, own]
}

interface ResultsProps {
  readonly list: string
  readonly sections: readonly CommandSection[]
  readonly current: CommandItem | undefined
  readonly run: (item: CommandItem) => void
}

function Results({ list, sections, current, run }: ResultsProps) {
  const { t } = useTranslation('ui')
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    box.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [current?.id])
  return (
    <div ref={box} id={list} role="listbox" aria-label={t('commands')} className={styles['list']} tabIndex={-1}>
      {sections.map((section) => (
        <div key={section.id} role="group" {...(section.label === '' ? {} : { 'aria-label': section.label })}>
          {section.label !== '' && (
            <div className={styles['section']} aria-hidden="true">
              {section.label}
            </div>
          )}
          {section.items.map((item) => (
            <div
              key={item.id}
              id={`${list}-${item.id}`}
              role="option"
              aria-selected={item.id === current?.id}
              className={styles['option']}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => run(item)}
            >
              {item.icon !== undefined && <Icon name={item.icon} />}
              <span className={styles['words']}>
                <span className={styles['name']}>{item.label}</span>
                {item.note !== undefined && <span className={styles['note']}>{item.note}</span>}
              </span>
              {item.keys !== undefined && <Kbd>{item.keys}</Kbd>}
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}

interface Found {
  readonly sections: readonly CommandSection[]
  readonly busy: boolean
  readonly failed: string | null
}

const NONE: Found = { sections: [], busy: false, failed: null }

/** Answers that come late, for an older text, are dropped; what was found stays in sight until the next answer. */
function useSearch(text: string, search: CommandPaletteProps['search']): Found {
  const [found, setFound] = useState<Found>(NONE)
  useEffect(() => {
    if (search === undefined || text === '') {
      setFound(NONE)
      return
    }
    const stop = new AbortController()
    setFound((before) => ({ ...before, busy: true, failed: null }))
    const timer = setTimeout(() => {
      search(text, stop.signal).then(
        (sections) => !stop.signal.aborted && setFound({ sections, busy: false, failed: null }),
        (error: unknown) =>
          !stop.signal.aborted && setFound({ ...NONE, failed: error instanceof Error ? error.message : String(error) }),
      )
    }, ASKS_AFTER)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [text, search])
  return found
}
