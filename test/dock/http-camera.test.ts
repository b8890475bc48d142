// @module-tag merge
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { comeHome, type HttpCameraOptions } from '../simulators/http-camera.ts'
import { planCamera } from '../simulators/plan.ts'
import { type StationAddress, stationCalls } from '../simulators/station-calls.ts'
import { writeCard } from '../simulators/card.ts'
import { memoryOf } from '../simulators/memory.ts'
import { openWire, Unplugged } from '../simulators/wire.ts'
import { start } from '../cli/world.ts'
import { type Given, givenStation, type Json, sha256Of } from '../support/given.ts'
import { type ConnectionFile, signIn } from '../support/integrator.ts'

/** Cameras that speak HTTP (decisions 5): they negotiate for themselves, and what they bring goes the way of every upload. */
let given: Given
let keeper: ConnectionFile
let station: StationAddress
const stop = new AbortController()
beforeAll(async () => {
  given = await givenStation()
  keeper = await given.integration('cameras', ['ManageDevices'])
  const token = await signIn(keeper, given.url)
  station = {
    tenant: 'station',
    devices: `${given.url}/api/v1`,
    documents: `${given.url}/documentstore/api/v1`,
    token: async () => token,
  }
})
afterAll(() => given?.close())

const BLOCK = 64 * 1024
const NO_FILMS = { mp4: Buffer.alloc(2), avi: Buffer.alloc(2) }
const asKeeper = async (method: string, place: string, body?: unknown) =>
  given.call(method, `/api/v1/tenant/station${place}`, { token: await station.token(), body })

/** @returns what is on it as the manifest says, and a way to bring it home */
async function aCamera(number: number, { recordings = 2, parts = 2, bytes = 300_000, clockAheadMs = 0 } = {}) {
  const plan = {
    layout: 'manifest',
    number,
    seed: `http ${given.dir}`,
    recordings,
    parts,
    bytes,
    clockAheadMs,
  } as const
  const card = planCamera({ ...plan, nowMs: Date.now(), faults: [] })
  const { path: folder, sums } = await writeCard(card, path.join(given.dir, 'http'), NO_FILMS)
  const comes = async (more: Partial<HttpCameraOptions> & { pullAt?: number; bytesPerSecond?: number } = {}) => {
    const { pullAt = null, bytesPerSecond = null, ...options } = more
    const wire = openWire({ bytesPerSecond, pullAt, signal: stop.signal })
    try {
      const calls = stationCalls(wire, station, stop.signal)
      return await comeHome(memoryOf(folder), calls, {
        blockBytes: BLOCK,
        faults: [],
        clear: false,
        now: Date.now,
        ...options,
      })
    } finally {
      wire.close()
    }
  }
  return { serial: card.serial, folder, sums, comes, has: (file: string) => existsSync(path.join(folder, file)) }
}

const originals = (serial: string): Json[] =>
  given.database((db) =>
    db
      .prepare(
        "SELECT r.name, r.state, r.sha256, r.time_offset, e.name AS evidence, e.state AS evidence_state, e.device_identity FROM resources r JOIN evidence e USING (evidence_id) WHERE e.name LIKE ? || ' %' AND r.role = 'original' ORDER BY r.resource_id",
      )
      .all(serial),
  )
const device = async (serial: string): Promise<Json> => given.expecting(200, asKeeper('GET', `/device/${serial}`))

