/** One seek of a media element at a time: a newer wish takes the place of the one that waits. */
export interface Seeker {
  /** Where it shall go and is not yet, seconds; null when it is there. */
  readonly wanted: () => number | null
  /** Since the file is known somebody went somewhere: what is shown need not be the beginning. Browsers name the beginning nought or the first frame's time. */
  readonly moved: () => boolean
  /** Resolves when what lies there is on screen, or a newer wish has been granted. */
  readonly to: (seconds: number) => Promise<void>
  /** Told by whoever follows the pictures: another one is on screen. */
  readonly pictured: () => void
  /** The file is known, and shown from its beginning: wishes from before are forgotten. */
  readonly begin: () => void
  readonly close: () => void
}

/** A picture that is the same as before is not always told anew. */
const PICTURE_WITHIN_MS = 250

interface Options {
  readonly media: HTMLMediaElement
  /** It has pictures, which are told one by one. */
  readonly video: boolean
  readonly onLanded: () => void
  /** Nothing is wished for any more. */
  readonly onIdle: () => void
}

export function createSeeker({ media, video, onLanded, onIdle }: Options): Seeker {
  let wanted: number | null = null
  let seeking: Promise<void> | null = null
  let closed = false
  let moved = false
  const waiting = new Set<() => void>()

  const once = (target: number): Promise<void> =>
    new Promise((resolve) => {
      let timer: ReturnType<typeof setTimeout> | undefined
      let landed = false
      let pictured = !video
      const done = (): void => {
        clearTimeout(timer)
        media.removeEventListener('seeked', sought)
        media.removeEventListener('emptied', done)
        waiting.delete(picture)
        resolve()
      }
      const picture = (): void => {
        if (closed) return done()
        pictured = true
        if (landed) done()
      }
      const sought = (): void => {
        landed = true
        onLanded()
        if (pictured) done()
        else timer = setTimeout(done, PICTURE_WITHIN_MS)
      }
      media.addEventListener('seeked', sought)
      // The file is being read anew: no seek of the old one ends any more.
      media.addEventListener('emptied', done)
      waiting.add(picture)
      media.currentTime = target
    })
  const run = async (): Promise<void> => {
    while (wanted !== null && !closed) {
      const target: number = wanted
      await once(target)
      if (wanted === target) wanted = null
    }
    seeking = null
    onIdle()
  }
  const picturedAll = (): void => {
    for (const picture of waiting) picture()
  }
  return {
    wanted: () => wanted,
    moved: () => moved,
    to: (seconds) => {
      wanted = seconds
      // Nothing is known of the file yet: this is where it begins.
      if (media.readyState === 0) return Promise.resolve()
      moved ||= seconds > 0
      seeking ??= run()
      return seeking
    },
    pictured: picturedAll,
    begin: () => {
      wanted = null
      moved = false
    },
    close: () => {
      closed = true
      picturedAll()
    },
  }
}
