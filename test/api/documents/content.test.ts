import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { readdir, readlink } from 'node:fs/promises'
import { request } from 'node:http'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Given, givenStation, type Json, sha256Of } from '../../support/given.ts'
import { signIn } from '../../support/integrator.ts'
import { patience, scale } from '../../support/scale.ts'

/** Bytes as they go out again: decisions 6, promises S8 and "Served files". */
let given: Given
const BYTES = Buffer.concat(Array.from({ length: 20_000 }, (_, i) => createHash('sha256').update(String(i)).digest()))
let address: string
let kept: { evidenceId: string; resourceId: string; sha256: string }

beforeAll(async () => {
  given = await givenStation()
  kept = await given.completed(BYTES, { name: 'bytes.bin' })
  address = contentOf(kept)
})
afterAll(() => given.close())

const contentOf = ({ evidenceId, resourceId }: { evidenceId: string; resourceId: string }): string =>
  `${given.documents}/evidence/${evidenceId}/resource/${resourceId}/content`
const get = (headers: Record<string, string> = {}, method = 'GET') => given.call(method, address, { headers })

describe('content', () => {
  it('whole, under both prefixes, with what keeps a browser from running it', async () => {
    for (const prefix of ['/documentstore/api/v1/tenant/Station', '/api/v1/tenant/station']) {
      const reply = await given.call(
        'GET',
        `${prefix}/evidence/${kept.evidenceId}/resource/${kept.resourceId}/content/`,
      )
      expect(reply.status).toBe(200)
      expect(sha256Of(reply.bytes)).toBe(kept.sha256)
      expect(Object.fromEntries(reply.headers)).toMatchObject({
        etag: `"${kept.sha256}"`,
        'content-length': String(BYTES.length),
        'accept-ranges': 'bytes',
        'content-type': 'application/octet-stream',
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'; media-src 'self'; img-src 'self'",
        'content-disposition': `attachment; filename="bytes.bin"; filename*=UTF-8''bytes.bin`,
      })
    }
  })

  it('HEAD: the same headers, no bytes', async () => {
    const [head, whole] = [await get({}, 'HEAD'), await get()]
    expect([head.status, head.bytes.length]).toEqual([200, 0])
    for (const name of ['etag', 'content-length', 'content-type', 'content-disposition', 'accept-ranges'])
      expect(head.headers.get(name)).toBe(whole.headers.get(name))
    expect((await get({ range: 'bytes=0-1' }, 'HEAD')).headers.get('content-length')).toBe(String(BYTES.length))
  })

  it('S8 every range is exactly those bytes', { timeout: patience(60_000) }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(BYTES.length + 1000),
        fc.nat(BYTES.length + 1000),
        fc.constantFrom('both', 'open', 'suffix'),
        async (a, b, kind) => {
          const [first, last] = [Math.min(a, b), Math.max(a, b)]
          const range = kind === 'both' ? `${first}-${last}` : kind === 'open' ? `${first}-` : `-${last}`
          const expected =
            kind === 'suffix'
              ? BYTES.subarray(Math.max(0, BYTES.length - last))
              : BYTES.subarray(first, kind === 'open' ? undefined : last + 1)
          const reply = await get({ range: `bytes=${range}` })
          if ((kind === 'suffix' && last === 0) || (kind !== 'suffix' && first >= BYTES.length)) {
            expect([reply.status, reply.headers.get('content-range')]).toEqual([416, `bytes */${BYTES.length}`])
            expect(reply.json.ErrorCode).toBe('RangeNotSatisfiable')
            return
          }
          expect(reply.status).toBe(206)
          expect(Buffer.compare(reply.bytes, expected)).toBe(0)
          const start = kind === 'suffix' ? BYTES.length - expected.length : first
          expect(reply.headers.get('content-range')).toBe(
            `bytes ${start}-${start + expected.length - 1}/${BYTES.length}`,
          )
          expect(reply.headers.get('content-length')).toBe(String(expected.length))
        },
      ),
      { numRuns: scale(60, 2000) },
    )
  })

  it('several ranges, other units and nonsense give the whole', async () => {
    for (const range of ['bytes=0-1,3-4', 'bytes=5-3', 'lines=1-2', 'bytes=', 'bytes=a-b', '0-1', 'bytes=0x1-2']) {
      const reply = await get({ range })
      expect([range, reply.status, reply.bytes.length]).toEqual([range, 200, BYTES.length])
    }
  })

  it('ETag and the conditions on it', async () => {
    const etag = `"${kept.sha256}"`
    expect((await get({ 'if-none-match': etag })).status).toBe(304)
    expect((await get({ 'if-none-match': `"x", W/${etag}` })).status).toBe(304)
    expect((await get({ 'if-none-match': '"x"' })).status).toBe(200)
    expect((await get({ 'if-match': '"x"' })).json.ErrorCode).toBe('PreconditionFailed')
    expect((await get({ range: 'bytes=0-9', 'if-range': etag })).status).toBe(206)
    for (const other of ['"x"', `W/${etag}`, 'Sat, 21 Nov 2026 00:00:00 GMT']) {
      const reply = await get({ range: 'bytes=0-9', 'if-range': other })
      expect([other, reply.status, reply.bytes.length]).toEqual([other, 200, BYTES.length])
    }
  })

  it('Accept is no matter, a body neither; purpose is one of two or nothing', async () => {
    expect((await get({ accept: 'image/png' })).status).toBe(200)
    expect((await given.call('GET', `${address}?purpose=download`)).status).toBe(200)
    expect((await given.call('GET', `${address}?purpose=`)).status).toBe(200)
    const wrong = await given.call('GET', `${address}?purpose=steal`)
    expect([wrong.status, wrong.json.ErrorCode, wrong.json.Details[0].Path]).toEqual([400, 'InvalidModel', 'purpose'])
    expect((await given.call('POST', address)).json.ErrorCode).toBe('MethodNotAllowed')
  })

  it('leading zeros name the same bytes', async () => {
    const { evidenceId, resourceId } = kept
    const reply = await given.call('GET', contentOf({ evidenceId: `00${evidenceId}`, resourceId: `0${resourceId}` }))
    expect([reply.status, sha256Of(reply.bytes)]).toEqual([200, kept.sha256])
  })

  it('an open resource has none yet, an original is not played, and there is no picture of bytes', async () => {
    const { EvidenceId } = await given.evidence()
    const { ResourceId } = await given.resource(EvidenceId)
    const early = await given.call('GET', contentOf({ evidenceId: EvidenceId, resourceId: ResourceId }))
    expect([early.status, early.json.ErrorCode]).toEqual([409, 'ResourceNotCompleted'])
    for (const method of ['GET', 'HEAD']) expect((await given.call(method, `${address}?purpose=play`)).status).toBe(404)
    expect((await given.call('GET', address.replace('/content', '/thumbnail'))).json.ErrorCode).toBe('ResourceNotFound')
    expect((await given.call('GET', `${given.documents}/evidence/${EvidenceId}/thumbnail`)).json.ErrorCode).toBe(
      'ResourceNotFound',
    )
  })

  it('S8 aborted requests free their descriptors', async () => {
    const big = await given.completed(Buffer.alloc(24 * 1024 * 1024, 7), { name: 'big.bin' })
    const blob = `/blobs/${big.sha256.slice(0, 2)}/${big.sha256.slice(2, 4)}/${big.sha256}`
    const opened = async (): Promise<number> => {
      const links = await Promise.all(
        (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
      )
      return links.filter((link) => link.endsWith(blob)).length
    }
    const rounds = scale(10, 200)
    for (let round = 0; round < rounds; round++) {
      await new Promise<void>((resolve) => {
        const outgoing = request(
          `${given.url}${contentOf(big)}`,
          { headers: { authorization: `Bearer ${given.token}` } },
          (response) => {
            response.once('data', () => {
              response.destroy()
              resolve()
            })
          },
        )
        outgoing.on('error', () => {})
        outgoing.end()
      })
    }
    for (let tries = 0; tries < 100 && (await opened()) > 0; tries++)
      await new Promise((resolve) => setTimeout(resolve, 20))
    expect(await opened()).toBe(0)
  })
})

