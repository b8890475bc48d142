import { type Card, type Course, courseOf } from './forecast.ts'

/** A camera as it stands now. */
export interface AtWork {
  readonly id: number
  readonly hub: string
  readonly state: 'copying' | 'verifying'
  /** Files that have a lane. `done` counts each byte twice: copied, and read back. */
  readonly underWay: readonly { readonly length: number; readonly done: number }[]
  /** Of its recordings, and of these what is settled. */
  readonly files: number
  readonly filesDone: number
  readonly bytes: number
  readonly bytesDone: number
  readonly served: number
  /** Bytes that have no second copy yet; 0 where none is made. */
  readonly second: number
}

export interface Expected extends Course {
  /** Bytes a second of its own, lately; null until it can be told. */
  readonly pace: number | null
  /** Cameras that get their first lane before this one does. */
  readonly before: number
}

/**
 * How long each camera will take, by what went through lately and by how the lanes are dealt. An estimate, and nothing is decided by it.
 * It is asked every second or more often while somebody looks, and learns by being asked.
 */
export interface TimeLeft {
  /** @param cameras in the order in which they asked for a lane @returns nothing of those of which nothing can be said yet */
  look(cameras: readonly AtWork[]): Map<number, Expected>
}

interface Deps {
  /** Monotonic milliseconds. */
  readonly ticks: () => number
  readonly lanes: number
  readonly lanesOfACamera: number
}

/** Two looks that lie further apart say nothing of what was between them. */
const APART_MS = 10_000
/** Many may look at the same wall. */
const ANEW_MS = 200
/** Of what was seen of one camera, half is forgotten after so many seconds of work. */
const CAMERA_HALF_S = 30
/** Of what was seen of the machine. */
const MACHINE_HALF_S = 120
/** What a camera does is believed by half after so many seconds; until then it is taken for one like the others. */
const BELIEVED_S = 4
/** How steeply all together gain by one camera more: 1 where cables hold them back, 0 where the station's disk does. Before it was seen: */
const USUAL_GAIN = 0.8
const USUAL_WEIGHT = 0.05
/** Looks are put together until this much time has passed: a disk writes in gusts. */
const SPELL_S = 5
/** Reading back costs so much of what copying a byte does, before it was seen. */
const USUAL_BACK = 0.2
const USUAL_BACK_S = 10

export function createTimeLeft(deps: Deps): TimeLeft {
  const machine = createMachine()
  const cameras = new Map<number, Pace>()
  let latest: { readonly at: number; readonly expected: Map<number, Expected> } | null = null
  let last: { readonly at: number; readonly seen: ReadonlyMap<number, Progress> } | null = null

  const learn = (at: number, now: readonly AtWork[]): void => {
    const seconds = last === null ? 0 : (at - last.at) / 1000
    const before = last?.seen ?? new Map<number, Progress>()
    if (seconds > 0 && seconds * 1000 <= APART_MS) {
      machine.sawLanes(now, seconds)
      const busy = now.filter((one) => isBusy(one, before.get(one.id)))
      let all = 0
      for (const one of busy) {
        const was = before.get(one.id)
        const moved = was === undefined ? 0 : workSince(was, progressOf(one), machine.back())
        if (moved < 0) continue
        all += moved
        const pace = cameras.get(one.id) ?? NO_PACE
        if (was !== undefined) cameras.set(one.id, paceWith(pace, { seconds, moved, crowd: Math.log(busy.length) }))
      }
      machine.saw({ seconds, moved: all, cameras: busy.length })
      machine.sawSecond(now, before, seconds)
    }
    last = { at, seen: new Map(now.map((one) => [one.id, progressOf(one)])) }
    for (const id of cameras.keys()) if (!last.seen.has(id)) cameras.delete(id)
  }

  return {
    look: (now) => {
      const at = deps.ticks()
      if (latest !== null && at - latest.at < ANEW_MS) return latest.expected
      if (last === null || at > last.at) learn(at, now)
      const expected = expectedOf(now, { machine, cameras, deps })
      latest = { at, expected }
      return expected
    },
  }
}

