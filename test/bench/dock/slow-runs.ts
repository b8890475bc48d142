/** Cameras whose cards are read no faster than a cable carries: L3 and the officer of dock.bench.ts. */
import { type Card, NOISE, openThrottle, type SlowCard, slowCards } from './cards.ts'
import { type Docking, openDocking } from './docking.ts'
import { overtaken, round, sharedErrors, spreadOf, timeLeftErrors, waited } from './figures.ts'
import { figuresOf, type Line, MIB, nothingLost, onGround } from './ground.ts'
import { dropCaches } from '../stage.ts'

export interface Shift {
  readonly cameras: number
  readonly lanes: number
  /** Cards that the station reads at the same time: the bytes of a card are reckoned from it, so that cameras queue and no more. */
  readonly readers: number
  /** Seconds in which they come. */
  readonly window: number
  /** How fast a card is read. */
  readonly bytesPerSecond: number
  readonly where: string
}

/** The readers need so many times the window for all that comes in it: cameras queue. */
const MORE_THAN_THE_WINDOW = 1.2

/** L3: a shift change. Three are pulled early and put back, two cards are full, one is bad. */
export async function shiftChange(shift: Shift): Promise<Line> {
  const { cameras, lanes, readers, window, bytesPerSecond } = shift
  return onGround(shift.where, async ({ aside, bays, data }) => {
    const files = 4
    const throttle = openThrottle(`sallyport-bench-${process.pid}`)
    const bytes = Math.ceil((MORE_THAN_THE_WINDOW * window * readers * bytesPerSecond) / cameras / files)
    const contents = { count: cameras, files, bytes, clips: NOISE, seed: 'L3', full: 2 }
    const cards = await slowCards(contents, { aside, bays }, { throttle, bytesPerSecond })
    const docking = await openDocking(data, bays, { SALLYPORT_DOCK_LANES: String(lanes) })
    try {
      await docking.strain()
      throttle.hold(docking.station.pid)
      const bad = cards[Math.floor(cameras / 2)] as SlowCard
      const early = [0.2, 0.4, 0.6].map((part) => cards[Math.floor(cameras * part) + 1] as SlowCard)
      const accidents = [
        ...early.map((card) => onceCopying(docking, card, () => pullAndPutBack(docking, card, window / 30))),
        onceCopying(docking, bad, async () => bad.spoil()),
      ]
      const from = performance.now()
      for (const [index, card] of cards.entries()) {
        const due = from + (index / cameras) * window * 1000
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
        docking.plug(card)
      }
      await Promise.all(accidents)
      await docking.released(cards, 10 * window + 600)
      return {
        bytesOfACard: bytes * files,
        ...(await shiftFigures(docking, cards, [bad, ...early])),
        ...(await nothingLost(docking, cards, data, [bad])),
      }
    } finally {
      await docking.station.kill()
      for (const card of cards) quietly(() => card.pull())
      quietly(() => throttle.dispose())
    }
  })
}

const quietly = (work: () => void): void => {
  try {
    work()
  } catch {
    // It was not there, or not any more: whatever is left of it goes with its folder.
  }
}

/** @param upset cameras to which something happened: nobody could tell before how long they would take */
async function shiftFigures(docking: Docking, cards: readonly Card[], upset: readonly Card[]): Promise<Line> {
  const sessions = docking.sessions()
  const steady = sessions.filter(({ bay }) => !upset.some(({ name }) => name === bay))
  const waits = waited(docking.looks)
  return {
    ...(await figuresOf(docking, cards)),
    // As many looks as there are: each of them is one time that somebody read it.
    timeLeft: wrongness(timeLeftErrors(docking.looks, steady)),
    timeLeftIfShared: wrongness(sharedErrors(docking.looks, steady)),
    saidToWait: { cameras: waits.size, seconds: spreadOf([...waits.values()]) },
    overtaken: overtaken(sessions, docking.pluggedAt),
    wentOnAfterPull: sessions.filter(({ round: rounds }) => rounds > 1).length,
  }
}

function wrongness(errors: readonly number[]): Line {
  const sizes = errors.map(Math.abs)
  return {
    looks: errors.length,
    wrongBy: spreadOf(sizes),
    // Below nothing: it said less than it was.
    signed: spreadOf(errors),
    within30: round(sizes.filter((error) => error < 0.3).length / sizes.length),
  }
}

