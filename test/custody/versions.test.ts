import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createVersions, GENESIS } from '../../server/kernel/versions/versions.ts'
import { officer, openWorld } from './world.ts'

const version = (state: Record<string, unknown>, entityId = 1) =>
  ({
    entity: 'evidence',
    entityId,
    state,
    action: 'evidence.created',
    author: officer().actor,
    dateUtc: '2026-11-21T06:00:00.000Z',
  }) as const

describe('versions (decisions 4)', () => {
  it('are a hash chain from forty zeros on', async () => {
    const { db } = await openWorld()
    const versions = createVersions({ db })
    const first = await db.transaction((tx) => versions.add(tx, version({ b: 1, a: 'x' })))
    const second = await db.transaction((tx) => versions.add(tx, version({ b: 1, a: 'x' })))
    const sha = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 40)
    expect(first).toBe(sha(`${GENESIS}{"a":"x","b":1}`))
    expect(second).toBe(sha(`${first}{"a":"x","b":1}`))
    const other = await db.transaction((tx) => versions.add(tx, version({ b: 2 }, 2)))
    expect(other).toBe(sha(`${GENESIS}{"b":2}`))
    expect(await versions.find('evidence', 1, second)).toEqual({
      number: 2,
      concurrencyId: second,
      parentId: first,
      state: { a: 'x', b: 1 },
      action: 'evidence.created',
      author: officer().actor,
      dateUtc: '2026-11-21T06:00:00.000Z',
    })
    expect(await versions.find('evidence', 2, second)).toBeNull()
    expect(await versions.find('resource', 1, second)).toBeNull()
  })

  it('history runs newest first and continues with the parent of the last one', async () => {
    const { db } = await openWorld()
    const versions = createVersions({ db })
    for (let index = 1; index <= 5; index++) await db.transaction((tx) => versions.add(tx, version({ index })))
    const page = await versions.history('evidence', 1, { count: 2 })
    expect(page?.map(({ state }) => state['index'])).toEqual([5, 4])
    const next = await versions.history('evidence', 1, {
      startingConcurrencyId: page?.at(-1)?.parentId ?? '',
      count: 10,
    })
    expect(next?.map(({ state }) => state['index'])).toEqual([3, 2, 1])
    expect(next?.at(-1)?.parentId).toBe(GENESIS)
    expect(await versions.history('evidence', 1, { startingConcurrencyId: GENESIS })).toEqual([])
    expect(await versions.history('evidence', 1, { startingConcurrencyId: 'f'.repeat(40) })).toBeNull()
    expect(await versions.history('evidence', 99)).toEqual([])
  })

  it('a version that was rolled back is no parent of another', async () => {
    const { db } = await openWorld()
    const versions = createVersions({ db })
    const first = await db.transaction((tx) => versions.add(tx, version({ index: 1 })))
    await db
      .transaction(async (tx) => {
        const gone = await versions.add(tx, version({ index: 2 }))
        expect((await versions.find('evidence', 1, gone, tx))?.number).toBe(2)
        throw new Error('on purpose')
      })
      .catch(() => {})
    const second = await db.transaction((tx) => versions.add(tx, version({ index: 3 })))
    expect(await versions.find('evidence', 1, second)).toMatchObject({ number: 2, parentId: first })
  })

  it('refuse state that is not plain', async () => {
    const { db } = await openWorld()
    const versions = createVersions({ db })
    await expect(db.transaction((tx) => versions.add(tx, version({ at: new Date() })))).rejects.toThrow(/plain object/)
  })
})