/** @returns nothing while nothing was seen of this machine */
function expectedOf(
  now: readonly AtWork[],
  { machine, cameras, deps }: { machine: Machine; cameras: ReadonlyMap<number, Pace>; deps: Deps },
): Map<number, Expected> {
  const usual = machine.usual()
  if (usual === null) return new Map()
  const back = machine.back()
  const gain = machine.gain()
  const crowd = now.filter(({ underWay }) => underWay.length > 0).length
  const easierFor = (from: number, to: number): number => (Math.max(1, to) / Math.max(1, from)) ** (gain - 1)
  const like = usual.pace * easierFor(usual.cameras, crowd)
  const paceOf = ({ id }: AtWork): number => {
    const own = cameras.get(id)
    if (own === undefined) return like
    const mine = own.moved * easierFor(Math.exp(own.crowd / own.seconds), crowd)
    return (mine + like * BELIEVED_S) / (own.seconds + BELIEVED_S)
  }
  const courses = courseOf(
    now.map((one): Card => ({ ...cardOf(one, back), pace: paceOf(one) })),
    {
      lanes: deps.lanes,
      lanesOfACamera: deps.lanesOfACamera,
      easier: (to) => easierFor(crowd, to),
      secondPace: machine.secondPace() ?? usual.pace,
    },
  )
  const starts = [...courses.values()].map((course) => course.starts)
  return new Map(
    [...courses].map(([id, course]) => {
      const own = cameras.get(id)
      const pace = own === undefined || own.seconds < 1 ? null : own.moved / own.seconds / (1 + back)
      return [id, { ...course, pace, before: starts.filter((at) => at > 0 && at < course.starts).length }]
    }),
  )
}

function cardOf(one: AtWork, back: number): Omit<Card, 'pace'> {
  if (one.state === 'verifying')
    return { id: one.id, hub: one.hub, running: [], queued: { files: 0, work: 0 }, served: 0, second: one.second }
  const running = one.underWay.map(({ length, done }) => workOf(length, back) - workDone(length, done, back))
  const underWay = one.underWay.reduce((sum, { length }) => sum + length, 0)
  return {
    id: one.id,
    hub: one.hub,
    running,
    queued: {
      files: Math.max(0, one.files - one.filesDone - one.underWay.length),
      work: workOf(Math.max(0, one.bytes - one.bytesDone - underWay), back),
    },
    served: one.served * (1 + back),
    second: one.second,
  }
}

const workOf = (bytes: number, back: number): number => bytes * (1 + back)
const workDone = (length: number, done: number, back: number): number =>
  Math.min(done, length) + back * Math.min(length, Math.max(0, done - length))

interface Progress {
  readonly settled: number
  readonly copied: number
  readonly readBack: number
  readonly busy: boolean
  readonly second: number
  readonly state: AtWork['state']
}

const progressOf = ({ bytesDone, underWay, second, state }: AtWork): Progress => ({
  settled: bytesDone,
  copied: underWay.reduce((sum, { length, done }) => sum + Math.min(done, length), 0),
  readBack: underWay.reduce((sum, { length, done }) => sum + Math.min(length, Math.max(0, done - length)), 0),
  busy: underWay.length > 0,
  second,
  state,
})

const workSince = (was: Progress, is: Progress, back: number): number =>
  (is.settled - was.settled) * (1 + back) + (is.copied - was.copied) + back * (is.readBack - was.readBack)

const isBusy = (one: AtWork, was: Progress | undefined): boolean =>
  one.state === 'copying' && (one.underWay.length > 0 || (was?.busy ?? false))

/** What was seen of one camera while it had a lane; older seconds count less. */
interface Pace {
  readonly seconds: number
  readonly moved: number
  /** Logarithms of how many had a lane meanwhile, by seconds. */
  readonly crowd: number
}

const NO_PACE: Pace = { seconds: 0, moved: 0, crowd: 0 }

