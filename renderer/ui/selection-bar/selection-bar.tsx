import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Toolbar } from 'react-aria-components/Toolbar'
import { useTranslation } from '../../client/translate.ts'
import { Button } from '../button/button.tsx'
import { Icon, type IconName } from '../icon/icon.tsx'
import { Kbd } from '../kbd/kbd.tsx'
import { Menu } from '../popover/menu.tsx'
import styles from './selection-bar.module.css'

export interface SelectionAct {
  readonly id: string
  readonly label: string
  readonly icon: IconName
  readonly why?: string | undefined
  readonly busy?: boolean | undefined
  /** Shown where there is room for it, in menus. */
  readonly keys?: string | undefined
  /** The higher, the longer it stays in sight where not all have room; 0 where it is not said. */
  readonly keep?: number | undefined
  /** Destroys: last and apart. */
  readonly danger?: boolean | undefined
  /** Behind *More*: what is wanted seldom must not push out what is wanted often. */
  readonly more?: boolean | undefined
  readonly onPress: () => void
}

export interface SelectionBarProps {
  /** *3 selected*. */
  readonly words: string
  /** Length, size, how many are out of sight. */
  readonly facts?: string | undefined
  readonly acts: readonly SelectionAct[]
  readonly onClear: () => void
  /** The choice between *these 36* and *all 12,418*, when there is one to make. */
  readonly choice?: ReactNode
}

/**
 * Floats in ink at the foot of the list while something is selected: a toolbar, one stop for Tab, arrows inside. Acts that have no room go
 * behind *More*; what destroys stands last and apart.
 */
export function SelectionBar({ words, facts, acts, onClear, choice }: SelectionBarProps) {
  const { t } = useTranslation('ui')
  const common = acts.filter(({ more, danger }) => more !== true && danger !== true)
  const { bar, room } = useRoom(common.length, [words, facts, ...acts.map(({ label }) => label)].join(' '))
  const kept = [...common].sort((one, other) => (other.keep ?? 0) - (one.keep ?? 0)).slice(0, room)
  return (
    <Toolbar ref={bar} aria-label={t('selection')} className={styles['bar'] ?? ''} data-selection-bar>
      <strong className={styles['words']} role="status">
        {words}
      </strong>
      {facts !== undefined && <span className={styles['facts']}>{facts}</span>}
      {choice !== undefined && <span className={styles['choice']}>{choice}</span>}
      <span className={styles['line']} />
      {common.filter((act) => kept.includes(act)).map(buttonOf)}
      <MoreActs acts={[...common.filter((act) => !kept.includes(act)), ...acts.filter(({ more }) => more === true)]} />
      {acts.some(({ danger }) => danger === true) && <span className={styles['line']} />}
      {acts.filter(({ danger }) => danger === true).map(buttonOf)}
      <span className={styles['line']} />
      <Button kind="quiet" className={styles['clear']} onPress={onClear}>
        <Icon name="x" label={t('clearSelection')} />
        <Kbd bare>Esc</Kbd>
      </Button>
    </Toolbar>
  )
}

const buttonOf = ({ id, label, icon, why, busy, onPress }: SelectionAct) => (
  <Button key={id} kind="quiet" icon={icon} why={why} busy={busy} onPress={onPress}>
    {label}
  </Button>
)

/** How many of the acts fit, measured before they are seen. @param said what their width follows from */
function useRoom(count: number, said: string) {
  const bar = useRef<HTMLDivElement>(null)
  const [room, setRoom] = useState(count)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const place = bar.current?.offsetParent
    if (place === null || place === undefined) return
    const watch = new ResizeObserver(() => setWidth(place.clientWidth))
    watch.observe(place)
    return () => watch.disconnect()
  }, [])
  useLayoutEffect(() => setRoom(count), [count, said, width])
  useLayoutEffect(() => {
    const element = bar.current
    if (element !== null && room > 0 && element.scrollWidth > element.clientWidth + 1) setRoom(room - 1)
  })
  return { bar, room }
}

function MoreActs({ acts }: { readonly acts: readonly SelectionAct[] }) {
  const { t } = useTranslation('ui')
  if (acts.length === 0) return null
  const items = acts.map(({ id, label, icon, why, keys, onPress }) => ({
    id,
    label,
    icon,
    why,
    keys,
    onAction: onPress,
  }))
  return (
    <Menu
      label={t('moreActs')}
      placement="top end"
      sections={[{ items }]}
      trigger={
        <Button kind="quiet" icon="more" busy={acts.some(({ busy }) => busy === true)}>
          {t('moreActs')}
        </Button>
      }
    />
  )
}
