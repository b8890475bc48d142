/** What happens to the cameras that stand in their bays if nothing else comes: lanes dealt as the dock deals them, without a disk. Pure. */

export interface Card {
  readonly id: number
  readonly hub: string
  /** Of each file that has a lane: work that is left. */
  readonly running: readonly number[]
  /** Files that have none, and the work of all of them. */
  readonly queued: { readonly files: number; readonly work: number }
  /** What the lanes have counted for it. */
  readonly served: number
  /** Work a second while it has a lane and so many cameras have one as now. */
  readonly pace: number
  /** What is copied once more behind that: bytes for the second copy. */
  readonly second: number
}

export interface Machine {
  readonly lanes: number
  readonly lanesOfACamera: number
  /** By how much a camera is faster than now when so many have a lane: 1 where each is held back by its own cable. */
  readonly easier: (cameras: number) => number
  /** Bytes of second copies a second, of all together. */
  readonly secondPace: number
}

export interface Course {
  /** Seconds until its first file has a lane; 0 for one that has one. */
  readonly starts: number
  /** Seconds until everything of it is through. */
  readonly ends: number
}

/**
 * More files than this of one camera, and of all together, are reckoned as so many of the same bytes: turns are longer then, and hardly
 * anything else changes. It is reckoned every second while somebody looks, by the thread that answers everybody.
 */
const MOST_FILES = 12
const MOST_OF_ALL = 600
const NEVER = Number.POSITIVE_INFINITY
const LEAST = 1e-6

interface Moving {
  readonly card: Card
  readonly running: number[]
  readonly file: number
  files: number
  served: number
  starts: number | null
}

/** @param cards in the order in which they asked */
export function courseOf(cards: readonly Card[], machine: Machine): Map<number, Course> {
  const copied = copiesOf(cards, machine)
  const ends = secondsOf(cards, new Map([...copied].map(([id, { ends: at }]) => [id, at])), machine.secondPace)
  return new Map([...copied].map(([id, { starts }]) => [id, { starts, ends: ends.get(id) as number }]))
}

function copiesOf(cards: readonly Card[], machine: Machine): Map<number, Course> {
  const most = Math.max(2, Math.min(MOST_FILES, Math.floor(MOST_OF_ALL / Math.max(1, cards.length))))
  const moving = cards.map((card) => movingOf(card, most))
  const left = new Set(moving)
  const done = new Map<number, Course>()
  let now = 0
  for (;;) {
    deal(moving, machine.lanes, machine.lanesOfACamera, now)
    for (const one of left) {
      if (one.running.length > 0) continue
      if (one.files > 0) continue
      done.set(one.card.id, { starts: one.starts ?? now, ends: now })
      left.delete(one)
    }
    const busy = moving.filter(({ running }) => running.length > 0)
    if (busy.length === 0) break
    const ease = machine.easier(busy.length)
    // What each of a camera's files gets: one line is shared by all of them.
    const shares = busy.map(({ card, running }) => Math.max(LEAST, (card.pace * ease) / running.length))
    const step = Math.min(...busy.map(({ running }, at) => Math.min(...running) / (shares[at] as number)))
    now += step
    busy.forEach(({ running }, at) => {
      const moved = step * (shares[at] as number)
      for (let index = running.length - 1; index >= 0; index--) {
        const rest = (running[index] as number) - moved
        if (rest <= LEAST) running.splice(index, 1)
        else running[index] = rest
      }
    })
  }
  // Without a lane in the whole machine nobody would ever come to an end.
  for (const one of left) done.set(one.card.id, { starts: one.starts ?? NEVER, ends: NEVER })
  return done
}

function movingOf(card: Card, most: number): Moving {
  const files = Math.min(most, card.queued.files)
  return {
    card,
    running: card.running.map((work) => Math.max(LEAST * 2, work)),
    file: files === 0 ? 0 : Math.max(LEAST * 2, card.queued.work / files),
    files,
    served: card.served,
    starts: card.running.length > 0 ? 0 : null,
  }
}

/** As server/features/docking/transfer/copy-lanes.ts does. */
function deal(moving: readonly Moving[], lanes: number, each: number, now: number): void {
  const hubs = new Map<string, number>()
  let under = 0
  for (const { card, running } of moving) {
    under += running.length
    hubs.set(card.hub, (hubs.get(card.hub) ?? 0) + running.length)
  }
  while (under < lanes) {
    let best: Moving | null = null
    for (const one of moving) {
      if (one.files === 0 || one.running.length >= each) continue
      if (best === null || isBefore(one, best, hubs)) best = one
    }
    if (best === null) return
    best.files--
    best.running.push(best.file)
    best.served += best.file
    best.starts ??= now
    hubs.set(best.card.hub, (hubs.get(best.card.hub) ?? 0) + 1)
    under++
  }
}

function isBefore(one: Moving, other: Moving, hubs: ReadonlyMap<string, number>): boolean {
  const busier = (hubs.get(one.card.hub) ?? 0) - (hubs.get(other.card.hub) ?? 0)
  if (busier !== 0) return busier < 0
  const more = one.running.length - other.running.length
  return more === 0 ? one.served < other.served : more < 0
}

/** Second copies are written by one line, which all whose first ones are through share. @param from when each comes to it */
function secondsOf(cards: readonly Card[], from: ReadonlyMap<number, number>, pace: number): Map<number, number> {
  const ends = new Map(from)
  const coming = cards
    .filter(({ second }) => second > 0)
    .map(({ id, second }) => ({ id, left: second, at: from.get(id) as number }))
    .sort((one, other) => one.at - other.at)
  const there: { readonly id: number; left: number }[] = []
  let now = 0
  while (coming.length > 0 || there.length > 0) {
    const next = coming[0]
    if (there.length === 0) now = Math.max(now, next?.at ?? now)
    while (coming[0] !== undefined && coming[0].at <= now) there.push(coming.shift() as (typeof coming)[number])
    if (!Number.isFinite(now)) break
    const share = Math.max(LEAST, pace) / there.length
    const step = Math.min((coming[0]?.at ?? NEVER) - now, Math.min(...there.map(({ left }) => left)) / share)
    now += step
    for (let at = there.length - 1; at >= 0; at--) {
      const one = there[at] as (typeof there)[number]
      one.left -= step * share
      if (one.left > LEAST) continue
      ends.set(one.id, now)
      there.splice(at, 1)
    }
  }
  return ends
}
