import type { ReactNode } from 'react'
import { Toolbar } from 'react-aria-components/Toolbar'
import { useTranslation } from '../../client/translate.ts'
import { Button } from '../button/button.tsx'
import { Icon, type IconName } from '../icon/icon.tsx'
import { Kbd } from '../kbd/kbd.tsx'
import styles from './selection-bar.module.css'

export interface SelectionAct {
  readonly id: string
  readonly label: string
  readonly icon: IconName
  readonly why?: string | undefined
  readonly busy?: boolean | undefined
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
      {acts.map(({ id, label, ...act }) => (
        <Button key={id} kind="quiet" {...act}>
          {label}
        </Button>
      ))}
      <span className={styles['line']} />
      <Button kind="quiet" className={styles['clear']} onPress={onClear}>
        <Icon name="x" label={t('clearSelection')} />
        <Kbd bare>Esc</Kbd>
      </Button>
    </Toolbar>
  )
}
