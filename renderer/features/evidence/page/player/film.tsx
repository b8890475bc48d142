import { type Strip, tileAt, tileStyle } from '../../strip.ts'
import styles from './timeline.module.css'

export { type Strip, tileAt, tileStyle, useStripPicture } from '../../strip.ts'

interface FilmProps {
  readonly strip: Strip
  readonly picture: string
  readonly duration: number
  /** CSS pixels. */
  readonly width: number
  readonly height: number
}

/** As many pictures side by side as fit, each from the middle of its stretch. */
export function Film({ strip, picture, duration, width, height }: FilmProps) {
  const wide = (height * strip.TileWidth) / strip.TileHeight
  const count = Math.max(1, Math.round(width / wide))
  return (
    <div className={styles['film']} aria-hidden="true">
      {Array.from({ length: count }, (_, index) => (
        <span
          key={index}
          className={styles['tile']}
          style={tileStyle(strip, tileAt(strip, ((index + 0.5) / count) * duration), picture)}
        />
      ))}
    </div>
  )
}
