// @module-tag counted
import { randomInt } from 'node:crypto'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type Acknowledged, openJournal } from '../support/integrator.ts'
import { scale } from '../support/scale.ts'
import { NotReady, startStation } from '../support/station.ts'
import { judge, told } from './judge.ts'
import { type Lane, randomMoment, startTraffic } from './traffic.ts'
import { makeWorld, type World } from './world.ts'

const KILLS = scale(20, 200, 3)
const LANES: readonly Lane[] = ['whole', 'whole', 'blocks', 'blocks', 'ingest', 'reads']

it(`D1 U1 acknowledged means kept across ${KILLS} process deaths under mixed traffic`, {
  timeout: 120_000 + KILLS * 45_000,
}, async () => {
  const world = await makeWorld('d1')
  onTestFinished(() => world.dispose())
  const everything: Acknowledged[] = []
  const totals: Record<string, number> = {}
  let fresh: Acknowledged[] = []
  let deathsAtStart = 0
  let startTook = 1000

  // With few kills chance may stop each of them early: they go on until enough was acknowledged to say something.
  const saysEnough = (): boolean => (totals['complete'] ?? 0) > KILLS && (totals['ingested'] ?? 0) > 0
  const mostKills = 2 * KILLS + 6
  for (let round = 0; ; round++) {
    // Recovery itself is killed too: what it does must be safe to do again.
    if (round % 4 === 3 && (await diesWhileStarting(world, randomInt(Math.ceil(startTook / 4), startTook))))
      deathsAtStart++
    const began = Date.now()
    const { station, integrator } = await world.start()
    startTook = Date.now() - began
    const last = round >= KILLS && (saysEnough() || round === mostKills)
    const faults = await judge(world, integrator, last ? everything : fresh)
    expect(faults, `after kill ${round}: ${told(faults)}\n${station.logs()}`).toEqual([])
    if (last) {
      await station.stop()
      break
    }
    const journal = openJournal(path.join(world.folder, `journal-${round}`))
    const traffic = startTraffic({ world, integrator, journal, lanes: LANES })
    await randomMoment(journal, 60)
    await station.kill()
    await traffic.end()
    expect(traffic.surprises, station.logs()).toEqual([])
    fresh = journal.entries()
    journal.close()
    everything.push(...fresh)
    for (const { kind } of fresh) totals[kind] = (totals[kind] ?? 0) + 1
  }
  expect(saysEnough(), JSON.stringify(totals)).toBe(true)
  console.info(
    `D1 U1: ${KILLS} kills under traffic, ${deathsAtStart} while starting; acknowledged and kept: ${JSON.stringify(totals)}`,
  )
})

async function diesWhileStarting(world: World, after: number): Promise<boolean> {
  try {
    const station = await startStation({ data: world.data, env: world.env, readyWithin: after })
    await station.kill()
    return false
  } catch (error) {
    // Killed in time; one that ended by itself is a fault.
    if (error instanceof NotReady && error.ended === null) return true
    throw error
  }
}
