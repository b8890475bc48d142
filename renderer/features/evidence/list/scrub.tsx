import { type Strip, tileAt, tileStyle, useStripPicture } from '../strip.ts'
import styles from './list.module.css'

interface ScrubProps {
  readonly strip: Strip
  /** How far along the picture the pointer is, 0 to 1. */
  readonly share: number
}

/** The picture of the moment under the pointer: one request, for all of them. */
export default function Scrub({ strip, share }: ScrubProps) {
  const picture = useStripPicture(strip.Address)
  if (picture === null) return null
  const tile = tileAt(strip, share * strip.Count * strip.IntervalSeconds)
  return (
    <span
      className={styles['scrub']}
      style={{ ...tileStyle(strip, tile, picture), aspectRatio: `${strip.TileWidth} / ${strip.TileHeight}` }}
      data-tile={tile}
    />
  )
}
