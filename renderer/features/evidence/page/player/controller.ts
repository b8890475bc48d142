/**
 * Moves a media element exactly. What is on screen is told by the element itself, picture by picture; where it shall go is kept apart from
 * where it is, so that held keys add up and only the last of several wishes is sought.
 */
import { beginningAt, beginningOf, bounded, type Frames, frameAt, frameBeginning, middleOf } from './frames.ts'
import { followMedia } from './follow.ts'
import { createSeeker, type Seeker } from './seeker.ts'
import { createStore, type PlayerState, type Store } from './store.ts'
import { pictureBack, pictureOn } from './uneven.ts'

export type { PlayerState } from './store.ts'

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
  /** J: back at once, 2, 4, 8 times with each press. */
  readonly back: () => void
  /** L: on at the chosen speed, then twice as fast with each press. */
  readonly on: () => void
  /** Frames where they can be counted, else to the neighbouring picture; of sound by a tenth of a second. */
  readonly step: (by: 1 | -1) => void
  /**
   * The position that a mark, an in or out point or a still pressed now belongs to, seconds: when its frame begins. It is where the player is
   * going by what was pressed before, and what is shown once it is there.
   */
  readonly place: () => number
  readonly seek: (seconds: number) => void
  readonly skip: (seconds: number) => void
  readonly toEnd: () => void
  readonly setSpeed: (speed: number) => void
  readonly faster: (by: 1 | -1) => void
  readonly setVolume: (volume: number, muted: boolean) => void
  readonly setRange: (range: Range) => void
  readonly retry: () => void
  /** Told once what is shown has settled while not playing. @returns how to stop */
  readonly onSettled: (listener: (seconds: number) => void) => () => void
  readonly close: () => void
}

export const SPEEDS: readonly number[] = [0.1, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4, 6, 8]
const MOST_SPEED = 8
/** Rounding of positions between page and player. Seconds. */
const HAIR = 0.0005
const SETTLED_MS = 250
/** Sound has no pictures. Seconds. */
const SOUND_STEP = 0.1

export interface ControllerOptions {
  readonly frames: Frames | null
  readonly startAt: number
  /** Where the element does not know it yet. Seconds. */
  readonly duration: number
}

/** All that the parts of a controller share. */
interface Parts {
  readonly media: HTMLMediaElement
  readonly store: Store
  readonly seeker: Seeker
  readonly video: boolean
  /** The file is known and shown from where it shall begin. */
  readonly began: PromiseWithResolvers<void>
  /**
   * Where to go once the first picture is known; null from then on. Whoever goes on before that goes on from here: nothing that was asked
   * for is lost, however slowly the file comes.
   */
  aim: Aim | null
  range: Range
  closed: boolean
}

interface Aim {
  readonly seconds: number
  /** Frames on from there; their places are known with the first picture. */
  readonly steps: number
}

export function createController(media: HTMLMediaElement, options: ControllerOptions): Controller {
  const video = media instanceof HTMLVideoElement
  const store = createStore(media, options)
  const settled = settling(store)
  const seeker = createSeeker({
    media,
    video,
    onLanded: () => {
      if (!video) shown(media.currentTime)
    },
    onIdle: settled.soon,
  })
  const parts: Parts = {
    media,
    store,
    seeker,
    video,
    began: Promise.withResolvers(),
    aim: { seconds: options.startAt, steps: 0 },
    range: { from: null, to: null, loop: false },
    closed: false,
  }
  const shown = (mediaTime: number): void => {
    const { frames } = store.state()
    store.set({
      at: mediaTime,
      frame: frames === null ? null : frameBeginning(frames, mediaTime),
      ready: true,
      waiting: false,
    })
    seeker.pictured()
    if (store.state().playing) keepInRange(parts, mediaTime)
    settled.soon()
  }
  const abort = new AbortController()
  followMedia({
    media,
    signal: abort.signal,
    store,
    shown,
    begin: () => {
      seeker.begin()
      parts.aim ??= { seconds: store.state().at, steps: 0 }
      void begun(parts).then(() => {
        const place = parts.aim === null ? 0 : placeOfAim(parts, parts.aim)
        parts.aim = null
        parts.began.resolve()
        // Whoever plays backwards by now has gone somewhere else.
        if (parts.closed || seeker.moved()) return
        if (place > 0) void seeker.to(place)
        else if (!video && media.paused) shown(0)
      })
    },
    ended: () => {
      if (!parts.range.loop) return store.set({ playing: false })
      seek(parts, parts.range.from ?? 0)
      void media.play().catch(() => {})
    },
    paused: settled.soon,
  })
  return {
    state: store.state,
    subscribe: store.subscribe,
    place: () => placeGoneTo(parts),
    ...movesOf(parts),
    ...playingOf(parts, settled.soon),
    setVolume: (volume, muted) => {
      media.volume = volume
      media.muted = muted
    },
    setRange: (next) => {
      parts.range = next
    },
    onSettled: settled.subscribe,
    close: () => {
      parts.closed = true
      settled.close()
      abort.abort()
      seeker.close()
      media.pause()
    },
  }

  /** Told after a rest, so that a held key or a drag is one place and not a hundred. */
  function settling({ state }: Store) {
    const listeners = new Set<(seconds: number) => void>()
    let timer: ReturnType<typeof setTimeout> | undefined
    return {
      soon: (): void => {
        clearTimeout(timer)
        timer = setTimeout(() => {
          const { playing, backwards, at, ready } = state()
          if (playing || backwards > 0 || !ready || parts.aim !== null || seeker.wanted() !== null) return
          for (const listener of listeners) listener(at)
        }, SETTLED_MS)
      },
      subscribe: (listener: (seconds: number) => void) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      close: () => clearTimeout(timer),
    }
  }
}