function paceWith(pace: Pace, { seconds, moved, crowd }: { seconds: number; moved: number; crowd: number }): Pace {
  const keep = 0.5 ** (seconds / CAMERA_HALF_S)
  return {
    seconds: pace.seconds * keep + seconds,
    moved: pace.moved * keep + moved,
    crowd: pace.crowd * keep + crowd * seconds,
  }
}

/** What the machine does with so many cameras at once. */
type Machine = ReturnType<typeof createMachine>

function createMachine() {
  let sums = { weight: 0, x: 0, y: 0, xx: 0, xy: 0 }
  let spell = { seconds: 0, moved: 0, cameras: 0 }
  let phases = { copying: 0, back: 0 }
  let second = { seconds: 0, moved: 0 }
  return {
    saw: ({ seconds, moved, cameras }: { seconds: number; moved: number; cameras: number }): void => {
      if (cameras === 0) return
      spell = {
        seconds: spell.seconds + seconds,
        moved: spell.moved + moved,
        cameras: spell.cameras + cameras * seconds,
      }
      // The first second of all is told at once, or nobody would read anything for a while.
      const isLong = spell.seconds >= (sums.weight === 0 ? 1 : SPELL_S)
      if (!isLong) return
      if (spell.moved > 0) {
        const keep = 0.5 ** (spell.seconds / MACHINE_HALF_S)
        const x = Math.log(spell.cameras / spell.seconds)
        const y = Math.log(spell.moved / spell.seconds)
        const weight = spell.seconds
        sums = {
          weight: sums.weight * keep + weight,
          x: sums.x * keep + weight * x,
          y: sums.y * keep + weight * y,
          xx: sums.xx * keep + weight * x * x,
          xy: sums.xy * keep + weight * x * y,
        }
      }
      spell = { seconds: 0, moved: 0, cameras: 0 }
    },
    sawLanes: (now: readonly AtWork[], seconds: number): void => {
      const keep = 0.5 ** (seconds / MACHINE_HALF_S)
      let [copying, back] = [0, 0]
      for (const { underWay } of now)
        for (const { length, done } of underWay) {
          if (done < length) copying += seconds
          else back += seconds
        }
      if (copying + back > 0) phases = { copying: phases.copying * keep + copying, back: phases.back * keep + back }
    },
    sawSecond: (now: readonly AtWork[], before: ReadonlyMap<number, Progress>, seconds: number): void => {
      const at = now.filter((one) => one.state === 'verifying' && before.get(one.id)?.state === 'verifying')
      const moved = at.reduce((sum, one) => sum + Math.max(0, (before.get(one.id) as Progress).second - one.second), 0)
      if (at.every((one) => one.second === 0) && moved === 0) return
      const keep = 0.5 ** (seconds / MACHINE_HALF_S)
      second = { seconds: second.seconds * keep + seconds, moved: second.moved * keep + moved }
    },
    secondPace: (): number | null => (second.moved > 0 ? second.moved / second.seconds : null),
    /** What reading a byte back costs of what copying it does. Both have as many bytes: the time is what differs. */
    back: (): number => (phases.back + USUAL_BACK * USUAL_BACK_S) / (phases.copying + USUAL_BACK_S),
    gain: (): number => {
      if (sums.weight === 0) return USUAL_GAIN
      const [x, y] = [sums.x / sums.weight, sums.y / sums.weight]
      const [xx, xy] = [sums.xx / sums.weight - x * x, sums.xy / sums.weight - x * y]
      return Math.min(1, Math.max(0, (xy + USUAL_WEIGHT * USUAL_GAIN) / (xx + USUAL_WEIGHT)))
    },
    /** Work a second of one camera when so many have a lane; null until it was seen. */
    usual: (): { readonly pace: number; readonly cameras: number } | null => {
      if (sums.weight === 0) return null
      const [cameras, all] = [Math.exp(sums.x / sums.weight), Math.exp(sums.y / sums.weight)]
      return { pace: all / cameras, cameras }
    },
  }
}
