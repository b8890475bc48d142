/** Who copies next: every camera gets its share, whichever came first, and every line to the machine is kept busy. */

export interface Place {
  /** Of one camera. */
  readonly camera: string
  /** What shares a line to the machine with others. */
  readonly hub: string
}

export interface Lanes {
  /** Waits for its turn, then works. @throws the signal's reason, while it waits */
  run<T>(place: Place, bytes: number, signal: AbortSignal, work: () => Promise<T>): Promise<T>
  /** Cameras that wait for a lane and have none, longest waiting first. */
  waiting(): readonly string[]
  /** By how many bytes a camera ranks behind others; 0 for one that is not at work. */
  served(camera: string): number
}

interface Waiting {
  readonly place: Place
  readonly bytes: number
  readonly start: () => void
}

/** Files of one camera at a time: a small one costs more waiting for the disk than bytes, so that a second one fills the gap. */
export const LANES_OF_A_CAMERA = 2

/** Cameras that come within this of each other are put in together. */
const TOGETHER_MS = 3000

/**
 * @param together in milliseconds; 0: no two cameras are put in together
 * @param most copies at once, over all cameras. The next one goes to the hub with the fewest copies under way, there to the camera with the
 * fewest, and among equals to the one that got the fewest bytes so far; one that comes later begins where the one in the middle of the others is.
 */
export function createLanes(most: number, each: number = LANES_OF_A_CAMERA, together: number = TOGETHER_MS): Lanes {
  const queue: Waiting[] = []
  const running = new Map<string, number>()
  const hubs = new Map<string, number>()
  /** Bytes for which a camera had a lane, and files that have theirs since a moment ago. */
  const served = new Map<string, number>()
  const begun = new Set<{ readonly camera: string; readonly bytes: number }>()
  let under = 0

  const change = (counts: Map<string, number>, key: string, by: number): void => {
    const now = (counts.get(key) ?? 0) + by
    if (now === 0) counts.delete(key)
    else counts.set(key, now)
  }
  const rank = ({ place: { camera, hub } }: Waiting): readonly number[] => [
    hubs.get(hub) ?? 0,
    running.get(camera) ?? 0,
    served.get(camera) ?? 0,
  ]
  const before = (one: readonly number[], other: readonly number[]): boolean => {
    for (const [index, value] of one.entries()) {
      const against = other[index] ?? 0
      if (value !== against) return value < against
    }
    return false
  }
  const pick = (): Waiting | null => {
    let best: Waiting | null = null
    for (const one of queue) {
      if ((running.get(one.place.camera) ?? 0) >= each) continue
      if (best === null || before(rank(one), rank(best))) best = one
    }
    return best
  }
  const deal = (): void => {
    while (under < most) {
      const next = pick()
      if (next === null) return
      queue.splice(queue.indexOf(next), 1)
      const { camera, hub } = next.place
      under++
      change(running, camera, 1)
      change(hubs, hub, 1)
      served.set(camera, (served.get(camera) ?? 0) + next.bytes)
      const file = { camera, bytes: next.bytes }
      if (together > 0) {
        begun.add(file)
        setTimeout(() => begun.delete(file), together).unref()
      }
      next.start()
    }
  }
  /**
   * A camera counts from where the others are, or it would take every lane until it has caught up with them: from the one in the middle,
   * behind whom nobody waits for the largest card there is. Were it the last one, whoever comes would go before all that are half-way: in a
   * shift change all stay longer then, and what was told them of their time is wrong. What was begun a moment ago is no lead: of cameras
   * that are put in together, those that ask first would else be through first, by all that they began.
   */
  const join = (camera: string): void => {
    if (served.has(camera)) return
    const places = new Map(served)
    for (const file of begun) if (places.has(file.camera)) change(places, file.camera, -file.bytes)
    // Nothing is at zero bytes: the map holds no such place.
    const sorted = [...served.keys()].map((one) => places.get(one) ?? 0).sort((one, other) => one - other)
    served.set(camera, sorted[Math.floor(sorted.length / 2)] ?? 0)
  }
  const leave = (camera: string): void => {
    if (running.has(camera) || queue.some(({ place }) => place.camera === camera)) return
    served.delete(camera)
    for (const file of begun) if (file.camera === camera) begun.delete(file)
  }
  const turn = (place: Place, bytes: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const entry: Waiting = {
        place,
        bytes,
        start: () => {
          signal.removeEventListener('abort', away)
          resolve()
        },
      }
      const away = (): void => {
        queue.splice(queue.indexOf(entry), 1)
        leave(place.camera)
        reject(signal.reason as Error)
      }
      signal.addEventListener('abort', away, { once: true })
      queue.push(entry)
      deal()
    })

  return {
    run: async (place, bytes, signal, work) => {
      signal.throwIfAborted()
      join(place.camera)
      await turn(place, bytes, signal)
      try {
        return await work()
      } finally {
        under--
        change(running, place.camera, -1)
        change(hubs, place.hub, -1)
        // Whoever goes on with its next file asks at once; only after that is it seen who has gone.
        queueMicrotask(() => {
          deal()
          setTimeout(() => leave(place.camera), 1000).unref()
        })
      }
    },
    waiting: () => [...new Set(queue.map(({ place }) => place.camera).filter((camera) => !running.has(camera)))],
    served: (camera) => served.get(camera) ?? 0,
  }
}
