import { createRef, type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { type Heights, heightOf, type RowGroup, scrolledTo, type Span, spanInSight } from './lines.ts'

const SPARE = 8
const RESTS_AFTER = 60

export interface Window {
  readonly span: Span
  readonly heights: Heights
  /** Of everything, in pixels. */
  readonly height: number
  readonly show: (row: number) => void
  /** Rows that fit in sight, for Page Up and Page Down. */
  readonly page: () => number
}

/** The elements of a list that are measured. */
export interface Places {
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly body: RefObject<HTMLDivElement | null>
  /** Lies over the top of the scroller. */
  readonly cover: RefObject<HTMLDivElement | null>
  /** Hidden, as high as a row and as a head. */
  readonly row: RefObject<HTMLDivElement | null>
  readonly head: RefObject<HTMLDivElement | null>
}

export function usePlaces(): Places {
  const [places] = useState(() => ({
    scroller: createRef<HTMLDivElement>(),
    body: createRef<HTMLDivElement>(),
    cover: createRef<HTMLDivElement>(),
    row: createRef<HTMLDivElement>(),
    head: createRef<HTMLDivElement>(),
  }))
  return places
}

/**
 * The rows to draw, from the scroller's place and size. Heights are measured from two hidden probes, because they are tokens in
 * rem that follow text size and density.
 */
export function useWindow(places: Places, total: number, groups: readonly RowGroup[]): Window {
  const { scroller } = places
  const [heights, setHeights] = useState<Heights>({ row: 48, head: 30 })
  const [span, setSpan] = useState<Span>({ first: 0, last: Math.min(total, 30) - 1 })
  /** Kept from the last measuring: asking at every scroll would make the browser lay out twice. */
  const size = useRef(600)
  const sight = useCallback(() => ({ top: scroller.current?.scrollTop ?? 0, height: size.current }), [scroller])
  const drawn = useRef(span)
  const rest = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const look = useCallback(() => {
    const wide = spanInSight(groups, heights, total, { ...sight(), spare: SPARE })
    const far = wide.last < drawn.current.first || wide.first > drawn.current.last
    // After a long jump every row is new: what is in sight comes first, the rest once it rests.
    const now = far ? spanInSight(groups, heights, total, { ...sight(), spare: 2 }) : wide
    clearTimeout(rest.current)
    if (far) rest.current = setTimeout(() => latest.current(), RESTS_AFTER)
    if (drawn.current.first === now.first && drawn.current.last === now.last) return
    drawn.current = now
    setSpan(now)
  }, [groups, heights, total, sight])
  const latest = useRef(look)
  useLayoutEffect(() => {
    latest.current = look
    look()
  }, [look])
  useLayoutEffect(() => {
    const measure = (): void => {
      const row = places.row.current?.getBoundingClientRect().height ?? 0
      const head = places.head.current?.getBoundingClientRect().height ?? 0
      const cover = places.cover.current?.offsetHeight ?? 0
      size.current = Math.max(0, (scroller.current?.clientHeight ?? 0) - cover)
      if (row > 0) setHeights((before) => (before.row === row && before.head === head ? before : { row, head }))
    }
    measure()
    const watch = new ResizeObserver(() => {
      measure()
      latest.current()
    })
    for (const element of [places.row.current, places.head.current, scroller.current]) {
      if (element !== null) watch.observe(element)
    }
    return () => watch.disconnect()
  }, [places, scroller])
  useEffect(() => {
    const element = scroller.current
    const onScroll = (): void => latest.current()
    element?.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      clearTimeout(rest.current)
      element?.removeEventListener('scroll', onScroll)
    }
  }, [scroller])
  const show = useCallback(
    (row: number) => {
      const element = scroller.current
      if (element === null) return
      const top = scrolledTo(groups, heights, row, sight())
      if (top !== element.scrollTop) element.scrollTop = top
      latest.current()
    },
    [groups, heights, scroller, sight],
  )
  const page = useCallback(() => Math.max(1, Math.floor(sight().height / heights.row) - 1), [sight, heights])
  const height = heightOf(groups, heights, total)
  return useMemo(() => ({ span, heights, height, show, page }), [span, heights, height, show, page])
}
