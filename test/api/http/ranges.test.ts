import { createReadStream } from 'node:fs'
import { mkdtemp, open, readdir, readlink, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { selectRange, serveFile } from '../../../server/http/ranges.ts'
import { bytes } from '../../../server/http/handlers.ts'
import { scale } from '../../support/scale.ts'
import { type Frame, startFrame } from './frame.ts'
import { raw } from './raw.ts'
import * as r from './routes.ts'

const SIZE = 1000
const CONTENT = Buffer.from(Array.from({ length: SIZE }, (_value, index) => index % 251))
const BIG = 64 * 1024 * 1024
const TAG = 'ab'.repeat(32)

let frame: Frame
let dir: string
/** What each answer told, under the word that its request asked by: a socket may be done with an answer long after whoever read it. */
const sent = new Map<string, number[]>()
const toldTo = (word: string): number[] => sent.get(word) ?? []
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'sallyport-ranges-'))
  await writeFile(path.join(dir, 'small'), CONTENT)
  await writeFile(path.join(dir, 'empty'), '')
  const handle = await open(path.join(dir, 'big'), 'w')
  await handle.truncate(BIG)
  await handle.close()
  const sizes: Record<string, number> = { small: SIZE, empty: 0, big: BIG, lying: SIZE + 1 }
  frame = await startFrame([
    bytes(r.content, async (request) => {
      const name = request.params['name'] ?? ''
      const file = path.join(dir, name === 'lying' ? 'small' : name)
      return serveFile(request, {
        size: sizes[name] ?? 0,
        sha256: TAG,
        type: request.query['type'] ?? 'video/mp4',
        name: request.query['name'] ?? 'clip.mp4',
        inline: true,
        open: async (start, end) => createReadStream(file, { start, end }),
        onSent: (count) => {
          const word = request.headers['x-told-to']
          if (typeof word === 'string') sent.set(word, [...toldTo(word), count])
        },
      })
    }),
  ])
})
afterAll(async () => {
  await frame.close()
  await rm(dir, { recursive: true, force: true })
})

