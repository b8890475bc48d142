import fc from 'fast-check'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { type Action, isAction } from '../../server/kernel/ledger/actions.ts'
import { NotCanonical } from '../../server/kernel/ledger/canonical.ts'
import { CLOCK_BACKWARDS } from '../../server/kernel/ledger/format.ts'
import { groupCommit, LedgerBusy } from '../../server/kernel/ledger/group-commit.ts'
import { createLedger } from '../../server/kernel/ledger/ledger.ts'
import { verifyLedger } from '../../server/features/integrity/verification/verify.ts'
import { isOnPostgres } from '../support/postgres-given.ts'
import { fileOfRows, openTestRows, textOfBytes } from '../support/rows.ts'
import { scale } from '../support/scale.ts'
import { officer, openWorld, read, type World } from './world.ts'

const verify = async ({ file, keys }: World) =>
  verifyLedger({ file: await fileOfRows(file), publicKeys: keys.signing.publicKeys() })
const entries = async (world: World, count = 100) =>
  (await world.ledger.entriesFor('evidence', '1', { count })).map(({ entry }) => entry)

describe('ledger', () => {
  it('writes format 1, canonical, with every member (decisions 12)', async () => {
    const world = await openWorld()
    const call = officer()
    const appended = await world.db.transaction((tx) =>
      world.ledger.append(tx, call, {
        action: 'resource.downloaded',
        object: { type: 'resource', id: '9', name: 'clip.mp4' },
        bytes: 12,
        sha256: 'ab'.repeat(32),
        detail: { range: '0-11', b: 1, a: [null, 'ü'] },
      }),
    )
    expect(appended).toEqual({ seq: 1, hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
    await world.close()
    const db = openTestRows(world.file, { readOnly: true })
    const body = db
      .prepare(`SELECT ${textOfBytes('body')} FROM ledger`)
      .pluck()
      .get() as string
    db.close()
    const timeUtc = isOnPostgres ? JSON.parse(body).timeUtc : '2026-11-21T06:00:00.000Z'
    expect(body).toBe(
      `{"action":"resource.downloaded","actor":{"id":"1","kind":"user","name":"officer.1","role":null},"bytes":12,"correlationId":"${call.correlationId}",` +
        `"detail":{"a":[null,"ü"],"b":1,"range":"0-11"},"format":1,"object":{"id":"9","name":"clip.mp4","type":"resource"},"outcome":"ok","reason":null,` +
        `"seq":1,"sha256":"${'ab'.repeat(32)}","source":"192.168.1.20","timeUtc":"${timeUtc}"}`,
    )
  })

  it('refuses entries that cannot be stored, and no others', async () => {
    const world = await openWorld()
    const good = world.ledger.record(officer(), read(1))
    const refused = [
      { ...read(1), detail: { when: new Date() } },
      { ...read(1), detail: { a: undefined } },
      { ...read(1), detail: { [CLOCK_BACKWARDS]: 'x' } },
      { ...read(1), sha256: 'AB' },
      { ...read(1), bytes: -1 },
      { ...read(1), action: 'evidence.eaten' as never },
      { ...read(1), detail: { long: 'x'.repeat(2 ** 20) } },
    ]
    for (const entry of refused) await expect(world.ledger.record(officer(), entry)).rejects.toThrow()
    await expect(world.ledger.record(officer(), { ...read(1), detail: { a: Number.NaN } })).rejects.toThrow(
      NotCanonical,
    )
    expect((await good).seq).toBe(1)
    expect((await world.ledger.head()).seq).toBe(1)
    // A hostile name is no reason to keep the act out of the ledger.
    await world.ledger.record(officer(), { ...read(1), object: { type: 'evidence', id: '1', name: 'a\ud800b' } })
    expect((await entries(world))[0]?.object.name).toBe('a\ufffdb')
  })

  it('later changes to the object of the caller are not written', async () => {
    const world = await openWorld()
    const detail = { seen: ['a'] }
    const done = world.ledger.record(officer(), { ...read(1), detail })
    detail.seen.push('b')
    await done
    expect((await entries(world))[0]?.detail).toEqual({ seen: ['a'] })
  })

  it('chains whatever is written, in any mixture', { timeout: 120_000 }, async () => {
    const world = await openWorld()
    const act = fc.record({
      how: fc.constantFrom('append', 'record', 'two', 'rollback'),
      name: fc.string({ unit: 'binary' }),
      detail: fc.dictionary(fc.string(), fc.jsonValue()).filter((value) => !(CLOCK_BACKWARDS in value)),
      reason: fc.option(fc.string(), { nil: undefined }),
      step: fc.integer({ min: -5000, max: 5000 }),
    })
    const one = async ({ how, name, detail, reason, step }: typeof act extends fc.Arbitrary<infer T> ? T : never) => {
      world.clock.set(world.clock.now() + step)
      const entry = {
        action: 'evidence.read',
        object: { type: 'evidence', id: '1', name },
        detail,
        ...(reason !== undefined && { reason }),
      } as const
      try {
        if (how === 'record') await world.ledger.record(officer(), entry)
        else
          await world.db.transaction(async (tx) => {
            await Promise.all(
              [entry, ...(how === 'two' ? [entry] : [])].map((each) => world.ledger.append(tx, officer(), each)),
            )
            if (how === 'rollback') throw new Error('on purpose')
          })
        return how === 'two' ? 2 : 1
      } catch (error) {
        if (error instanceof NotCanonical || (error as Error).message === 'on purpose') return 0
        throw error
      }
    }
    let written = 0
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 8 }), async (acts) => {
        for (const count of await Promise.all(acts.map(one))) written += count
        expect((await world.ledger.head()).seq).toBe(written)
      }),
      { numRuns: scale(60, 400) },
    )
    await world.checkpoints.take('hour')
    const report = await verify(world)
    expect(report.problems).toEqual([])
    expect(report.entries).toBe(written + 1)
  })

  it('D7 no interleaving: concurrent transactions, half rolled back, with reads among them', {
    timeout: 240_000,
  }, async () => {
    const rounds = scale(200, 1000)
    const world = await openWorld()
    const acknowledged = new Set<string>()
    const change = async (index: number): Promise<void> => {
      const call = officer()
      const work = world.db.transaction(async (tx) => {
        await tx
          .insertInto('station')
          .values({ name: `n${index}`, value: call.correlationId })
          .execute()
        await world.ledger.append(tx, call, read(1))
        await tx.updateTable('station').set({ value: 'done' }).where('name', '=', `n${index}`).execute()
        if (index % 2 === 1) throw new Error('on purpose')
        await world.ledger.append(tx, call, read(2))
      })
      await work.then(() => acknowledged.add(call.correlationId)).catch(() => {})
    }
    const view = async (): Promise<void> => {
      const call = officer()
      await world.ledger.record(call, read(3))
      acknowledged.add(call.correlationId)
    }
    for (let start = 0; start < rounds; start += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, index) => [change(start + index), view()]).flat())
    }
    expect(acknowledged.size).toBe(rounds + rounds / 2)
    const rows = await world.db.read.selectFrom('station').selectAll().where('name', 'like', 'n%').execute()
    expect(rows).toHaveLength(rounds / 2)
    expect(rows.every(({ value }) => value === 'done')).toBe(true)
    const found = new Map<string, number>()
    for (const id of ['1', '2', '3'])
      for (const { entry } of await world.ledger.entriesFor('evidence', id, { count: 10_000 }))
        found.set(entry.correlationId, (found.get(entry.correlationId) ?? 0) + 1)
    expect([...acknowledged].filter((id) => !found.has(id))).toEqual([])
    expect([...found.keys()].filter((id) => !acknowledged.has(id))).toEqual([])
    expect([...found.values()].reduce((sum, count) => sum + count, 0)).toBe(rounds + rounds)
    expect((await verify(world)).problems).toEqual([])
  })

  it('reads share commits: 2,000 at once take far fewer transactions', async () => {
    const world = await openWorld()
    let commits = 0
    const counted = {
      ...world.db,
      transaction: ((work) => (commits++, world.db.transaction(work))) as typeof world.db.transaction,
    }
    const ledger = createLedger({ db: counted, clock: world.clock, log: world.log })
    const seqs = (await Promise.all(Array.from({ length: 2000 }, () => ledger.record(officer(), read(1))))).map(
      ({ seq }) => seq,
    )
    expect(seqs).toEqual(Array.from({ length: 2000 }, (_, index) => index + 1))
    expect(commits).toBeLessThanOrEqual(3)
  })

  it('a record called from inside a transaction waits for it and disturbs no other', async () => {
    const world = await openWorld()
    let inside: Promise<unknown> | undefined
    await world.db.transaction(async (tx) => {
      inside = world.ledger.record(officer(), read(2))
      await world.ledger.append(tx, officer(), read(1))
    })
    await inside
    await world.ledger.record(officer(), read(3))
    expect((await world.ledger.head()).seq).toBe(3)
  })

  it('a failed commit rejects all that waited, and the next ones go on', async () => {
    let fails = true
    const group = groupCommit<number, number>(async (take) => {
      const items = take()
      if (fails) throw new Error('the disk')
      return items
    })
    const outcomes = await Promise.allSettled([1, 2, 3].map((item) => group.add(item)))
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    fails = false
    expect(await Promise.all([4, 5].map((item) => group.add(item)))).toEqual([4, 5])
  })

  it('a transaction that never begins rejects all that waited', async () => {
    const group = groupCommit<number, number>(() => Promise.reject(new Error('lost')))
    const outcomes = await Promise.allSettled([1, 2].map((item) => group.add(item)))
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
  })

  it('too many waiting are turned away at once', async () => {
    let open = (): void => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const group = groupCommit<number, number>(async (take) => gate.then(take), { mostWaiting: 3 })
    const waiting = [1, 2, 3].map((item) => group.add(item))
    await expect(group.add(4)).rejects.toThrow(LedgerBusy)
    open()
    expect(await Promise.all(waiting)).toEqual([1, 2, 3])
  })

  it('a clock that goes back is written down with the true time, and verification accepts that and nothing less', async ({
    skip,
  }) => {
    skip(isOnPostgres, 'on PostgreSQL: times of entries are of its clock')
    const world = await openWorld()
    await world.ledger.record(officer(), read(1))
    world.clock.set(world.clock.now() - 3_600_000)
    await world.ledger.record(officer(), read(1))
    await world.ledger.record(officer(), read(1))
    const [third, second, first] = await entries(world)
    expect(second?.timeUtc).toBe('2026-11-21T05:00:00.000Z')
    expect(second?.detail).toEqual({ [CLOCK_BACKWARDS]: first?.timeUtc })
    expect(third?.detail).toBeNull()
    expect((await verify(world)).problems).toEqual([])
  })

  it('I9 triggers refuse UPDATE and DELETE of entries and checkpoints', async () => {
    const world = await openWorld()
    await world.ledger.record(officer(), read(1))
    await world.checkpoints.take('hour')
    const { db } = world
    const attempts = [
      () => db.transaction((tx) => tx.updateTable('ledger').set({ object_id: '2' }).execute()),
      () => db.transaction((tx) => tx.deleteFrom('ledger').execute()),
      () => db.transaction((tx) => tx.updateTable('checkpoints').set({ reason: 'x' }).execute()),
      () => db.transaction((tx) => tx.deleteFrom('checkpoints').execute()),
    ]
    for (const attempt of attempts) await expect(attempt()).rejects.toThrow(/append-only/)
    expect((await verify(world)).problems).toEqual([])
  })

  it('pages through the entries of an object, newest first', async () => {
    const world = await openWorld()
    for (let index = 0; index < 7; index++) await world.ledger.record(officer(), read(1 + (index % 2)))
    const first = await world.ledger.entriesFor('evidence', '1', { count: 2 })
    expect(first.map(({ entry }) => entry.seq)).toEqual([7, 5])
    const rest = await world.ledger.entriesFor('evidence', '1', { before: 5, count: 10 })
    expect(rest.map(({ entry }) => entry.seq)).toEqual([3, 1])
  })

  it('knows its actions', () => {
    expect(isAction('evidence.read')).toBe(true)
    expect(isAction('toString')).toBe(false)
    expect(isAction('evidence.eaten')).toBe(false)
    expectTypeOf<'evidence.eaten'>().not.toExtend<Action>()
  })
})

