// @module-tag merge
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../../server/kernel/database/database.ts'
import { openJournal, Refused } from '../support/integrator.ts'
import { scale } from '../support/scale.ts'
import { temporaryFolder } from '../support/station.ts'
import { judge, told, withDatabase } from './judge.ts'
import { makeWorld } from './world.ts'

const ROUNDS = scale(200, 1000)
const LANES = 10

it(`D7 no interleaving at the database: ${ROUNDS} rounds of concurrent transactions, half rolled back`, {
  timeout: 120_000,
}, async () => {
  const { dir, dispose } = await temporaryFolder('d7')
  onTestFinished(dispose)
  const file = path.join(dir, 'one.db')
  const database = await openDatabase({ file })
  const acknowledged: string[] = []
  const rolledBack: string[] = []
  const insert = (name: string, fails: boolean) =>
    database.transaction(async (tx) => {
      await tx.insertInto('station').values({ name, value: 'first' }).execute()
      // A yield in the middle, where another request's statements would slip in.
      await tx.selectFrom('station').select('name').where('name', '=', name).execute()
      if (fails) throw new Error('rolled back on purpose')
      await tx.updateTable('station').set({ value: 'second' }).where('name', '=', name).execute()
    })
  for (let round = 0; round < ROUNDS; round++) {
    const [kept, gone] = [`kept-${round}`, `gone-${round}`]
    const outcomes = await Promise.allSettled(
      round % 2 === 0 ? [insert(gone, true), insert(kept, false)] : [insert(kept, false), insert(gone, true)],
    )
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    acknowledged.push(kept)
    rolledBack.push(gone)
  }
  await database.close()
  const again = await openDatabase({ file })
  const rows = await again.read.selectFrom('station').select(['name', 'value']).execute()
  await again.close()
  const found = new Map(rows.map(({ name, value }) => [name, value]))
  expect(acknowledged.filter((name) => found.get(name) !== 'second')).toEqual([])
  expect(rolledBack.filter((name) => found.has(name))).toEqual([])
  console.info(`D7 database: ${ROUNDS} rounds, ${acknowledged.length} kept, ${rolledBack.length} rolled back`)
})

it(`D7 no interleaving through HTTP: ${ROUNDS} creates beside as many refused ones`, { timeout: 240_000 }, async () => {
  const world = await makeWorld('d7')
  onTestFinished(() => world.dispose())
  // The token bucket is not what is asked about here.
  const { station, integrator } = await world.start({ SALLYPORT_RATE_SERVICE: '600000' })
  const journal = openJournal(path.join(world.folder, 'journal'))
  const full = (await integrator.createEvidence({ Name: 'five open resources are the most' })).value.EvidenceId
  for (let open = 0; open < 5; open++) await integrator.createResource(full, { Name: `open-${open}` })

  let refused = 0
  const kept = async (index: number): Promise<void> => {
    const name = `kept-${index}`
    const { value, correlationId } = await integrator.createEvidence({ Name: name }, randomUUID())
    journal.note({ kind: 'evidence', evidenceId: value.EvidenceId, name, correlationId })
  }
  const turnedAway = async (): Promise<void> => {
    try {
      await integrator.createResource(full, { Name: 'one too many' }, randomUUID())
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 409) throw error
      refused++
    }
  }
  for (let round = 0; round < ROUNDS; round += LANES) {
    const pairs = Array.from({ length: LANES }, (_, lane) => [kept(round + lane), turnedAway()])
    await Promise.all(pairs.flat())
  }
  expect(refused).toBe(ROUNDS)
  await station.kill()

  const second = await world.start({ SALLYPORT_RATE_SERVICE: '600000' })
  const faults = await judge(world, second.integrator, journal.entries())
  expect(faults, told(faults)).toEqual([])
  const names = withDatabase(
    world.data,
    (db) => db.prepare("SELECT name FROM evidence WHERE name LIKE 'kept-%'").pluck().all() as string[],
  )
  expect(new Set(names).size).toBe(ROUNDS)
  expect(names).toHaveLength(ROUNDS)
  expect((await second.integrator.resources(full)).value).toHaveLength(5)
  console.info(`D7 HTTP: ${ROUNDS} acknowledged and kept, ${refused} refused and gone`)
  journal.close()
  await second.station.stop()
})