const get = (name: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${frame.url}/api/v1/tenant/t/content/${name}`, { method, headers })

/** RFC 9110 14.1.2, written down a second time and as plainly as it goes. */
function model(first: number | null, last: number | null, size: number): 'whole' | 'unsatisfiable' | [number, number] {
  if (first === null) {
    if (last === 0) return 'unsatisfiable'
    if (size === 0) return 'whole'
    return [Math.max(0, size - (last ?? 0)), size - 1]
  }
  if (last !== null && last < first) return 'whole'
  if (first >= size) return 'unsatisfiable'
  return [first, Math.min(last ?? size - 1, size - 1)]
}

const position = fc.oneof(
  fc.constant(null),
  fc.integer({ min: 0, max: 1200 }),
  fc.constantFrom(0, 1, 999, 1000, 1001, 2 ** 53, 2 ** 60),
)

describe('S8: ranges are exact', () => {
  test('against a model, over the wire', async () => {
    await fc.assert(
      fc.asyncProperty(
        position,
        position,
        fc.constantFrom('small', 'empty'),
        fc.constantFrom('bytes=', 'Bytes='),
        async (first, last, name, unit) => {
          fc.pre(first !== null || last !== null)
          const size = name === 'small' ? SIZE : 0
          const digits = (value: number | null): string => (value === null ? '' : BigInt(value).toString())
          const reply = await get(name, { Range: `${unit}${digits(first)}-${digits(last)}` })
          const body = Buffer.from(await reply.arrayBuffer())
          const expected = model(first, last, size)
          expect(reply.headers.get('accept-ranges') ?? 'bytes').toBe('bytes')
          if (expected === 'unsatisfiable') {
            expect([reply.status, reply.headers.get('content-range')]).toEqual([416, `bytes */${size}`])
          } else if (expected === 'whole') {
            expect([reply.status, reply.headers.get('content-range'), body.length]).toEqual([200, null, size])
          } else {
            const [start, end] = expected
            expect([reply.status, reply.headers.get('content-range')]).toEqual([206, `bytes ${start}-${end}/${size}`])
            expect(reply.headers.get('content-length')).toBe(String(end - start + 1))
            expect(body.equals(CONTENT.subarray(start, end + 1))).toBe(true)
          }
        },
      ),
      { numRuns: scale(300, 5000) },
    )
  })

  test('whatever a header says, the answer is the whole, one part of it, or nothing', () => {
    const noise = fc.string({ unit: fc.constantFrom(...'bytes=0123456789-, \t;x'.split('')), maxLength: 24 })
    fc.assert(
      fc.property(
        fc.oneof(
          noise,
          noise.map((text) => `bytes=${text}`),
          fc.string(),
        ),
        fc.integer({ min: 0, max: 50 }),
        (header, size) => {
          const selection = selectRange(header, size)
          if (selection.kind !== 'part') return
          expect(selection.start).toBeGreaterThanOrEqual(0)
          expect(selection.end).toBeGreaterThanOrEqual(selection.start)
          expect(selection.end).toBeLessThan(size)
        },
      ),
      { numRuns: scale(2000, 50_000) },
    )
  })

  test.each([
    ['bytes=0-0,5-6', 200],
    ['bytes=0-0, ', 206],
    ['bytes= 0-4', 206],
    ['bytes=0 -4', 200],
    ['bytes=-', 200],
    ['bytes=', 200],
    ['bytes=--5', 200],
    ['bytes=+1-5', 200],
    ['bytes=1.5-5', 200],
    ['bytes=0x0-5', 200],
    ['seconds=0-5', 200],
    ['bytes 0-5', 200],
    ['bytes=5-1', 200],
    [`bytes=0-${'9'.repeat(400)}`, 206],
    [`bytes=${'9'.repeat(400)}-`, 416],
  ])('%s → %i', async (header, status) => {
    const reply = await get('small', { Range: header })
    expect(reply.status).toBe(status)
    await reply.arrayBuffer()
  })

  test.each([
    ['the tag', `"${TAG}"`, 206],
    ['another tag', '"other"', 200],
    ['a weak tag', `W/"${TAG}"`, 200],
    ['a date', 'Sat, 21 Nov 2026 06:00:00 GMT', 200],
  ])('If-Range with %s', async (_name, value, status) => {
    const reply = await get('small', { Range: 'bytes=0-9', 'If-Range': value })
    expect([reply.status, (await reply.arrayBuffer()).byteLength]).toEqual([status, status === 206 ? 10 : SIZE])
  })

  test('conditions', async () => {
    expect((await get('small', { 'If-None-Match': `"${TAG}"` })).status).toBe(304)
    expect((await get('small', { 'If-None-Match': `"x", W/"${TAG}"` })).status).toBe(304)
    expect((await get('small', { 'If-None-Match': '*' })).status).toBe(304)
    expect((await get('small', { 'If-None-Match': '"x"' })).status).toBe(200)
    expect((await get('small', { 'If-Match': '"x"' })).status).toBe(412)
    expect((await get('small', { 'If-Match': `"${TAG}"`, Range: 'bytes=1-1' })).status).toBe(206)
    expect((await get('small', { 'If-None-Match': `"${TAG}"`, Range: 'bytes=9999-' })).status).toBe(304)
  })

  test('HEAD says what GET would, and ignores Range', async () => {
    const reply = await get('small', { Range: 'bytes=0-9' }, 'HEAD')
    expect([reply.status, reply.headers.get('content-length'), reply.headers.get('etag')]).toEqual([
      200,
      String(SIZE),
      `"${TAG}"`,
    ])
    expect(await reply.text()).toBe('')
  })

  test('what went out is told once, on every way out', async () => {
    const ways: readonly [string, Record<string, string>, string, number][] = [
      ['whole', {}, 'GET', SIZE],
      ['part', { Range: 'bytes=10-19' }, 'GET', 10],
      ['head', {}, 'HEAD', 0],
      ['not modified', { 'If-None-Match': '*' }, 'GET', 0],
      ['another', { 'If-Match': '"x"' }, 'GET', 0],
      ['beyond', { Range: 'bytes=5000-' }, 'GET', 0],
    ]
    for (const [word, headers, method] of ways) {
      await (await get('small', { ...headers, 'X-Told-To': word }, method)).arrayBuffer()
    }
    for (const [word, , , count] of ways) {
      await expect.poll(() => toldTo(word), { timeout: 10_000 }).toEqual([count])
    }
    // Told a second time would be told later than the first.
    await wait(100)
    expect(ways.map(([word]) => toldTo(word))).toEqual(ways.map(([, , , count]) => [count]))
  })

  test('a file shorter than it says is cut, never passed off as whole', async () => {
    await expect(get('lying').then((reply) => reply.arrayBuffer())).rejects.toThrow()
  })
})

async function openFilesIn(folder: string): Promise<number> {
  const links = await Promise.all(
    (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  )
  return links.filter((link) => link.startsWith(folder)).length
}

test.skipIf(process.platform !== 'linux')('S8: aborted requests free their descriptors', async () => {
  const count = scale(40, 500)
  let open = 0
  for (let done = 0; done < count; done += 20) {
    const sockets = Array.from({ length: 20 }, () => connect(frame.port, '127.0.0.1'))
    for (const socket of sockets) {
      socket.on('error', () => {})
      socket.write(
        `GET /api/v1/tenant/t/content/big HTTP/1.1\r\nHost: 127.0.0.1:${frame.port}\r\nX-Told-To: aborted\r\n\r\n`,
      )
    }
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('data', resolve))))
    for (const socket of sockets) socket.pause()
    open = Math.max(open, await openFilesIn(dir))
    for (const socket of sockets) socket.destroy()
  }
  await expect.poll(() => openFilesIn(dir), { timeout: 10_000 }).toBe(0)
  // Otherwise the count below would show nothing.
  expect(open).toBeGreaterThan(0)
  await expect.poll(() => toldTo('aborted').length, { timeout: 10_000 }).toBe(count)
  for (const bytesSent of toldTo('aborted')) expect(bytesSent).toBeLessThan(BIG)
})

describe('served files', () => {
  test.each([
    ['clip.mp4', 'video/mp4', 'inline'],
    ['page.html', 'text/html', 'attachment'],
    ['drawing.svg', 'image/svg+xml', 'attachment'],
    ['scan.pdf', 'application/pdf', 'attachment'],
    ['a.jpg', 'image/jpeg', 'inline'],
    ['odd', 'no type', 'attachment'],
  ])('%s of %s: %s', async (name, type, disposition) => {
    const reply = await get(`small?name=${encodeURIComponent(name)}&type=${encodeURIComponent(type)}`)
    expect(reply.headers.get('content-disposition')).toBe(
      `${disposition}; filename="${name}"; filename*=UTF-8''${name}`,
    )
    expect(reply.headers.get('content-type')).toBe(type === 'no type' ? 'application/octet-stream' : type)
    expect(reply.headers.get('content-security-policy')).toBe(
      "sandbox; default-src 'none'; media-src 'self'; img-src 'self'",
    )
    expect(reply.headers.get('cache-control')).toBe('private, no-store')
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
    await reply.arrayBuffer()
  })

  test.each([
    ['a"b\\c.mp4', `filename="a_b_c.mp4"; filename*=UTF-8''a%22b_c.mp4`],
    ['a\r\nSet-Cookie: x=1.mp4', `filename="aSet-Cookie: x=1.mp4"; filename*=UTF-8''aSet-Cookie%3A%20x%3D1.mp4`],
    ['../../etc/passwd', `filename=".._.._etc_passwd"; filename*=UTF-8''.._.._etc_passwd`],
    ['Überfall (1).mp4', `filename="_berfall (1).mp4"; filename*=UTF-8''%C3%9Cberfall%20%281%29.mp4`],
    ['exe.\u202egpj', `filename="exe.gpj"; filename*=UTF-8''exe.gpj`],
    ['..', `filename="file"; filename*=UTF-8''file`],
    ['', `filename="file"; filename*=UTF-8''file`],
    ['100%.mp4', `filename="100_.mp4"; filename*=UTF-8''100%25.mp4`],
    ["it's", `filename="it's"; filename*=UTF-8''it%27s`],
  ])('the name %j splits no header', async (name, expected) => {
    const reply = await raw(
      frame.port,
      `GET /api/v1/tenant/t/content/empty?name=${encodeURIComponent(name)} HTTP/1.1\r\nHost: 127.0.0.1:${frame.port}\r\nConnection: close\r\n\r\n`,
    )
    expect(reply.status).toBe(200)
    expect(reply.headers['content-disposition']).toBe(`inline; ${expected}`)
    expect(reply.headers['set-cookie']).toBeUndefined()
  })
})
