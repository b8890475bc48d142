// @module-tag counted
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLong, scale } from '../../support/scale.ts'
import type { Json } from '../../support/given.ts'
import { type InProcess, inProcess, type Told } from './in-process.ts'
import { type Configuration, PlainDevice, QUARTER } from './negotiation-plain.ts'

/** What the station answers and keeps is what the plain model says, whatever comes after what. */
const START = Date.UTC(2026, 10, 21, 6)
let now = START
let station: InProcess
beforeAll(async () => {
  station = await inProcess({ now: () => now, monotonic: () => now - START })
})
afterAll(() => station.close())

/** The first two say the same. */
const CONFIGURATIONS: readonly Configuration[] = [
  { Video: { Codec: 'H264', Rate: 30 }, PreRecord: 30 },
  { PreRecord: 30, Video: { Rate: 30, Codec: 'H264' } },
  { Video: { Codec: 'H265', Rate: 30 }, PreRecord: 30 },
  {},
]
const CREDENTIALS = ['alpha', 'bravo', 'charlie'] as const
const UNKNOWN = '00000000-0000-4000-8000-000000000000'

let devices = 0
/** One device, on both sides. */
class Both {
  readonly plain = new PlainDevice()
  readonly ids: string[] = []
  readonly type: string
  readonly identification: { SerialNumber: string; Manufacturer: string }
  constructor(type: string) {
    this.type = type
    this.identification = { SerialNumber: `S-${++devices}`, Manufacturer: 'Acme' }
  }
  get named(): Json {
    return { DeviceId: this.identification, DeviceType: this.type }
  }

  async negotiate(has: Configuration, credential: string | null, ofType: Configuration | null): Promise<void> {
    const at = this.plain.negotiate(has, credential, ofType, now)
    const told = await station.invoke(
      'negotiateDeviceConfiguration',
      {},
      {
        ...this.named,
        Configuration: has,
        ...(credential === null ? {} : { Credential: { DeviceCredential: credential } }),
      },
    )
    if (at === null) {
      expect(told).toEqual({ status: 304, body: null, code: null })
      return
    }
    const { TransactionId, ...more } = told.body
    expect({ status: told.status, ...more }).toEqual({
      status: 200,
      Configuration: this.plain.transactions[at]?.offered,
      ExpiresUtc: new Date(now + QUARTER).toISOString(),
    })
    this.ids.push(TransactionId)
  }

  /** @param back 0: the newest negotiation, 1: the one before … */
  async end(how: 'commit' | 'reject', back: number): Promise<void> {
    const at = this.ids.length - 1 - back
    const well = at < 0 ? null : how === 'commit' ? this.plain.commit(at, now) : this.plain.reject(at, `R${back}`, now)
    const body = { DeviceId: this.identification, TransactionId: this.ids[at] ?? UNKNOWN }
    const told: Told =
      how === 'commit'
        ? await station.invoke('commitDeviceConfiguration', {}, body)
        : await station.invoke('rejectDeviceConfiguration', {}, { ...body, ReasonCode: `R${back}` })
    const expected = well === null ? 'TransactionNotFound' : well ? null : 'TransactionNotOpen'
    expect(told).toEqual({ status: expected === null ? 204 : 0, body: null, code: expected })
  }

  async fail(credential: string): Promise<void> {
    if (this.ids.length > 0) this.plain.fail(credential)
    const body = { DeviceId: this.identification, Credentials: [{ DeviceCredential: credential }] }
    expect((await station.invoke('reportFailedDeviceCredentials', {}, body)).status).toBe(204)
  }

  /** All that can be seen of it. */
  async compare(): Promise<void> {
    const { body: handed } = await station.invoke('getDeviceCredentials', {}, this.named)
    const states = handed.map(({ State }: Json) => State as string)
    expect(states).toEqual(states.toSorted())
    expect(
      Object.fromEntries(handed.map(({ DeviceCredential, State }: Json) => [DeviceCredential, State as string])),
    ).toEqual(this.plain.handedOut())
    if (this.ids.length === 0) return
    const { body: record } = await station.invoke('getDevice', { deviceId: this.identification.SerialNumber })
    const last = this.plain.transactions.length - 1
    expect([record.EffectiveConfiguration, record.State, record.Transaction.TransactionId]).toEqual([
      this.plain.effective,
      'Inactive',
      this.ids[last],
    ])
    expect([record.Transaction.State, record.Transaction.ReasonCode]).toEqual([
      this.plain.stateOf(last, now),
      this.plain.transactions[last]?.reason ?? null,
    ])
  }
}

