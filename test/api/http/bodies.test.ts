import { connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MAX_DEPTH, MOST_PARTS, parseJson, sizeOfJson } from '../../../server/http/json.ts'
import { answer, json } from '../../../server/http/handlers.ts'
import { contractRoutes } from '../../../server/openapi.ts'
import { Fault } from '../../../shared/kernel/errors.ts'
import { mostBodyBytes } from '../../../shared/kernel/route.ts'
import { scale } from '../../support/scale.ts'
import { type Frame, startFrame } from './frame.ts'
import { raw } from './raw.ts'
import * as r from './routes.ts'

const LIMIT = 64 * 1024
let frame: Frame
let calls = 0
beforeAll(async () => {
  frame = await startFrame(
    [
      json(r.echo, async ({ body }) => {
        calls++
        return body
      }),
      json(r.createThing, async ({ body }) => {
        calls++
        return answer(201, { Id: 1, Name: body.Name })
      }),
      json(r.template, async ({ body }) => body.type),
    ],
    { settings: { jsonBodyBytes: LIMIT, bodyMillis: 400, ratePerson: 1_000_000 } },
  )
})
afterAll(() => frame.close())

const post = (body: string | Buffer, path = '/api/v1/echo', method: 'POST' | 'PUT' = 'POST') => {
  const init = {
    method,
    headers: { 'Content-Type': 'application/json', Authorization: 'Bearer officer' },
    body: body as BodyInit,
  }
  return fetch(frame.url + path, init)
}

function problems(text: string): [string, string][] | 'fine' {
  try {
    parseJson(text)
    return 'fine'
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return error.details.map(({ Path, Message }) => [Path, Message])
  }
}

describe('JSON as it comes in', () => {
  test('whatever the platform takes is taken, and means the same', () => {
    fc.assert(
      fc.property(fc.jsonValue({ depthSize: 'medium' }), fc.constantFrom(0, 1, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        const expected: unknown = JSON.parse(text)
        expect(parseJson(text)).toEqual(expected)
      }),
      { numRuns: scale(1000, 20_000) },
    )
  })

  test('bytes turned over in it are refused in our words or read as the platform does', () => {
    const base = '{"a":[1,2,{"b":"c\\"d","e":null}],"f":{"g":true,"h":-1.5e3},"i":"\\u00e9"}'
    fc.assert(
      fc.property(fc.nat(base.length - 1), fc.string({ minLength: 0, maxLength: 3 }), fc.nat(3), (at, put, drop) => {
        const text = base.slice(0, at) + put + base.slice(at + drop)
        let expected: unknown
        try {
          expected = JSON.parse(text)
        } catch {
          expect(problems(text)).toEqual([['', 'The body is not JSON.']])
          return
        }
        const told = problems(text)
        if (told === 'fine') expect(parseJson(text)).toEqual(expected)
        else expect(told[0]?.[1]).toBe('The member is there twice.')
      }),
      { numRuns: scale(3000, 100_000) },
    )
  })

  test('a member that is there twice is found wherever it is, however it is spelt', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string({ maxLength: 8 }), fc.integer({ min: 0, max: 5 })), { maxLength: 6 }),
        fc.string({ maxLength: 8 }),
        (path, name) => {
          const spelt = `"${[...name].map((letter) => [...letter].flatMap((one) => Array.from({ length: one.length }, (_v, i) => `\\u${one.charCodeAt(i).toString(16).padStart(4, '0')}`)).join('')).join('')}"`
          let text = `{${JSON.stringify(name)}:{},"other":[{}],${spelt}:2}`
          fc.pre(name !== 'other')
          for (const step of path.toReversed())
            text = typeof step === 'number' ? `[${'0,'.repeat(step)}${text}]` : `{${JSON.stringify(step)}:${text}}`
          expect(problems(text)).toEqual([
            [
              [...path.map(String), name].reduce((before, next) => (before === '' ? next : `${before}.${next}`), ''),
              'The member is there twice.',
            ],
          ])
        },
      ),
      { numRuns: scale(500, 10_000) },
    )
  })

  test('the same name in two objects, or as a value, is no double', () => {
    expect(problems('{"a":{"a":"a"},"b":["a","a",{"a":1},{"a":1}],"c":"\\"a\\":"}')).toBe('fine')
  })

  test(`nested deeper than ${MAX_DEPTH}`, () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    expect(problems(nested(MAX_DEPTH))).toBe('fine')
    expect(problems(nested(MAX_DEPTH + 1))).toEqual([['', `The body is nested deeper than ${MAX_DEPTH} levels.`]])
    expect(problems(nested(1_000_000))).not.toBe('fine')
    expect(problems(`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`)).not.toBe('fine')
    expect(problems(`"${'['.repeat(100)}"`)).toBe('fine')
  })

  test('S17: members and elements are counted before anything is built, and more than 200,000 are refused', () => {
    const partsOf = (value: unknown): number =>
      typeof value !== 'object' || value === null
        ? 0
        : Object.values(value).reduce<number>((sum, one) => sum + 1 + partsOf(one), 0)
    fc.assert(
      fc.property(fc.jsonValue({ depthSize: 'medium' }), fc.constantFrom(0, 1, '\t'), (value, indent) => {
        const plain = JSON.parse(JSON.stringify(value)) as unknown
        expect(sizeOfJson(new TextEncoder().encode(JSON.stringify(value, null, indent))).parts).toBe(partsOf(plain))
      }),
      { numRuns: scale(1000, 20_000) },
    )
    const list = (parts: number) => `[${'0,'.repeat(parts - 1)}0]`
    expect(parseJson(list(MOST_PARTS))).toHaveLength(MOST_PARTS)
    expect(() => parseJson(list(MOST_PARTS + 1))).toThrow(expect.objectContaining({ code: 'BodyTooLarge' }))
    const members = Array.from({ length: MOST_PARTS + 1 }, (_, at) => `"\\u0061${at}":[]`)
    expect(() => parseJson(`{${members.join()}}`)).toThrow(expect.objectContaining({ code: 'BodyTooLarge' }))
    expect(problems(`[${'{},'.repeat(1000)}"},{,[,\\"],"]`)).toBe('fine')
  })

  test('__proto__ does no harm', async () => {
    for (const text of [
      '{"__proto__":{"x":1},"Name":"n"}',
      '{"\\u005f_proto__":{"x":1},"Name":"n"}',
      '{"Name":"n","in":[{"__proto__":{"x":1}}]}',
    ]) {
      const value = parseJson(text) as Record<string, unknown>
      const copy: Record<string, unknown> = { ...value }
      expect([copy['x'], Object.getPrototypeOf(copy) === Object.prototype]).toEqual([undefined, true])
      expect(JSON.stringify(value)).toContain('__proto__')
    }
    const reply = await post(
      '{"Name":"n","__proto__":{"Name":"other"},"Extra":{"__proto__":"x","constructor":"y"}}',
      '/api/v1/tenant/s/thing',
    )
    expect([reply.status, await reply.json()]).toEqual([201, { Id: 1, Name: 'n' }])
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  })
})

