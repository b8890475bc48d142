import { channel } from 'node:diagnostics_channel'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Database, openDatabase, type Tx, UnknownOutcome } from '../../server/kernel/database/database.ts'
import { does, listUnits, unit } from '../../server/kernel/database/units.ts'
import { prepareEntry } from '../../server/kernel/ledger/format.ts'
import { recordEntries } from '../../server/kernel/ledger/ledger.units.ts'
import { INTERNAL } from '../../shared/kernel/principal.ts'
import { temporaryFolder } from '../support/station.ts'
import { coveredUnit, endUnit, keepUnit, refuseUnit, slowUnit, timeUnit, writeUnit } from './test-units.ts'

let db: Database
let lost: UnknownOutcome[]
let dispose: () => Promise<void>
const now = (): number => 1_000

beforeEach(async () => {
  const folder = await temporaryFolder('units')
  dispose = folder.dispose
  lost = []
  db = await openDatabase({
    file: join(folder.dir, 'a.db'),
    units: new URL('./test-units.ts', import.meta.url),
    onUnknownOutcome: (error) => lost.push(error),
  })
})
afterEach(async () => {
  await db.close()
  await dispose()
})

const keys = async (): Promise<string[]> =>
  (await db.read.selectFrom('idempotency').select('idempotency_key').orderBy('idempotency_key').execute()).map(
    (row) => row.idempotency_key,
  )
const outcomes = (running: readonly Promise<unknown>[]): Promise<string[]> =>
  Promise.all(
    running.map((one) =>
      one.then(
        (value) => `${String(value)}`,
        (error: Error) => error.name,
      ),
    ),
  )

