import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, onTestFinished, test } from 'vitest'
import { bytes, json } from '../../../server/http/handlers.ts'
import type { Authorize } from '../../../server/http/ports.ts'
import { NODE } from '../../support/station.ts'
import { OFFICER, startFrame } from './frame.ts'
import * as r from './routes.ts'

const health = r.withDefinition(r.literalThing, {
  id: 'health',
  path: '/healthz',
  interface: 'operations',
  permission: { kind: 'anyone' },
})

/** A frame whose things are answered when the test says so. */
async function slowFrame(settings: { ratePerson?: number } = {}) {
  let release = (): void => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const count = { authorized: 0 }
  const authorize: Authorize = async () => {
    count.authorized++
    return { principal: OFFICER }
  }
  const frame = await startFrame(
    [
      json(r.readThing, async ({ params }) => {
        await released
        return { ...params, tags: [] }
      }),
      json(r.caseThing, async () => ({ CaseId: '1' })),
      json(r.createThing, async ({ body }) => ({ Id: 1, Name: body.Name })),
      json(health, async () => true),
      bytes(r.upload, async () => ({ status: 201, headers: {}, body: '' })),
    ],
    { settings: { ratePerson: 1_000_000, ...settings }, authorize },
  )
  onTestFinished(async () => {
    release()
    await frame.close()
  })
  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(frame.url + path, {
      ...init,
      headers: { authorization: 'Bearer officer', 'content-type': 'application/json', ...init.headers },
    })
  /** Asks until nobody more is let in, however slow the machine is: after a second others get the places of those who wait. */
  const fill = async (): Promise<Promise<Response>[]> => {
    const asked: Promise<Response>[] = []
    let open = 0
    while (count.authorized < MOST) {
      for (; open < Math.min(MOST, count.authorized + 64); open++) asked.push(ask(THING).finally(() => open--))
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    return asked
  }
  return { frame, ask, count, release, fill }
}

/** At once inside, waiting or not. */
const MOST = 512
const THING = '/api/v1/tenant/s/thing/1'
const post = { method: 'POST', body: '{"Title":"x"}' }

describe('L5: more than there are places for', () => {
  test('is refused before anybody is recognised, and says when to come again; operations and uploads are answered', async () => {
    const { ask, count, release, fill } = await slowFrame()
    const asked = await fill()
    const refused = await Promise.all([ask(THING), ask('/api/v1/case/s', post), ask(THING, { method: 'HEAD' })])
    for (const reply of refused) {
      expect(reply.status).toBe(503)
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(reply.headers.get('x-correlation-id')).toMatch(/^[0-9a-f-]{36}$/)
      expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
    }
    expect(await refused[0]?.json()).toMatchObject({ ErrorCode: 'NotReady' })
    expect(await refused[1]?.json()).toMatchObject({ ErrorCode: 'NotReady' })
    expect(await refused[2]?.text()).toBe('')
    expect(count.authorized).toBe(MOST)
    expect((await ask('/healthz')).status).toBe(200)
    expect((await ask('/blob/a/b', { method: 'PUT' })).status).toBe(201)
    release()
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    // Whether one more than there are places for was asked to fill them depends on the pace of the machine.
    expect(statuses.filter((status) => status === 200)).toHaveLength(MOST)
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([])
    expect((await ask(THING)).status).toBe(200)
  })

  test('is told after a tenth of a second, so that asking again at once costs little', async () => {
    const { ask, fill, release } = await slowFrame()
    const asked = await fill()
    const from = performance.now()
    expect((await ask(THING)).status).toBe(503)
    // A timer may come a millisecond early.
    expect(performance.now() - from).toBeGreaterThanOrEqual(99)
    release()
    await Promise.all(asked)
  })

  test('a large body behind a refusal breaks nothing', async () => {
    const { ask, release, fill } = await slowFrame()
    const asked = await fill()
    const body = JSON.stringify({ Title: 'x'.repeat(3_000_000) })
    for (let round = 0; round < 3; round++) {
      const reply = await ask('/api/v1/case/s', { method: 'POST', body })
      expect([reply.status, (await reply.json()).ErrorCode]).toEqual([503, 'NotReady'])
    }
    release()
    await Promise.all(asked)
    expect((await ask('/api/v1/case/s', post)).status).toBe(201)
  })
})

describe('L5: whoever was told when to come again', () => {
  test('and comes before is refused for next to nothing; in time they are answered, and others all the while', async () => {
    const { frame, ask, count, release } = await slowFrame({ ratePerson: 5 })
    release()
    const status = async (init: RequestInit = {}): Promise<number> => (await ask(THING, init)).status
    for (let call = 0; call < 5; call++) expect(await status()).toBe(200)
    expect(await status()).toBe(429)
    const before = count.authorized
    for (let call = 0; call < 20; call++) {
      const reply = await ask(THING)
      expect([reply.status, reply.headers.get('retry-after'), (await reply.json()).ErrorCode]).toEqual([
        429,
        '12',
        'TooManyRequests',
      ])
    }
    expect(count.authorized).toBe(before)
    // Not counted, and so not told.
    expect((await ask('/blob/a/b', { method: 'PUT' })).status).toBe(201)
    // Somebody else's credential is nobody who was told.
    await status({ headers: { authorization: 'Bearer other' } })
    expect(count.authorized).toBe(before + 2)
    frame.clock.advance(12_000)
    expect(await status()).toBe(200)
  })
})

/** Opens so many connections to the port at once, waits until all are open, and prints the milliseconds that the slowest took. */
const CONNECT = `
const { connect } = require('node:net')
const [port, number] = process.argv.slice(1).map(Number)
const began = performance.now()
const sockets = Array.from({ length: number }, () => connect(port, '127.0.0.1'))
Promise.all(sockets.map((socket) => new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject)))).then(() => {
  process.stdout.write(String(performance.now() - began))
  for (const socket of sockets) socket.destroy()
})`

describe('L5: connections while the station is busy', () => {
  test('1,000 wait to be accepted, and none has to send its first packet again a second later', async () => {
    const frame = await startFrame([json(health, async () => true)])
    onTestFinished(() => frame.close())
    const child = spawn(NODE, ['-e', CONNECT, new URL(frame.url).port, '1000'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child, 'spawn')
    const started = performance.now()
    // The thread accepts nothing meanwhile.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MS)
    let printed = ''
    for await (const chunk of child.stdout) printed += chunk
    const slowest = Number(printed)
    // With a queue of 511 the others connect once the thread accepts again and they try again.
    expect(slowest).toBeGreaterThan(0)
    expect(slowest, `of ${Math.round(performance.now() - started)} ms`).toBeLessThan(BUSY_MS / 2)
  })
})

/** Milliseconds. */
const BUSY_MS = 6_000
