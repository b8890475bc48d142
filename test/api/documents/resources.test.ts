import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestDatabase } from '../../support/rows.ts'
import { type Given, givenStation, type Json, sha256Of } from '../../support/given.ts'
import { signIn } from '../../support/integrator.ts'
import { slowly } from '../../support/slowly.ts'

/** Resources from their creation to their completion: interfaces 2.5, decisions 6. */
let given: Given
beforeAll(async () => {
  given = await givenStation()
})
afterAll(() => given.close())

const at = (evidenceId: string, tail = '') => `${given.documents}/evidence/${evidenceId}/resource${tail}`
const complete = (evidenceId: string, resourceId: string, body?: unknown) =>
  given.call('POST', at(evidenceId, `/${resourceId}/complete`), body === undefined ? {} : { body })
const resourceNow = (evidenceId: string, resourceId: string): Promise<Json> =>
  given.expecting(200, given.call('GET', at(evidenceId, `/${resourceId}`)))
const quarantined = (sha256: string): Json[] =>
  given.database((db) => db.prepare('select * from quarantine where sha256 = ?').all(sha256))
const open = async (body: Record<string, unknown> = {}, bytes?: Uint8Array) => {
  const { EvidenceId } = await given.evidence()
  const made = await given.resource(EvidenceId, body)
  if (bytes !== undefined) await given.put(made.UploadUri, bytes)
  return {
    evidenceId: EvidenceId as string,
    resourceId: made.ResourceId as string,
    uploadUri: made.UploadUri as string,
  }
}
let counter = 0
const fresh = (): Buffer => Buffer.from(`bytes of their own ${counter++} ${Math.random()}`)
const refusal = (id: string) =>
  given
    .ledger()
    .filter(({ action, object }) => action === 'resource.refused' && object.type === 'resource' && object.id === id)

describe('the type of an original', () => {
  const PNG = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )

  it('is what its bytes say where the client named none, with a version and an entry; otherwise the client’s word', async () => {
    for (const [sent, shown] of [
      [{}, 'image/png'],
      [{ MimeType: 'application/octet-stream' }, 'image/png'],
      [{ MimeType: 'image/x-camera' }, 'image/x-camera'],
    ] as const) {
      const { evidenceId, resourceId } = await open({ Name: 'photo', ...sent }, PNG)
      const completed = await given.expecting(200, complete(evidenceId, resourceId))
      await given.settled(evidenceId)
      const now = await resourceNow(evidenceId, resourceId)
      expect([now.MimeType, now.ConcurrencyId !== completed.ConcurrencyId]).toEqual([shown, true])
      const [inspected] = given
        .ledger()
        .filter(({ action, object }) => action === 'resource.inspected' && object.id === resourceId)
      expect(inspected?.detail?.['mimeType']).toBe(shown === 'image/png' ? 'image/png' : undefined)
    }
  })

  it('stays unnamed where the bytes say nothing', async () => {
    const { evidenceId, resourceId } = await open({ Name: 'unknown' }, Buffer.from([0, 1, 2, 3, 250, 251, 252]))
    await given.expecting(200, complete(evidenceId, resourceId))
    await given.settled(evidenceId)
    expect((await resourceNow(evidenceId, resourceId)).MimeType).toBe('application/octet-stream')
  })
})

