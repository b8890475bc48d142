// @module-tag merge
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LanWorld, lanWorld } from '../api/lan/world.ts'
import { isLong, patience } from '../support/scale.ts'
import { temporaryFolder } from '../support/station.ts'

/** S14: TLS is sound, as sslscan and testssl.sh judge it from outside: nothing at medium or above but trust. */
const run = promisify(execFile)
const has = (program: string): boolean => existsSync(`/usr/bin/${program}`)

let world: LanWorld
let port: number
let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeAll(async () => {
  folder = await temporaryFolder('s14')
  world = await lanWorld()
  port = (await world.change({ Enabled: true })).Port
})
afterAll(async () => {
  await world?.close()
  await folder?.dispose()
})

describe.skipIf(!has('sslscan'))(`S14 sslscan${has('sslscan') ? '' : ' (skipped: not installed)'}`, () => {
  it(
    'finds TLS 1.2 and 1.3 alone, strong ciphers with forward secrecy alone, no compression, no renegotiation',
    async () => {
      const { stdout } = await run('sslscan', ['--xml=-', '--no-colour', `localhost:${port}`], {
        timeout: patience(120_000),
      })
      const attributes = (tag: string): Record<string, string>[] =>
        [...stdout.matchAll(new RegExp(`<${tag} ([^>]*?)/?>`, 'g'))].map(([, text = '']) =>
          Object.fromEntries(
            [...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name as string, value as string]),
          ),
        )
      const spoken = attributes('protocol').filter(({ enabled }) => enabled === '1')
      expect(spoken.map(({ type, version }) => `${type} ${version}`)).toEqual(['tls 1.2', 'tls 1.3'])
      const ciphers = attributes('cipher')
      expect(ciphers.length).toBeGreaterThanOrEqual(6)
      for (const { cipher, strength, bits } of ciphers) {
        expect(cipher).toMatch(/^(TLS_(AES|CHACHA20)|ECDHE-ECDSA-(AES|CHACHA20))/)
        expect(cipher).toMatch(/GCM|POLY1305/)
        expect([cipher, strength]).toEqual([cipher, expect.stringMatching(/strong|acceptable/)])
        expect(Number(bits)).toBeGreaterThanOrEqual(128)
      }
      for (const tag of ['compression', 'renegotiation'])
        for (const { supported } of attributes(tag)) expect([tag, supported]).toEqual([tag, '0'])
      for (const { vulnerable } of attributes('heartbleed')) expect(vulnerable).toBe('0')
      for (const { name } of attributes('group')) expect(name).toMatch(/25519|secp256r1|secp384r1/i)
    },
    patience(120_000),
  )
})

/** What is trust: the CA is the station's own, which hosts take by its words, and it is replaced instead of revoked. */
const TRUST = /^cert_(chain_of_trust|revocation|crlDistributionPoints|ocspURL)$/
/** In the gate what protocols, ciphers, the certificate, headers and the known attacks are; all there is otherwise. */
const PARTS = isLong ? [] : ['--protocols', '--fs', '--server-defaults', '--header', '--vulnerable']

describe.skipIf(!has('testssl'))(`S14 testssl.sh${has('testssl') ? '' : ' (skipped: not installed)'}`, () => {
  it('finds nothing at medium or above but trust', { tags: ['merge'], timeout: patience(560_000) }, async () => {
    const file = path.join(folder.dir, 'testssl.json')
    const words = [
      '--quiet',
      '--fast',
      '--warnings',
      'off',
      '--color',
      '0',
      '--ip',
      '127.0.0.1',
      ...PARTS,
      '--jsonfile',
      file,
    ]
    // It exits with how much it found; what it found is in the file.
    await run('testssl', [...words, `localhost:${port}`], { timeout: patience(540_000), maxBuffer: 2 ** 26 }).catch(
      (error: { code?: unknown; killed?: boolean }) => {
        if (error.killed === true || typeof error.code !== 'number') throw error
      },
    )
    const found = JSON.parse(readFileSync(file, 'utf8')) as { id: string; severity: string; finding: string }[]
    const of = (id: string) => found.find((one) => one.id === id)?.severity
    expect([of('SSLv2'), of('SSLv3'), of('TLS1'), of('TLS1_1'), of('TLS1_2'), of('TLS1_3')]).toEqual([
      'OK',
      'OK',
      'INFO',
      'INFO',
      'OK',
      'OK',
    ])
    expect(found.length).toBeGreaterThan(40)
    const bad = found.filter(({ severity }) => /MEDIUM|HIGH|CRITICAL|FATAL/.test(severity))
    expect(bad.filter(({ id }) => !TRUST.test(id))).toEqual([])
    expect(bad.map(({ id }) => id)).toContain('cert_chain_of_trust')
  })
})
