import { createDecipheriv, createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { BlockBlobClient } from '@azure/storage-blob'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { putBlob, putBlock, putList } from '../../support/blob-client.ts'
import { type Encrypted, type EncryptionData, encrypted, type PublishedKey, wrap } from '../../support/encrypting.ts'
import { type Given, givenStation, type Json, type Reply, sha256Of } from '../../support/given.ts'
import { fileOfRows } from '../../support/rows.ts'
import { textOfKey } from '../../support/station-keys.ts'

/** Encrypted uploads (decisions 6) against a client of our own and against the public client library. */
const KEY = '/keystore/api/v1/tenant/station/key'
const MIB = 2 ** 20
let given: Given
let key: PublishedKey
beforeAll(async () => {
  given = await givenStation()
  key = await given.expecting(200, given.call('GET', KEY))
})
afterAll(() => given.close())

const opened = async (body: Json = {}): Promise<Json> =>
  given.resource((await given.evidence()).EvidenceId, { Name: 'cell.mp4', ...body })
const complete = ({ EvidenceId, ResourceId }: Json, body: Json = {}): Promise<Reply> =>
  given.call('POST', `${given.documents}/evidence/${EvidenceId}/resource/${ResourceId}/complete`, { body })
const header = (data: EncryptionData | string): { 'x-ms-meta-encryptiondata': string } => ({
  'x-ms-meta-encryptiondata': typeof data === 'string' ? data : JSON.stringify(data),
})
/** Put Blob and completion. */
async function uploaded(ciphertext: Uint8Array, data: EncryptionData | string, body: Json = {}) {
  const open = await opened()
  expect((await putBlob(open.UploadUri, ciphertext, header(data))).status).toBe(201)
  return { open, reply: await complete(open, body) }
}
const contentOf = async ({ EvidenceId, ResourceId }: Json): Promise<Uint8Array> =>
  (await given.call('GET', `${given.documents}/evidence/${EvidenceId}/resource/${ResourceId}/content`)).bytes
const entriesOf = (open: Json) => given.ledger().filter(({ object }) => object.id === open.ResourceId)
function opens({ ciphertext, data }: Encrypted, contentKey: Uint8Array): boolean {
  const decipher = createDecipheriv('aes-256-cbc', contentKey, Buffer.from(data.ContentEncryptionIV, 'base64'))
  try {
    decipher.update(ciphertext)
    decipher.final()
    return true
  } catch {
    return false
  }
}
const staging = (): string[] =>
  readdirSync(path.join(given.data, 'blobs', '.staging')).filter((name) => /^(decrypted|assembled)-/.test(name))

describe('the key', () => {
  it('is a public one and no more, the same for everybody until it is replaced', async () => {
    expect(key).toEqual({
      kty: 'RSA',
      n: expect.any(String),
      e: 'AQAB',
      kid: expect.any(String),
      use: 'enc',
      alg: 'RSA-OAEP',
    })
    expect(Buffer.from(key.n, 'base64url').length).toBe(384)
    const thumbprint = createHash('sha256')
      .update(JSON.stringify({ e: key.e, kty: 'RSA', n: key.n }))
      .digest('base64url')
    expect(key.kid).toBe(thumbprint)
    expect(await given.expecting(200, given.call('GET', KEY))).toEqual(key)
    expect((await given.call('GET', KEY, { token: null })).status).toBe(401)
    expect((await given.call('GET', KEY.replace('station', 'nowhere'))).status).toBe(404)
    const created = given.ledger().filter(({ action }) => action === 'tenantKey.created')
    expect(created.map(({ object, actor }) => [object.id, actor.kind])).toEqual([[key.kid, 'internal']])
  })
})

describe('an encrypted upload becomes the file that it holds', () => {
  it.each([0, 1, 15, 16, 17, MIB - 16, MIB, MIB + 1, 3 * MIB + 5])('of %i bytes', async (length) => {
    const plain = randomBytes(length)
    const { ciphertext, data } = encrypted(plain, key)
    const { open, reply } = await uploaded(ciphertext, data, { Sha256: sha256Of(plain), LengthInBytes: length })
    expect([reply.status, reply.json.State]).toEqual([200, 'UserCompleted'])
    expect(reply.json).toMatchObject({
      Sha256: sha256Of(plain),
      LengthInBytes: length,
      DecryptedLengthInBytes: length,
      UploadCertificateThumbprint: key.kid,
    })
    expect(Buffer.compare(await contentOf(open), plain)).toBe(0)
    const [entry] = entriesOf(open).filter(({ action }) => action === 'resource.completed')
    expect(entry).toMatchObject({
      sha256: sha256Of(plain),
      bytes: length,
      detail: { ciphertextSha256: sha256Of(ciphertext), ciphertextBytes: ciphertext.length, keyId: key.kid },
    })
    // Neither the ciphertext nor a temporary file stays behind.
    expect([staging(), given.inQuarantine(ciphertext)]).toEqual([[], false])
  })

  it('through the public client library, unchanged, in blocks', async () => {
    const plain = randomBytes(5 * MIB + 77)
    const { ciphertext, data } = encrypted(plain, key)
    const open = await opened({ Sha256: sha256Of(plain), LengthInBytes: plain.length })
    await new BlockBlobClient(open.UploadUri).uploadData(ciphertext, {
      blockSize: MIB,
      maxSingleShotSize: 0,
      concurrency: 4,
      metadata: { encryptiondata: JSON.stringify(data) },
    })
    expect((await complete(open)).json.Sha256).toBe(sha256Of(plain))
    expect(Buffer.compare(await contentOf(open), plain)).toBe(0)
    // A repeat is given what there is.
    expect((await complete(open)).json.Sha256).toBe(sha256Of(plain))
  })

  it('from blocks out of order, and beside a file with the same bytes that came in the clear', async () => {
    const plain = randomBytes(2 * MIB)
    const clear = await given.completed(plain)
    const { ciphertext, data } = encrypted(plain, key)
    const open = await opened()
    const ids = ['one', 'two', 'six']
    const cut = [0, 700_001, 1_400_002, ciphertext.length]
    for (const at of [2, 0, 1])
      await putBlock(open.UploadUri, ids[at] as string, ciphertext.subarray(cut[at], cut[at + 1]))
    const list = ids.map((id) => ['Latest', id] as const)
    expect((await putList(open.UploadUri, list, header(data))).status).toBe(201)
    expect((await complete(open)).json.Sha256).toBe(clear.sha256)
    const [entry] = entriesOf(open).filter(({ action }) => action === 'resource.completed')
    expect(entry?.detail?.['sameBytesAlreadyKept']).toBe(true)
  })

  it('and nothing else: a wrong hash of the plaintext is refused, its bytes in quarantine', async () => {
    const plain = randomBytes(1000)
    const { ciphertext, data } = encrypted(plain, key)
    const { open, reply } = await uploaded(ciphertext, data, { Sha256: sha256Of(ciphertext) })
    expect([reply.status, reply.json.ErrorCode]).toEqual([409, 'HashMismatch'])
    expect([given.inQuarantine(plain), staging()]).toEqual([true, []])
    expect((await complete(open)).json.ErrorCode).toBe('ResourceNotOpen')
  })
})

describe('what cannot be decrypted', () => {
  const plain = randomBytes(4000)
  const changed =
    (change: (data: EncryptionData) => void): ((made: Encrypted) => Encrypted) =>
    ({ ciphertext, data }) => {
      const next = structuredClone(data)
      change(next)
      return { ciphertext, data: next }
    }
  const cut =
    (bytes: number) =>
    ({ ciphertext, data }: Encrypted): Encrypted => ({
      ciphertext: ciphertext.subarray(0, bytes < 0 ? ciphertext.length + bytes : bytes),
      data,
    })
  const said =
    (text: string) =>
    ({ ciphertext }: Encrypted) => ({ ciphertext, data: text as unknown as EncryptionData })
  const foreign = (): PublishedKey => {
    const jwk = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' })
    return { kty: 'RSA', n: jwk.n as string, e: jwk.e as string, kid: 'foreign' }
  }
  const HOSTILE: Readonly<Record<string, (made: Encrypted) => Encrypted>> = {
    'no JSON': said('{"ContentEncryptionIV":'),
    'no object': said('null'),
    'an array': said('[]'),
    'nested without end': said(`${'['.repeat(3000)}${']'.repeat(3000)}`),
    'nothing in it': said('{}'),
    'members of the prototype': said('{"__proto__":{"ContentEncryptionIV":"AAAA"}}'),
    'another algorithm': changed((data) => (data.EncryptionAgent.EncryptionAlgorithm = 'AES_GCM_256')),
    'another protocol': changed((data) => (data.EncryptionAgent.Protocol = '2.0')),
    'another mode': changed((data) => (data.EncryptionMode = 'PartialBlob')),
    'another wrapping': changed((data) => (data.WrappedContentKey.Algorithm = 'RSA1_5')),
    'an unknown key': changed((data) => (data.WrappedContentKey.KeyId = '../../keys/tenant.json')),
    'no key named': changed((data) => (data.WrappedContentKey.KeyId = '')),
    'an IV of 15 bytes': changed((data) => (data.ContentEncryptionIV = randomBytes(15).toString('base64'))),
    'an IV of 17 bytes': changed((data) => (data.ContentEncryptionIV = randomBytes(17).toString('base64'))),
    'an IV that is no base64': changed((data) => (data.ContentEncryptionIV = '!!!!!!!!!!!!!!!!!!!!!!==')),
    'a wrapped key that is empty': changed((data) => (data.WrappedContentKey.EncryptedKey = '')),
    'a wrapped key of 383 bytes': changed(
      (data) => (data.WrappedContentKey.EncryptedKey = randomBytes(383).toString('base64')),
    ),
    'a wrapped key of 384 random bytes': changed(
      (data) => (data.WrappedContentKey.EncryptedKey = randomBytes(384).toString('base64')),
    ),
    'a content key of 16 bytes': changed((data) => (data.WrappedContentKey.EncryptedKey = wrap(randomBytes(16), key))),
    'a content key of 33 bytes': changed((data) => (data.WrappedContentKey.EncryptedKey = wrap(randomBytes(33), key))),
    'another content key': (made) => {
      // One in 256 happens to leave a right padding behind: without a hash nobody could tell.
      let other = randomBytes(32)
      while (opens(made, other)) other = randomBytes(32)
      return changed((data) => (data.WrappedContentKey.EncryptedKey = wrap(other, key)))(made)
    },
    'a key wrapped with SHA-256': changed(
      (data) => (data.WrappedContentKey.EncryptedKey = wrap(randomBytes(32), key, 'sha256')),
    ),
    'a key wrapped for somebody else': changed((data) => {
      data.WrappedContentKey.EncryptedKey = wrap(randomBytes(32), foreign())
    }),
    'a ciphertext cut within a block': cut(-1),
    'a ciphertext cut to nothing': cut(0),
    'a ciphertext of 15 bytes': cut(15),
    'bytes in the clear': ({ data }) => ({ ciphertext: plain.subarray(1), data }),
    'padding of zero': () => encrypted(Buffer.concat([plain, Buffer.alloc(16)]), key, { padded: false }),
    'padding of 17': () => encrypted(Buffer.concat([plain, Buffer.alloc(16, 17)]), key, { padded: false }),
    'padding that does not agree': () =>
      encrypted(Buffer.concat([plain, Buffer.alloc(12, 1), Buffer.from([9, 4, 4, 4])]), key, { padded: false }),
  }

  it.each(Object.keys(HOSTILE))('%s: refused in the same words, the ciphertext in quarantine', async (name) => {
    const { ciphertext, data } = (HOSTILE[name] as (made: Encrypted) => Encrypted)(encrypted(plain, key))
    const { open, reply } = await uploaded(ciphertext, data)
    expect([reply.status, reply.json.ErrorCode]).toEqual([409, 'DecryptionFailed'])
    expect(reply.json.Message).toMatch(/^What arrived cannot be decrypted\./)
    expect(reply.json.Details).toEqual([])
    expect([given.inQuarantine(ciphertext), staging()]).toEqual([true, []])
    const [refused] = entriesOf(open).filter(({ action }) => action === 'resource.refused')
    expect([refused?.outcome, refused?.sha256]).toEqual(['failed', sha256Of(ciphertext)])
    const record = await given.call('GET', `${given.documents}/evidence/${open.EvidenceId}/resource/${open.ResourceId}`)
    expect([record.json.State, record.json.Sha256]).toEqual(['Failed', null])
  })

  it('faults of key, length and padding are one to whoever reads the ledger too', async () => {
    const reasons = new Set<string | null | undefined>()
    for (const name of [
      'a wrapped key of 383 bytes',
      'a wrapped key of 384 random bytes',
      'a content key of 16 bytes',
      'another content key',
      'a ciphertext cut within a block',
      'padding of zero',
      'padding of 17',
      'padding that does not agree',
    ]) {
      const { ciphertext, data } = (HOSTILE[name] as (made: Encrypted) => Encrypted)(encrypted(plain, key))
      const { open } = await uploaded(ciphertext, data)
      reasons.add(entriesOf(open).find(({ action }) => action === 'resource.refused')?.reason)
    }
    expect([...reasons]).toEqual(['What arrived cannot be decrypted with the key that it names.'])
  })

  it.each([
    ['no JSON', 'The encryption data is no JSON.'],
    ['an IV of 15 bytes', 'The encryption data is not as it should be: ContentEncryptionIV.'],
    ['an unknown key', 'The encryption data names a key that this station does not have.'],
  ])('S19: the ledger says of %s what it is: nothing was decrypted', async (name, reason) => {
    const { ciphertext, data } = (HOSTILE[name] as (made: Encrypted) => Encrypted)(encrypted(plain, key))
    const { open } = await uploaded(ciphertext, data)
    expect(entriesOf(open).find(({ action }) => action === 'resource.refused')?.reason).toBe(reason)
  })
})

describe('replacing the key', () => {
  it('gives out another one; what was encrypted for the old one is still opened, and says which it was', async () => {
    const before = await given.expecting(200, given.call('GET', KEY))
    const plain = randomBytes(5000)
    const { ciphertext, data } = encrypted(plain, before)
    const open = await opened()
    await putBlob(open.UploadUri, ciphertext, header(data))
    const made = await given.command('key.rotate-tenant', {})
    expect(made).toEqual({ keyId: expect.any(String), replaced: before.kid })
    const now = await given.expecting(200, given.call('GET', KEY))
    expect([now.kid, now.n === before.n]).toEqual([made.keyId, false])
    const reply = await complete(open)
    expect([reply.json.Sha256, reply.json.UploadCertificateThumbprint]).toEqual([sha256Of(plain), before.kid])
    const [rotated] = given.ledger().filter(({ action }) => action === 'tenantKey.rotated')
    expect(rotated).toMatchObject({
      object: { type: 'key', id: made.keyId, name: 'tenant' },
      detail: { replaced: before.kid },
      actor: { kind: 'cli' },
    })
    // The private halves are in keys/ and nowhere else (decisions 12); on PostgreSQL in a row, wrapped (decisions 28).
    const file = JSON.parse(await textOfKey(given, 'tenant')) as Json
    expect(file.keys.map(({ kid }: Json) => kid)).toEqual([made.keyId, before.kid])
    const stored = readFileSync(await fileOfRows(given.file))
    for (const { jwk } of file.keys) for (const part of ['d', 'p', 'q']) expect(stored.includes(jwk[part])).toBe(false)
  })
})
