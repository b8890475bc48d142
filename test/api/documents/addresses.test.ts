import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Given, givenStation } from '../../support/given.ts'

/** Where the document service answers, ids, and Idempotency-Key: decisions 1. */
let given: Given
beforeAll(async () => {
  given = await givenStation()
})
afterAll(() => given?.close())

const PREFIXES = ['/documentstore/api/v1/tenant', '/api/v1/tenant']

describe('addresses', () => {
  it('every prefix, a trailing slash, and the tenant in any case: one evidence, the tenant as registered', async () => {
    for (const prefix of PREFIXES) {
      for (const tenant of ['station', 'STATION', 'Station', '%73tation']) {
        for (const slash of ['', '/']) {
          const { status, json } = await given.call('POST', `${prefix}/${tenant}/evidence${slash}`, {
            body: { Name: 'one' },
          })
          expect([prefix, tenant, slash, status]).toEqual([prefix, tenant, slash, 201])
          const read = await given.call('GET', `${prefix}/${tenant}/evidence/${json.EvidenceId}${slash}`)
          expect(read.json).toEqual(json)
          expect(json.CreatedBy.KId).toContain(':station:')
        }
      }
    }
  })

  it('an unknown tenant is 404 on every operation, before anything else is said', async () => {
    const { EvidenceId } = await given.evidence()
    for (const prefix of PREFIXES) {
      for (const tenant of ['other', 'default', 'station2', 'stati%6Fn.']) {
        for (const [method, tail] of [
          ['POST', '/evidence'],
          ['GET', '/evidence'],
          ['GET', `/evidence/${EvidenceId}`],
          ['POST', `/evidence/${EvidenceId}/complete`],
          ['GET', `/evidence/${EvidenceId}/thumbnail`],
          ['POST', `/evidence/${EvidenceId}/resource`],
          ['GET', `/evidence/${EvidenceId}/resource`],
          ['GET', `/evidence/${EvidenceId}/resource/1`],
          ['POST', `/evidence/${EvidenceId}/resource/1/upload-uri`],
          ['POST', `/evidence/${EvidenceId}/resource/1/complete`],
          ['GET', `/evidence/${EvidenceId}/resource/1/content`],
          ['GET', `/evidence/${EvidenceId}/resource/1/thumbnail`],
        ] as const) {
          const address = `${prefix}/${encodeURIComponent(decodeURIComponent(tenant))}${tail}`
          const { status, json } = await given.call(method, address, method === 'POST' ? { body: { Name: 'x' } } : {})
          expect([method, address, status, json.ErrorCode]).toEqual([method, address, 404, 'TenantNotFound'])
        }
      }
    }
  })

  it.each([
    ['0', 400],
    ['-1', 400],
    ['9223372036854775808', 400],
    ['9223372036854775807', 404],
    ['9007199254740993', 404],
    ['1.5', 400],
    ['1e3', 400],
    ['0x1', 400],
    ['abc', 400],
    ['%20', 400],
    ['%31%00', 400],
    ['1%2F..', 400],
    ['９', 400],
    ['1'.repeat(33), 400],
    ['999999', 404],
  ])('an evidence id of %s is %d', async (id, status) => {
    for (const tail of ['', '/resource', '/resource/1', '/thumbnail', '/resource/1/content']) {
      const reply = await given.call(
        'GET',
        `${given.documents}/evidence/${encodeURI(id).replaceAll('%25', '%')}${tail}`,
      )
      expect([id, tail, reply.status]).toEqual([id, tail, status])
      expect(reply.json.ErrorCode).toBe(status === 400 ? 'InvalidModel' : 'EvidenceNotFound')
    }
  })

  it('leading zeros name the same evidence, and ids are told without them', async () => {
    const made = await given.evidence()
    const read = await given.call('GET', `${given.documents}/evidence/000${made.EvidenceId}`)
    expect(read.json).toEqual(made)
  })

  it('a resource id of another evidence finds nothing', async () => {
    const [a, b] = [await given.evidence(), await given.evidence()]
    const { ResourceId } = await given.resource(a.EvidenceId)
    for (const id of [ResourceId, '9223372036854775807', '999999']) {
      const reply = await given.call('GET', `${given.documents}/evidence/${b.EvidenceId}/resource/${id}`)
      expect([reply.status, reply.json.ErrorCode]).toEqual([404, 'ResourceNotFound'])
    }
  })
})

