import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { eventStream, type ServerEvent } from '../../../server/http/event-stream.ts'
import { bytes, json } from '../../../server/http/handlers.ts'
import { type Frame, startFrame } from './frame.ts'
import { type OpenSocket, openSocket, raw } from './raw.ts'
import * as r from './routes.ts'

let frame: Frame
let release = (): void => {}
const EVENTS = {
  job: z.object({ text: z.string() }),
  'job\nevil: x': z.object({ text: z.string() }),
}
let sendEvent: (event: ServerEvent) => boolean = () => false
let subscribed = 0
let sawAbort = 0
let reached = 0
const start = async () => {
  reached = 0
  frame = await startFrame([
    json(r.echo, async ({ body }) => {
      reached++
      return body
    }),
    json(
      r.withDefinition(r.literalThing, { id: 'slow', path: '/api/v1/slow', permission: { kind: 'anyone' } }),
      async ({ signal }) => {
        signal.addEventListener('abort', () => sawAbort++)
        await new Promise<void>((resolve) => {
          release = resolve
          signal.addEventListener('abort', () => resolve())
        })
        return true
      },
    ),
    bytes(r.withDefinition(r.content, { id: 'events', path: '/api/v1/events' }), async ({ signal }) =>
      eventStream(
        EVENTS,
        (send) => {
          subscribed++
          sendEvent = send
          return () => subscribed--
        },
        signal,
        50,
      ),
    ),
    bytes(r.upload, async (request) => {
      let length = 0
      for await (const chunk of request.body) length += (chunk as Buffer).length
      return { status: 201, headers: {}, body: String(length) }
    }),
    bytes(r.content, async () => ({
      status: 200,
      headers: { 'Content-Type': 'text/plain' },
      body: Readable.from(
        (async function* () {
          yield 'half of it'
          await wait(20)
          throw new Error('the disk broke')
        })(),
      ),
    })),
  ])
}
let closed = false
afterEach(async () => {
  if (!closed) await frame.close()
  closed = false
})

const head = (first: string, ...lines: string[]) =>
  `${[first, `Host: 127.0.0.1:${frame.port}`, ...lines].join('\r\n')}\r\n\r\n`
const socketWith = (text: string): Promise<OpenSocket> => openSocket(frame.port, text)

describe('stopping', () => {
  test('lets what runs finish, takes nothing new, ends idle connections and event streams', async () => {
    await start()
    const idle = await socketWith(head('GET /nothing HTTP/1.1'))
    await expect.poll(idle.text).toContain('404')
    const stream = await socketWith(head('GET /api/v1/events HTTP/1.1'))
    await expect.poll(stream.text).toContain(': connected')
    const running = await socketWith(head('GET /api/v1/slow HTTP/1.1'))
    await wait(50)
    const stopped = frame.server.close(5_000)
    await Promise.all([idle.over, stream.over])
    expect(stream.text()).toContain('\r\n0\r\n\r\n')
    expect(subscribed).toBe(0)
    expect((await raw(frame.port, head('GET /nothing HTTP/1.1'))).status).toBe(0)
    expect(running.text()).toBe('')
    release()
    expect(await stopped).toBe(0)
    await running.over
    expect(running.text()).toMatch(/^HTTP\/1.1 200 /)
    expect(running.text().toLowerCase()).toContain('connection: close')
  })

  test('cuts what does not finish in time, and says how many', async () => {
    await start()
    sawAbort = 0
    const running = await socketWith(head('GET /api/v1/slow HTTP/1.1'))
    await wait(50)
    const started = Date.now()
    expect(await frame.server.close(200)).toBe(1)
    expect(Date.now() - started).toBeLessThan(2_000)
    await running.over
    expect(sawAbort).toBe(1)
  })
})

