import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Given, givenStation, type Json } from '../../support/given.ts'

/** Completing evidence, and versions: decisions 4 and 6. */
let given: Given
beforeAll(async () => {
  given = await givenStation()
})
afterAll(() => given?.close())

describe('completing evidence', () => {
  it('waits for open resources, then completes once', async () => {
    const { EvidenceId } = await given.evidence()
    const open = await given.resource(EvidenceId)
    const complete = () => given.call('POST', `${given.documents}/evidence/${EvidenceId}/complete`)
    const early = await complete()
    expect([early.status, early.json.ErrorCode]).toEqual([409, 'ResourceNotCompleted'])
    await given.put(open.UploadUri, Buffer.from('x'))
    await given.expecting(
      200,
      given.call('POST', `${given.documents}/evidence/${EvidenceId}/resource/${open.ResourceId}/complete`),
    )
    const done = await complete()
    expect([done.status, done.json.State]).toEqual([200, 'UserCompleted'])
    const twice = await complete()
    expect([twice.status, twice.json.ConcurrencyId]).toEqual([200, done.json.ConcurrencyId])
    const entries = given
      .ledger()
      .filter(({ action, object }) => action === 'evidence.completed' && object.id === EvidenceId)
    expect(entries).toHaveLength(1)
  })
})

describe('versions', () => {
  interface VersionRow {
    concurrency_id: string
    parent_id: string
    state: string
    number: number
  }
  const versionsOf = (entity: string, id: string): VersionRow[] =>
    given.database(
      (db) =>
        db
          .prepare(
            'select concurrency_id, parent_id, state, number from versions where entity = ? and entity_id = ? order by number',
          )
          .all(entity, Number(id)) as VersionRow[],
    )

  it('every version is given as it was, and the chain of ids is the formula of decisions 4', async () => {
    const first = await given.evidence({
      Description: 'two lines\n',
      Tags: ['a', 'b'],
      Device: { Manufacturer: 'Acme', SerialNumber: 'X-1' },
      CustomFields: { z: 'é', a: '' },
    })
    const { evidenceId, resourceId } = await given.completed(Buffer.from('plain text\n'), {
      evidenceId: first.EvidenceId,
      name: 'note.txt',
    })
    await given.settled(evidenceId)
    const last = await given.expecting(200, given.call('POST', `${given.documents}/evidence/${evidenceId}/complete`))
    const seen = new Map<string, Json>([
      [first.ConcurrencyId, first],
      [last.ConcurrencyId, last],
    ])
    const rows = versionsOf('evidence', evidenceId)
    expect(rows.map(({ concurrency_id: id }) => id)).toEqual([first.ConcurrencyId, last.ConcurrencyId])
    for (const row of rows) {
      const reply = await given.call(
        'GET',
        `${given.documents}/evidence/${evidenceId}?concurrencyId=${row.concurrency_id}`,
      )
      expect(reply.json).toEqual(seen.get(row.concurrency_id))
    }
    for (const [entity, id] of [
      ['evidence', evidenceId],
      ['resource', resourceId],
    ] as const) {
      let parent = '0'.repeat(40)
      const chain = versionsOf(entity, id)
      expect(chain.length).toBeGreaterThanOrEqual(2)
      for (const [index, row] of chain.entries()) {
        const canonical = canonicalize(JSON.parse(row.state)) as string
        expect(row.state).toBe(canonical)
        const expected = createHash('sha256')
          .update(parent, 'utf8')
          .update(canonical, 'utf8')
          .digest('hex')
          .slice(0, 40)
        expect([entity, row.number, row.parent_id, row.concurrency_id]).toEqual([entity, index + 1, parent, expected])
        parent = expected
      }
      const record = await given.expecting(
        200,
        given.call('GET', `${given.documents}/evidence/${evidenceId}${entity === 'resource' ? `/resource/${id}` : ''}`),
      )
      expect(record.ConcurrencyId).toBe(parent)
    }
  })

  it.each(['0'.repeat(40), 'f'.repeat(40), 'F'.repeat(40), 'abc', `${'0'.repeat(41)}`, "' or 1=1 --", '%00'])(
    'concurrencyId=%s names none: 400',
    async (id) => {
      const { EvidenceId } = await given.evidence()
      const reply = await given.call(
        'GET',
        `${given.documents}/evidence/${EvidenceId}?concurrencyId=${id === '%00' ? id : encodeURIComponent(id)}`,
      )
      expect([reply.status, reply.json.ErrorCode]).toEqual([400, 'InvalidConcurrencyId'])
    },
  )

  it('an empty one counts as absent; one of another evidence names none', async () => {
    const [a, b] = [await given.evidence(), await given.evidence({ Name: 'another' })]
    expect((await given.call('GET', `${given.documents}/evidence/${a.EvidenceId}?concurrencyId=`)).json).toEqual(a)
    const reply = await given.call(
      'GET',
      `${given.documents}/evidence/${a.EvidenceId}?concurrencyId=${b.ConcurrencyId}`,
    )
    expect(reply.json.ErrorCode).toBe('InvalidConcurrencyId')
  })
})
