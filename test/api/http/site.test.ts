import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { createSite, pagePolicy } from '../../../server/http/static-files.ts'
import { readSite } from '../../../server/platform/files/static-files.ts'
import { givenStation } from '../../support/given.ts'
import { temporaryFolder } from '../../support/station.ts'

const PAGE = '<!doctype html><title>x</title>'
const SCRIPT = `export const x = "${'y'.repeat(4000)}"`

/** Asks the site of a folder, as one who wants a page unless told otherwise. */
function siteOf(folder: string) {
  const site = createSite({ files: readSite(folder), tiles: 'https://tiles.example' })
  return (url: string, headers: Record<string, string> = { accept: 'text/html' }, method = 'GET') =>
    site({
      method,
      url,
      headers,
      params: {},
      query: {},
      origin: 'http://127.0.0.1:1',
      body: Readable.from([]),
      signal: new AbortController().signal,
    })
}

describe('the pages of the interface', () => {
  let answer: ReturnType<typeof siteOf>
  beforeAll(async () => {
    const { dir } = await temporaryFolder('site')
    mkdirSync(path.join(dir, 'assets'))
    writeFileSync(path.join(dir, 'index.html'), PAGE)
    writeFileSync(path.join(dir, 'assets/main-1a2b.js'), SCRIPT)
    writeFileSync(path.join(dir, 'assets/main-1a2b.js.br'), brotliCompressSync(SCRIPT))
    writeFileSync(path.join(dir, 'assets/main-1a2b.js.gz'), gzipSync(SCRIPT))
    writeFileSync(path.join(path.dirname(dir), 'beside.txt'), 'not for anybody')
    answer = siteOf(dir)
  })

  it('are given to whoever wants a page, at every address that is no file', async () => {
    for (const url of ['/', '/evidence', '/evidence/12?tab=x', '/setup#token=abc', '/no/such/place']) {
      const page = await answer(url)
      expect([page?.status, String(page?.body)], url).toEqual([200, PAGE])
      expect(page?.headers['Content-Security-Policy']).toBe(pagePolicy('https://tiles.example'))
      expect(page?.headers['Cache-Control']).toBe('no-cache')
    }
  })

  it('are not given to whoever wants something else', async () => {
    for (const accept of ['application/json', '*/*', '']) expect(await answer('/evidence', { accept })).toBeNull()
  })

  it('allow no code, style or place of others, and no code made at run time', () => {
    const policy = pagePolicy(null)
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe|\*|https?:/)
    expect(pagePolicy('https://tiles.example')).toContain("img-src 'self' blob: data: https://tiles.example;")
  })

  it('come compressed where that is understood, are kept by their hash, and are not sent twice', async () => {
    const url = '/assets/main-1a2b.js'
    const plain = await answer(url, {})
    expect(String(plain?.body)).toBe(SCRIPT)
    expect(plain?.headers['Cache-Control']).toContain('immutable')
    const brotli = await answer(url, { 'accept-encoding': 'gzip, deflate, br' })
    expect(brotli?.headers['Content-Encoding']).toBe('br')
    expect(brotliDecompressSync(brotli?.body as Buffer).toString()).toBe(SCRIPT)
    expect((await answer(url, { 'accept-encoding': 'gzip' }))?.headers['Content-Encoding']).toBe('gzip')
    const again = await answer(url, { 'if-none-match': plain?.headers['ETag'] ?? '' })
    expect([again?.status, again?.body]).toEqual([304, undefined])
    expect((await answer(url, {}, 'HEAD'))?.body).toBeUndefined()
  })

  it('are all there is: nothing beside their folder is reachable', async () => {
    for (const url of [
      '/../beside.txt',
      '/..%2fbeside.txt',
      '/%2e%2e/beside.txt',
      '/assets/../../beside.txt',
      '//beside.txt',
    ])
      expect(await answer(url, { accept: '*/*' }), url).toBeNull()
  })
})

it('a build beside a running station mixes no pages: what was given stays, and a file that is gone is not found', async () => {
  const { dir } = await temporaryFolder('site-rebuilt')
  mkdirSync(path.join(dir, 'assets'))
  for (const name of ['index.html', 'assets/asked-1.js', 'assets/unasked-2.js'])
    writeFileSync(path.join(dir, name), `first ${name}`)
  const answer = siteOf(dir)
  const get = (url: string, accept = '*/*') => answer(url, { accept })
  expect(String((await get('/assets/asked-1.js'))?.body)).toBe('first assets/asked-1.js')
  writeFileSync(path.join(dir, 'index.html'), 'second page')
  for (const name of ['asked-1', 'unasked-2']) rmSync(path.join(dir, 'assets', `${name}.js`))
  expect(String((await get('/evidence', 'text/html'))?.body)).toBe('first index.html')
  expect(String((await get('/assets/asked-1.js'))?.body)).toBe('first assets/asked-1.js')
  expect(await get('/assets/unasked-2.js')).toBeNull()
})

it('unknown paths of the interfaces stay 404 JSON, whatever is accepted (decisions 1)', async () => {
  const station = await givenStation()
  for (const prefix of [
    'api',
    'connect',
    'blob',
    'documentstore',
    'keystore',
    'cadservice',
    'customfieldservice',
    'searchservice',
    'userservice',
    '.well-known',
  ]) {
    const reply = await station.call('GET', `/${prefix}/no/such/thing`, {
      headers: { accept: 'text/html' },
      token: null,
    })
    expect([reply.status, reply.headers.get('content-type')], prefix).toEqual([
      404,
      // The blob protocol speaks XML.
      prefix === 'blob' ? 'application/xml' : 'application/json; charset=utf-8',
    ])
  }
  const page = await station.call('GET', '/evidence', { headers: { accept: 'text/html' }, token: null })
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.headers.get('x-content-type-options')).toBe('nosniff')
  await station.close()
})
