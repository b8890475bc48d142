import type { ReactNode } from 'react'
import { cx } from '../given.ts'
import { Icon, type IconName } from '../icon/icon.tsx'
import styles from './cells.module.css'

/** A first line and a muted second one; neither wraps. */
export function TwoLines({
  first,
  second,
  strong = false,
}: {
  readonly first: ReactNode
  readonly second?: ReactNode
  readonly strong?: boolean
}) {
  return (
    <span className={styles['two']}>
      <span className={cx(styles['line'], strong && styles['strong'])}>{first}</span>
      {second !== undefined && <span className={cx(styles['line'], styles['second'])}>{second}</span>}
    </span>
  )
}

export interface MediaNameProps {
  /** Address of the thumbnail; without one the icon of the kind stands there. */
  readonly thumb?: string | undefined
  readonly icon: IconName
  readonly name: ReactNode
  readonly note?: ReactNode
  /** Paper rather than picture: documents and files. */
  readonly paper?: boolean | undefined
  /** Something is being made of it: a small ring on its icon, beside the word in the column of states. */
  readonly working?: boolean | undefined
}

/** Thumbnail, name, second line: the first column of every list of recordings. */
export function MediaName({ thumb, icon, name, note, paper = false, working = false }: MediaNameProps) {
  return (
    <span className={styles['media']}>
      <Thumb thumb={thumb} icon={icon} paper={paper} working={working} />
      <TwoLines first={name} second={note} strong />
    </span>
  )
}

/** On the stage's near-black in every theme; never tinted. */
export function Thumb({
  thumb,
  icon,
  paper,
  working,
  large = false,
}: Pick<MediaNameProps, 'thumb' | 'icon' | 'paper' | 'working'> & {
  /** Fills its place, as in a tile. */
  readonly large?: boolean | undefined
}) {
  return (
    <span className={cx(styles['thumb'], paper && styles['paper'], large && styles['whole'])}>
      {thumb === undefined ? (
        <>
          <Icon name={icon} size="large" />
          {working === true && <Icon name="working" size="small" className={styles['atWork']} />}
        </>
      ) : (
        <img src={thumb} alt="" draggable={false} loading="lazy" decoding="async" />
      )}
    </span>
  )
}

/** A text that gives way in its middle: the last `keep` characters stay, because in file names and paths they tell the most. */
export function Truncated({ text, keep = 8 }: { readonly text: string; readonly keep?: number }) {
  const cut = Math.max(0, text.length - keep)
  return (
    <span className={styles['cut']}>
      <span className={styles['before']}>{text.slice(0, cut)}</span>
      <span className={styles['kept']}>{text.slice(cut)}</span>
    </span>
  )
}
