/** What makes the program: addresses in its bundle, pictures, the fetched media programs, the program's own size rules. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { expect, test } from 'vitest'
import { withMovedAddresses } from '../../build/scripts/bundle.ts'
import { checkPin, fetchMedia } from '../../build/scripts/ffmpeg.ts'
import { icnsOf, icoOf } from '../../build/scripts/icons.ts'
import { temporaryFolder } from '../support/station.ts'
import { ROOT, STAND_IN } from './shell.ts'

test('addresses beside a module hold from any file of the bundle; nothing else is touched', () => {
  const worker = "new Worker(new URL('./a.worker.ts', import.meta.url), { x })"
  expect(withMovedAddresses(worker, 'server/b/c.ts')).toBe(
    `new Worker(new URL('./a.worker.js', new URL("server/b/c.ts", SALLYPORT_PROGRAM_FOLDER)), { x })`,
  )
  expect(withMovedAddresses('new URL(path, import.meta.url)', 'c.ts')).toContain('new URL(path, new URL("c.ts"')
  expect(withMovedAddresses("new URL('../a.ttf', import.meta.url)", 'c.ts')).toContain("new URL('../a.ttf', new URL")
  for (const text of ["new URL('https://x/a.ts', import.meta.url)", "new URL('https://x/a.ts')", "'./a.ts'"])
    expect(withMovedAddresses(text, 'c.ts')).toBe(text)
})

test('the whole stand-in stays under 600 lines', () => {
  const lines = readdirSync(STAND_IN).map(
    (name) => readFileSync(path.join(STAND_IN, name), 'utf8').split('\n').length - 1,
  )
  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThan(600)
})

test('pictures for Windows and macOS hold what their heads say', () => {
  const png = (size: number): Buffer => readFileSync(path.join(ROOT, `build/icons/linux/${size}x${size}.png`))
  const ico = icoOf(new Map([16, 256].map((size) => [size, png(size)])))
  expect([ico.readUInt16LE(2), ico.readUInt16LE(4), ico.readUInt8(6), ico.readUInt8(22)]).toEqual([1, 2, 16, 0])
  const [offset, length] = [ico.readUInt32LE(22 + 12), ico.readUInt32LE(22 + 8)]
  expect(ico.subarray(offset, offset + length)).toEqual(png(256))
  expect(offset + length).toBe(ico.length)
  const icns = icnsOf(new Map([['ic07', png(128)]]))
  expect([icns.toString('latin1', 0, 4), icns.readUInt32BE(4), icns.toString('latin1', 8, 12)]).toEqual([
    'icns',
    icns.length,
    'ic07',
  ])
  expect(icns.subarray(16)).toEqual(png(128))
  for (const kept of ['icon.ico', 'icon.icns', 'icon.png'])
    expect(existsSync(path.join(ROOT, 'build/icons', kept))).toBe(true)
})

test('media programs: no pin, an empty one or a moving file is refused', () => {
  const sha256 = 'a'.repeat(64)
  const from = { license: 'GPL-3.0-or-later', source: 'https://x/source' }
  expect(() => checkPin('plan9-x64', undefined)).toThrow('has no pin for plan9-x64')
  expect(() => checkPin('linux-x64', { ...from, url: '', sha256: '' })).toThrow('is not filled in for linux-x64')
  expect(() => checkPin('linux-x64', { ...from, url: 'http://x/y', sha256 })).toThrow('is not filled in')
  expect(() => checkPin('linux-x64', { ...from, url: 'https://x/y', sha256: 'later' })).toThrow('is not filled in')
  expect(() => checkPin('linux-x64', { ...from, url: 'https://x/releases/download/latest/y', sha256 })).toThrow(
    'a moving file',
  )
  const pin = { ...from, url: 'https://x/2026-11-20/y', sha256 }
  expect(checkPin('linux-x64', pin)).toEqual(pin)
  expect(() => checkPin('linux-x64', { ...pin, license: '' })).toThrow('does not name license and source')
  expect(() => checkPin('linux-x64', { ...pin, source: '' })).toThrow('does not name license and source')
})

test('media programs: the bytes that were pinned, and no others', async () => {
  const { dir, dispose } = await temporaryFolder('media')
  mkdirSync(path.join(dir, 'build/bin'), { recursive: true })
  for (const name of ['bin/ffmpeg', 'bin/ffprobe', 'bin/ffplay', 'LICENSE.txt'])
    writeFileSync(path.join(dir, 'build', name), name)
  const archive = path.join(dir, 'media.tar.gz')
  expect(spawnSync('tar', ['-czf', archive, '-C', dir, 'build']).status).toBe(0)
  const bytes = readFileSync(archive)
  const server = createServer((_request, response) => response.end(bytes))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/media.tar.gz`
  const target = path.join(dir, 'kept')
  const from = { license: 'GPL-3.0-or-later', source: 'https://x/source' }
  try {
    await expect(fetchMedia({ ...from, url, sha256: 'b'.repeat(64) }, target)).rejects.toThrow('It is not used.')
    expect(existsSync(target)).toBe(false)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    expect((await fetchMedia({ ...from, url, sha256 }, target)).toSorted()).toEqual([
      'LICENSE.txt',
      'NOTICE.txt',
      'ffmpeg',
      'ffprobe',
    ])
    expect(readdirSync(target).toSorted()).toEqual(['LICENSE.txt', 'NOTICE.txt', 'ffmpeg', 'ffprobe'])
  } finally {
    server.close()
    await dispose()
  }
})
