/** What a page asks about its own size where rules of a style sheet do not do: another part stands there, not the same one otherwise. */
import { useCallback, useSyncExternalStore } from 'react'

/** A phone, and 200 % zoom in a small window: one column, and a bar at the foot instead of the rail. */
const PHONE = '(width <= 40rem)'
/** One column of facts gives way (docs/develop/screens.md, Frame). */
const NARROW = '(width < 73.75rem)'

function useMedia(media: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const query = matchMedia(media)
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
    [media],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(media).matches)
}

export const usePhone = (): boolean => useMedia(PHONE)
export const useNarrow = (): boolean => useMedia(NARROW)
/** Touched rather than pointed at: has a camera at hand more often than files. */
export const useTouch = (): boolean => useMedia('(pointer: coarse)')
