import { useEffect, useRef } from 'react'

/** The row, or tile, in which something happened, and whether it was on the box that selects. */
export function placeOf(target: EventTarget | null): { readonly index: number; readonly box: boolean } | null {
  if (!(target instanceof Element)) return null
  const row = target.closest<HTMLElement>('[data-row]')
  if (row === null) return null
  return { index: Number(row.dataset['row']), box: target.closest('[data-box]') !== null }
}

/** Begins where the address says, once. */
export function useStart(
  startAt: number | undefined,
  show: (index: number) => void,
  move: (index: number, focus: boolean) => void,
): void {
  const done = useRef(startAt === undefined)
  useEffect(() => {
    if (done.current || startAt === undefined) return
    done.current = true
    move(startAt, false)
    show(startAt)
  }, [startAt, show, move])
}