describe('names that strangers chose', () => {
  /** As a browser reads it (RFC 8187): what is told must be one line and one name. */
  const readName = (disposition: string): { kind: string; plain: string; full: string } => {
    const match =
      /^(inline|attachment); filename="([\x20-\x21\x23-\x5b\x5d-\x7e]*)"; filename\*=UTF-8''([A-Za-z0-9!#$&+\-.^_`|~%]+)$/.exec(
        disposition,
      )
    if (match === null) throw new Error(`not as RFC 6266 has it: ${disposition}`)
    return { kind: match[1] as string, plain: match[2] as string, full: decodeURIComponent(match[3] as string) }
  }

  it.each([
    ['a "quoted" name.mp4', 'a "quoted" name.mp4'],
    ["it's 100% (new)*.bin", "it's 100% (new)*.bin"],
    ['gpj.\u202eexe', 'gpj.exe'],
    ['👮‍♀️ Žižkov.bin', '👮‍♀️ Žižkov.bin'],
    ['../../etc/passwd', '.._.._etc_passwd'],
    ['..', 'file'],
    ['a\\b;c=d.bin', 'a_b;c=d.bin'],
    ['n'.repeat(1024), 'n'.repeat(255)],
    ['__proto__', '__proto__'],
  ])('%s', async (name, told) => {
    const made = await given.completed(Buffer.from('x'), { name })
    expect(made.resource.Name).toBe(name)
    const reply = await given.call('GET', contentOf(made))
    const { kind, full } = readName(reply.headers.get('content-disposition') ?? '')
    expect([kind, full]).toEqual(['attachment', told])
  })

  it('a file name with line breaks, taken in from a folder, splits no header', async () => {
    const name = 'a"\r\nSet-Cookie: x=y\r\n\r\n<b>.txt'
    const folder = path.join(given.dir, 'card')
    const { mkdirSync } = await import('node:fs')
    mkdirSync(folder)
    writeFileSync(path.join(folder, name), 'taken in')
    const report = (await given.command('ingest', { paths: [folder], case: null })) as Json
    expect(report.failed).toEqual([])
    const [{ evidenceId, resourceId }] = report.ingested
    // What the command line brings in is nobody's yet.
    const reader = await given.integration('reader', ['AccessUnassociatedFiles:Download'])
    const token = await signIn(reader, given.url)
    const record = await given.expecting(
      200,
      given.call('GET', `${given.documents}/evidence/${evidenceId}/resource/${resourceId}`, { token }),
    )
    expect(record.Name).toBe(name)
    const reply = await given.call('GET', contentOf({ evidenceId, resourceId }), { token })
    expect(reply.headers.get('set-cookie')).toBeNull()
    expect(reply.text).toBe('taken in')
    expect(readName(reply.headers.get('content-disposition') ?? '').full).toBe('a"Set-Cookie: x=y<b>.txt')
  })
})