describe('creating a resource', () => {
  it('takes every member and gives all of 2.5 and an absolute address', async () => {
    const { EvidenceId } = await given.evidence()
    const made = await given.resource(EvidenceId, {
      Name: 'DCIM/0001.mp4',
      MimeType: 'video/mp4; codecs="avc1"',
      StartTimeUtc: '2026-11-20T02:47:31.24Z',
      EndTimeUtc: '2026-11-20T03:48:31.240+01:00',
      TimeOffset: '-PT1M12.5S',
      LengthInBytes: 5,
      Sha256: 'AB'.repeat(32),
      ResourceId: '99',
      State: 'UserCompleted',
      Parent: '1',
      UploadedBy: { Username: 'internal', PrincipalId: '0' },
      Derivation: { Tool: 'x' },
      UploadCertificateThumbprint: 'x',
    })
    const { UploadUri, ...record } = made
    expect(record).toEqual({
      ResourceId: expect.stringMatching(/^\d+$/),
      EvidenceId,
      Name: 'DCIM/0001.mp4',
      MimeType: 'video/mp4; codecs="avc1"',
      StartTimeUtc: '2026-11-20T02:47:31.24Z',
      EndTimeUtc: '2026-11-20T02:48:31.240Z',
      TimeOffset: '-PT1M12.5S',
      UploadedTimeUtc: null,
      UploadedBy: {
        KId: `urn:service:station:uploader:${given.principalId}`,
        Username: 'uploader',
        PrincipalId: given.principalId,
        PrincipalType: 'service',
      },
      Parent: null,
      Thumbnail: null,
      UploadCertificateThumbprint: null,
      State: 'None',
      DecryptedLengthInBytes: null,
      ConcurrencyId: expect.stringMatching(/^[0-9a-f]{40}$/),
      Sha256: null,
      CameraSha256: null,
      LengthInBytes: null,
      Derivation: null,
      Taken: null,
      Processing: [],
      LastCheck: null,
    })
    expect(new URL(UploadUri).origin).toBe(given.url)
    expect(UploadUri).toMatch(/\/blob\/[^/?]+\/[^/?]+\?.*sig=/)
    expect((await given.expecting(200, given.call('GET', at(EvidenceId)))) as Json[]).toEqual([record])
  })

  it.each([
    [{ Name: '' }, 'Name'],
    [{ MimeType: 'video' }, 'MimeType'],
    [{ MimeType: 'video/mp4\r\nX: y' }, 'MimeType'],
    [{ TimeOffset: '72 s' }, 'TimeOffset'],
    [{ TimeOffset: 'P' }, 'TimeOffset'],
    [{ LengthInBytes: -1 }, 'LengthInBytes'],
    [{ LengthInBytes: 1.5 }, 'LengthInBytes'],
    [{ LengthInBytes: 2 ** 40 + 1 }, 'LengthInBytes'],
    [{ Sha256: 'ab' }, 'Sha256'],
    [{ StartTimeUtc: 'x' }, 'StartTimeUtc'],
  ])('refuses %j', async (body, member) => {
    const { EvidenceId } = await given.evidence()
    const { status, json } = await given.call('POST', at(EvidenceId), { body: { Name: 'x', ...body } })
    expect([status, json.ErrorCode, json.Details[0].Path]).toEqual([400, 'InvalidModel', member])
  })

  it('an end before its start is InvalidDateTimeRange', async () => {
    const { EvidenceId } = await given.evidence()
    const body = { Name: 'x', StartTimeUtc: '2026-11-20T02:00:00Z', EndTimeUtc: '2026-11-20T01:00:00Z' }
    expect((await given.call('POST', at(EvidenceId), { body })).json.ErrorCode).toBe('InvalidDateTimeRange')
  })

  it('five may be open, the sixth is 409 until one is complete, also of twelve at once', async () => {
    const { EvidenceId } = await given.evidence()
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, i) => given.call('POST', at(EvidenceId), { body: { Name: `${i}.bin` } })),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([...Array(5).fill(201), ...Array(7).fill(409)])
    const refused = replies.find(({ status }) => status === 409)
    expect(refused?.json.ErrorCode).toBe('TooManyOpenResources')
    const first = replies.find(({ status }) => status === 201)?.json
    await given.put(first.UploadUri, fresh())
    expect((await complete(EvidenceId, first.ResourceId)).status).toBe(200)
    expect((await given.call('POST', at(EvidenceId), { body: { Name: '6.bin' } })).status).toBe(201)
    expect((await given.call('POST', at(EvidenceId), { body: { Name: '7.bin' } })).status).toBe(409)
  })
})

