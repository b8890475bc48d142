import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ManualClock, manualClock } from '../../../server/platform/clock/manual-clock.ts'
import { timeOf } from '../../../shared/kernel/time.ts'
import { type InProcess, inProcess } from './in-process.ts'

/** What the dock asks of the device service, in process: decisions 5. */
let clock: ManualClock
let station: InProcess
beforeEach(async () => {
  clock = manualClock()
  station = await inProcess(clock)
})
afterEach(() => station?.close())

const identification = { SerialNumber: 'S-1', Manufacturer: 'Acme', CommonName: 'Camera 1' }
const MINUTE = 60_000
const ticks = (): bigint => timeOf(clock.now()).ticks
const act = (id: string, deviceId: string, body?: unknown) => station.invoke(id, { deviceId }, body)
const seen = () => station.register.seen(station.call, 'station', { identification, type: 'BodyWornCamera' })

describe('the register', () => {
  it('knows a device once it was seen, inactive, and says when it was seen last', async () => {
    const first = await seen()
    expect(first).toEqual({ deviceId: expect.stringMatching(/^[0-9a-f]{32}$/), active: false, added: true })
    clock.advance(MINUTE)
    expect(await seen()).toEqual({ ...first, added: false })
    const { body } = await act('getDevice', first.deviceId)
    expect([body.LastSeenUtc, body.DeviceType]).toEqual([new Date(clock.now()).toISOString(), 'BodyWornCamera'])
    expect((await station.entries()).map(({ action, object }) => [action, object.name])).toEqual([
      ['device.added', 'Camera 1'],
      ['device.seen', 'Camera 1'],
      ['device.seen', 'Camera 1'],
    ])
  })

  it('negotiates on behalf of a volume: commits, or rejects with the reason', async () => {
    const { deviceId } = await seen()
    await act('setDeviceConfiguration', deviceId, { Configuration: { A: 1 } })
    const submitted = {
      identification,
      type: 'None',
      capabilities: { FreeBytes: 5 },
      configuration: {},
      credential: 'alpha',
    }
    const offer = await station.register.negotiate(station.call, 'station', submitted)
    expect(offer).toEqual({
      transactionId: expect.any(String),
      configuration: { A: 1 },
      expiresUtc: new Date(clock.now() + 15 * MINUTE).toISOString(),
    })
    await station.register.commit(station.call, 'station', identification, offer?.transactionId ?? '')
    expect(await station.register.proves(station.db.read, identification, 'alpha')).toBe(true)
    expect(await station.register.proves(station.db.read, identification, 'bravo')).toBe(false)
    const settled = { ...submitted, configuration: { A: 1 }, credential: null }
    expect(await station.register.negotiate(station.call, 'station', settled)).toBe(null)
    const next = await station.register.negotiate(station.call, 'station', submitted)
    const why = { code: 'ReadOnly', message: 'The card is locked.' }
    await station.register.reject(station.call, 'station', identification, next?.transactionId ?? '', why)
    expect((await act('getDevice', deviceId)).body).toMatchObject({
      EffectiveConfiguration: { A: 1 },
      Transaction: { State: 'Rejected', ReasonCode: 'ReadOnly', ReasonMessage: 'The card is locked.' },
    })
    // The type that the dock does not know leaves the one that is known.
    expect((await act('getDevice', deviceId)).body.DeviceType).toBe('BodyWornCamera')
  })

  it('expires a negotiation after 15 minutes, over a restart too', async () => {
    const submitted = { identification, type: 'None', capabilities: null, configuration: {}, credential: null }
    const offer = await station.register.negotiate(station.call, 'station', submitted)
    clock.advance(15 * MINUTE - 1)
    await station.restart()
    const commit = () => station.register.commit(station.call, 'station', identification, offer?.transactionId ?? '')
    clock.advance(1)
    await expect(commit()).rejects.toMatchObject({ code: 'TransactionNotOpen' })
    clock.advance(-1)
    await commit()
  })

  it('says whose recording it is by when it was made, and whether the device was active then', async () => {
    const { deviceId } = await seen()
    const officers = [await station.person('Abel'), await station.person('Bea')]
    const moments = new Map<string, bigint>()
    const mark = (name: string) => {
      moments.set(name, ticks())
      clock.advance(MINUTE)
    }
    mark('before')
    await act('activateDevice', deviceId)
    mark('active')
    await act('createDeviceAssociation', deviceId, { PrincipalId: officers[0] })
    mark('one')
    await act('createDeviceAssociation', deviceId, { PrincipalId: officers[1] })
    mark('both')
    await act('deactivateDevice', deviceId)
    mark('inactive')
    await act('activateDevice', deviceId)
    mark('active again')
    await station.restart()
    const found: Record<string, unknown> = {}
    for (const [name, at] of moments)
      found[name] = [
        await station.register.activeAt(deviceId, at),
        (await station.register.officersAt(deviceId, at)).map(({ PrincipalId }) => PrincipalId),
      ]
    expect(found).toEqual({
      before: [false, []],
      active: [true, []],
      one: [true, [officers[0]]],
      both: [true, officers],
      inactive: [false, []],
      'active again': [true, []],
    })
  })

  it('counts nothing for a past in which the device was not active', async () => {
    const { deviceId } = await seen()
    const officer = await station.person('Abel')
    const early = ticks()
    clock.advance(60 * MINUTE)
    await act('activateDevice', deviceId)
    clock.advance(MINUTE)
    const FromUtc = new Date(clock.now() - 90 * MINUTE).toISOString()
    expect((await act('createDeviceAssociation', deviceId, { PrincipalId: officer, FromUtc })).status).toBe(201)
    expect(await station.register.officersAt(deviceId, early)).toEqual([])
    expect(await station.register.officersAt(deviceId, ticks() - 10_000_000n)).toHaveLength(1)
  })

  it('activates a device that was deactivated in the same moment, and by a clock that was set back', async () => {
    const { deviceId } = await seen()
    for (const id of ['activateDevice', 'deactivateDevice', 'activateDevice'])
      expect((await act(id, deviceId)).status).toBe(200)
    clock.set(clock.now() - 60 * MINUTE)
    for (const id of ['deactivateDevice', 'activateDevice', 'deactivateDevice'])
      expect((await act(id, deviceId)).status).toBe(200)
    expect((await act('getDevice', deviceId)).body.State).toBe('Inactive')
  })
})
