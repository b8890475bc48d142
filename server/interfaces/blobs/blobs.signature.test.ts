import { expect, it } from 'vitest'
import { linkSigner } from './blobs.signature.ts'

it('a secret for upload addresses that is too short is refused', () => {
  expect(() => linkSigner(new Uint8Array(31))).toThrow('32 bytes')
  expect(linkSigner(new Uint8Array(32)).pathFor('c', 'b', 0, '1')).toContain('sig=')
})
