import type { Store } from './store.ts'

interface Follow {
  readonly media: HTMLMediaElement
  readonly signal: AbortSignal
  readonly store: Store
  /** Each picture of a video as it comes on screen; of sound each place, while it plays. */
  readonly shown: (mediaTime: number) => void
  /** The file is known. */
  readonly begin: () => void
  readonly ended: () => void
  readonly paused: () => void
}

/** What the element tells, kept as the player's state until the signal. */
export function followMedia({ media, signal, store, shown, begin, ended, paused }: Follow): void {
  const { set, state } = store
  const on = (name: keyof HTMLMediaElementEventMap, listener: () => void): void =>
    media.addEventListener(name, listener, { signal })
  const known = (): number => (Number.isFinite(media.duration) ? media.duration : state().duration)
  on('loadedmetadata', () => {
    set({ duration: known(), failed: false })
    begin()
  })
  on('durationchange', () => set({ duration: known() }))
  on('play', () => set({ playing: true, backwards: 0 }))
  on('pause', () => {
    set({ playing: false })
    paused()
  })
  on('ended', ended)
  on('waiting', () => set({ waiting: true }))
  on('playing', () => set({ waiting: false }))
  on('volumechange', () => set({ muted: media.muted, volume: media.volume }))
  on('error', () => set({ failed: true, playing: false, waiting: false }))
  if (media instanceof HTMLVideoElement) followPictures(media, signal, shown)
  else followSound(media, signal, shown)
  if (media.readyState > 0) {
    set({ duration: known() })
    begin()
  }
}

function followPictures(media: HTMLVideoElement, signal: AbortSignal, shown: (mediaTime: number) => void): void {
  const each = (_now: number, { mediaTime }: VideoFrameCallbackMetadata): void => {
    if (signal.aborted) return
    shown(mediaTime)
    media.requestVideoFrameCallback(each)
  }
  media.requestVideoFrameCallback(each)
}

function followSound(media: HTMLMediaElement, signal: AbortSignal, shown: (mediaTime: number) => void): void {
  const each = (): void => {
    if (signal.aborted || media.paused) return
    shown(media.currentTime)
    requestAnimationFrame(each)
  }
  media.addEventListener('play', () => requestAnimationFrame(each), { signal })
}
