/**
 * Moves a media element exactly. What is on screen is told by the element itself, frame by frame; where it shall go is kept apart from
 * where it is, so that held keys add up and only the last of several wishes is sought.
 */
import { beginningAt, beginningOf, bounded, type Frames, frameAt, frameBeginning, middleOf } from './frames.ts'

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

export interface Range {
  readonly from: number | null
  readonly to: number | null
  readonly loop: boolean
}

export interface Controller {
  readonly state: () => PlayerState
  readonly subscribe: (listener: () => void) => () => void
  readonly play: () => void
  readonly pause: () => void
  readonly toggle: () => void
  /** J: pauses forward play, then back at 1, 2, 4, 8. */
  readonly back: () => void
  /** L: on at the chosen speed, then twice as fast each time. */
  readonly on: () => void
  /** Frames where they can be counted; else to the neighbouring picture. */
  readonly step: (by: number) => void
  readonly seek: (seconds: number) => void
  readonly skip: (seconds: number) => void
  readonly toEnd: () => void
  readonly setSpeed: (speed: number) => void
  readonly faster: (by: 1 | -1) => void
  readonly setVolume: (volume: number, muted: boolean) => void
  readonly setRange: (range: Range) => void
  readonly retry: () => void
  /** Told once the picture has settled somewhere new while not playing. */
  readonly onSettled: (listener: (seconds: number) => void) => () => void
  readonly close: () => void
}

export const SPEEDS: readonly number[] = [0.1, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4, 6, 8]
const MOST_SPEED = 8
/** Rounding of positions between page and player. Seconds. */
const HAIR = 0.0005
const SETTLED_MS = 250
/** A picture that is the same as before is not always told anew. */
const FRAME_WITHIN_MS = 250
/** Frames closer than this (250 a second) are not told apart where they last differently long. Seconds. */
const LEAST_FRAME = 0.004
/** Sound has no frames. Seconds. */
const SOUND_STEP = 0.1

/** Presentation times of first frames, as elements told them: one that is taken up again does not show it anew. */
const origins = new WeakMap<HTMLMediaElement, number>()

export interface ControllerOptions {
  readonly frames: Frames | null
  readonly startAt: number
  /** Where the element does not know it yet. Seconds. */
  readonly duration: number
}

const isVideo = (media: HTMLMediaElement): media is HTMLVideoElement => media instanceof HTMLVideoElement

