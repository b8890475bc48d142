/** What the runs of dock.bench.ts stand on: a place on the disk, and what every docking is asked for. */
import { mkdtempSync, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { succeed } from '../../support/station.ts'
import type { Card } from './cards.ts'
import type { Docking } from './docking.ts'
import { evenness, round, spreadOf, waysOf } from './figures.ts'

export type Line = Record<string, unknown>

export const MIB = 2 ** 20

export interface Ground {
  readonly aside: string
  readonly bays: string
  readonly data: string
}

export async function onGround<T>(where: string, work: (ground: Ground) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(where, 'sallyport-dock-'))
  const ground = { aside: path.join(folder, 'aside'), bays: path.join(folder, 'bays'), data: path.join(folder, 'data') }
  for (const each of Object.values(ground)) mkdirSync(each)
  try {
    return await work(ground)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Everything on these cameras is in the store, and the store and the ledger are whole. @throws where one file is missing */
export async function nothingLost(docking: Docking, cards: readonly Card[], data: string, bad: readonly Card[] = []) {
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
export async function figuresOf(docking: Docking, cards: readonly Card[]): Promise<Line> {
  const all = docking.sessions()
  const sessions = all.filter(({ state }) => state === 'released')
  const ways = waysOf(sessions, docking.pluggedAt)
  const ends = sessions.map(({ committed_at }) => committed_at ?? Number.NaN)
  const took = (Math.max(...ends) - Math.min(...docking.pluggedAt.values())) / 1000
  const bytes = cards.reduce((sum, card) => sum + card.bytes, 0)
  const { most, least } = spreadOf(ways.toCommitted)
  return {
    seconds: round(took),
    mibASecond: round(bytes / MIB / took, 10),
    // A mount point seen without its card, and whatever else came to no release.
    notReleased: all
      .filter(({ state }) => state !== 'released')
      .map(({ bay, state, before, reason }) => ({ bay, state, before, reason })),
    firstOfLast: round((least as number) / (most as number)),
    toCommitted: spreadOf(ways.toCommitted),
    plugToFirstByte: spreadOf(ways.toFirstByte),
    lastByteToSafe: spreadOf(ways.lastByteToSafe),
    even: [0.25, 0.5, 0.75].map((part) => evenness(docking.looks, cards.length, part)),
    ...(await docking.strain()),
  }
}
