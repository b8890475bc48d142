/** What ends by itself, of a whole station whose clocks and chores a test moves: decisions 5 and 6. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Given, givenStation, type Json, type Reply } from '../../support/given.ts'
import { signIn } from '../../support/integrator.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const REASON = 'Never completed: no block arrived for 24 hours.'
const DEVICES = '/api/v1/tenant/station'

let given: Given
/** Of an integration in ManageDevices; tokens last an hour. */
let manager: Awaited<ReturnType<Given['integration']>>
beforeAll(async () => {
  vi.useFakeTimers({
    now: Date.UTC(2026, 10, 21, 6),
    toFake: ['Date', 'performance', 'setInterval', 'clearInterval'],
  })
  given = await givenStation({ fresh: true })
  manager = await given.integration('devices', ['ManageDevices'])
})
afterAll(async () => {
  await given?.close()
  vi.useRealTimers()
})

const pass = (millis: number): void => void vi.advanceTimersByTime(millis)
const aWhile = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20))

describe('a negotiation', () => {
  let token: string
  let devices = 0
  beforeAll(async () => {
    token = await signIn(manager, given.url)
  })
  const post = (place: string, body: Json): Promise<Reply> =>
    given.call('POST', `${DEVICES}/configuration/${place}`, { token, body })
  const offered = async (DeviceId: Json): Promise<Json> =>
    given.expecting(200, post('negociate', { DeviceId, Configuration: { Rate: 30 } }))
  const device = (): Json => ({ SerialNumber: `S-${(devices += 1)}`, Manufacturer: 'Acme' })

  it('expires 15 minutes after it began, not a millisecond before', async () => {
    const [early, late, rejecting] = [device(), device(), device()]
    const offers = [await offered(early), await offered(late), await offered(rejecting)]
    for (const { ExpiresUtc } of offers) expect(Date.parse(ExpiresUtc) - Date.now()).toBe(15 * MINUTE)
    const [first, second, third] = offers.map(({ TransactionId }) => TransactionId)
    pass(15 * MINUTE - 1)
    expect((await post('commit', { DeviceId: early, TransactionId: first })).status).toBe(204)
    pass(1)
    for (const reply of [
      await post('commit', { DeviceId: late, TransactionId: second }),
      await post('reject', { DeviceId: rejecting, TransactionId: third, ReasonCode: 'Full' }),
    ])
      expect([reply.status, reply.json.ErrorCode]).toEqual([409, 'TransactionNotOpen'])
    const record = (one: Json) => given.call('GET', `${DEVICES}/device/${one.SerialNumber}`, { token })
    const told = async (one: Json) => {
      const { Transaction, EffectiveConfiguration } = await given.expecting(200, record(one))
      return [Transaction?.State, EffectiveConfiguration]
    }
    expect([await told(early), await told(late)]).toEqual([
      ['Committed', { Rate: 30 }],
      ['Expired', null],
    ])
    // What was committed in time may be committed again, whenever.
    expect((await post('commit', { DeviceId: early, TransactionId: first })).status).toBe(204)
    const { TransactionId } = await offered(late)
    expect((await post('commit', { DeviceId: late, TransactionId })).status).toBe(204)
    expect((await post('negociate', { DeviceId: late, Configuration: { Rate: 30 } })).status).toBe(304)
  })
})

describe('an upload that is never completed', () => {
  let token: string
  const again = async (): Promise<void> => {
    token = await signIn(given.connection, given.url)
  }
  const open = async (): Promise<Json> => {
    const evidence = await given.expecting(
      201,
      given.call('POST', `${given.documents}/evidence`, { token, body: { Name: 'Front desk' } }),
    )
    const place = `${given.documents}/evidence/${evidence.EvidenceId}/resource`
    const made = await given.expecting(201, given.call('POST', place, { token, body: { Name: 'clip.bin' } }))
    return { ...made, place: `${place}/${made.ResourceId}` }
  }
  const putBlock = async ({ UploadUri }: Json, id: string): Promise<void> => {
    const address = `${UploadUri}&comp=block&blockid=${encodeURIComponent(Buffer.from(id).toString('base64'))}`
    await given.expecting(201, given.call('PUT', address, { token: null, raw: 'some bytes', headers: BLOB }))
  }
  const BLOB = { 'x-ms-version': '2024-11-04', 'content-type': 'application/octet-stream' }
  const stateOf = async ({ place }: Json): Promise<string> =>
    (await given.expecting(200, given.call('GET', place, { token }))).State
  const folderOf = ({ ResourceId }: Json): string => path.join(given.data, 'blobs', '.staging', 'uploads', ResourceId)
  const purges = (): Json[] => given.ledger().filter(({ action }) => action === 'upload.purged')
  /** One round of the chores after the other, until the station has purged so many. */
  const untilPurged = async (count: number): Promise<void> => {
    for (let waits = 0; purges().length < count; waits++) {
      if (waits > 2000) throw new Error(`${purges().length} of ${count} were purged`)
      if (waits % 25 === 0) pass(10 * MINUTE)
      await aWhile()
    }
  }

  it('is purged 24 hours after its last block, with an entry, and nothing else is', { timeout: 120_000 }, async () => {
    await again()
    const [left, later, empty, complete] = [await open(), await open(), await open(), await open()]
    await given.put(complete.UploadUri, Buffer.from('whole'))
    await given.expecting(200, given.call('POST', `${complete.place}/complete`, { token, body: {} }))
    for (const one of [left, later]) await putBlock(one, 'a')
    const last = Date.now()
    pass(2 * HOUR)
    await putBlock(later, 'b')
    pass(22 * HOUR - 20 * MINUTE)
    await aWhile()
    await again()
    const states = async () => Promise.all([left, later, empty, complete].map(stateOf))
    expect(await states()).toEqual(['None', 'None', 'None', 'UserCompleted'])
    expect(existsSync(folderOf(left))).toBe(true)

    await untilPurged(2)
    await again()
    // The entry comes first, then the files go.
    for (let waits = 0; existsSync(folderOf(left)) && waits < 500; waits++) await aWhile()
    expect(await states()).toEqual(['Failed', 'None', 'Failed', 'UserCompleted'])
    for (const entry of purges()) {
      expect(entry).toMatchObject({ actor: { kind: 'internal' }, reason: REASON })
      const hours = (Date.parse(entry.timeUtc) - last) / HOUR
      expect([hours, hours >= 24 && hours < 25]).toEqual([hours, true])
    }
    expect(purges().map(({ object }) => object.id)).toEqual([left.ResourceId, empty.ResourceId])
    expect([existsSync(folderOf(left)), existsSync(folderOf(later))]).toEqual([false, true])
    for (const [act, body] of [
      ['complete', {}],
      ['upload-uri', undefined],
    ] as const) {
      const { status, json } = await given.call('POST', `${left.place}/${act}`, { token, body })
      expect([act, status, json.ErrorCode]).toEqual([act, 409, 'ResourceNotOpen'])
    }

    pass(HOUR)
    await untilPurged(3)
    await again()
    expect(await states()).toEqual(['Failed', 'Failed', 'Failed', 'UserCompleted'])
    expect(Date.parse(purges()[2].timeUtc) - last).toBeGreaterThanOrEqual(26 * HOUR)
  })
})