describe('a camera that speaks HTTP', () => {
  it('negotiates, is pulled half-way, continues with the missing blocks, and is safe', async () => {
    const camera = await aCamera(1, { clockAheadMs: 90_000 })
    const add = {
      DeviceIdentification: { SerialNumber: camera.serial, Manufacturer: 'Sallyport Simulated' },
      DeviceType: 'BodyWornCamera',
    }
    const { Id } = await given.expecting(201, asKeeper('POST', '/device', add))
    const Configuration = { Resolution: '1080p', PreRecordSeconds: 30 }
    await given.expecting(200, asKeeper('PUT', `/device/${Id}/configuration`, { Configuration }))

    // In the middle of a block of the third of four files.
    await expect(camera.comes({ pullAt: 750_000, clear: true })).rejects.toThrow(Unplugged)
    const half = originals(camera.serial)
    expect(half.map(({ state }) => state)).toEqual(['UserCompleted', 'UserCompleted', 'None'])
    expect([...camera.sums.keys()].every(camera.has)).toBe(true)
    // It was configured before the first byte of a file.
    expect(await device(camera.serial)).toMatchObject({
      Id,
      EffectiveConfiguration: Configuration,
      Transaction: { State: 'Committed' },
    })

    const home = await camera.comes({ clear: true })
    expect(home).toMatchObject({
      serial: camera.serial,
      deviceId: Id,
      negotiation: 'unchanged',
      files: 4,
      sentAgain: 0,
      cleared: 4,
      identities: ['Credential', 'Credential'],
    })
    expect(home.blocksHeld).toBeGreaterThan(0)
    const stored = originals(camera.serial)
    expect(stored.map(({ sha256, state }) => [sha256, state])).toEqual(
      [...camera.sums.values()].map((sum) => [sum, 'UserCompleted']),
    )
    // Two parts of each recording are one evidence; the camera's clock was a minute and a half ahead, to the second of the answer.
    expect(new Set(stored.map(({ evidence }) => evidence)).size).toBe(2)
    expect(new Set(stored.map(({ evidence_state }) => evidence_state))).toEqual(new Set(['UserCompleted']))
    for (const { time_offset } of stored) expect(time_offset).toMatch(/^-PT(89|90|91)S$/)
    for (const sum of camera.sums.values()) {
      const blob = path.join(given.data, 'blobs', sum.slice(0, 2), sum.slice(2, 4), sum)
      expect(sha256Of(readFileSync(blob))).toBe(sum)
      expect(
        given.ledger().filter(({ action, sha256 }) => action === 'resource.completed' && sha256 === sum),
      ).toHaveLength(1)
    }
    expect([...camera.sums.keys()].some(camera.has)).toBe(false)
    const acts = given.ledger().filter(({ object }) => object.type === 'device' && object.id === Id)
    expect(acts.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['device.added', 'device.negotiated', 'device.configured']),
    )
  })

  it('pulled again and again at each part of its way is home in the end, and nothing is there twice', {
    tags: ['merge'],
  }, async () => {
    const camera = await aCamera(2, { recordings: 1, parts: 3, bytes: 200_000 })
    let pulls = 0
    for (let pullAt = 30_000; pulls < 12; pullAt += 41_000) {
      const came = await camera.comes({ pullAt }).then(
        () => true,
        (error: unknown) => {
          if (error instanceof Unplugged) return false
          throw error
        },
      )
      if (came) break
      pulls++
    }
    expect(pulls).toBeGreaterThan(2)
    const home = await camera.comes()
    expect(home).toMatchObject({ files: 3, identities: ['Credential'] })
    expect(originals(camera.serial).map(({ sha256 }) => sha256)).toEqual([...camera.sums.values()])
  })

  it('that has no room for a configuration says so, and its recordings are taken all the same', async () => {
    const camera = await aCamera(3, { recordings: 1, parts: 1 })
    const home = await camera.comes({ faults: ['full'] })
    // Without a commit its credential is not current: what it says of itself is a claim.
    expect(home).toMatchObject({ negotiation: 'rejected', files: 1, identities: ['Claimed'] })
    expect(await device(camera.serial)).toMatchObject({
      Transaction: { State: 'Rejected', ReasonCode: 'NoSpace', ReasonMessage: expect.stringContaining('no room') },
      Capabilities: { FreeBytes: 0 },
    })
  })

  it('whose memory gives another bit at the second reading is refused, and taken at the next', async () => {
    const camera = await aCamera(4, { recordings: 1, parts: 2 })
    const home = await camera.comes({ faults: ['corrupt'] })
    expect(home).toMatchObject({ files: 2, sentAgain: 1 })
    const stored = originals(camera.serial)
    expect(stored.map(({ state }) => state).sort()).toEqual(['Failed', 'UserCompleted', 'UserCompleted'])
    expect(
      stored
        .filter(({ state }) => state === 'UserCompleted')
        .map(({ sha256 }) => sha256)
        .sort(),
    ).toEqual([...camera.sums.values()].sort())
  })

  it('that says its recordings are its neighbour’s has no credential of that one: a claim, and no more', async () => {
    const camera = await aCamera(5, { recordings: 1, parts: 1 })
    expect(await camera.comes({ faults: ['lying-serial'] })).toMatchObject({
      negotiation: 'committed',
      identities: ['Claimed'],
    })
  })

  it('over a slow cable takes the time that its bytes need', async () => {
    const camera = await aCamera(6, { recordings: 1, parts: 1, bytes: 300_000 })
    const since = performance.now()
    await camera.comes({ bytesPerSecond: 300_000 })
    expect(performance.now() - since).toBeGreaterThan(900)
  })
})

describe('sallyport camera', () => {
  it('fleet: many come home together, some with a fault, and all are safe', {
    tags: ['merge'],
    timeout: 120_000,
  }, async () => {
    const config = path.join(given.dir, 'cameras.json')
    writeFileSync(config, JSON.stringify(keeper))
    const words = ['--config', config, '--count', '8', '--at-once', '4', '--bytes', '150000', '--recordings', '2']
    const faults = ['pulled=2', 'corrupt=1', 'full=1', 'lying-serial=1'].flatMap((one) => ['--with', one])
    const { code, stdout, stderr } = await start([
      'camera',
      'fleet',
      path.join(given.dir, 'fleet'),
      ...words,
      ...faults,
      '--block',
      '40000',
      '--json',
    ]).ended
    expect([code, stderr.trim()]).toEqual([0, expect.stringMatching(/^8 of 8 cameras are safe to take: \d+ bytes in /)])
    const homes = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Json)
    expect(homes.filter(({ blocksHeld }) => blocksHeld > 0)).toHaveLength(2)
    expect(homes.filter(({ sentAgain }) => sentAgain === 1)).toHaveLength(1)
    expect(homes.filter(({ negotiation }) => negotiation === 'rejected')).toHaveLength(1)
    for (const { serial } of homes)
      expect(originals(serial).filter(({ state }) => state === 'UserCompleted')).toHaveLength(2)
  })

  it.each([
    [['send']],
    [['send', 'x']],
    [['fleet', 'x']],
    [['fleet', 'x', '--config', 'c', '--with', 'fire=1']],
    [['fleet', 'x', '--config', 'c', '--count', '2', '--with', 'pulled=3']],
  ])('camera %j is not understood: 2, and how it is used', async (words) => {
    const { code, stdout, stderr } = await start(['camera', ...words]).ended
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^Usage: camera (send|fleet) /m)
  })
})
