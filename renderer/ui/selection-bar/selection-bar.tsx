import type { ReactNode } from 'react'
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

/** Floats in ink at the foot of the list while something is selected: a toolbar, one stop for Tab, arrows inside. */
export function SelectionBar({ words, facts, acts, onClear, choice }: SelectionBarProps) {
  const { t } = useTranslation('ui')
  return (
    <Toolbar aria-label={t('selection')} className={styles['bar'] ?? ''}>
      <strong className={styles['words']} role="status">
        {words}
      </strong>
      {facts !== undefined && <span className={styles['facts']}>{facts}</span>}
      {choice !== undefined && <span className={styles['choice']}>{choice}</span>}
      <span className={styles['line']} />
      {acts
        .filter(({ more }) => more !== true)
        .map(({ id, label, icon, why, busy, onPress }) => (
          <Button key={id} kind="quiet" icon={icon} why={why} busy={busy} onPress={onPress}>
            {label}
          </Button>
        ))}
      <MoreActs acts={acts.filter(({ more }) => more === true)} />
      <span className={styles['line']} />
      <Button kind="quiet" className={styles['clear']} onPress={onClear}>
        <Icon name="x" label={t('clearSelection')} />
        <Kbd bare>Esc</Kbd>
      </Button>
    </Toolbar>
  )
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
