import { createContext, type RefObject, use, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { takePlaying } from '../../../../client/play-on-open.ts'
import type { ViewState } from '../search-state.ts'
import { type Controller, type ControllerOptions, createController, type PlayerState } from './controller.ts'
import { showPlayer } from './shown-player.ts'

export interface UsePlayerOptions extends Omit<ControllerOptions, 'startAt'> {
  readonly view: ViewState
  readonly change: (change: Partial<ViewState>) => void
}

/**
 * A controller for as long as the element is there and the page is open: locked or left, it pauses and is given up; taken up again it
 * stands where the address says.
 */
export function usePlayer<Element extends HTMLMediaElement>({ frames, duration, view, change }: UsePlayerOptions) {
  const element = useRef<Element>(null)
  const [controller, setController] = useState<Controller | null>(null)
  const latest = useRef({ frames, duration, view, change })
  useEffect(() => {
    latest.current = { frames, duration, view, change }
  })
  useEffect(() => {
    const media = element.current
    if (media === null) return
    const { view, ...given } = latest.current
    const made = createController(media, { frames: given.frames, duration: given.duration, startAt: view.at })
    const unsettle = made.onSettled((at) => {
      if (Math.abs(latest.current.view.at - at) > 1e-6) latest.current.change({ at })
    })
    const hidden = (): void => {
      if (document.hidden) made.pause()
    }
    document.addEventListener('visibilitychange', hidden)
    // A request was refused while the screen was locked: the element would stay broken.
    if (media.error !== null) made.retry()
    setController(made)
    if (takePlaying()) made.play()
    const unshow = showPlayer(made)
    return () => {
      unshow()
      document.removeEventListener('visibilitychange', hidden)
      unsettle()
      made.close()
      setController(null)
    }
  }, [])
  useEffect(() => {
    controller?.setRange({ from: view.from, to: view.to, loop: view.loop })
  }, [controller, view.from, view.to, view.loop])
  return { element, controller }
}

const Context = createContext<Controller | null>(null)
export const PlayerProvider = Context

export function useController(): Controller {
  const controller = use(Context)
  if (controller === null) throw new Error('useController outside a player')
  return controller
}

/** One figure of the player: whoever asks for it alone is drawn again only when it changes. */
export function usePlayerState<T extends string | number | boolean | null>(select: (state: PlayerState) => T): T {
  const controller = useController()
  return useSyncExternalStore(controller.subscribe, () => select(controller.state()))
}

/** How wide an element is, in CSS pixels; 0 before it was measured. */
export function useWidth<E extends HTMLElement>(): readonly [RefObject<E | null>, number] {
  const ref = useRef<E>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const element = ref.current
    if (element === null) return
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 0)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, width]
}
