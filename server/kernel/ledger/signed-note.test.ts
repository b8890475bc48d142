/** Malformed checkpoints with valid signatures: a leaked key or a faulty signer must not make them valid. */
import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { BadNote, keyIdOf, openCheckpoint, signCheckpoint } from './signed-note.ts'
import { readRotation, signRotation } from './key-rotation.ts'

const newSigner = () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const raw = new Uint8Array(Buffer.from(publicKey.export({ format: 'jwk' }).x as string, 'base64url'))
  return { publicKey: raw, sign: (bytes: Uint8Array) => sign(null, bytes, privateKey) }
}
const signer = newSigner()
const ORIGIN = 'sallyport.local/one'
const ROOT = Buffer.alloc(32, 7).toString('base64')
/** A note of this text, signed by the key. */
const noteOf = (text: string, name = ORIGIN): string => {
  const bytes = Buffer.concat([keyIdOf(name, signer.publicKey), signer.sign(Buffer.from(text))])
  return `${text}\n— ${name} ${bytes.toString('base64')}\n`
}
const open = (note: string) => openCheckpoint(note, [signer.publicKey])
const good = noteOf(`${ORIGIN}\n5\n${ROOT}\n`)

describe('I4 a signed checkpoint', () => {
  it('S19: opens, also with further lines in its text and further signatures', () => {
    expect(open(good)).toEqual({
      origin: ORIGIN,
      size: 5,
      root: Buffer.alloc(32, 7),
      signedBy: signer.publicKey,
    })
    expect(open(noteOf(`${ORIGIN}\n5\n${ROOT}\nmore\n`)).size).toBe(5)
    expect(open(`${good}— another.example/log ${Buffer.alloc(68).toString('base64')}\n`).size).toBe(5)
  })

  it.each([
    ['of an origin with a plus sign', noteOf(`a+b\n5\n${ROOT}\n`, 'a+b'), 'Its origin has the wrong form'],
    ['of no size', noteOf(`${ORIGIN}\nfive\n${ROOT}\n`), 'Its size is no number'],
    ['of a size in another spelling', noteOf(`${ORIGIN}\n05\n${ROOT}\n`), 'Its size is no number'],
    ['of a short root', noteOf(`${ORIGIN}\n5\n${Buffer.alloc(31).toString('base64')}\n`), 'Its root is no hash'],
    ['of a root in another spelling', noteOf(`${ORIGIN}\n5\n${ROOT.replace(/=$/, '')}\n`), 'Its root is no hash'],
    ['with an empty line in its text', noteOf(`${ORIGIN}\n5\n${ROOT}\n\nmore\n`), 'It has an empty line in its text'],
    ['without a signature', `${ORIGIN}\n5\n${ROOT}\n`, 'It is no signed note'],
    ['without its end', good.replace(/\n$/, 'x'), 'It is no signed note'],
    [
      'with another line above its signature',
      good.replace('\n— ', '\nnot a signature\n— '),
      'A line of signature has the wrong form',
    ],
  ])('S19: %s is refused', (_what, note, why) => {
    expect(() => open(note)).toThrow(new BadNote(why))
  })

  it('S19: is not signed for an origin of the wrong form', () => {
    for (const origin of ['', 'a b', 'a+b', 'a\nb'])
      expect(() => signCheckpoint({ origin, size: 5, root: new Uint8Array(32) }, signer)).toThrow(BadNote)
  })
})

describe('I4 a rotation of the signing key', () => {
  const next = newSigner()
  const handed = signRotation(signer, next)
  it('S19: is valid only when both keys signed it', () => {
    expect(readRotation(handed)).toEqual(handed)
    for (const forged of [
      { ...handed, oldSignature: handed.newSignature },
      { ...handed, newSignature: handed.oldSignature },
      { ...handed, oldKey: Buffer.from(signer.publicKey.subarray(1)).toString('base64') },
      { ...handed, newKey: '' },
    ])
      expect(readRotation(forged)).toBeNull()
  })
})
