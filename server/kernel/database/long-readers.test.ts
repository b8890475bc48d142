import { describe, expect, it } from 'vitest'
import { createLongReaders } from './long-readers.ts'
import type { SqlConnection } from './sqlite/sql-connection.ts'

/** A connection whose reads end when the test calls `end`. */
function slowConnection(name: string, begun: string[]) {
  const ends = new Map<string, () => void>()
  const connection: SqlConnection = {
    run: (sql) => {
      begun.push(`${sql} on ${name}`)
      return new Promise((resolve) => ends.set(sql, () => resolve({ rows: [sql], changes: 0, lastInsertRowid: 0 })))
    },
    close: async () => {},
  }
  return { connection, end: (sql: string): void => ends.get(sql)?.() }
}
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('long readers', () => {
  it('run reads on the idle connection while the other one is busy', async () => {
    const begun: string[] = []
    const one = slowConnection('one', begun)
    const two = slowConnection('two', begun)
    const readers = createLongReaders([one.connection, two.connection])
    const slow = readers.run('a', [])
    for (const sql of ['b', 'c', 'd']) {
      const read = readers.run(sql, [])
      await nextTurn()
      two.end(sql)
      expect((await read).rows).toEqual([sql])
    }
    one.end('a')
    await slow
    expect(begun).toEqual(['a on one', 'b on two', 'c on two', 'd on two'])
  })

  it('run waiting reads in the order of the calls, also after a failure', async () => {
    const begun: string[] = []
    const { connection, end } = slowConnection('one', begun)
    let fail = true
    const readers = createLongReaders([
      {
        ...connection,
        run: (sql, parameters) => (fail ? Promise.reject(new Error('no')) : connection.run(sql, parameters)),
      },
    ])
    await expect(readers.run('a', [])).rejects.toThrow('no')
    fail = false
    const reads = ['b', 'c'].map((sql) => readers.run(sql, []))
    for (const sql of ['b', 'c']) {
      await nextTurn()
      end(sql)
    }
    await Promise.all(reads)
    expect(begun).toEqual(['b on one', 'c on one'])
  })

  it('never begin a read whose signal was aborted', async () => {
    const begun: string[] = []
    const { connection, end } = slowConnection('one', begun)
    const readers = createLongReaders([connection])
    const gone = new AbortController()
    const first = readers.run('a', [])
    const second = readers.run('b', [], gone.signal)
    const third = readers.run('c', [])
    await nextTurn()
    gone.abort(new Error('the client left'))
    await expect(second).rejects.toThrow('the client left')
    await expect(readers.run('d', [], gone.signal)).rejects.toThrow('the client left')
    end('a')
    await first
    await nextTurn()
    end('c')
    await third
    expect(begun).toEqual(['a on one', 'c on one'])
  })
})