/** Presentation times of first frames, as elements told them: one that is taken up again does not show it anew. */
const origins = new WeakMap<HTMLMediaElement, number>()
const FIRST_WITHIN_MS = 2_000

/** The frame that position nought shows begins the count. */
async function begun({ media, store, seeker, video }: Parts): Promise<void> {
  const count = (first: number): void => {
    const { frames: counted, at, ready } = store.state()
    if (counted === null) return
    const frames = beginningAt(counted, first)
    // What is on screen already was numbered from nought.
    store.set({ frames, ...(ready ? { frame: frameBeginning(frames, at) } : {}) })
  }
  const known = origins.get(media)
  if (known !== undefined) return count(known)
  const elsewhere = (): boolean => seeker.moved() || !media.paused
  if (!video || store.state().frames === null || elsewhere()) return
  // It was on screen before anybody listened: it is shown once more.
  if (!store.state().ready && media.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA) await seeker.to(0)
  // Whoever stepped on meanwhile sees another frame: that one must not begin the count.
  if (elsewhere()) return
  if (store.state().ready) {
    origins.set(media, store.state().at)
    return count(store.state().at)
  }
  const element = media as HTMLVideoElement
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => {
      element.cancelVideoFrameCallback(handle)
      resolve()
    }, FIRST_WITHIN_MS)
    const handle = element.requestVideoFrameCallback((_now, { mediaTime }) => {
      clearTimeout(timer)
      if (!elsewhere()) {
        origins.set(media, mediaTime)
        count(mediaTime)
      }
      resolve()
    })
  })
}

const clamped = ({ store }: Parts, seconds: number): number => Math.min(Math.max(0, seconds), store.state().duration)

/** Where to go so that the frame at a position is shown: its middle, where frames can be counted. */
function placeOf(parts: Parts, seconds: number): number {
  const { frames } = parts.store.state()
  const within = clamped(parts, seconds)
  return frames === null ? within : middleOf(frames, frameAt(frames, within))
}

/** 0: the beginning, where every file is shown from. */
function placeOfAim(parts: Parts, { seconds, steps }: Aim): number {
  const { frames } = parts.store.state()
  if (frames === null || steps === 0) return seconds > 0 ? placeOf(parts, seconds) : 0
  const frame = bounded(frames, frameAt(frames, clamped(parts, seconds)) + steps)
  return frame === 0 ? 0 : middleOf(frames, frame)
}

/** Before the file is known the place in the address; while a seek is under way its target; else what is shown. Seconds. */
function placeGoneTo(parts: Parts): number {
  const { frames, at, backwards } = parts.store.state()
  const going = parts.aim === null ? parts.seeker.wanted() : placeOfAim(parts, parts.aim)
  // Played backwards, each picture is a seek of its own: what counts is the one on screen.
  if (going === null || (parts.aim === null && backwards > 0)) return at
  return frames === null ? going : beginningOf(frames, frameAt(frames, going))
}

function seek(parts: Parts, seconds: number): void {
  const place = placeOf(parts, seconds)
  if (parts.media.readyState === 0) parts.store.set({ at: place })
  if (parts.aim === null) void parts.seeker.to(place)
  else parts.aim = { seconds: clamped(parts, seconds), steps: 0 }
}

function keepInRange(parts: Parts, at: number): void {
  const { from, to, loop } = parts.range
  const last = to ?? parts.store.state().duration
  if (loop && at >= last - HAIR && last > (from ?? 0)) seek(parts, from ?? 0)
}

function stopBackwards({ store }: Parts): void {
  if (store.state().backwards > 0) store.set({ backwards: 0 })
}

