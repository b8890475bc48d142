/** A shift change without a disk: cameras drawn from a seed, the dock's own lanes, and a machine that is arithmetic, in time that the test moves. */
import { vi } from 'vitest'
import { createLanes, LANES_OF_A_CAMERA } from '../../server/features/docking/transfer/copy-lanes.ts'
import { type AtWork, createTimeLeft, type Expected } from '../../server/features/docking/wall/time-left.ts'

export interface ShiftPlan {
  readonly seed: number
  readonly cameras: number
  /** Seconds in which they come; 0: all at once. */
  readonly window: number
  readonly lanes: number
  /** Bytes of a card, the least and the most. */
  readonly bytes: readonly [number, number]
  readonly files: readonly [number, number]
  /** Bytes a second that a card gives, the least and the most. */
  readonly cable: readonly [number, number]
  /** Bytes a second that the station writes, of all together, and reads back. */
  readonly disk: number
  readonly hubs?: number
  /** Bytes a second of second copies. */
  readonly second?: number
}

export interface SimulatedShift {
  /** Of each time that somebody read a time left: by how much it was wrong, as a part of what was really left, and when that was. */
  readonly errors: readonly { readonly camera: number; readonly at: number; readonly error: number }[]
  /** Of the same for cameras that waited for their first lane, in seconds. */
  readonly startErrors: readonly { readonly said: number; readonly was: number }[]
  readonly seconds: number
  readonly slowestLookMs: number
}

/** Mulberry32: the same numbers for the same seed. */
export function drawnFrom(seed: number): (least: number, most: number) => number {
  let state = seed >>> 0
  return (least, most) => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return least + (((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * (most - least)
  }
}

interface Running {
  readonly length: number
  done: number
  readonly end: () => void
}

interface Camera {
  readonly id: number
  readonly hub: string
  readonly lengths: readonly number[]
  readonly cable: number
  readonly comes: number
  readonly running: Running[]
  state: 'away' | AtWork['state'] | 'released'
  filesDone: number
  bytesDone: number
  second: number
  startedAt: number | null
  endedAt: number | null
}

const STEP_S = 0.25
const LOOK_S = 1
/** What is nearly over is not looked at any more. */
const LEAST_LEFT_S = 5

export async function simulatedShift(plan: ShiftPlan): Promise<SimulatedShift> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    return await run(plan)
  } finally {
    vi.useRealTimers()
  }
}

function camerasOf(plan: ShiftPlan): Camera[] {
  const draw = drawnFrom(plan.seed)
  return Array.from({ length: plan.cameras }, (_, id): Camera => {
    const files = Math.round(draw(...plan.files))
    const bytes = draw(...plan.bytes)
    const parts = Array.from({ length: files }, () => draw(0.6, 1.4))
    const all = parts.reduce((sum, part) => sum + part, 0)
    const lengths = parts.map((part) => Math.ceil((part / all) * bytes))
    return {
      id,
      hub: `hub ${Math.floor(draw(0, plan.hubs ?? 1))}`,
      lengths,
      cable: draw(...plan.cable),
      comes: draw(0, plan.window),
      running: [],
      state: 'away',
      filesDone: 0,
      bytesDone: 0,
      second: plan.second === undefined ? 0 : lengths.reduce((sum, length) => sum + length, 0),
      startedAt: null,
      endedAt: null,
    }
  })
}

