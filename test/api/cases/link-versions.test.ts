import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestDatabase } from '../../support/rows.ts'
import type { RawDatabase } from '../../../server/kernel/database/sqlite/raw.ts'
import type { Json } from '../../support/given.ts'
import { CASES, type CasesWorld, casesWorld } from './world.ts'

/** Versions of cases with links (decisions 4 and 19): they give the evidence of their time, and do not store the list of it. */
let world: CasesWorld
beforeAll(async () => {
  world = await casesWorld()
})
afterAll(() => world.given.close())

const evidence = async (): Promise<string> =>
  (
    await world.given.expecting(
      201,
      world.given.call('POST', `${world.given.documents}/evidence`, {
        token: world.maker.token,
        body: { Name: 'Clip' },
      }),
    )
  ).EvidenceId
const read = (caseId: string, query = ''): Promise<Json> =>
  world.given.expecting(200, world.send('GET', `${CASES}/${caseId}${query}`))
const relationsOf = (id: string, query = ''): Promise<Json> =>
  world.given.expecting(200, world.send('GET', `/api/v1/evidence/station/${id}${query}`))
const historyOf = async (caseId: string, query = ''): Promise<Json[]> =>
  (await read(caseId, `/history${query}`)).Entries
const change = (caseId: string, changes: Readonly<Record<string, 'Add' | 'Remove'>>): Promise<Json> =>
  world.given.expecting(
    204,
    world.send('POST', `${CASES}/${caseId}/link-evidences`, {
      Evidences: Object.entries(changes).map(([EvidenceId, Action]) => ({ EvidenceId, Action })),
    }),
  )
const patch = (caseId: string, body: Json): Promise<Json> =>
  world.given.expecting(200, world.send('PATCH', `${CASES}/${caseId}`, body))

/** As the station links and withdraws, without the version that it makes at once. */
async function automatically(caseId: string, evidenceId: string, linked: boolean): Promise<void> {
  const pair = { case_id: Number(caseId), evidence_id: Number(evidenceId), kind: 'Automatic' } as const
  const db = await openTestDatabase({ file: world.given.file })
  await db.transaction(async (tx) => {
    if (linked)
      await tx
        .insertInto('case_links')
        .values({ ...pair, confirmed: 0, rule: 'overlap', linked_on: '2026-11-20T03:00:00.000Z', linked_by: '{}' })
        .execute()
    else
      await tx
        .deleteFrom('case_links')
        .where('case_id', '=', pair.case_id)
        .where('evidence_id', '=', pair.evidence_id)
        .where('kind', '=', pair.kind)
        .execute()
  })
  await db.close()
}

describe('an older version of a case', () => {
  it('gives the evidence that it had, and each entry of the history what came and went', async () => {
    const [a, b, c, d] = [await evidence(), await evidence(), await evidence(), await evidence()]
    const { CaseId: id } = await world.made({ EvidenceIds: [b, a] })
    const states: Json[] = [await read(id)]
    const expected = [[a, b]]
    const then = async (act: Promise<unknown>, ids: string[]): Promise<void> => {
      await act
      states.push(await read(id))
      expected.push(ids)
    }
    await then(change(id, { [d]: 'Add' }), [a, b, d])
    await then(patch(id, { Title: 'No link changed' }), [a, b, d])
    await then(change(id, { [c]: 'Add', [a]: 'Remove' }), [b, c, d])
    // The station links b too: it stays when the link of a person goes.
    await automatically(id, b, true)
    await then(patch(id, { Title: 'Linked twice' }), [b, c, d])
    await then(change(id, { [b]: 'Remove' }), [b, c, d])
    await automatically(id, b, false)
    await then(patch(id, { Title: 'Withdrawn' }), [c, d])
    // Away and back between two versions is no change.
    await automatically(id, a, true)
    await automatically(id, a, false)
    await then(patch(id, { Title: 'As before' }), [c, d])
    const rowsOf = (db: RawDatabase) =>
      db.prepare('SELECT count(*) FROM case_link_changes WHERE case_id = ? AND evidence_id = ?').pluck().get(id, a)
    expect(world.given.database(rowsOf)).toBe(2)
    await then(patch(id, { EvidenceIds: [a, c] }), [a, c])
    await then(change(id, { [a]: 'Remove' }), [c])
    await then(change(id, { [a]: 'Add' }), [a, c])
    await then(world.send('POST', `${CASES}/${id}/close`), [a, c])

    expect(states.map(({ EvidenceIds }) => EvidenceIds)).toEqual(expected)
    expect(new Set(states.map(({ ConcurrencyId }) => ConcurrencyId)).size).toBe(states.length)
    for (const state of states) {
      const { Evidences: now, ...rest } = await read(id, `?concurrencyId=${state.ConcurrencyId}`)
      const { Evidences: before, ...same } = state
      expect(rest).toEqual(same)
      expect(now.map(({ EvidenceId }: Json) => EvidenceId)).toEqual(before.map(({ EvidenceId }: Json) => EvidenceId))
    }

    const whole = await historyOf(id)
    const changes = whole.map(({ Changes }) => Changes.filter(({ path }: Json) => path.startsWith('/Evidence')))
    const replaced = (value: string[]) => [{ op: 'replace', path: '/EvidenceIds', value }]
    expect(changes.toReversed()).toEqual([
      [{ op: 'add', path: '/EvidenceIds', value: [a, b] }],
      replaced([a, b, d]),
      [],
      replaced([b, c, d]),
      [],
      [],
      replaced([c, d]),
      [],
      replaced([a, c]),
      replaced([c]),
      replaced([a, c]),
      [],
    ])
    // All that changed, and nothing of how versions are stored.
    expect(whole.map(({ Changes }) => Changes.map(({ path }: Json) => path)).slice(0, -1)).toEqual([
      ['/ClosedOn', '/State'],
      ['/EvidenceIds'],
      ['/EvidenceIds'],
      ['/EvidenceIds'],
      ['/Title'],
      ['/EvidenceIds', '/Title'],
      [],
      ['/Title'],
      ['/EvidenceIds'],
      ['/Title'],
      ['/EvidenceIds'],
    ])
    for (let at = 0; at < whole.length; at += 2)
      expect(await historyOf(id, `?count=3&startingConcurrencyId=${whole[at]?.['ConcurrencyId']}`)).toEqual(
        whole.slice(at, at + 3),
      )
  })

  it('a case that is moved out of, and one that never had any', async () => {
    const one = await evidence()
    const [from, to] = [await world.made({ EvidenceIds: [one] }), await world.made()]
    const body = { FromCaseId: from.CaseId, ToCaseId: to.CaseId }
    const place = `${world.given.documents}/evidence/${one}/move`
    await world.given.expecting(200, world.given.call('POST', place, { token: world.maker.token, body }))
    expect([(await read(from.CaseId)).EvidenceIds, (await read(to.CaseId)).EvidenceIds]).toEqual([[], [one]])
    const before = async ({ CaseId, ConcurrencyId }: Json) =>
      (await read(CaseId, `?concurrencyId=${ConcurrencyId}`)).EvidenceIds
    expect([await before(from), await before(to)]).toEqual([[one], []])
  })

  it('relations of an evidence at each of its versions are those of that time', async () => {
    const one = await evidence()
    const [first, second] = [await world.made(), await world.made()]
    const states: Json[] = [await relationsOf(one)]
    for (const [{ CaseId }, action] of [
      [first, 'Add'],
      [second, 'Add'],
      [first, 'Remove'],
    ] as const) {
      await change(CaseId, { [one]: action })
      states.push(await relationsOf(one))
    }
    expect(states.map(({ Relations }) => Relations.map(({ CaseId }: Json) => CaseId))).toEqual([
      [],
      [first.CaseId],
      [first.CaseId, second.CaseId],
      [second.CaseId],
    ])
    for (const state of states) expect(await relationsOf(one, `?concurrencyId=${state.ConcurrencyId}`)).toEqual(state)
  })
})