function movesOf(parts: Parts): Pick<Controller, 'step' | 'seek' | 'skip' | 'toEnd' | 'retry'> {
  const { media, store, seeker, video } = parts
  let stepping: Promise<unknown> = Promise.resolve()
  const place = (): number => parts.aim?.seconds ?? seeker.wanted() ?? store.state().at
  return {
    step: (by) => {
      stopBackwards(parts)
      media.pause()
      const { frames, frame, at } = store.state()
      if (!video) return seek(parts, place() + by * SOUND_STEP)
      if (frames === null) {
        // What was asked last is what happens: steps that wait for their turn give way to playing.
        const givenUp = (): boolean => parts.closed || !media.paused
        // Before the file is known there is no picture to go on from: steps asked for by then are taken after it.
        stepping = Promise.all([stepping, parts.began.promise]).then(() => {
          if (givenUp()) return
          const looking = { at: () => store.state().at, seek: seeker.to, duration: store.state().duration, givenUp }
          return by > 0 ? pictureOn(looking) : pictureBack(looking)
        })
        return
      }
      if (parts.aim !== null) {
        const { seconds, steps } = parts.aim
        const from = frameAt(frames, seconds)
        parts.aim = { seconds, steps: bounded(frames, from + steps + by) - from }
        return
      }
      const wanted = seeker.wanted()
      const now = wanted === null ? (frame ?? frameAt(frames, at)) : frameAt(frames, wanted)
      void seeker.to(middleOf(frames, now + by))
    },
    seek: (seconds) => {
      stopBackwards(parts)
      seek(parts, seconds)
    },
    skip: (seconds) => {
      stopBackwards(parts)
      const steps = parts.aim?.steps ?? 0
      seek(parts, place() + seconds)
      if (parts.aim !== null) parts.aim = { ...parts.aim, steps }
    },
    toEnd: () => {
      stopBackwards(parts)
      seek(parts, store.state().duration)
    },
    retry: () => {
      parts.aim = { seconds: place(), steps: parts.aim?.steps ?? 0 }
      store.set({ failed: false })
      media.load()
    },
  }
}

function playingOf(
  parts: Parts,
  settle: () => void,
): Pick<Controller, 'play' | 'pause' | 'toggle' | 'back' | 'on' | 'setSpeed' | 'faster'> {
  const { media, store } = parts
  const pause = (): void => {
    stopBackwards(parts)
    media.pause()
  }
  const setSpeed = (speed: number): void => {
    media.playbackRate = speed
    store.set({ speed })
  }
  const play = (): void => {
    stopBackwards(parts)
    const { at, duration, frames, speed } = store.state()
    const { from, to, loop } = parts.range
    const last = loop ? (to ?? duration) : duration
    const lasts = frames === null ? 0 : frames.rate.Denominator / frames.rate.Numerator
    if (at >= last - lasts - HAIR) seek(parts, loop ? (from ?? 0) : 0)
    media.playbackRate = speed
    // Paused again before it began: what was asked last is what happens.
    media.play().catch(() => {})
  }
  return {
    play,
    pause,
    toggle: () => (store.state().playing || store.state().backwards > 0 ? pause() : play()),
    back: () => {
      const { backwards } = store.state()
      void playBackwards(parts, backwards === 0 ? 1 : Math.min(MOST_SPEED, backwards * 2)).then(settle)
    },
    on: () => {
      const { playing, speed, backwards } = store.state()
      if (playing) return setSpeed(Math.min(MOST_SPEED, speed < 1 ? 1 : speed * 2))
      if (backwards === 0 && speed > 1) setSpeed(1)
      play()
    },
    setSpeed,
    faster: (by) => {
      const at = SPEEDS.findIndex((speed) => speed >= store.state().speed - 1e-6)
      setSpeed(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at + by))] ?? 1)
    },
  }
}

/** No browser plays backwards: one picture after the other is sought, as many as the time that has passed asks for. */
async function playBackwards(parts: Parts, speed: number): Promise<void> {
  const { media, store, seeker } = parts
  media.pause()
  store.set({ backwards: speed })
  const from = store.state().at
  const began = performance.now()
  while (!parts.closed && store.state().backwards === speed) {
    // The loop may be turned off meanwhile.
    const least = parts.range.loop ? (parts.range.from ?? 0) : 0
    const target = from - ((performance.now() - began) / 1000) * speed
    const before = store.state().at
    await seeker.to(placeOf(parts, Math.max(least, target)))
    if (target <= least) break
    // The time that passed is shorter than a picture lasts.
    if (store.state().at === before) await new Promise((resolve) => setTimeout(resolve, 10))
  }
  if (store.state().backwards === speed) store.set({ backwards: 0 })
}
