/** The strip of a video: small pictures of it on one sheet, under the player's time line and under the pointer in a list. */
import { useEffect, useState } from 'react'
import type { z } from 'zod'
import type { StripModel } from '../../../shared/media/strip.contract.ts'

export type Strip = z.output<typeof StripModel>

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