describe('linking one by one', () => {
  it('writes the same few bytes of versions and ledger to a case with 10 links and with 1,000', async () => {
    const some = [await evidence(), await evidence(), await evidence(), await evidence()]
    const { CaseId: id } = await world.made()
    /** Bytes that linking and unlinking write: the larger version of the two, and both entries. */
    const written = async (linked: string): Promise<Record<string, number>> => {
      await change(id, { [linked]: 'Add' })
      await change(id, { [linked]: 'Remove' })
      return world.given.database((db) => {
        const ofVersions = db
          .prepare(
            'SELECT octet_length(state) FROM versions WHERE entity = ? AND entity_id = ? ORDER BY number DESC LIMIT 2',
          )
          .pluck()
        const ofEntries = db
          .prepare(
            'SELECT octet_length(body) FROM ledger WHERE object_type = ? AND object_id = ? ORDER BY seq DESC LIMIT 2',
          )
          .pluck()
        const bytes = (type: string, of: string): [string, number][] => [
          [`versions of the ${type}`, Math.max(...(ofVersions.all(type, Number(of)) as number[]))],
          [`entries of the ${type}`, (ofEntries.all(type, of) as number[]).reduce((sum, one) => sum + one)],
        ]
        return Object.fromEntries([...bytes('case', id), ...bytes('evidence', linked)])
      })
    }
    /** Without the station: evidence like the first, and its links to the case. */
    const fillBy = async (count: number): Promise<void> => {
      const db = await openTestDatabase({ file: world.given.file })
      await db.transaction(async (tx) => {
        const row = await tx.selectFrom('evidence').selectAll().limit(1).executeTakeFirstOrThrow()
        const names = Object.keys(row).filter((name) => name !== 'evidence_id')
        const columns = sql.raw(names.join(', '))
        for (let made = 0; made < count; made++) {
          const { rows } = await sql<{ evidence_id: number }>`
            INSERT INTO evidence (${columns}) SELECT ${columns} FROM evidence WHERE evidence_id = ${some[0]} RETURNING evidence_id`.execute(
            tx,
          )
          await sql`INSERT INTO case_links VALUES (${id}, ${rows[0]?.evidence_id}, 'Manual', 1, NULL, '2026-11-20T03:00:00.000Z', '{}')`.execute(
            tx,
          )
        }
      })
      await db.close()
    }
    await fillBy(10)
    // The version that takes them in.
    await patch(id, { Title: 'Ten' })
    const few = await written(some[1] as string)
    await fillBy(990)
    await patch(id, { Title: 'Thousand' })
    expect((await read(id)).EvidenceIds).toHaveLength(1000)
    const many = await written(some[2] as string)
    const more = Object.entries(many).map(([what, bytes]) => [what, bytes - (few[what] as number)])
    expect(more.filter(([, bytes]) => Math.abs(bytes as number) > 30)).toEqual([])
    const before = await read(id)
    await change(id, { [some[3] as string]: 'Add' })
    expect((await read(id, `?concurrencyId=${before.ConcurrencyId}`)).EvidenceIds).toEqual(before.EvidenceIds)
  })
})