describe('the upload address', () => {
  it('is renewed while the resource is open, and both work', async () => {
    const { evidenceId, resourceId, uploadUri } = await open()
    await new Promise((resolve) => setTimeout(resolve, 1100))
    const renewed = await given.expecting(200, given.call('POST', at(evidenceId, `/${resourceId}/upload-uri`)))
    expect(renewed.UploadUri).not.toBe(uploadUri)
    await given.put(uploadUri, Buffer.from('first'))
    await given.put(renewed.UploadUri, Buffer.from('second'))
    const { json } = await complete(evidenceId, resourceId, { Sha256: sha256Of('second') })
    expect(json.Sha256).toBe(sha256Of('second'))
  })

  it('is not renewed when the resource is complete or failed', async () => {
    const done = await given.completed(fresh())
    const late = await given.call('POST', at(done.evidenceId, `/${done.resourceId}/upload-uri`))
    expect([late.status, late.json.ErrorCode]).toEqual([409, 'ResourceNotOpen'])
    const failed = await open({}, fresh())
    await complete(failed.evidenceId, failed.resourceId, { LengthInBytes: 1 })
    const refused = await given.call('POST', at(failed.evidenceId, `/${failed.resourceId}/upload-uri`))
    expect([refused.status, refused.json.ErrorCode]).toEqual([409, 'ResourceNotOpen'])
  })
})