describe('bad bodies over the wire', () => {
  test.each([
    ['not JSON', 'hello'],
    ['half', '{"a":'],
    ['two values', '1 2'],
    ['a comment', '{} // x'],
    ['a trailing comma', '[1,]'],
    ['single quotes', "{'a':1}"],
    ['NaN', 'NaN'],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
    ['UTF-16', Buffer.from('"x"', 'utf16le')],
    ['only white space', '   '],
    ['a double', '{"a":1,"a":2}'],
    ['too deep', '['.repeat(500) + ']'.repeat(500)],
  ])('%s', async (_name, body) => {
    const before = calls
    const reply = await post(body)
    expect(reply.status).toBe(400)
    expect(await reply.json()).toMatchObject({
      ErrorCode: 'InvalidModel',
      Details: [{ Path: expect.any(String), Message: expect.any(String) }],
      CorrelationId: reply.headers.get('x-correlation-id'),
    })
    expect(calls).toBe(before)
  })

  test('a byte order mark and any Unicode are fine', async () => {
    expect(await (await post('\ufeff{"a":"日本 😀 \\ud800"}')).json()).toEqual({ a: '日本 😀 \ud800' })
  })

  test('every problem is listed with its path', async () => {
    const reply = await post('{"Name":"","Count":"x","Extra":{"a":1,"b":"fine"}}', '/api/v1/tenant/s/thing')
    const { Details } = (await reply.json()) as { Details: { Path: string }[] }
    expect([reply.status, Details.map(({ Path }) => Path).sort()]).toEqual([400, ['Count', 'Extra.a', 'Name']])
  })

  test('no extra properties where the contract says so, in camelCase on the template service', async () => {
    const reply = await post('{"type":"Case","b":1,"c":2}', '/customfieldservice/api/v1/template/s', 'PUT')
    const model = (await reply.json()) as { errorCode: string; details: { path: string }[]; correlationId: string }
    expect([reply.status, model.errorCode, model.details.map(({ path }) => path)]).toEqual([
      400,
      'InvalidModel',
      ['b', 'c'],
    ])
    expect(model.correlationId).toBe(reply.headers.get('x-correlation-id'))
  })

  test('no body where one is needed', async () => {
    const reply = await fetch(`${frame.url}/api/v1/tenant/s/thing`, {
      method: 'POST',
      headers: { Authorization: 'Bearer officer' },
    })
    expect([reply.status, await reply.json()]).toMatchObject([
      400,
      { Details: [{ Path: '', Message: 'A body is required.' }] },
    ])
  })

  test('a lone surrogate with an Idempotency-Key is no failure of ours', async () => {
    const reply = await fetch(`${frame.url}/api/v1/tenant/s/thing`, {
      method: 'POST',
      headers: { Authorization: 'Bearer officer', 'Idempotency-Key': 'lone', 'Content-Type': 'application/json' },
      body: '{"Name":"\\ud800"}',
    })
    expect(reply.status).toBeLessThan(500)
  })
})

