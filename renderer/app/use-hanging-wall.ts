import { useCallback, useEffect, useState } from 'react'
import type { Session } from '../client/session.tsx'

const DOCK = '/dock'
/** Whoever asked for the way in and went off leaves the wall to the others. */
const BACK_AFTER_MS = 60_000

/**
 * Where nobody is at work, and while the screen is locked, the dock wall hangs at its address, until somebody there asks for the way in.
 * @returns whether it hangs, and how to ask
 */
export function useHangingWall(state: Session['State'] | undefined): readonly [boolean, () => void] {
  const [asked, setAsked] = useState(false)
  const idle = state === 'none' || state === 'locked'
  const ask = useCallback(() => setAsked(true), [])
  useEffect(() => {
    if (!asked) return
    if (!idle) {
      setAsked(false)
      return
    }
    const back = (): void => setAsked(false)
    let timer = setTimeout(back, BACK_AFTER_MS)
    const again = (): void => {
      clearTimeout(timer)
      timer = setTimeout(back, BACK_AFTER_MS)
    }
    const events = ['pointerdown', 'keydown'] as const
    for (const name of events) window.addEventListener(name, again, true)
    return () => {
      clearTimeout(timer)
      for (const name of events) window.removeEventListener(name, again, true)
    }
  }, [asked, idle])
  return [idle && !asked && window.location.pathname === DOCK, ask]
}
