import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { linkSigner } from './blobs.signature.ts'

it('a secret for upload addresses that is too short is refused', () => {
  expect(() => linkSigner(new Uint8Array(31))).toThrow('32 bytes')
  expect(linkSigner(new Uint8Array(32)).pathFor('c', 'b', 0, '1')).toContain('sig=')
})

it('why an address does not count: it is not this station’s, or its day is over', () => {
  const signer = linkSigner(new Uint8Array(32).fill(7))
  const day = 86_400_000
  const url = new URL(signer.pathFor('station', '12', 1_000, '2'), 'http://localhost')
  const query = Object.fromEntries(url.searchParams)
  expect(signer.check('station', '12', query, 1_000)).toEqual({
    permissions: 'rw',
    holder: { principalId: '2', issuedAt: 1_000 },
  })
  expect(signer.check('station', '12', query, day)).toMatchObject({ permissions: 'rw' })
  expect(signer.check('station', '12', query, day + 1_000)).toBe('expired')
  expect(signer.check('station', '13', query, 1_000)).toBe('forged')
  expect(signer.check('station', '12', { ...query, saoid: '3' }, day + 1_000)).toBe('forged')
})

describe('S19: an upload address is refused as forged', () => {
  const DAY = 86_400_000
  const SECRET = new Uint8Array(32).fill(7)
  const signer = linkSigner(SECRET)
  const issuedBy = (container: string, blob: string, now: number, principalId: string): Record<string, string> => {
    const address = new URL(signer.pathFor(container, blob, now, principalId), 'http://localhost')
    return Object.fromEntries(address.searchParams)
  }
  const without = (query: Record<string, string>, name: string): Record<string, string> =>
    Object.fromEntries(Object.entries(query).filter(([one]) => one !== name))
  const good = issuedBy('station', '12', 1_000, '2')
  const check = (query: Record<string, string>, now = 2_000): unknown => signer.check('station', '12', query, now)

  it('with another version, though the signature is right', () => {
    expect(check(good)).toMatchObject({ permissions: 'rw' })
    for (const sv of ['1', '3', '']) expect(check({ ...good, sv }), sv).toBe('forged')
    expect(check(without(good, 'sv'))).toBe('forged')
  })

  it('for another kind of resource, though the signature is right', () => {
    for (const sr of ['c', 'B', '']) expect(check({ ...good, sr }), sr).toBe('forged')
    expect(check(without(good, 'sr'))).toBe('forged')
  })

  it('without permissions, also where the signature is of an empty line in their place', () => {
    const text = ['sallyport-upload', good['sv'], 'station', '12', good['st'], good['se'], '', '2'].join('\n')
    const sig = createHmac('sha256', SECRET).update(text).digest('base64url')
    expect(check({ ...good, sp: '', sig })).toMatchObject({ permissions: '' })
    expect(check(without({ ...good, sig }, 'sp'))).toBe('forged')
  })

  it('without a holder, also where it was issued to an empty one', () => {
    const nobody = issuedBy('station', '12', 1_000, '')
    expect(check(nobody)).toMatchObject({ holder: { principalId: '' } })
    expect(check(without(nobody, 'saoid'))).toBe('forged')
  })

  it('without a time of issue, also where it was issued in the first second of 1970', () => {
    const first = issuedBy('station', '12', 0, '2')
    expect(check(first)).toMatchObject({ holder: { issuedAt: 0 } })
    expect(check(without(first, 'st'))).toBe('forged')
    expect(check({ ...first, st: '1970-01-01' })).toBe('forged')
  })

  it('without an end, also where it ended in the first second of 1970', () => {
    const ending = issuedBy('station', '12', -DAY, '2')
    expect(check(ending, -1)).toMatchObject({ permissions: 'rw' })
    expect(check(without(ending, 'se'), -1)).toBe('forged')
    expect(check(without(ending, 'se'), 1)).toBe('forged')
  })

  it('without a signature, with one of another length, and with one spelled in another way', () => {
    expect(check(without(good, 'sig'))).toBe('forged')
    const sig = String(good['sig'])
    for (const other of ['', 'AAAA', sig.slice(0, 40), `${sig}A`, 'A'.repeat(86)])
      expect(check({ ...good, sig: other }), other).toBe('forged')
    // 32 bytes take 42 letters and four bits of another: its last two bits are decoded to nothing.
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const sameBits = `${sig.slice(0, 42)}${letters[letters.indexOf(sig.slice(42)) + 1]}`
    const spellings = [sameBits, `${sig}=`, `${sig} `, `!${sig}`]
    for (const other of spellings) expect(Buffer.from(other, 'base64url'), other).toEqual(Buffer.from(sig, 'base64url'))
    for (const other of spellings) expect(check({ ...good, sig: other }), other).toBe('forged')
  })

  it('for a name with a lone surrogate, which no address can have', () => {
    expect(signer.check('\uD800', '12', good, 2_000)).toBe('forged')
    expect(signer.check('station', '1\uDC00', good, 2_000)).toBe('forged')
  })
})