describe('limits of bodies', () => {
  test('the limit itself is fine, one more is not, said or not', async () => {
    const exact = `"${'x'.repeat(LIMIT - 2)}"`
    expect((await post(exact)).status).toBe(200)
    expect(await (await post(`${exact} `)).json()).toMatchObject({ ErrorCode: 'BodyTooLarge' })
    const chunk = `${(LIMIT + 1).toString(16)}\r\n${exact} \r\n0\r\n\r\n`
    const reply = await raw(
      frame.port,
      `POST /api/v1/echo HTTP/1.1\r\nHost: 127.0.0.1:${frame.port}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${chunk}`,
    )
    expect(reply.status).toBe(413)
  })

  test('S17: routes open to anyone and those of one’s own account take 64 KiB, whatever the setting says', async () => {
    const large = await startFrame(
      [json(r.echo, async ({ body }) => body), json(r.template, async ({ body }) => body.type)],
      { settings: { ratePerson: 1_000_000 } },
    )
    try {
      const send = (path: string, method: string, bytes: number) =>
        fetch(large.url + path, {
          method,
          headers: { 'Content-Type': 'application/json', Authorization: 'Bearer officer' },
          body: `"${'x'.repeat(bytes - 2)}"`,
        })
      expect((await send('/api/v1/echo', 'POST', 65_536)).status).toBe(200)
      expect((await send('/api/v1/echo', 'POST', 65_537)).status).toBe(413)
      // Read, and found to be no template.
      expect((await send('/customfieldservice/api/v1/template/s', 'PUT', 65_537)).status).toBe(400)
    } finally {
      await large.close()
    }
    for (const route of contractRoutes())
      if (route.permission.kind === 'anyone' || route.path.startsWith('/connect/'))
        expect([route.id, mostBodyBytes(route)]).toEqual([route.id, 65_536])
  })

  test('S17: a large body of a caller who is not recognised is not read', async () => {
    const before = calls
    const head = `POST /api/v1/tenant/s/thing HTTP/1.1\r\nHost: 127.0.0.1:${frame.port}\r\nContent-Type: application/json\r\nContent-Length: ${LIMIT}\r\nConnection: close\r\n\r\n`
    // Not a byte of the body is sent, and the answer comes all the same.
    expect((await raw(frame.port, head)).status).toBe(401)
    expect(calls).toBe(before)
  })

  test('a refused upload can be large and its sender still reads the refusal', async () => {
    const reply = await post(Buffer.alloc(4 * 1024 * 1024, 0x20))
    expect(reply.status).toBe(413)
  })

  test('U8: a body that drips is cut', async () => {
    const started = Date.now()
    const head = `POST /api/v1/echo HTTP/1.1\r\nHost: 127.0.0.1:${frame.port}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n`
    const socket = connect(frame.port, '127.0.0.1')
    let text = ''
    socket.on('data', (data) => {
      text += data.toString()
    })
    socket.on('error', () => {})
    const closed = new Promise((resolve) => socket.on('close', resolve))
    socket.write(head)
    const drip = setInterval(() => socket.write('1'), 100)
    await closed
    clearInterval(drip)
    expect(text).toMatch(/^HTTP\/1.1 408 /)
    expect(Date.now() - started).toBeLessThan(8_000)
  })
})
