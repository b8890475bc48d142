// @module-tag counted
// @module-tag merge
import { randomUUID } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Integrator, Refused } from '../support/integrator.ts'
import { scale } from '../support/scale.ts'
import { makeShim, type ShimRule, shimMissing } from '../support/shim.ts'
import { judge, told, withDatabase } from './judge.ts'
import { makeWorld, pause, within } from './world.ts'

const ROUNDS = scale(20, 100, 3)
const missing = shimMissing()

describe.skipIf(missing !== null)(
  missing === null ? 'D4 unknown outcomes' : `D4 unknown outcomes (skipped: ${missing})`,
  () => {
    it(`D4 a retry after an injected COMMIT failure gives exactly one record, ${ROUNDS} times`, {
      timeout: 60_000 + ROUNDS * 20_000,
    }, async () => {
      const world = await makeWorld('d4')
      onTestFinished(() => world.dispose())
      const log = `${world.data}/*-wal`
      const rules: ShimRule[] = [
        // Whether the row is there afterwards differs: a failed sync leaves it in the log, a failed write does not.
        { call: 'sync', path: log, action: 'after', sticky: true, armed: false },
        { call: 'sync', path: log, action: 'EIO', armed: false },
        { call: 'write', path: log, action: 'EIO', armed: false },
        { call: 'write', path: log, action: 'ENOSPC', armed: false },
      ]
      const shim = makeShim(world.folder, rules)
      const seen: Record<string, number> = {}
      let pending: { name: string; key: string } | null = null

      for (let round = 0; round <= ROUNDS; round++) {
        const { station, integrator } = await world.start(shim.env)
        if (pending !== null) {
          const first = await integrator.createEvidence({ Name: pending.name }, pending.key)
          const again = await integrator.createEvidence({ Name: pending.name }, pending.key)
          expect(again.value.EvidenceId).toBe(first.value.EvidenceId)
          expect(recordsCalled(world.data, pending.name), `${pending.name} after a retry\n${station.logs()}`).toBe(1)
        }
        if (round === ROUNDS) {
          const faults = await judge(world, integrator, [])
          expect(faults, told(faults)).toEqual([])
          await station.stop()
          break
        }
        const rule = round % rules.length
        pending = { name: `once-${round}`, key: randomUUID() }
        shim.arm(rule)
        const answer = await within(6000, 'the failing create', tryCreate(integrator, pending))
        expect(shim.acted(rule), 'the failure was never injected').toBeGreaterThan(0)
        expect(answer, `a failed commit was acknowledged\n${station.logs()}`).not.toBe('201')
        const ended = await Promise.race([station.ended, pause(5000).then(() => null)])
        shim.disarm(rule)
        const row = recordsCalled(world.data, pending.name)
        if (ended === null) {
          // It may recover in place; then it answers, and the retry is settled here and again after the next start.
          expect((await tryCreate(integrator, pending)).startsWith('20'), station.logs()).toBe(true)
          await station.kill()
        }
        const how = `${rules[rule]?.call} ${rules[rule]?.action}: ${answer}, ${ended === null ? 'recovered in place' : `ended with ${ended.code ?? ended.signal}`}, row ${row === 1 ? 'there' : 'absent'}`
        seen[how] = (seen[how] ?? 0) + 1
      }
      shim.close()
      console.info(`D4: ${ROUNDS} unknown outcomes settled: ${JSON.stringify(seen, null, 2)}`)
    })
  },
)

const recordsCalled = (data: string, name: string): number =>
  Number(withDatabase(data, (db) => db.prepare('SELECT count(*) FROM evidence WHERE name = ?').pluck().get(name)))

async function tryCreate(integrator: Integrator, { name, key }: { name: string; key: string }): Promise<string> {
  try {
    return String((await integrator.createEvidence({ Name: name }, key)).status)
  } catch (error) {
    return error instanceof Refused ? String(error.status) : 'connection lost'
  }
}
