/** Overload is polite (promise L5), judged at a real station by a load generator of its own. */
// @module-tag merge
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { expect, it, onTestFinished } from 'vitest'
import {
  type Block,
  blockId,
  connectIntegrator,
  openJournal,
  readConnectionFile,
  sha256,
} from '../support/integrator.ts'
import { type LoopPlan, type LoopReport, openLoop } from '../support/open-loop.ts'
import { scale } from '../support/scale.ts'
import { succeed } from '../support/station.ts'
import { openResource, uploadWhole } from './traffic.ts'
import { freshBytes, makeWorld, pause } from './world.ts'

const PLAN: LoopPlan = {
  peakSeconds: scale(3, 10),
  lanes: 32,
  times: 4,
  overloadSeconds: scale(6, 60),
  calmTimes: 0.25,
  calmSeconds: 10,
  mostConnections: 1_000,
  mostRequests: 5_000_000,
}
/**
 * Rounds at most. What else the machine does takes goodput from one round; a station that answers less under load does so in each of them.
 * Everything but the goodput holds in every round.
 */
const ROUNDS = 3
const LEAST = 0.8
/** Of what is asked at least this share is refused: less, and it was not asked too much. A machine that got faster meanwhile is asked again. */
const REFUSED = 1 / 4
const refusedOf = ({ overload }: LoopReport): number => (overload.byStatus['503'] ?? 0) / overload.sent
const kept = ({ peak, overload, peakAfter }: LoopReport): number =>
  overload.goodput / ((peak.goodput + peakAfter.goodput) / 2)
const told = ({ peak, overload, calm, peakAfter, recoverySeconds }: LoopReport): string =>
  `peak ${peak.goodput} and ${peakAfter.goodput}/s; asked ${Math.round((overload.sent + overload.unsent) / overload.seconds)}/s: ${overload.goodput}/s answered, p99 ${overload.p99} ms, ${JSON.stringify(overload.byStatus)}; recovered in ${recoverySeconds} s, then p95 ${calm.p95} ms`

it(`L5 asked ${PLAN.times} times what it can: refusals say when to come again, goodput stays, it recovers`, {
  timeout: 180_000 + ROUNDS * (PLAN.overloadSeconds * 2_000 + 40_000),
}, async () => {
  const world = await makeWorld('l5')
  onTestFinished(() => world.dispose())
  const { station, integrator } = await world.start({ SALLYPORT_RATE_SERVICE: '100000000' })
  const journal = openJournal(path.join(world.folder, 'journal'))
  const { evidenceId } = await uploadWhole(integrator, journal, freshBytes(30_000, 30_000))
  const record = `/documentstore/api/v1/tenant/${world.config.TenantId}/evidence/${evidenceId}`
  const upload = await openResource(integrator, journal, 'meanwhile')
  const rounds: LoopReport[] = []
  const load = async (): Promise<void> => {
    do rounds.push(await openLoop(station.url, [{ method: 'GET', path: record, token: integrator.token }], PLAN))
    while (rounds.length < ROUNDS && rounds.every((round) => kept(round) < LEAST || refusedOf(round) <= REFUSED))
  }
  const ended = load()

  // Meanwhile bytes come in, block by block, and somebody looks whether the station is well.
  const seen: number[] = []
  const blocks: Block[] = []
  while (!(await Promise.race([ended.then(() => true), pause(200).then(() => false)]))) {
    const block = { id: blockId(blocks.length), bytes: freshBytes(50_000, 50_000) }
    await integrator.putBlock(upload.uploadUri, block)
    blocks.push(block)
    seen.push((await fetch(`${station.url}/healthz`)).status, (await fetch(`${station.url}/readyz`)).status)
  }
  const ids = blocks.map(({ id }) => id)
  await integrator.putBlockList(upload.uploadUri, ids)
  const whole = Buffer.concat(blocks.map(({ bytes }) => bytes))
  await integrator.completeResource(upload.evidenceId, upload.resourceId, { Sha256: sha256(whole) })
  const all = rounds.map(told).join('; ')
  console.info(`L5: ${all}; ${blocks.length} blocks meanwhile`)

  for (const { overload, calm, recoverySeconds } of rounds) {
    expect(
      Object.keys(overload.byStatus).filter((status) => status !== '200' && status !== '503'),
      all,
    ).toEqual([])
    expect(overload.withoutRetryAfter).toBe(0)
    expect(recoverySeconds, all).toBeLessThan(10)
    expect(Object.keys(calm.byStatus), all).toEqual(['200'])
  }
  const overloaded = rounds.filter((round) => refusedOf(round) > REFUSED)
  expect(overloaded.length, all).toBeGreaterThan(0)
  expect(Math.max(...overloaded.map(kept)), all).toBeGreaterThanOrEqual(LEAST)
  // Always answered, and not broken.
  expect(new Set(seen)).toEqual(new Set([200]))
  expect(blocks.length).toBeGreaterThan(10)
  await station.stop()
  journal.close()
})

it('L5 one caller far over their rate is told so, and nobody else is slower or refused for it', {
  timeout: 180_000,
}, async () => {
  const world = await makeWorld('l5-rate')
  onTestFinished(() => world.dispose())
  const { station, integrator } = await world.start({ SALLYPORT_RATE_SERVICE: '1200' })
  const out = path.join(world.folder, 'other.json')
  const words = ['integration', 'create', 'other', '--base-url', 'http://127.0.0.1:7460', '--out', out]
  await succeed(words, { data: world.data, env: world.env })
  const other = await connectIntegrator(readConnectionFile(out), station.url)
  const { value } = await integrator.createEvidence({ Name: 'Front desk' })
  const mine = await other.createEvidence({ Name: 'Back desk' })
  const record = `/documentstore/api/v1/tenant/${world.config.TenantId}/evidence/${value.EvidenceId}`
  const flood = openLoop(station.url, [{ method: 'GET', path: record, token: integrator.token }], {
    ...PLAN,
    // The bucket holds 1,200: it is empty before the first of these is over.
    peakSeconds: 3,
    lanes: 16,
    perSecond: 3_000,
    overloadSeconds: 5,
    calmSeconds: 1,
  })
  const times: number[] = []
  while (!(await Promise.race([flood.then(() => true), pause(100).then(() => false)]))) {
    const began = performance.now()
    await other.evidence(mine.value.EvidenceId)
    times.push(performance.now() - began)
  }
  const { overload } = await flood
  const worst = times.toSorted((one, another) => one - another)[Math.floor(times.length * 0.95)] as number
  console.info(
    `L5: ${JSON.stringify(overload.byStatus)} in ${overload.seconds} s for the one; the other ${times.length} calls, p95 ${Math.round(worst)} ms`,
  )
  expect(Object.keys(overload.byStatus).every((status) => ['200', '429', '503'].includes(status))).toBe(true)
  expect(overload.byStatus['429']).toBeGreaterThan(0)
  expect(overload.withoutRetryAfter).toBe(0)
  // Twenty a second, and no more.
  expect(overload.goodput).toBeLessThanOrEqual(40)
  expect(worst).toBeLessThan(1000)
  await station.stop()
})
