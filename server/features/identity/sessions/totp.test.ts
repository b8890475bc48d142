import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSealer } from '../../../platform/secrets/seal.ts'
import { enrolmentOf, newRecoveryCodes, newSeed, recoveryHash, stepOf } from './totp.ts'

const RFC_SEED = new TextEncoder().encode('12345678901234567890')

describe('codes of an authenticator', () => {
  // RFC 6238, appendix B, SHA-1; the last six of its eight digits.
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at %s seconds it is %s, and one step off either way', (seconds, code) => {
    const step = Math.floor(seconds / 30)
    for (const off of [-1, 0, 1]) expect(stepOf(code, RFC_SEED, (seconds + 30 * off) * 1000)).toBe(step)
    for (const off of [-2, 2]) expect(stepOf(code, RFC_SEED, (seconds + 30 * off) * 1000)).toBe(null)
    expect(stepOf(`${code.slice(0, 3)} ${code.slice(3)}`, RFC_SEED, seconds * 1000)).toBe(step)
  })

  it.each(['', '28708', '2870820', '28708x', '94287082', '２８７０８２', '+28708', '0x1234', '1e5000'])(
    '%j is none',
    (text) => expect(stepOf(text, RFC_SEED, 59_000)).toBe(null),
  )

  it('the invitation names the station and the person, and a colon in either parts nothing', () => {
    const { secret, uri } = enrolmentOf(RFC_SEED, { name: 'a:b', station: 'Harrow: Quay' })
    expect(secret).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
    const address = new URL(uri)
    expect(`${address.protocol}//${address.host}`).toBe('otpauth://totp')
    expect(decodeURIComponent(address.pathname).split(':')).toHaveLength(2)
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      secret,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
    expect(newSeed()).toHaveLength(20)
    expect(Buffer.compare(newSeed(), newSeed())).not.toBe(0)
  })
})

describe('recovery codes', () => {
  it('are ten of 80 bits, all different, and found however they are typed', () => {
    const codes = newRecoveryCodes()
    expect(new Set(codes).size).toBe(10)
    for (const code of codes) {
      expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/)
      const known = recoveryHash(code, 7)
      expect(known).toMatch(/^[0-9a-f]{64}$/)
      for (const typed of [code.toLowerCase(), code.replaceAll('-', ''), ` ${code.replaceAll('-', ' ')} `])
        expect(recoveryHash(typed, 7)).toBe(known)
      expect(recoveryHash(code.replaceAll('0', 'O').replaceAll('1', 'l'), 7)).toBe(known)
      expect(recoveryHash(code, 8)).not.toBe(known)
    }
  })
  it.each(['', '123456', 'ABCD-EFGH-JKMN-PQR', 'ABCD-EFGH-JKMN-PQRST', 'ABCD-EFGH-JKMN-PQR!', 'UUUU-UUUU-UUUU-UUUU'])(
    '%j is none',
    (text) => expect(recoveryHash(text, 7)).toBe(null),
  )
})

describe('sealed secrets', () => {
  const sealer = createSealer(randomBytes(32))
  it('open again, under their own name alone, and never look the same', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), fc.string(), fc.string(), (secret, about, other) => {
        const sealed = sealer.seal(secret, about)
        expect(Buffer.from(sealer.open(sealed, about) as Uint8Array)).toEqual(Buffer.from(secret))
        expect(sealer.seal(secret, about)).not.toBe(sealed)
        if (other !== about) expect(sealer.open(sealed, other)).toBe(null)
      }),
    )
  })
  it('one changed bit, another key and anything else open nothing', () => {
    const bytes = Buffer.from(sealer.seal(newSeed(), 'x').slice(3), 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes)
      changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7))
      expect(sealer.open(`v1.${changed.toString('base64url')}`, 'x')).toBe(null)
    }
    expect(createSealer(randomBytes(32)).open(`v1.${bytes.toString('base64url')}`, 'x')).toBe(null)
    for (const text of ['', 'v1', 'v1.', 'v1.AAAA', `v2.${bytes.toString('base64url')}`])
      expect(sealer.open(text, 'x')).toBe(null)
  })
})