export function createController(media: HTMLMediaElement, options: ControllerOptions): Controller {
  let state: PlayerState = {
    at: options.startAt,
    frame: options.frames === null ? null : frameAt(options.frames, options.startAt),
    frames: options.frames,
    duration: options.duration,
    playing: false,
    backwards: 0,
    speed: 1,
    muted: media.muted,
    volume: media.volume,
    waiting: false,
    ready: false,
    failed: false,
  }
  let range: Range = { from: null, to: null, loop: false }
  let wanted: number | null = null
  let seeking: Promise<void> | null = null
  let closed = false
  let settledTimer: ReturnType<typeof setTimeout> | undefined
  const listeners = new Set<() => void>()
  const settledListeners = new Set<(seconds: number) => void>()
  const frameWaiters = new Set<() => void>()
  const abort = new AbortController()

  const set = (change: Partial<PlayerState>): void => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }
  const end = (): number => state.duration
  const clamp = (seconds: number): number => Math.min(Math.max(0, seconds), end())

  const settle = (): void => {
    clearTimeout(settledTimer)
    settledTimer = setTimeout(() => {
      if (closed || state.playing || state.backwards > 0 || wanted !== null) return
      for (const listener of settledListeners) listener(state.at)
    }, SETTLED_MS)
  }

  /** What is on screen now. */
  const shown = (mediaTime: number): void => {
    const { frames } = state
    const frame = frames === null ? null : frameBeginning(frames, mediaTime)
    set({ at: mediaTime, frame, ready: true, waiting: false })
    for (const waiter of frameWaiters) waiter()
    if (state.playing) keepInRange(mediaTime)
    settle()
  }

  const keepInRange = (at: number): void => {
    const last = range.to ?? end()
    if (!range.loop || at < last - HAIR || last <= (range.from ?? 0)) return
    seek(range.from ?? 0)
  }

  // One seek at a time; a newer wish replaces the one that waits.
  const seekRaw = (target: number): Promise<void> =>
    new Promise((resolve) => {
      let timer: ReturnType<typeof setTimeout> | undefined
      const done = (): void => {
        clearTimeout(timer)
        media.removeEventListener('seeked', sought)
        frameWaiters.delete(framed)
        resolve()
      }
      let landed = false
      let pictured = false
      const framed = (): void => {
        pictured = true
        if (landed) done()
      }
      const sought = (): void => {
        landed = true
        if (!isVideo(media)) shown(media.currentTime)
        if (pictured) done()
        else timer = setTimeout(done, FRAME_WITHIN_MS)
      }
      media.addEventListener('seeked', sought)
      frameWaiters.add(framed)
      abort.signal.addEventListener('abort', done, { once: true })
      media.currentTime = target
    })
  const run = async (): Promise<void> => {
    while (wanted !== null && !closed) {
      const target = wanted
      await seekRaw(target)
      if (wanted === target) wanted = null
    }
    seeking = null
    settle()
  }
  const seekTo = (seconds: number): Promise<void> => {
    wanted = clamp(seconds)
    if (media.readyState === 0) {
      // Nothing is known of the file yet: this is where it begins.
      set({ at: wanted })
      return Promise.resolve()
    }
    seeking ??= run()
    return seeking
  }
  /** To the middle of the frame that is on screen at this position. */
  const seek = (seconds: number): void => {
    const { frames } = state
    void seekTo(frames === null ? seconds : middleOf(frames, frameAt(frames, clamp(seconds))))
  }

  const stopBackwards = (): void => {
    if (state.backwards > 0) set({ backwards: 0 })
  }
  const pause = (): void => {
    stopBackwards()
    media.pause()
  }
  const play = (): void => {
    stopBackwards()
    const last = range.loop ? (range.to ?? end()) : end()
    const lasting = state.frames === null ? HAIR : state.frames.rate.Denominator / state.frames.rate.Numerator
    if (state.at >= last - lasting - HAIR) seek(range.loop ? (range.from ?? 0) : 0)
    media.playbackRate = state.speed
    media.play().catch((error: unknown) => {
      // Paused again before it began: what was asked last is what happens.
      if (!(error instanceof DOMException && error.name === 'AbortError')) set({ playing: false })
    })
  }

  const playBackwards = async (speed: number): Promise<void> => {
    media.pause()
    set({ backwards: speed })
    const from = state.at
    const began = performance.now()
    const least = range.loop ? (range.from ?? 0) : 0
    while (!closed && state.backwards === speed) {
      const target = from - ((performance.now() - began) / 1000) * speed
      if (target <= least) {
        await seekTo(state.frames === null ? least : middleOf(state.frames, frameAt(state.frames, least)))
        break
      }
      const { frames } = state
      const before = state.at
      await seekTo(frames === null ? target : middleOf(frames, frameAt(frames, target)))
      // The clock of the machine has not moved by a frame yet.
      if (state.at === before) await new Promise((resolve) => setTimeout(resolve, 10))
    }
    if (state.backwards === speed) set({ backwards: 0 })
    settle()
  }

  /** To the next picture where frames last differently long: sought between what is shown and what was found beyond it. */
  const stepUneven = async (by: number): Promise<void> => {
    const from = state.at
    if (by < 0) return seekTo(from - 2 * HAIR)
    let low = from
    let reach = 0.04
    while (low + reach <= end() + reach && state.at <= from + HAIR && reach < 4) {
      await seekTo(low + reach)
      if (state.at <= from + HAIR) low += reach
      reach *= 2
    }
    let high = state.at
    while (high - low > LEAST_FRAME && high > from + HAIR) {
      const middle = (low + high) / 2
      await seekTo(middle)
      if (state.at > from + HAIR) high = state.at
      else low = middle
    }
    if (state.at <= from + HAIR && high > from) await seekTo(high + HAIR)
  }

  let stepping: Promise<void> = Promise.resolve()
  const step = (by: number): void => {
    pause()
    if (!isVideo(media)) return void seekTo((wanted ?? state.at) + by * SOUND_STEP)
    const { frames } = state
    if (frames === null) {
      stepping = stepping.then(() => stepUneven(by)).catch(() => {})
      return
    }
    const now = wanted === null ? (state.frame ?? frameAt(frames, state.at)) : frameAt(frames, wanted)
    void seekTo(middleOf(frames, now + by))
  }

  /** The frame that position nought shows begins the count. */
  const begin = async (): Promise<void> => {
    const first = wanted ?? options.startAt
    wanted = null
    const known = origins.get(media)
    if (state.frames !== null && known !== undefined) set({ frames: beginningAt(state.frames, known) })
    else if (isVideo(media) && state.frames !== null && media.currentTime === 0) {
      await new Promise<void>((resolve) => {
        const handle = media.requestVideoFrameCallback((_now, { mediaTime }) => {
          if (media.currentTime === 0 && state.frames !== null) {
            origins.set(media, mediaTime)
            set({ frames: beginningAt(state.frames, mediaTime) })
          }
          resolve()
        })
        setTimeout(() => {
          media.cancelVideoFrameCallback(handle)
          resolve()
        }, 2_000)
      })
    }
    if (closed) return
    if (first > 0) seek(first)
    else if (!isVideo(media)) shown(0)
  }

  const follow = (): void => {
    if (isVideo(media)) {
      const each = (_now: number, { mediaTime }: VideoFrameCallbackMetadata): void => {
        if (closed) return
        shown(mediaTime)
        media.requestVideoFrameCallback(each)
      }
      media.requestVideoFrameCallback(each)
      return
    }
    const each = (): void => {
      if (closed) return
      if (!media.paused) {
        shown(media.currentTime)
        requestAnimationFrame(each)
      }
    }
    on('play', () => requestAnimationFrame(each))
  }
  const on = (name: keyof HTMLMediaElementEventMap, listener: () => void): void =>
    media.addEventListener(name, listener, { signal: abort.signal })

  on('loadedmetadata', () => {
    set({ duration: Number.isFinite(media.duration) ? media.duration : state.duration, failed: false })
    void begin()
  })
  on('durationchange', () => {
    if (Number.isFinite(media.duration)) set({ duration: media.duration })
  })
  on('play', () => set({ playing: true, backwards: 0 }))
  on('pause', () => {
    set({ playing: false })
    settle()
  })
  on('ended', () => {
    if (!range.loop) return set({ playing: false })
    seek(range.from ?? 0)
    void media.play()
  })
  on('waiting', () => set({ waiting: true }))
  on('playing', () => set({ waiting: false }))
  on('volumechange', () => set({ muted: media.muted, volume: media.volume }))
  on('error', () => set({ failed: true, playing: false, waiting: false }))
  follow()
  if (media.readyState > 0) {
    set({ duration: Number.isFinite(media.duration) ? media.duration : state.duration })
    void begin()
  }

  const setSpeed = (speed: number): void => {
    media.playbackRate = speed
    set({ speed })
  }

  return {
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    play,
    pause,
    toggle: () => (state.playing || state.backwards > 0 ? pause() : play()),
    back: () => void playBackwards(state.backwards === 0 ? 1 : Math.min(MOST_SPEED, state.backwards * 2)),
    on: () => {
      if (state.playing) setSpeed(Math.min(MOST_SPEED, state.speed < 1 ? 1 : state.speed * 2))
      else {
        if (state.backwards === 0 && state.speed > 1) setSpeed(1)
        play()
      }
    },
    step,
    seek: (seconds) => {
      stopBackwards()
      seek(seconds)
    },
    skip: (seconds) => {
      stopBackwards()
      seek((wanted ?? state.at) + seconds)
    },
    toEnd: () => {
      stopBackwards()
      seek(state.frames === null ? end() : beginningOf(state.frames, bounded(state.frames, Infinity)))
    },
    setSpeed,
    faster: (by) => {
      const at = SPEEDS.findIndex((speed) => speed >= state.speed - 1e-6)
      setSpeed(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at + by))] ?? 1)
    },
    setVolume: (volume, muted) => {
      media.volume = volume
      media.muted = muted
    },
    setRange: (next) => {
      range = next
    },
    retry: () => {
      wanted = state.at
      set({ failed: false })
      media.load()
    },
    onSettled: (listener) => {
      settledListeners.add(listener)
      return () => settledListeners.delete(listener)
    },
    close: () => {
      closed = true
      clearTimeout(settledTimer)
      abort.abort()
      media.pause()
    },
  }
}
