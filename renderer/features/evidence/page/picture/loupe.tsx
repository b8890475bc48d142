import type { CSSProperties } from 'react'
import type { Point } from './measure.ts'
import styles from './picture.module.css'
import type { PictureView, Size } from './use-view.ts'

const TIMES = 3

interface LoupeProps {
  readonly source: string
  readonly picture: Size
  readonly view: PictureView
  readonly scale: number
  readonly filter: string | undefined
  /** From the middle of the frame, in CSS pixels. */
  readonly at: Point
}

/** Three times as large, round what is pointed at; without a pointer round the middle, and the arrows move the picture under it. */
export function Loupe({ source, picture, view, scale, filter, at }: LoupeProps) {
  const away = { x: (view.x - at.x) * TIMES, y: (view.y - at.y) * TIMES }
  const style: CSSProperties = {
    width: `${picture.width}px`,
    height: `${picture.height}px`,
    transform: `translate(-50%, -50%) translate(${away.x}px, ${away.y}px) rotate(${view.turns * 90}deg) scale(${scale * TIMES})`,
    imageRendering: scale * TIMES >= 3 ? 'pixelated' : 'auto',
    ...(filter === undefined ? {} : { filter }),
  }
  return (
    <div
      className={styles['loupe']}
      style={{ transform: `translate(-50%, -50%) translate(${at.x}px, ${at.y}px)` }}
      aria-hidden="true"
      data-loupe
    >
      <img src={source} alt="" draggable={false} className={styles['picture']} style={style} />
    </div>
  )
}
