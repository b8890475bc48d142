// It has the machine to itself (vitest.config.ts): what is compared are times.
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { bytes, json } from '../../../server/http/handlers.ts'
import { scale } from '../../support/scale.ts'
import { type Frame, startFrame } from './frame.ts'
import { openSocket } from './raw.ts'
import * as r from './routes.ts'

let frame: Frame
afterEach(() => frame.close())

const headOf = (first: string, ...lines: string[]) =>
  `${[first, `Host: 127.0.0.1:${frame.port}`, ...lines].join('\r\n')}\r\n\r\n`

test('U8: 200 connections that drip do not slow others beyond 2×', async () => {
  frame = await startFrame([
    json(r.echo, async ({ body }) => body),
    bytes(r.upload, async (request) => {
      for await (const _chunk of request.body);
      return { status: 201, headers: {}, body: '' }
    }),
  ])
  const measure = async (): Promise<number[]> => {
    const took: number[] = []
    for (let turn = 0; turn < 25; turn++) {
      const began = performance.now()
      const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' }
      await (await fetch(`${frame.url}/api/v1/echo`, init)).text()
      took.push(performance.now() - began)
    }
    return took
  }
  const dripping = async (): Promise<number[]> => {
    const upload = headOf('PUT /blob/c/b HTTP/1.1', 'Content-Length: 1000')
    const body = headOf('POST /api/v1/echo HTTP/1.1', 'Content-Type: application/json', 'Content-Length: 1000')
    const sockets = await Promise.all(
      Array.from({ length: 200 }, (_value, index) => openSocket(frame.port, index % 2 === 0 ? upload : body)),
    )
    const drip = setInterval(() => {
      for (const { socket } of sockets) socket.write('x')
    }, 1000)
    await wait(1_100)
    const took = await measure()
    clearInterval(drip)
    const open = sockets.filter(({ socket }) => !socket.destroyed).length
    for (const { socket } of sockets) socket.destroy()
    // Otherwise nothing was measured.
    expect(open).toBe(200)
    await wait(100)
    return took
  }
  // In turns, so that whatever else the machine does falls on both; the lower quartile, so that a hiccup counts for neither.
  const [quiet, busy]: [number[], number[]] = [[], []]
  for (let round = 0; round < scale(3, 10); round++) {
    quiet.push(...(await measure()))
    busy.push(...(await dripping()))
  }
  const quartile = (took: number[]): number => took.toSorted((a, b) => a - b)[Math.floor(took.length / 4)] as number
  expect(quartile(busy)).toBeLessThan(Math.max(quartile(quiet) * 2, 5))
})