describe('Idempotency-Key', () => {
  it('gives the first answer of a create again, and another body is 409', async () => {
    const body = { Name: 'once', CustomFields: { b: '1', a: '2' } }
    const first = await given.call('POST', `${given.documents}/evidence`, { body, key: 'create-1' })
    const again = await given.call('POST', `${given.documents}/evidence`, {
      body: { CustomFields: { a: '2', b: '1' }, Name: 'once' },
      key: 'create-1',
    })
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.json).toEqual(first.json)
    // The answer is the first one even when the evidence went on since.
    await given.call('POST', `${given.documents}/evidence/${first.json.EvidenceId}/complete`)
    expect((await given.call('POST', `${given.documents}/evidence`, { body, key: 'create-1' })).json).toEqual(
      first.json,
    )
    const other = await given.call('POST', `${given.documents}/evidence`, {
      body: { ...body, Name: 'twice' },
      key: 'create-1',
    })
    expect([other.status, other.json.ErrorCode]).toEqual([409, 'IdempotencyKeyReused'])
    // The other prefix is the same operation.
    const alias = await given.call('POST', '/api/v1/tenant/station/evidence', { body, key: 'create-1' })
    expect(alias.json).toEqual(first.json)
  })

  it('of ten at once one is made', async () => {
    const replies = await Promise.all(
      Array.from({ length: 10 }, () =>
        given.call('POST', `${given.documents}/evidence`, { body: { Name: 'ten at once' }, key: 'ten' }),
      ),
    )
    expect(new Set(replies.map(({ status, json }) => `${status} ${json.EvidenceId}`)).size).toBe(1)
    expect(
      given.database((db) => db.prepare("select count(*) from evidence where name = 'ten at once'").pluck().get()),
    ).toBe(1)
  })

  it('a refused create leaves nothing behind its key', async () => {
    const address = `${given.documents}/evidence`
    expect((await given.call('POST', address, { body: { Name: '' }, key: 'refused' })).status).toBe(400)
    expect((await given.call('POST', address, { body: { Name: 'good' }, key: 'refused' })).status).toBe(201)
  })

  it('gives a resource again with a fresh upload address', async () => {
    const { EvidenceId } = await given.evidence()
    const address = `${given.documents}/evidence/${EvidenceId}/resource`
    const first = await given.call('POST', address, { body: { Name: 'a.bin' }, key: 'resource-1' })
    await new Promise((resolve) => setTimeout(resolve, 1100))
    const again = await given.call('POST', address, { body: { Name: 'a.bin' }, key: 'resource-1' })
    expect([first.status, again.status]).toEqual([201, 201])
    const { UploadUri: firstUri, ...firstRecord } = first.json
    const { UploadUri: secondUri, ...secondRecord } = again.json
    expect(secondRecord).toEqual(firstRecord)
    expect(secondUri).not.toBe(firstUri)
    await given.put(secondUri, Buffer.from('bytes'))
    const other = await given.call('POST', address, { body: { Name: 'b.bin' }, key: 'resource-1' })
    expect([other.status, other.json.ErrorCode]).toEqual([409, 'IdempotencyKeyReused'])
    // The same key on another evidence is another request.
    const elsewhere = await given.evidence()
    expect(
      (
        await given.call('POST', `${given.documents}/evidence/${elsewhere.EvidenceId}/resource`, {
          body: { Name: 'a.bin' },
          key: 'resource-1',
        })
      ).status,
    ).toBe(409)
    // No signature lies in the database.
    const stored = given.database((db) => db.prepare('select answer from idempotency').pluck().all() as string[])
    expect(stored.join('\n')).not.toMatch(/sig=|UploadUri/)
  })
})
