import { expect, it } from 'vitest'
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