describe('units of work', () => {
  it('run on the database thread and commit before they are answered', async () => {
    expect(await db.run(writeUnit, 'one', now)).toBe(1)
    expect(await keys()).toEqual(['one'])
  })

  it('share a commit with units that wait at the same time', async () => {
    let groups = 0
    const count = (): void => void groups++
    channel('sallyport:writer-held').subscribe(count)
    try {
      const wanted = Array.from({ length: 100 }, (_, at) => `key ${String(at).padStart(3, '0')}`)
      await Promise.all(wanted.map((key) => db.run(writeUnit, key, now)))
      expect(await keys()).toEqual(wanted)
      // The first finds the writer idle; the others wait, at most 64 together, or what fits into 20 ms.
      expect(groups).toBeLessThan(wanted.length / 4)
    } finally {
      channel('sallyport:writer-held').unsubscribe(count)
    }
  })

  it('S17: leave a group that takes too long to its commit; those not begun go with the next', async () => {
    let groups = 0
    const count = (): void => void groups++
    channel('sallyport:writer-held').subscribe(count)
    try {
      const keysWritten = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
      await Promise.all(keysWritten.map((key) => db.run(slowUnit, key, now)))
      expect(await keys()).toEqual(keysWritten)
      // The first is alone; after the second of a group twenty milliseconds are over.
      expect(groups).toBeGreaterThanOrEqual(4)
    } finally {
      channel('sallyport:writer-held').unsubscribe(count)
    }
  })

  it('S-7: commits that changed rows are announced; reads, entries of reads and refusals are not', async () => {
    let announced = 0
    db.onRowsChanged(() => void announced++)
    const during = async (work: () => Promise<unknown>): Promise<number> => {
      const before = announced
      await work()
      return announced - before
    }
    const change = (tx: Tx) => tx.insertInto('station').values({ name: 'a', value: '1' }).execute()
    expect(await during(() => db.run(writeUnit, 'one', now))).toBe(1)
    expect(await during(() => db.transaction(change))).toBe(1)
    expect(await during(() => db.run(refuseUnit, 'two', now).catch(() => {}))).toBe(0)
    expect(await during(() => db.run(timeUnit, null, now))).toBe(0)
    expect(await during(() => db.transaction((tx) => tx.selectFrom('station').selectAll().execute()))).toBe(0)
    const call = { actor: INTERNAL, source: 'test', correlationId: 'test' }
    const read = prepareEntry(call, { action: 'access.denied', object: { type: 'case', id: '1', name: '' } })
    expect(await during(() => db.run(recordEntries, [read], now))).toBe(0)
  })

  it('D7: a unit that fails leaves nothing, and its neighbours in the same commit stay', async () => {
    const first = db.run(writeUnit, 'a', now)
    const group = [db.run(writeUnit, 'b', now), db.run(refuseUnit, 'c', now), db.run(writeUnit, 'd', now)]
    await first
    expect(await outcomes(group)).toEqual(['2', 'Fault', '3'])
    expect(await keys()).toEqual(['a', 'b', 'd'])
  })

  it('answer a refusal after the commit of what it may rest on', async () => {
    const first = db.run(writeUnit, 'a', now)
    const before = db.run(writeUnit, 'b', now)
    const seen = db.run(refuseUnit, 'c', now).catch(() => keys())
    await Promise.all([first, before])
    expect(await seen).toEqual(['a', 'b'])
  })

  it('carry a refusal over with everything that it says', async () => {
    await expect(db.run(refuseUnit, 'a', now)).rejects.toMatchObject({
      name: 'Fault',
      code: 'Forbidden',
      message: 'The test refuses.',
      reason: 'TestReason',
      details: [{ Path: 'A', Message: 'is wrong' }],
      headers: { 'X-Test': 'yes' },
      retryAfter: 3,
    })
  })

  it('D4: are all of unknown outcome when SQLite ends the transaction of their group', async () => {
    const first = db.run(writeUnit, 'a', now)
    const group = [db.run(writeUnit, 'b', now), db.run(endUnit, 'c', now), db.run(writeUnit, 'd', now)]
    await first
    expect(await outcomes(group)).toEqual(['UnknownOutcome', 'UnknownOutcome', 'UnknownOutcome'])
    expect(lost).toHaveLength(1)
    await expect(db.run(writeUnit, 'e', now)).rejects.toBeInstanceOf(UnknownOutcome)
    await expect(db.transaction(async () => null)).rejects.toBeInstanceOf(UnknownOutcome)
    expect(await keys()).toEqual(['a'])
  })

  it('D7: cannot write with the transaction of a unit that has ended', async () => {
    expect(await db.run(keepUnit, 'a', now)).toBe('kept')
    expect(await db.run(keepUnit, 'b', now)).toBe('This transaction has ended')
    expect(await keys()).toEqual([])
  })

  it('take their time from the caller at the moment in which they begin', async () => {
    let time = 5
    expect(await db.run(timeUnit, null, () => time)).toBe(5)
    const slow = db.transaction(async () => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      time = 9
    })
    expect(await db.run(timeUnit, null, () => time)).toBe(9)
    await slow
  })

  it('I3+: a covered row that a unit changes without an entry is stated in one', async () => {
    await db.run(coveredUnit, 'other', now)
    const bodies = await db.read.selectFrom('ledger').select('body').execute()
    expect(bodies.map(({ body }) => Buffer.from(body).toString()).join('\n')).toMatch(/rows\.changed.*tenants/s)
  })

  it('are refused inside a transaction, which they would wait for', async () => {
    await expect(db.transaction(() => db.run(writeUnit, 'a', now))).rejects.toThrow('inside a transaction')
    expect(await keys()).toEqual([])
  })

  it('refuse an input that cannot cross to another thread, and go on', async () => {
    await expect(db.run(writeUnit, (() => 'a') as never, now)).rejects.toThrow(/could not be cloned/)
    expect(await db.run(writeUnit, 'b', now)).toBe(1)
  })

  it('have names of their own', () => {
    const one = does(unit<null, null>('same'), async () => null)
    expect(() => listUnits(one, one)).toThrow('Two units of work are called same')
  })
})
