/** Conditions on texts and numbers give the same answer on either database, and no value makes a statement fail on one of them. */
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recordedOnOwnDevices } from '../../server/kernel/access/access.store.ts'
import { caseViewable, policiesNaming, viewable } from '../../server/kernel/access/viewable.store.ts'
import { type Database, openDatabase } from '../../server/kernel/database/database.ts'
import {
  asNumber,
  beginsWith,
  counterAt,
  endsWith,
  jsonPairs,
  secondsOf,
} from '../../server/kernel/database/expressions.ts'
import { derivationsOf } from '../../server/features/packages/packages.store.ts'
import { evidenceRows, resourceRows } from '../../server/kernel/evidence/list-rows.store.ts'
import { setHeld } from '../../server/features/retention/disposition/queue.store.ts'
import { openPostgres } from '../../server/kernel/database/postgres/database.ts'
import { postgresMissing, type PostgresServer, startPostgres } from '../support/postgres-server.ts'
import { temporaryFolder } from '../support/station.ts'

const missing = await postgresMissing()

describe.each(['sqlite', 'postgres'] as const)('B1 expressions on %s', (dialect) => {
  let server: PostgresServer | null = null
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let db: Database
  const skips = dialect === 'postgres' && missing !== null
  beforeAll(async () => {
    folder = await temporaryFolder('expressions')
    if (skips) return
    if (dialect === 'sqlite') db = await openDatabase({ file: path.join(folder.dir, 'a.db') })
    else {
      server = await startPostgres()
      db = await openPostgres({ url: await server.create('expressions') })
    }
  }, 120_000)
  beforeEach(({ skip }) => skip(skips, missing ?? ''))
  afterAll(async () => {
    await db?.close()
    await server?.stop()
    await folder.dispose()
  })

  /** Which of these texts a condition on `f.value` takes. */
  const taken = async (texts: readonly string[], condition: ReturnType<typeof beginsWith>): Promise<string[]> => {
    const { rows } = await sql<{ value: string }>`
      SELECT f.value AS value FROM ${jsonPairs(JSON.stringify(texts))} f WHERE ${condition}`.execute(db.read)
    return rows.map(({ value }) => value)
  }

  it('a beginning and an end are compared with case, and nothing in them stands for something else', async () => {
    const names = [
      'custody a.txt',
      'Custody a.txt',
      'custodian',
      'custody a.TXT',
      'a custody',
      'cust',
      '',
      '%.txt',
      'atxt',
    ]
    expect(await taken(names, beginsWith('f.value', 'custody '))).toEqual(['custody a.txt', 'custody a.TXT'])
    expect(await taken(names, endsWith('f.value', '.txt'))).toEqual(['custody a.txt', 'Custody a.txt', '%.txt'])
    expect(await taken(names, beginsWith('f.value', '%'))).toEqual(['%.txt'])
    expect(await taken(names, beginsWith('f.value', ''))).toEqual(names)
  })

  it('a text that is a number is between others; one that no number holds is not', async () => {
    const texts = [
      '5',
      ' 7.5 ',
      '1e1',
      '-3',
      '.5',
      '1e+100',
      '1.5e307',
      '1e999',
      '-1e999',
      '1e-999',
      'nine',
      '',
      '9'.repeat(400),
    ]
    const between = (from: number, to: number) =>
      sql<boolean>`${asNumber('f.value')} >= CAST(${String(from)} AS DOUBLE PRECISION) AND ${asNumber('f.value')} <= CAST(${String(to)} AS DOUBLE PRECISION)`
    expect(await taken(texts, between(5, 1e308))).toEqual(['5', ' 7.5 ', '1e1', '1e+100', '1.5e307'])
  })

  it('a text that is a time is between others; what only looks like one is not', async () => {
    const times = [
      '2026-01-05',
      '2026-01-05 10:00',
      '2026-01-05T10:00:00.5+02:00',
      '2026-01-05T10:00 Z',
      '2026-12-31T24:00',
      '0001-01-01',
    ]
    const none = [
      '2026-02-30',
      '2026-13-01',
      '2026-01-05T10',
      '2026-01-05T25:00',
      '2026-01-05T10:00:60',
      '2026-01-05T10:00:00-15:00',
    ]
    const others = ['now', '12:00', '5', '0000-01-01', '2026-01-05Z', '', 'tomorrow']
    const isTime = sql<boolean>`${secondsOf('f.value')} BETWEEN CAST(-1e15 AS DOUBLE PRECISION) AND CAST(1e15 AS DOUBLE PRECISION)`
    expect(await taken([...none, ...times, ...others], isTime)).toEqual(times)
    const at = sql<boolean>`${secondsOf('f.value')} = CAST(${String(Date.UTC(2026, 0, 5, 8) / 1000 + 0.5)} AS DOUBLE PRECISION)`
    expect(await taken(times, at)).toEqual(['2026-01-05T10:00:00.5+02:00'])
  })

  it('rows are read by more ids than a statement takes values', async () => {
    const ids = Array.from({ length: 40_000 }, (_, at) => at + 1)
    for (const read of [evidenceRows, resourceRows, derivationsOf]) expect(await read(db.read, ids)).toEqual([])
    expect(await recordedOnOwnDevices(db.read, { self: 1, fromMyDevice: 'View' }, ids)).toEqual(new Set())
  })

  it('who is nobody views nothing, and is named by no policy', async () => {
    const nobody = {
      self: 0,
      identities: new Set<number>(),
      nowTicks: 0n,
      fromMyDevice: 'None',
      unassociated: 'None',
    } as const
    for (const few of [true, false]) {
      const { rows } = await sql`
        SELECT l.evidence_id FROM evidence_list l WHERE ${viewable('l.evidence_id', { ...nobody, few })}
        UNION SELECT s.case_id FROM cases s WHERE ${caseViewable('s.case_id', { ...nobody, few })}`.execute(db.read)
      expect(rows).toEqual([])
    }
    expect(await policiesNaming(db.read, nobody.identities)).toEqual({
      few: true,
      manyPolicies: false,
      mostCases: false,
    })
  })

  it('after an id that was chosen the next one follows', async () => {
    const next = await db.transaction(async (tx) => {
      await sql`INSERT INTO tenants (tenant_id, name_key, created_utc) VALUES ('t', 't', '')`.execute(tx)
      await sql`INSERT INTO source_policies (source_policy_id, tenant_id, name, name_key, retention_days, concurrency_id, created_utc, modified_utc, modified_by)
        VALUES (41, 't', 'a', 'a', 1, '', '', '', '')`.execute(tx)
      await sql`SELECT ${counterAt('source_policies', 'source_policy_id', 41)}`.execute(tx)
      const { rows } = await sql<{ id: number }>`
        INSERT INTO source_policies (tenant_id, name, name_key, retention_days, concurrency_id, created_utc, modified_utc, modified_by)
        VALUES ('t', 'b', 'b', 1, '', '', '', '') RETURNING source_policy_id AS id`.execute(tx)
      return rows[0]?.id
    })
    expect(next).toBe(42)
  })

  it('a hold is compared with a text, and with none', async () => {
    for (const held of ['category', null])
      await expect(db.transaction((tx) => setHeld(tx, 1, held))).resolves.toBeUndefined()
  })

  it('nothing equals a text with the character NUL, and it comes before the others', async () => {
    const texts = ['a', 'a b', 'ab']
    expect(await taken(texts, sql`f.value = ${'a\0b'}`)).toEqual([])
    expect(await taken(texts, sql`f.value > ${'a\0b'}`)).toEqual(['a b', 'ab'])
  })
})