describe('event streams', () => {
  test('carry events and a heartbeat, and are left behind when the client goes', async () => {
    await start()
    const stream = await socketWith(head('GET /api/v1/events HTTP/1.1'))
    await expect.poll(() => subscribed).toBe(1)
    expect(sendEvent({ event: 'job\nevil: x', id: '1', data: { text: 'a\nb' } })).toBe(true)
    await expect.poll(stream.text).toContain('event: job evil: x\nid: 1\ndata: {"text":"a\\nb"}\n\n')
    await expect.poll(stream.text).toContain(': still here')
    expect(stream.text().toLowerCase()).toContain('content-type: text/event-stream')
    stream.socket.destroy()
    await expect.poll(() => subscribed).toBe(0)
    expect(sendEvent({ event: 'job', data: { text: '' } })).toBe(false)
  })
  test('an event carries the members that its model names, and one that breaks it ends the stream unsent', async () => {
    await start()
    for (const [event, data] of [
      ['job', { text: 1, secret: 'kept back' }],
      ['unknown', { secret: 'kept back' }],
    ] as const) {
      const stream = await socketWith(head('GET /api/v1/events HTTP/1.1'))
      await expect.poll(() => subscribed).toBe(1)
      expect(sendEvent({ event: 'job', data: { text: 'told', secret: 'kept back' } })).toBe(true)
      await expect.poll(stream.text).toContain('data: {"text":"told"}\n\n')
      expect(sendEvent({ event, data })).toBe(false)
      await expect.poll(() => subscribed).toBe(0)
      expect(stream.text()).not.toContain('kept back')
      stream.socket.destroy()
    }
  })
  test('a reader that does not keep up misses events, not memory', async () => {
    await start()
    const stream = await socketWith(head('GET /api/v1/events HTTP/1.1'))
    await expect.poll(() => subscribed).toBe(1)
    stream.socket.pause()
    const big = 'x'.repeat(64 * 1024)
    const sent = Array.from({ length: 2_000 }, () => sendEvent({ event: 'job', data: { text: big } })).filter(
      Boolean,
    ).length
    expect(sent).toBeLessThan(20)
    stream.socket.destroy()
  })
})

test('a stream that breaks half way cuts the connection', async () => {
  await start()
  const reply = await raw(frame.port, head('GET /api/v1/tenant/t/content/x HTTP/1.1'))
  expect(reply.status).toBe(200)
  expect(reply.text).toContain('half of it')
  expect(reply.text.endsWith('0\r\n\r\n')).toBe(false)
})

describe('requests that are none', () => {
  const body = '{"a":1}'
  test.each([
    [
      'Content-Length and Transfer-Encoding',
      ['Content-Length: 7', 'Transfer-Encoding: chunked'],
      `7\r\n${body}\r\n0\r\n\r\n`,
    ],
    ['two lengths', ['Content-Length: 7', 'Content-Length: 6'], body],
    ['a list of lengths', ['Content-Length: 7, 7'], body],
    ['a signed length', ['Content-Length: +7'], body],
    ['a hexadecimal length', ['Content-Length: 0x7'], body],
    ['white space before the colon', ['Content-Length : 7'], body],
    ['an unknown coding', ['Transfer-Encoding: xchunked'], `7\r\n${body}\r\n0\r\n\r\n`],
    ['chunked not last', ['Transfer-Encoding: chunked, identity'], `7\r\n${body}\r\n0\r\n\r\n`],
    ['a folded header', ['X-A: 1', ' Transfer-Encoding: chunked', 'Content-Length: 7'], body],
    ['a bare line feed in a header', ['X-A: 1\nContent-Length: 7'], body],
    ['a bad chunk size', ['Transfer-Encoding: chunked'], `g\r\n${body}\r\n0\r\n\r\n`],
    ['a negative chunk size', ['Transfer-Encoding: chunked'], `-7\r\n${body}\r\n0\r\n\r\n`],
    ['a null in a header', ['X-A: \0', 'Content-Length: 7'], body],
  ])('%s: refused, and nothing behind it is read as another', async (_name, lines, rest) => {
    await start()
    const smuggled = head('POST /api/v1/echo HTTP/1.1', 'Content-Type: application/json', 'Content-Length: 2').concat(
      '{}',
    )
    const reply = await raw(
      frame.port,
      head('POST /api/v1/echo HTTP/1.1', 'Content-Type: application/json', ...lines).concat(rest, smuggled),
      500,
    )
    expect([400, 0]).toContain(reply.status)
    expect(reached).toBe(0)
    if (reply.status === 400) expect(reply.headers['x-correlation-id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  test.each([
    ['noise', randomBytes(300).toString('latin1')],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['no version', 'GET /\r\n\r\n'],
    ['CONNECT', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n'],
  ])('%s', async (_name, text) => {
    await start()
    const reply = await raw(frame.port, Buffer.from(text, 'latin1'), 500)
    expect([0, 400, 505]).toContain(reply.status)
  })

  test('headers beyond 16 KiB', async () => {
    await start()
    expect((await raw(frame.port, head('GET /nothing HTTP/1.1', `X-A: ${'x'.repeat(20_000)}`))).status).toBe(431)
  })

  test('an upgrade is not done', async () => {
    await start()
    const reply = await raw(frame.port, head('GET /nothing HTTP/1.1', 'Connection: Upgrade', 'Upgrade: websocket'), 300)
    expect(reply.status).toBe(404)
  })

  test('two requests on one connection are two', async () => {
    await start()
    const one = head('POST /api/v1/echo HTTP/1.1', 'Content-Type: application/json', 'Content-Length: 2').concat('{}')
    const reply = await raw(frame.port, one + one, 500)
    expect(reply.text.match(/HTTP\/1.1 200/g)).toHaveLength(2)
  })
})
