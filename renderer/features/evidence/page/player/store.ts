import { type Frames, frameAt } from './frames.ts'

export interface PlayerState {
  /** Position of what is shown, seconds: of a video when its frame begins. */
  readonly at: number
  /** From nought; null where frames cannot be counted. */
  readonly frame: number | null
  readonly frames: Frames | null
  readonly duration: number
  readonly playing: boolean
  /** 0, or how fast it goes back. */
  readonly backwards: number
  readonly speed: number
  readonly muted: boolean
  readonly volume: number
  /** Waits for bytes. */
  readonly waiting: boolean
  /** The first picture is there. */
  readonly ready: boolean
  readonly failed: boolean
}

export interface Store {
  readonly state: () => PlayerState
  readonly set: (change: Partial<PlayerState>) => void
  readonly subscribe: (listener: () => void) => () => void
}

interface Begins {
  readonly frames: Frames | null
  readonly startAt: number
  readonly duration: number
}

export function createStore(media: HTMLMediaElement, { frames, startAt, duration }: Begins): Store {
  let state: PlayerState = {
    at: startAt,
    frame: frames === null ? null : frameAt(frames, startAt),
    frames,
    duration,
    playing: false,
    backwards: 0,
    speed: 1,
    muted: media.muted,
    volume: media.volume,
    waiting: false,
    ready: false,
    failed: false,
  }
  const listeners = new Set<() => void>()
  return {
    state: () => state,
    set: (change) => {
      state = { ...state, ...change }
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
