/** What the files of a snapshot prove, each by itself (promise I11): the manifest and its signature, the wrapped keys, the roots of trust. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unwrapKeys, WrongPassphrase, wrapKeys } from '../../server/features/integrity/backup/keys.ts'
import {
  BadManifest,
  type Manifest,
  openManifest,
  signManifest,
} from '../../server/features/integrity/backup/manifest.ts'
import {
  openRoots,
  OriginUnproven,
  requireOwnKeys,
  type SignedSnapshot,
} from '../../server/features/integrity/backup/trust.ts'
import { signCheckpoint, type Signer, verifierKey } from '../../server/kernel/ledger/signed-note.ts'
import { signRotation } from '../../server/kernel/ledger/key-rotation.ts'
import { base64, strangersKey } from './forging.ts'

const ORIGIN = 'sallyport.local/one'
const own = strangersKey()
const stranger = strangersKey()
const SUM = { sha256: 'a'.repeat(64), length: 1 }
const manifestOf = (...keys: readonly Signer[]): Manifest => ({
  format: 1,
  origin: ORIGIN,
  snapshot: '20261122T000000000Z',
  createdUtc: '2026-11-22T00:00:00.000Z',
  program: 'test',
  database: { ...SUM, schema: 1 },
  ledger: { entries: 20, head: 'b'.repeat(64) },
  checkpoint: null,
  counts: {},
  blobs: { count: 0, bytes: 0, list: SUM, damaged: [] },
  keys: null,
  publicKeys: keys.map((key) => base64(key.publicKey)),
})

describe('I11 the manifest', () => {
  it('S19: opens as it was signed', () => {
    const { text, signature } = signManifest(manifestOf(own), own)
    expect(openManifest(text, signature)).toEqual({ manifest: manifestOf(own), signedBy: base64(own.publicKey) })
  })

  it('S19: signed by a key that it does not name as the station’s is refused', () => {
    const { text, signature } = signManifest(manifestOf(own), stranger)
    expect(() => openManifest(text, signature)).toThrow(/by a key that the manifest does not name/)
  })

  it('S19: of another form is refused, also when it is signed', () => {
    const other = { ...manifestOf(own), format: 2 } as unknown as Manifest
    const { text, signature } = signManifest(other, own)
    expect(() => openManifest(text, signature)).toThrow(/of a form that this program does not know/)
  })

  it('S19: changed after it was signed is refused', () => {
    const { text, signature } = signManifest(manifestOf(own), own)
    expect(() => openManifest(text.replace('"entries":20', '"entries":19'), signature)).toThrow(/not what was signed/)
  })

  it.each([
    ['nothing', ''],
    ['a key alone', base64(own.publicKey)],
    ['a short key', `${base64(own.publicKey.subarray(1))} ${'A'.repeat(86)}==`],
    ['a short signature', `${base64(own.publicKey)} ${'A'.repeat(84)}`],
    ['a long signature', `${base64(own.publicKey)} ${'A'.repeat(88)}`],
  ])('S19: %s is no signature', (_what, signature) => {
    expect(() => openManifest(signManifest(manifestOf(own), own).text, signature)).toThrow(
      new BadManifest('manifest.sig is no signature.'),
    )
  })
})

describe('I11 wrapped keys', () => {
  const PASSPHRASE = 'nine ladders against the wall'
  it('S19: a file that asks for another cost is not opened', async () => {
    const text = await wrapKeys({ 'signing.json': '{}' }, PASSPHRASE)
    expect(await unwrapKeys(text, PASSPHRASE)).toEqual({ 'signing.json': '{}' })
    for (const cost of [{ N: 2 ** 30 }, { r: 1024 }, { p: 64 }]) {
      const wrapped = JSON.parse(text)
      Object.assign(wrapped.kdf, cost)
      await expect(unwrapKeys(JSON.stringify(wrapped), PASSPHRASE)).rejects.toThrow(WrongPassphrase)
    }
  })
})

describe('I11 roots of trust', () => {
  let dir: string
  let made = 0
  beforeAll(() => {
    dir = mkdtempSync(path.join(tmpdir(), 'sallyport-trust-'))
  })
  afterAll(() => rmSync(dir, { recursive: true, force: true }))

  const signed = (by: Signer, ...keys: readonly Signer[]): SignedSnapshot => ({
    origin: ORIGIN,
    signedBy: base64(by.publicKey),
    publicKeys: keys.map((key) => base64(key.publicKey)),
    entries: 20,
  })
  const note = (size: number, signer: Signer, origin = ORIGIN): string =>
    signCheckpoint({ origin, size, root: new Uint8Array(32) }, signer)
  /** Copies of checkpoints as they lie in a folder outside. */
  const folderOf = (...notes: readonly string[]): string => {
    const folder = path.join(dir, String((made += 1)))
    mkdirSync(folder)
    for (const [at, text] of notes.entries()) writeFileSync(path.join(folder, `${at}.txt`), text)
    return folder
  }
  const byCheckpoints = async (checkpoints: string, snapshot: SignedSnapshot, rotations: readonly unknown[] = []) =>
    (await openRoots({ signedBy: null, checkpoints }, snapshot)).fitting(rotations)
  const byKey = async (signedBy: string, snapshot: SignedSnapshot, rotations: readonly unknown[] = []) =>
    (await openRoots({ signedBy, checkpoints: null }, snapshot)).fitting(rotations)

  it('S19: copies of checkpoints show a snapshot that their key signed, as far as it goes', async () => {
    const folder = folderOf(note(10, own), note(20, own), note(21, own))
    expect(await byCheckpoints(folder, signed(own, own))).toEqual([note(10, own), note(20, own)])
  })

  it('S19: not one that a stranger signed who put their key beside the station’s', async () => {
    const folder = folderOf(note(10, own))
    await expect(byCheckpoints(folder, signed(stranger, own, stranger))).rejects.toThrow(
      /which signed none of the checkpoints/,
    )
    const handed = signRotation(own, stranger)
    expect(await byCheckpoints(folder, signed(stranger, own, stranger), [handed])).toEqual([note(10, own)])
  })

  it('S19: not by a copy of another origin, though the same key signed it', async () => {
    const folder = folderOf(note(10, own), note(12, own, 'sallyport.local/two'))
    await expect(byCheckpoints(folder, signed(own, own))).rejects.toThrow(
      /does not fit .* it is of sallyport.local\/two/,
    )
  })

  it('S19: the key shows what it or its successor signed, for its own origin', async () => {
    const printed = (origin: string): string => verifierKey(origin, own.publicKey)
    expect(await byKey(printed(ORIGIN), signed(own, own))).toEqual([])
    expect(await byKey(base64(own.publicKey), signed(stranger, stranger), [signRotation(own, stranger)])).toEqual([])
    await expect(byKey(printed('sallyport.local/two'), signed(own, own))).rejects.toThrow(OriginUnproven)
    await expect(byKey(base64(own.publicKey), signed(stranger, own, stranger))).rejects.toThrow(/nothing leads there/)
  })

  it('S19: a hand-over counts only when both keys signed it', async () => {
    const handed = signRotation(own, stranger)
    for (const forged of [
      { ...handed, oldSignature: handed.newSignature },
      { ...handed, newSignature: handed.oldSignature },
      { ...signRotation(stranger, stranger), oldKey: base64(own.publicKey) },
      { ...handed, oldKey: base64(own.publicKey.subarray(1)) },
    ])
      await expect(byKey(base64(own.publicKey), signed(stranger, stranger), [forged])).rejects.toThrow(
        /nothing leads there/,
      )
  })

  it('S19: keys in the snapshot show it only when one of them signed it', () => {
    expect(() => requireOwnKeys([own.publicKey], signed(own, own))).not.toThrow()
    expect(() => requireOwnKeys([stranger.publicKey], signed(own, own))).toThrow(/not those that signed it/)
    expect(() => requireOwnKeys([], signed(own, own))).toThrow(/not those that signed it/)
  })
})