const LETTERS = ['negotiate', 'commit', 'commit the one before', 'reject', 'quarter', 'restart'] as const
type Letter = (typeof LETTERS)[number]
/** 1,296 orders of four in the gate, 7,776 of five in the long run, each over a device and in a time of its own. */
const LENGTH = scale(4, 5, 3)
const orders = (length: number): Letter[][] =>
  length === 0 ? [[]] : orders(length - 1).flatMap((rest) => LETTERS.map((letter) => [...rest, letter]))

describe('negotiation', () => {
  it(`in every order of ${LENGTH} of: ${LETTERS.join(', ')}`, { timeout: isLong ? 3_600_000 : 300_000 }, async () => {
    const all = orders(LENGTH).map((letters) => ({ letters, device: new Both('Every order'), time: START }))
    for (let step = 0; step < LENGTH; step++) {
      // One beginning anew for all whose turn it is: it must make no difference to the others.
      if (step > 0) await station.restart()
      for (const one of all) {
        now = one.time
        const { device } = one
        // What it has differs each time: something else is expected of it, and it never has it yet.
        const has = { Step: step }
        switch (one.letters[step]) {
          case 'negotiate':
            await device.negotiate(has, `credential ${step}`, null)
            break
          case 'commit':
            await device.end('commit', 0)
            break
          case 'commit the one before':
            await device.end('commit', 1)
            break
          case 'reject':
            await device.end('reject', 0)
            break
          case 'quarter':
            one.time += QUARTER
            break
          default:
        }
        now = one.time
        await device.compare()
      }
    }
    now = START
  })

  const action = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        does: fc.constant('negotiate' as const),
        has: fc.nat({ max: CONFIGURATIONS.length - 1 }),
        credential: fc.option(fc.constantFrom(...CREDENTIALS), { nil: null, freq: 2 }),
        who: fc.nat({ max: 1 }),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        does: fc.constantFrom('commit' as const, 'reject' as const),
        back: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat({ max: 3 })),
        who: fc.nat({ max: 1 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        does: fc.constant('wait' as const),
        millis: fc.constantFrom(1, 60_000, QUARTER - 1, QUARTER, QUARTER + 1),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        does: fc.constantFrom('expect' as const, 'expect of the type' as const),
        what: fc.nat({ max: CONFIGURATIONS.length - 1 }),
        who: fc.nat({ max: 1 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        does: fc.constant('fail' as const),
        credential: fc.constantFrom(...CREDENTIALS),
        who: fc.nat({ max: 1 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ does: fc.constant('restart' as const) }) },
  )
  let types = 0

  it('of two devices of one type, in orders that are drawn', { timeout: isLong ? 3_600_000 : 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 40 }), async (actions) => {
        now = START
        const type = `Type ${++types}`
        const pair = [new Both(type), new Both(type)]
        let ofType: Configuration | null = null
        for (const one of actions) {
          const device = pair['who' in one ? one.who : 0] as Both
          if (one.does === 'negotiate')
            await device.negotiate(CONFIGURATIONS[one.has] as Configuration, one.credential, ofType)
          else if (one.does === 'commit' || one.does === 'reject') await device.end(one.does, one.back)
          else if (one.does === 'wait') now += one.millis
          else if (one.does === 'restart') await station.restart()
          else if (one.does === 'fail') await device.fail(one.credential)
          else if (one.does === 'expect of the type') {
            ofType = CONFIGURATIONS[one.what] as Configuration
            await station.invoke('setDeviceTypeConfiguration', { deviceType: type }, { Configuration: ofType })
          } else if ('what' in one && device.ids.length > 0) {
            device.plain.desired = CONFIGURATIONS[one.what] as Configuration
            const place = { deviceId: device.identification.SerialNumber }
            await station.invoke('setDeviceConfiguration', place, { Configuration: device.plain.desired })
          }
          for (const each of pair) await each.compare()
        }
      }),
      { numRuns: scale(60, 1_000, 20) },
    )
    now = START
  })
})