describe('denials of unknown callers', () => {
  const denial = (reason: string) =>
    ({ action: 'token.refused', object: { type: 'token', id: '', name: '' }, outcome: 'denied', reason }) as const
  const stranger = (source: string) =>
    ({ actor: { kind: 'anonymous', id: '', name: 'anonymous', kId: '' }, source, correlationId: 'c' }) as const
  const denials = async ({ db }: World) =>
    (await db.read.selectFrom('ledger').select('body').orderBy('seq').execute()).map(
      ({ body }) =>
        JSON.parse(Buffer.from(body).toString()) as {
          action: string
          source: string
          reason: string | null
          detail: { count: number; kinds?: unknown }
        },
    )

  it('the first at once, the rest of the minute as one entry with a count', async () => {
    const world = await openWorld()
    for (let index = 0; index < 500; index++) world.ledger.tally(stranger('10.0.0.9'), denial('JwtExpired'))
    world.ledger.tally(stranger('10.0.0.10'), denial('JwtExpired'))
    world.clock.advance(60_001)
    world.ledger.tally(stranger('10.0.0.9'), denial('JwtExpired'))
    await world.ledger.stop()
    const found = (await denials(world)).map(({ source, action, reason, detail }) => [
      source,
      action,
      reason,
      detail.count,
    ])
    expect(found.sort()).toEqual(
      [
        ['10.0.0.9', 'token.refused', 'JwtExpired', 1],
        ['10.0.0.10', 'token.refused', 'JwtExpired', 1],
        ['10.0.0.9', 'token.refused', 'JwtExpired', 499],
        ['10.0.0.9', 'token.refused', 'JwtExpired', 1],
      ].sort(),
    )
  })

  it('refusals of several kinds are listed by kind, and every one is counted at stop', async () => {
    const world = await openWorld()
    for (let index = 0; index < 100; index++) world.ledger.tally(stranger('10.0.0.9'), denial(`Reason${index % 40}`))
    await world.ledger.stop()
    const [first, rest] = await denials(world)
    expect(first?.detail.count).toBe(1)
    expect(rest).toMatchObject({ action: 'access.denied', reason: null, detail: { count: 99 } })
    const kinds = rest?.detail.kinds as { kind: string; count: number }[]
    expect(kinds.length).toBeLessThanOrEqual(21)
    expect(kinds.reduce((sum, { count }) => sum + count, 0)).toBe(99)
  })

  it('a flood of sources does not make an entry of its own for each', { timeout: 120_000 }, async () => {
    const world = await openWorld()
    for (let index = 0; index < 8000; index++)
      world.ledger.tally(stranger(`2001:db8::${index.toString(16)}`), denial('x'))
    await world.ledger.stop()
    const found = await denials(world)
    expect(found.length).toBeLessThanOrEqual(5002)
    expect(found.reduce((sum, { detail }) => sum + detail.count, 0)).toBe(8000)
  })
})