describe('completing a resource', () => {
  it('right: the record says so, once, and twice gives the same', async () => {
    const bytes = fresh()
    const { evidenceId, resourceId } = await open({}, bytes)
    const claims = { Sha256: sha256Of(bytes).toUpperCase(), LengthInBytes: bytes.length }
    const first = await complete(evidenceId, resourceId, claims)
    expect(first.status).toBe(200)
    expect(first.json).toMatchObject({
      State: 'UserCompleted',
      Sha256: sha256Of(bytes),
      LengthInBytes: bytes.length,
      DecryptedLengthInBytes: bytes.length,
      UploadedTimeUtc: expect.stringMatching(/Z$/),
      Parent: null,
      Derivation: null,
    })
    const again = await complete(evidenceId, resourceId, claims)
    expect([again.status, again.json.Sha256, again.json.State]).toEqual([200, sha256Of(bytes), 'UserCompleted'])
    expect((await complete(evidenceId, resourceId)).status).toBe(200)
    const entries = given
      .ledger()
      .filter(({ action, object }) => action === 'resource.completed' && object.id === resourceId)
    expect(entries).toEqual([
      expect.objectContaining({
        outcome: 'ok',
        sha256: sha256Of(bytes),
        bytes: bytes.length,
        correlationId: first.correlationId,
      }),
    ])
  })

  it('another hash or length afterwards is 409 and changes nothing', async () => {
    const bytes = fresh()
    const { evidenceId, resourceId } = await given.completed(bytes)
    for (const body of [{ Sha256: 'f'.repeat(64) }, { LengthInBytes: bytes.length + 1 }]) {
      const { status, json } = await complete(evidenceId, resourceId, body)
      expect([status, json.ErrorCode]).toEqual([409, 'HashMismatch'])
    }
    expect(await resourceNow(evidenceId, resourceId)).toMatchObject({ State: 'UserCompleted', Sha256: sha256Of(bytes) })
    expect(refusal(resourceId)).toEqual([])
    expect(quarantined(sha256Of(bytes))).toEqual([])
  })

  it.each([
    ['a wrong hash', {}, { Sha256: 'f'.repeat(64) }],
    ['a wrong length', {}, { LengthInBytes: 3 }],
    ['a hash other than announced', { Sha256: 'e'.repeat(64) }, {}],
    ['a length other than announced', { LengthInBytes: 4711 }, {}],
    ['right now but not as announced', { Sha256: 'e'.repeat(64) }, 'right'],
  ])('%s: 409, quarantined, Failed, in the ledger', async (_title, announced, claims) => {
    const bytes = fresh()
    const { evidenceId, resourceId, uploadUri } = await open(announced, bytes)
    const reply = await complete(evidenceId, resourceId, claims === 'right' ? { Sha256: sha256Of(bytes) } : claims)
    expect([reply.status, reply.json.ErrorCode]).toEqual([409, 'HashMismatch'])
    expect(await resourceNow(evidenceId, resourceId)).toMatchObject({
      State: 'Failed',
      Sha256: null,
      LengthInBytes: null,
    })
    expect(refusal(resourceId)).toEqual([
      expect.objectContaining({
        outcome: 'failed',
        sha256: sha256Of(bytes),
        bytes: bytes.length,
        correlationId: reply.correlationId,
        actor: expect.objectContaining({ id: given.principalId }),
        detail: { evidenceId, quarantined: true },
      }),
    ])
    expect(quarantined(sha256Of(bytes))).toEqual([
      expect.objectContaining({ resource_id: Number(resourceId), length: bytes.length }),
    ])
    expect(given.inQuarantine(bytes)).toBe(true)
    // Nothing goes on with it: neither completing nor sending, and its bytes are handed out to nobody.
    expect((await complete(evidenceId, resourceId, { Sha256: sha256Of(bytes) })).json.ErrorCode).toBe('ResourceNotOpen')
    const late = await given.call('PUT', uploadUri, {
      raw: bytes,
      token: null,
      headers: { 'x-ms-blob-type': 'BlockBlob' },
    })
    expect(late.status).toBeGreaterThanOrEqual(400)
    expect((await given.call('GET', at(evidenceId, `/${resourceId}/content`))).json.ErrorCode).toBe(
      'ResourceNotCompleted',
    )
    // It no longer stands in the way of the evidence.
    expect((await given.call('POST', `${given.documents}/evidence/${evidenceId}/complete`)).status).toBe(200)
  })

  it('nothing uploaded: 409, and it stays open', async () => {
    const { evidenceId, resourceId, uploadUri } = await open()
    const early = await complete(evidenceId, resourceId)
    expect([early.status, early.json.ErrorCode]).toEqual([409, 'NothingUploaded'])
    const bytes = fresh()
    await given.put(uploadUri, bytes)
    expect((await complete(evidenceId, resourceId, { Sha256: sha256Of(bytes) })).status).toBe(200)
  })

  it('no bytes at all are bytes, when they were put', async () => {
    const { evidenceId, resourceId } = await open({ LengthInBytes: 0 }, new Uint8Array())
    const { status, json } = await complete(evidenceId, resourceId, { Sha256: sha256Of(''), LengthInBytes: 0 })
    expect([status, json.LengthInBytes, json.Sha256]).toEqual([200, 0, sha256Of('')])
    const content = await given.call('GET', at(evidenceId, `/${resourceId}/content`))
    expect([content.status, content.bytes.length]).toEqual([200, 0])
  })

  it.each([[{ Sha256: 'x' }], [{ LengthInBytes: -1 }], [{ LengthInBytes: '5' }], [[]]])(
    'a body of %j is 400 and does nothing',
    async (body) => {
      const { evidenceId, resourceId } = await open({}, fresh())
      expect((await complete(evidenceId, resourceId, body)).json.ErrorCode).toBe('InvalidModel')
      expect((await resourceNow(evidenceId, resourceId)).State).toBe('None')
    },
  )

  it('of eight at once one completes and all get it', async () => {
    const bytes = Buffer.alloc(3 * 1024 * 1024, counter++)
    const { evidenceId, resourceId } = await open({}, bytes)
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        complete(evidenceId, resourceId, i % 2 === 0 ? { Sha256: sha256Of(bytes) } : undefined),
      ),
    )
    expect(replies.map(({ status, json }) => [status, json.Sha256])).toEqual(replies.map(() => [200, sha256Of(bytes)]))
    expect(
      given.ledger().filter(({ action, object }) => action === 'resource.completed' && object.id === resourceId),
    ).toHaveLength(1)
  })

  it('of a right and a wrong claim at once exactly one decides, and the two agree with the record', async () => {
    const bytes = fresh()
    const { evidenceId, resourceId } = await open({}, bytes)
    await Promise.all([
      complete(evidenceId, resourceId, { Sha256: sha256Of(bytes) }),
      complete(evidenceId, resourceId, { Sha256: 'f'.repeat(64) }),
    ])
    const { State } = await resourceNow(evidenceId, resourceId)
    const completions = given
      .ledger()
      .filter(
        ({ action, object }) =>
          object.id === resourceId && object.type === 'resource' && action === 'resource.completed',
      )
    expect([State, completions.length, refusal(resourceId).length]).toEqual(
      State === 'Failed' ? ['Failed', 0, 1] : ['UserCompleted', 1, 0],
    )
  })

  it('the same bytes twice are kept once', async () => {
    const bytes = fresh()
    await given.completed(bytes)
    await given.completed(bytes)
    expect(
      given.database((db) => db.prepare('select count(*) from blobs where sha256 = ?').pluck().get(sha256Of(bytes))),
    ).toBe(1)
    const entries = given
      .ledger()
      .filter(({ action, sha256 }) => action === 'resource.completed' && sha256 === sha256Of(bytes))
    expect(entries.map(({ detail }) => detail?.['sameBytesAlreadyKept'])).toEqual([false, true])
  })
})