/** A tenth of it is through, and not yet all. */
async function onceCopying(docking: Docking, card: Card, act: () => Promise<void>): Promise<void> {
  for (;;) {
    const tile = docking.looks.at(-1)?.tiles.find(({ Bay }) => Bay === card.name)
    if (tile?.State === 'copying' && tile.BytesDone > tile.Bytes / 10) return act()
    if (tile?.State === 'released') throw new Error(`${card.name} was through before its accident`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function pullAndPutBack(docking: Docking, card: Card, awaySeconds: number): Promise<void> {
  docking.pull(card)
  await new Promise((resolve) => setTimeout(resolve, Math.max(3, awaySeconds) * 1000))
  docking.plug(card)
}

/**
 * Cards that are each read no faster than their cable carries, all at once: how much of what the cables carry together comes in. Every
 * card of them is on a line of its own, so that the aim is 1, up to what the disk of the station takes.
 */
export async function cables(
  cards: { count: number; mib: number; bytesPerSecond: number },
  where: string,
): Promise<Line> {
  const { count, mib, bytesPerSecond } = cards
  return onGround(where, async ({ aside, bays, data }) => {
    const throttle = openThrottle(`sallyport-bench-${process.pid}`)
    const files = 4
    const contents = { count, files, bytes: Math.floor((mib * MIB) / files), clips: NOISE, seed: 'cables', full: 0 }
    const slow = await slowCards(contents, { aside, bays }, { throttle, bytesPerSecond })
    const docking = await openDocking(data, bays, { SALLYPORT_DOCK_LANES: String(Math.max(32, count)) })
    try {
      await docking.strain()
      throttle.hold(docking.station.pid)
      for (const card of slow) docking.plug(card)
      await docking.released(slow, 3600)
      const times = docking.sessions().filter(({ state }) => state === 'released')
      const from = Math.min(...times.map(({ first_byte_at }) => first_byte_at ?? Number.NaN))
      const to = Math.max(...times.map(({ last_byte_at }) => last_byte_at ?? Number.NaN))
      const pace = slow.reduce((sum, { bytes }) => sum + bytes, 0) / ((to - from) / 1000)
      return {
        cableSeconds: round((mib * MIB) / bytesPerSecond),
        copySeconds: round((to - from) / 1000),
        ofCables: round(pace / (count * bytesPerSecond)),
        cablesKeptBusy: round(pace / bytesPerSecond, 10),
        ...(await figuresOf(docking, slow)),
        ...(await nothingLost(docking, slow, data)),
      }
    } finally {
      await docking.station.kill()
      for (const card of slow) quietly(() => card.pull())
      quietly(() => throttle.dispose())
    }
  })
}

/**
 * USB 2.0 carries 480 Mbit/s on the wire and at most 13 packets of 512 bytes in each of 8,000 micro-frames a second (USB 2.0, table 5-10):
 * 53 MB/s. Drives were read at 30 to 42 MB/s by CNET, as quoted at forums.tomshardware.com/threads/660410, and "in the mid-30s" by the
 * manual of AcomData's PDHD1000USE-72: 35 is assumed. It is no measurement of a camera; many give less.
 */
export const USB2_BYTES_A_SECOND = 35e6
const OFFICER_BYTES = 20e9

/** One camera at the speed of USB 2.0, of fewer bytes than an officer's; what 20 GB would take is reckoned from it. */
export async function officerWaits(mib: number, where: string): Promise<Line> {
  return onGround(where, async ({ aside, bays, data }) => {
    const throttle = openThrottle(`sallyport-bench-${process.pid}`)
    const files = 8
    const contents = { count: 1, files, bytes: Math.floor((mib * MIB) / files), clips: NOISE, seed: 'officer', full: 0 }
    const speed = { throttle, bytesPerSecond: USB2_BYTES_A_SECOND }
    const cards = await slowCards(contents, { aside, bays }, speed)
    const docking = await openDocking(data, bays)
    try {
      throttle.hold(docking.station.pid)
      dropCaches()
      for (const card of cards) docking.plug(card)
      await docking.released(cards, 3600)
      const [session] = docking.sessions()
      const [card] = cards
      if (session === undefined || card === undefined) throw new Error('There was no camera.')
      const waitedSeconds =
        ((session.released_at ?? Number.NaN) - (docking.pluggedAt.get(card.name) ?? Number.NaN)) / 1000
      const cable = card.bytes / USB2_BYTES_A_SECOND
      const officer = OFFICER_BYTES / USB2_BYTES_A_SECOND
      // What is beside the cable is partly the same for any card and partly grows with it: these are the two ends.
      const [least, most] = [officer + waitedSeconds - cable, (officer * waitedSeconds) / cable]
      return {
        bytes: card.bytes,
        scale: `1:${Math.round(OFFICER_BYTES / card.bytes)}`,
        assumedBytesASecond: USB2_BYTES_A_SECOND,
        waitedSeconds: round(waitedSeconds),
        cableAlone: round(cable),
        ofCable: round(waitedSeconds / cable),
        for20GB: {
          cableAloneMinutes: round(officer / 60),
          reckonedMinutes: [round(least / 60), round(most / 60)].sort((a, b) => a - b),
        },
        // Reckoned only: one line shared by many.
        for20GBEachOf26OnOneHubHours: round((26 * officer) / 3600),
        ...(await nothingLost(docking, cards, data)),
      }
    } finally {
      await docking.station.kill()
      for (const card of cards) quietly(() => card.pull())
      quietly(() => throttle.dispose())
    }
  })
}
