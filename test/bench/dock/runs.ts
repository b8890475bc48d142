/** The runs of dock.bench.ts. Each makes cameras and a station of its own, and returns one line of figures. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { type Clips, makeClips } from '../../../server/platform/volumes/simulated/card.ts'
import { succeed } from '../../support/station.ts'
import { dropCaches, seconds } from '../stage.ts'
import { type Card, type Contents, folderCards, NOISE, openThrottle, type SlowCard, slowCards } from './cards.ts'
import { type Docking, openDocking } from './docking.ts'
import { evenness, overtaken, round, spreadOf, timeLeftErrors, waited, waysOf } from './figures.ts'
import { type ReviewPlan, type ReviewReport, startReview } from './reviewers.ts'

export interface Size {
  readonly cameras: number
  readonly files: number
  /** Of each camera. */
  readonly mib: number
  readonly films: boolean
  /** A folder on the disk that is measured. */
  readonly where: string
}

type Line = Record<string, unknown>

const MIB = 2 ** 20

interface Ground {
  readonly aside: string
  readonly bays: string
  readonly data: string
}

async function onGround<T>(where: string, work: (ground: Ground) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(where, 'sallyport-dock-'))
  const ground = { aside: path.join(folder, 'aside'), bays: path.join(folder, 'bays'), data: path.join(folder, 'data') }
  for (const each of Object.values(ground)) mkdirSync(each)
  try {
    return await work(ground)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const contentsOf = ({ cameras, files, mib }: Size, clips: Clips, seed: string): Contents => ({
  count: cameras,
  files,
  bytes: Math.floor((mib * MIB) / files),
  clips,
  seed,
})

/** `cp`, `sync` and `sha256sum` of everything in a folder, by the programs of that name, from a cold cache where that can be had. */
async function plainly(folder: string): Promise<{ seconds: number; cold: boolean }> {
  const copy = `${folder}.copy`
  const cold = dropCaches()
  try {
    const took = await seconds(() => {
      execFileSync('cp', ['-r', '--reflink=never', folder, copy])
      execFileSync('sync', ['-f', copy])
      execFileSync('find', [copy, '-type', 'f', '-exec', 'sha256sum', '{}', '+'], {
        stdio: ['ignore', 'ignore', 'inherit'],
      })
    })
    return { seconds: took, cold }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/** Everything on these cameras is in the store, and the store and the ledger are whole. @throws where one file is missing */
async function nothingLost(docking: Docking, cards: readonly Card[], data: string, bad: readonly Card[] = []) {
  const files = docking.files()
  for (const card of cards) {
    const of = files.filter(({ bay }) => bay === card.name)
    const taken = of.filter(({ outcome }) => outcome === 'taken')
    const told = bad.includes(card) ? of.filter(({ outcome }) => outcome === 'failed') : []
    if (taken.length + told.length !== card.files)
      throw new Error(`${card.name}: ${card.files} files, taken ${taken.length}, failed ${told.length}`)
  }
  const failed = files.filter(({ outcome }) => outcome === 'failed')
  await docking.end()
  const { problems } = JSON.parse(await succeed(['verify', '--json'], { data, within: 3_600_000 })) as {
    problems?: readonly unknown[]
  }
  if ((problems ?? []).length > 0) throw new Error(`verify: ${JSON.stringify(problems)}`)
  return {
    taken: files.filter(({ outcome }) => outcome === 'taken').length,
    readBackFromDisk: files.filter(({ read_back }) => read_back === 'direct').length,
    unreadable: failed.length,
    reasons: [...new Set(failed.map(({ reason }) => reason))],
    verified: true,
  }
}

/** What every docking is asked for. */
async function figuresOf(docking: Docking, cards: readonly Card[]): Promise<Line> {
  const sessions = docking.sessions()
  const ways = waysOf(sessions, docking.pluggedAt)
  const ends = sessions.map(({ committed_at }) => committed_at ?? Number.NaN)
  const took = (Math.max(...ends) - Math.min(...docking.pluggedAt.values())) / 1000
  const bytes = cards.reduce((sum, card) => sum + card.bytes, 0)
  const { most, least } = spreadOf(ways.toCommitted)
  return {
    seconds: round(took),
    mibASecond: round(bytes / MIB / took, 10),
    firstOfLast: round((least as number) / (most as number)),
    toCommitted: spreadOf(ways.toCommitted),
    plugToFirstByte: spreadOf(ways.toFirstByte),
    lastByteToSafe: spreadOf(ways.lastByteToSafe),
    even: [0.25, 0.5, 0.75].map((part) => evenness(docking.looks, cards.length, part)),
    ...(await docking.strain()),
  }
}

/** L1: all at once. */
export async function allAtOnce(size: Size): Promise<Line> {
  return onGround(size.where, async ({ aside, bays, data }) => {
    const cards = await folderCards(contentsOf(size, size.films ? await makeClips() : NOISE, 'L1'), aside, bays)
    const before = await plainly(aside)
    const docking = await openDocking(data, bays)
    try {
      await docking.strain()
      dropCaches()
      for (const card of cards) docking.plug(card)
      await docking.released(cards, 3600)
      const figures = await figuresOf(docking, cards)
      const lost = await nothingLost(docking, cards, data)
      const after = await plainly(bays)
      const plain = (before.seconds + after.seconds) / 2
      return {
        ...figures,
        plainSeconds: [round(before.seconds), round(after.seconds)],
        coldCache: before.cold,
        ofPlain: round(plain / (figures['seconds'] as number)),
        ...lost,
      }
    } finally {
      await docking.station.kill()
    }
  })
}

const DOCUMENTS = '/documentstore/api/v1/tenant/station'

/** L2: the same beside people who work. Their figures on the quiet station of the same run stand beside it. */
export async function besideReviewers(size: Size, quietSeconds: number): Promise<Line> {
  return onGround(size.where, async ({ aside, bays, data }) => {
    const clips = await makeClips()
    const cards = await folderCards(contentsOf(size, size.films ? clips : NOISE, 'L2'), aside, bays)
    const docking = await openDocking(data, bays)
    try {
      const plan = await workFor(docking, await aFilm(clips, aside))
      const calm = startReview(plan)
      await new Promise((resolve) => setTimeout(resolve, quietSeconds * 1000))
      const quiet = await calm.end()
      await docking.strain()
      dropCaches()
      const busy = startReview(plan)
      for (const card of cards) docking.plug(card)
      await docking.released(cards, 3600)
      const meanwhile = await busy.end()
      const figures = await figuresOf(docking, cards)
      return {
        quiet,
        meanwhile,
        p95OfQuiet: ratio(meanwhile, quiet, 'p95'),
        p99OfQuiet: ratio(meanwhile, quiet, 'p99'),
        ...figures,
        ...(await nothingLost(docking, cards, data)),
      }
    } finally {
      await docking.station.kill()
    }
  })
}

const ratio = (one: ReviewReport, other: ReviewReport, at: 'p95' | 'p99'): number =>
  round((one.requests[at] ?? Number.NaN) / (other.requests[at] ?? Number.NaN))

async function aFilm(clips: Clips, aside: string): Promise<Buffer> {
  const folder = path.join(aside, '.film')
  await folderCards({ count: 1, files: 1, bytes: 16 * MIB, clips, seed: 'film' }, folder, folder)
  const film = readFileSync(path.join(folder, 'camera-001/media/r0001-1.mp4'))
  rmSync(folder, { recursive: true })
  return film
}

/** Records of people's work, four films that play, and what is asked. */
async function workFor({ station, token }: Docking, film: Buffer): Promise<ReviewPlan> {
  const call = async <T>(method: string, to: string, body?: unknown): Promise<T> => {
    const answer = await fetch(`${station.url}${to}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${to}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }
  const evidence = (name: string) => call<{ EvidenceId: string }>('POST', `${DOCUMENTS}/evidence`, { Name: name })
  const ids: string[] = []
  for (let at = 0; at < 300; at++) ids.push((await evidence(`Burglary ${at}, Ferry Street ${at % 40}`)).EvidenceId)
  const films: ReviewPlan['films'][number][] = []
  for (const id of ids.slice(0, 4)) {
    const at = `${DOCUMENTS}/evidence/${id}/resource`
    const { ResourceId, UploadUri } = await call<Record<string, string>>('POST', at, { Name: 'film.mp4' })
    // A copy each with bytes of its own: four people do not watch the same.
    const own = Buffer.from(film)
    own.writeUInt32BE(Number(id), own.length - 4)
    const put = await fetch(UploadUri as string, {
      method: 'PUT',
      headers: { 'x-ms-blob-type': 'BlockBlob', 'x-ms-version': '2024-11-04' },
      body: own,
    })
    if (put.status !== 201) throw new Error(`upload: ${put.status}`)
    await call('POST', `${at}/${ResourceId}/complete`, {})
    films.push({ path: `${at}/${await playable(() => call('GET', at))}/content?purpose=play`, length: own.length })
  }
  const requests = ids.slice(0, 50).flatMap((id) => [
    { method: 'GET', path: `${DOCUMENTS}/evidence?count=50` },
    { method: 'GET', path: `${DOCUMENTS}/evidence/${id}/` },
    { method: 'GET', path: `${DOCUMENTS}/evidence/${id}/resource` },
    { method: 'POST', path: '/searchservice/api/v1/search/station', body: { Query: 'ferry' } },
    { method: 'GET', path: '/api/v1/case/station?count=50' },
  ])
  return { url: station.url, token, perSecond: 50, requests, films, mostSeconds: 3600 }
}

interface Found {
  readonly ResourceId: string
  readonly Parent: string | null
  readonly MimeType: string
}

/** The MP4 that the station appends: nothing else plays at View. */
async function playable(list: () => Promise<readonly Found[]>): Promise<string> {
  for (let tries = 0; tries < 600; tries++) {
    const found = (await list()).find(({ Parent, MimeType }) => Parent !== null && MimeType === 'video/mp4')
    if (found !== undefined) return found.ResourceId
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error('The station made no film that plays.')
}

export interface Shift {
  readonly cameras: number
  readonly lanes: number
  /** Seconds in which they come. */
  readonly window: number
  /** How fast a card is read. */
  readonly bytesPerSecond: number
  readonly where: string
}

/** The lanes need so many times the window for all that comes in it: cameras queue. */
const MORE_THAN_THE_WINDOW = 1.2

/** L3: a shift change. Three are pulled early and put back, two cards are full, one is bad. */
export async function shiftChange(shift: Shift): Promise<Line> {
  const { cameras, lanes, window, bytesPerSecond } = shift
  return onGround(shift.where, async ({ aside, bays, data }) => {
    const files = 4
    const throttle = openThrottle(`sallyport-bench-${process.pid}`)
    const bytes = Math.ceil((MORE_THAN_THE_WINDOW * window * lanes * bytesPerSecond) / cameras / files)
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
        ...(await shiftFigures(docking, cards, early)),
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

async function shiftFigures(docking: Docking, cards: readonly Card[], early: readonly Card[]): Promise<Line> {
  const sessions = docking.sessions()
  const errors = timeLeftErrors(docking.looks, sessions)
  const waits = waited(docking.looks)
  return {
    ...(await figuresOf(docking, cards)),
    // As many looks as there are: each of them is one time that somebody read it.
    timeLeft: {
      looks: errors.length,
      wrongBy: spreadOf(errors),
      within30: round(errors.filter((error) => error < 0.3).length / errors.length),
    },
    saidToWait: { cameras: waits.size, seconds: spreadOf([...waits.values()]) },
    overtaken: overtaken(sessions, docking.pluggedAt),
    wentOnAfterPull: sessions.filter(({ bay, round: rounds }) => rounds > 1 && early.some(({ name }) => name === bay))
      .length,
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