async function run(plan: ShiftPlan): Promise<SimulatedShift> {
  // Its clock is not that of the machine, on which all of them would come within a moment.
  const lanes = createLanes(plan.lanes, LANES_OF_A_CAMERA, 0)
  const cameras = camerasOf(plan)
  let now = 0
  const timeLeft = createTimeLeft({ ticks: () => now * 1000, lanes: plan.lanes, lanesOfACamera: LANES_OF_A_CAMERA })
  const dock = async (camera: Camera): Promise<void> => {
    const queue = [...camera.lengths]
    const lane = async (): Promise<void> => {
      for (let length = queue.shift(); length !== undefined; length = queue.shift()) {
        const file = length
        await lanes.run(
          { camera: String(camera.id), hub: camera.hub },
          file,
          new AbortController().signal,
          () =>
            new Promise<void>((resolve) => {
              camera.startedAt ??= now
              camera.running.push({ length: file, done: 0, end: resolve })
            }),
        )
        camera.filesDone++
        camera.bytesDone += file
      }
    }
    await Promise.all(Array.from({ length: LANES_OF_A_CAMERA }, lane))
    camera.state = 'verifying'
    if (camera.second === 0) release(camera, now)
  }
  const said: { readonly at: number; readonly expected: ReadonlyMap<number, Expected> }[] = []
  let slowestLookMs = 0
  for (let step = 0; cameras.some(({ state }) => state !== 'released'); step++) {
    for (const camera of cameras)
      if (camera.state === 'away' && camera.comes <= now) {
        camera.state = 'copying'
        void dock(camera)
      }
    await vi.advanceTimersByTimeAsync(STEP_S * 1000)
    move(cameras, plan, now)
    now += STEP_S
    await vi.advanceTimersByTimeAsync(0)
    if (step % Math.round(LOOK_S / STEP_S) !== 0) continue
    const from = process.hrtime.bigint()
    said.push({ at: now, expected: timeLeft.look(atWork(cameras, lanes.served)) })
    slowestLookMs = Math.max(slowestLookMs, Number(process.hrtime.bigint() - from) / 1e6)
  }
  return { ...judged(said, cameras), seconds: now, slowestLookMs }
}

function release(camera: Camera, now: number): void {
  camera.state = 'released'
  camera.endedAt = now
}

/** Cards give what their cables carry, and all together what the disk writes; reading back has the disk for itself as far as it goes. */
function move(cameras: readonly Camera[], plan: ShiftPlan, now: number): void {
  const wishes = cameras.flatMap((camera) => {
    const copying = camera.running.filter(({ done, length }) => done < length)
    return copying.map((file) => ({ file, wish: camera.cable / copying.length }))
  })
  const back = cameras.flatMap(({ running }) => running.filter(({ done, length }) => done >= length))
  const all = wishes.reduce((sum, { wish }) => sum + wish, 0)
  const share = Math.min(1, plan.disk / Math.max(1, all))
  for (const { file, wish } of wishes) file.done = Math.min(file.length, file.done + wish * share * STEP_S)
  for (const file of back) file.done += ((plan.disk * 2) / back.length) * STEP_S
  for (const { running } of cameras)
    for (let at = running.length - 1; at >= 0; at--) {
      const file = running[at] as Running
      if (file.done < 2 * file.length) continue
      running.splice(at, 1)
      file.end()
    }
  const second = cameras.filter(({ state }) => state === 'verifying')
  for (const camera of second) {
    camera.second = Math.max(0, camera.second - ((plan.second ?? 0) / second.length) * STEP_S)
    if (camera.second === 0) release(camera, now + STEP_S)
  }
}

const atWork = (cameras: readonly Camera[], served: (camera: string) => number): AtWork[] =>
  cameras
    .filter(({ state }) => state === 'copying' || state === 'verifying')
    .sort((one, other) => one.comes - other.comes)
    .map((camera) => ({
      id: camera.id,
      hub: camera.hub,
      state: camera.state as AtWork['state'],
      underWay: camera.running.map(({ length, done }) => ({ length, done: Math.floor(done) })),
      files: camera.lengths.length,
      filesDone: camera.filesDone,
      bytes: camera.lengths.reduce((sum, length) => sum + length, 0),
      bytesDone: camera.bytesDone,
      served: served(String(camera.id)),
      second: camera.second,
    }))

function judged(
  said: readonly { readonly at: number; readonly expected: ReadonlyMap<number, Expected> }[],
  cameras: readonly Camera[],
): Pick<SimulatedShift, 'errors' | 'startErrors'> {
  const errors: SimulatedShift['errors'][number][] = []
  const startErrors: SimulatedShift['startErrors'][number][] = []
  for (const { at, expected } of said)
    for (const [id, { ends, starts }] of expected) {
      const camera = cameras[id] as Camera
      const left = (camera.endedAt as number) - at
      if (left >= LEAST_LEFT_S) errors.push({ camera: id, at, error: (ends - left) / left })
      const waits = (camera.startedAt as number) - at
      if (waits > 0) startErrors.push({ said: starts, was: waits })
    }
  return { errors, startErrors }
}

export function spread(values: readonly number[]): { readonly median: number; readonly p90: number } {
  const sorted = [...values].sort((one, other) => one - other)
  const at = (part: number): number => sorted[Math.floor((sorted.length - 1) * part)] ?? 0
  return { median: at(0.5), p90: at(0.9) }
}
