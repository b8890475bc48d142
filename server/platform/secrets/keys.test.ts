import { createHash, createPublicKey, verify } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { calculateJwkThumbprint, importJWK, jwtVerify, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { manualClock } from '../clock/manual-clock.ts'
import { KeyFileThere } from './key-files.ts'
import { KeysMissing, openKeys, type StationKeys } from './keys.ts'

const DAY = 86_400_000
const clock = manualClock()
const folder = mkdtempSync(path.join(tmpdir(), 'sallyport-keys-'))
const dir = path.join(folder, 'data', 'keys')
let keys: StationKeys

const modeOf = (file: string): number => statSync(file).mode & 0o777
const again = () => openKeys(dir, { clock, established: true })
const FILES = ['secrets.json', 'signing.json', 'token.json', 'upload.json']

beforeAll(async () => {
  keys = await openKeys(dir, { clock, established: false })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('keys/ (decisions 12)', () => {
  it('are created at the first start, readable by their owner only', () => {
    expect([...keys.created].sort()).toEqual(FILES)
    expect(readdirSync(dir).sort()).toEqual(FILES)
    expect(keys.tightened).toEqual([])
    expect(modeOf(dir)).toBe(0o700)
    for (const name of FILES) expect(modeOf(path.join(dir, name))).toBe(0o600)
    expect(keys.uploadSecret).toHaveLength(32)
    expect(keys.secretsKey).toHaveLength(32)
    expect(Buffer.compare(keys.uploadSecret, keys.secretsKey)).not.toBe(0)
  })

  it('stay the same at every later start', async () => {
    const later = await again()
    expect(later.created).toEqual([])
    expect(later.uploadSecret).toEqual(keys.uploadSecret)
    expect(later.secretsKey).toEqual(keys.secretsKey)
    expect(later.signing.current().publicKey).toEqual(keys.signing.current().publicKey)
    expect(later.tokens.all()).toEqual(keys.tokens.all())
  })

  it('sign: Ed25519 for checkpoints, RS256 with the thumbprint as kid for tokens', async () => {
    const { publicKey, sign } = keys.signing.current()
    const text = Buffer.from('x')
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') }
    expect(verify(null, text, createPublicKey({ key: jwk, format: 'jwk' }), sign(text))).toBe(true)

    const { kid, privateKey } = keys.tokens.current()
    const [published] = keys.tokens.all()
    expect(kid).toBe(await calculateJwkThumbprint(published ?? {}))
    expect(Object.keys(published ?? {}).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
    const token = await new SignJWT({}).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey)
    await jwtVerify(token, await importJWK(published ?? {}, 'RS256'))
  })

  it('token keys rotate after 90 days; the old one stays published for a day', async () => {
    const first = keys.tokens.current().kid
    expect(await keys.tokens.rotateWhenDue()).toBe(false)
    clock.advance(90 * DAY)
    expect(await keys.tokens.rotateWhenDue()).toBe(true)
    const second = keys.tokens.current().kid
    expect(second).not.toBe(first)
    expect(keys.tokens.all().map(({ kid }) => kid)).toEqual([second, first])
    expect((await again()).tokens.current().kid).toBe(second)
    clock.advance(DAY)
    await keys.tokens.rotate()
    expect(keys.tokens.all().map(({ kid }) => kid)).toEqual([keys.tokens.current().kid, second])
  })

  it('the next signing key is stored before its use, and the old public key is kept', async () => {
    const old = keys.signing.current().publicKey
    const next = await keys.signing.prepareNext()
    expect((await keys.signing.prepareNext()).publicKey).toEqual(next.publicKey)
    const later = await again()
    expect(later.signing.next()?.publicKey).toEqual(next.publicKey)
    expect(later.signing.current().publicKey).toEqual(old)
    await later.signing.promoteNext()
    expect((await again()).signing.publicKeys()).toEqual([old, next.publicKey])
    await expect(later.signing.promoteNext()).rejects.toThrow(/No next signing key/)
  })

  it('too wide access rights are corrected and reported', async () => {
    chmodSync(dir, 0o755)
    chmodSync(path.join(dir, 'upload.json'), 0o644)
    const { tightened } = await again()
    expect(tightened).toEqual([dir, 'upload.json'])
    expect(modeOf(dir)).toBe(0o700)
    expect(modeOf(path.join(dir, 'upload.json'))).toBe(0o600)
  })

  it('temporary files of an interrupted write are removed', async () => {
    writeFileSync(path.join(dir, '.token.json.0123456789ab.tmp'), 'secret')
    await again()
    expect(readdirSync(dir).sort()).toEqual(FILES)
  })

  it('are never read through a link', async () => {
    const other = mkdtempSync(path.join(folder, 'other-'))
    await openKeys(other, { clock, established: false })
    const name = path.join(other, 'secrets.json')
    const outside = path.join(folder, 'outside.json')
    writeFileSync(outside, readFileSync(name))
    rmSync(name)
    symlinkSync(outside, name)
    await expect(openKeys(other, { clock, established: true })).rejects.toThrow(/secrets\.json cannot be read/)
  })

  it('D2 a file that appears while keys are made is never replaced, since its volume may just have been mounted', async () => {
    const other = path.join(folder, 'mounted')
    const making = openKeys(other, { clock, established: false })
    const outcome = making.catch((error: Error) => error)
    // The signing key is made first, and the token key takes longest. Later files do not exist yet.
    while (!existsSync(path.join(other, 'signing.json'))) await new Promise((resolve) => setTimeout(resolve, 1))
    const kept = readFileSync(path.join(dir, 'upload.json'), 'utf8')
    writeFileSync(path.join(other, 'upload.json'), kept, { mode: 0o600 })
    expect(await outcome).toBeInstanceOf(KeyFileThere)
    expect(((await outcome) as Error).message).toMatch(/upload\.json.*volume is mounted/)
    expect(readFileSync(path.join(other, 'upload.json'), 'utf8')).toBe(kept)
    expect(readdirSync(other).sort()).toEqual(['signing.json', 'token.json', 'upload.json'])
  })

  it('missing keys beside a ledger with entries give an error that says what to do, and nothing is created', async () => {
    const other = path.join(folder, 'gone', 'keys')
    const opening = openKeys(other, { clock, established: true })
    await expect(opening).rejects.toThrow(KeysMissing)
    await expect(opening).rejects.toThrow(
      /lacks signing\.json, token\.json, upload\.json, secrets\.json.*Put the keys folder back/,
    )
    expect(readdirSync(other)).toEqual([])
  })

  it('the error for a damaged file names the file but not its content', async () => {
    const other = path.join(folder, 'damaged')
    await openKeys(other, { clock, established: false })
    const file = path.join(other, 'secrets.json')
    const { key } = JSON.parse(readFileSync(file, 'utf8')) as { key: string }
    writeFileSync(file, JSON.stringify({ format: 1, key: key.slice(2) }))
    const error = await openKeys(other, { clock, established: true }).catch((caught: Error) => caught)
    expect((error as Error).message).toMatch(/secrets\.json is damaged/)
    expect((error as Error).message).not.toContain(key.slice(2))
    // Begins with a letter, since a parser reports text that begins like a number differently.
    writeFileSync(file, `x${key}`)
    const syntax = await openKeys(other, { clock, established: true }).catch((caught: Error) => caught)
    const told = [(syntax as Error).message, String((syntax as Error).cause), (syntax as Error).stack].join()
    expect(told, createHash('sha256').update(key).digest('hex')).not.toContain(key.slice(0, 6))
  })
})
