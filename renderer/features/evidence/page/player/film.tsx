import { useEffect, useState } from 'react'
import type { Media } from '../queries.ts'
import styles from './timeline.module.css'

export type Strip = NonNullable<Media['Strip']>

/** Fetched once for all of its tiles; null until it is there. */
export function useStripPicture(address: string | null): string | null {
  const [picture, setPicture] = useState<string | null>(null)
  useEffect(() => {
    if (address === null) return
    const abort = new AbortController()
    let made: string | null = null
    fetch(address, { signal: abort.signal, credentials: 'same-origin' })
      .then((answer) => (answer.ok ? answer.blob() : null))
      .then((blob) => {
        if (blob === null || abort.signal.aborted) return
        made = URL.createObjectURL(blob)
        setPicture(made)
      })
      // The timeline works without its pictures.
      .catch(() => {})
    return () => {
      abort.abort()
      if (made !== null) URL.revokeObjectURL(made)
      setPicture(null)
    }
  }, [address])
  return picture
}

/** Which tile shows a position; pure. */
export const tileAt = ({ Count, IntervalSeconds }: Strip, seconds: number): number =>
  Math.min(Count - 1, Math.max(0, Math.floor(seconds / IntervalSeconds)))

/** Where a tile lies on the sheet, as CSS has it; pure. */
export function tileStyle({ Columns, Rows }: Strip, tile: number, picture: string) {
  const share = (at: number, of: number): number => (of < 2 ? 0 : (at / (of - 1)) * 100)
  const column = tile % Columns
  const row = Math.floor(tile / Columns)
  return {
    backgroundImage: `url("${picture}")`,
    backgroundSize: `${Columns * 100}% ${Rows * 100}%`,
    backgroundPosition: `${share(column, Columns)}% ${share(row, Rows)}%`,
  }
}

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