describe('U7 authority gone before completion', () => {
  const enable = async (principalId: string, enabled: 0 | 1): Promise<void> => {
    const db = await openTestDatabase({ file: given.file })
    await db.transaction((tx) =>
      tx.updateTable('principals').set({ enabled }).where('principal_id', '=', Number(principalId)).execute(),
    )
    await db.close()
  }
  it('a principal disabled before the call is 401 at the door', async () => {
    const connection = await given.integration('left early')
    const token = await signIn(connection, given.url)
    const { evidenceId, resourceId } = await open({}, fresh())
    await enable(connection.ServicePrincipalId, 0)
    const { status } = await given.call('POST', at(evidenceId, `/${resourceId}/complete`), { token })
    expect(status).toBe(401)
    expect((await resourceNow(evidenceId, resourceId)).State).toBe('None')
  })

  it('a principal disabled during the call is 403, the bytes are quarantined and the ledger says both', async () => {
    const connection = await given.integration('left meanwhile', ['AccessUnassociatedFiles:Edit'])
    const token = await signIn(connection, given.url)
    const bytes = fresh()
    const { evidenceId, resourceId } = await open({}, bytes)
    const address = `${given.url}${at(evidenceId, `/${resourceId}/complete`)}`
    const body = JSON.stringify({ Sha256: sha256Of(bytes) })
    let reply = { status: 401, json: null as Json, correlationId: '' }
    // On a busy machine the door may not have been passed yet when the principal goes: then once more, with more time.
    for (let waitMs = 400; reply.status === 401 && waitMs < 10_000; waitMs *= 3) {
      await enable(connection.ServicePrincipalId, 1)
      reply = await slowly(address, token, body, waitMs, () => enable(connection.ServicePrincipalId, 0))
    }
    expect([reply.status, reply.json.ErrorCode]).toEqual([403, 'Forbidden'])
    expect((await resourceNow(evidenceId, resourceId)).State).toBe('Failed')
    expect(quarantined(sha256Of(bytes))).toHaveLength(1)
    expect(given.inQuarantine(bytes)).toBe(true)
    const mine = given.ledger().filter(({ correlationId }) => correlationId === reply.correlationId)
    expect(mine.map(({ action, outcome, actor }) => [action, outcome, actor.name])).toEqual([
      ['resource.refused', 'failed', 'left meanwhile'],
      ['access.denied', 'denied', 'left meanwhile'],
    ])
  })
})
