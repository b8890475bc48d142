/**
 * Proof that a snapshot is this station's. Its manifest names the key that signed it, but anybody can sign with their own key: the key has
 * to be confirmed by something that did not come with the snapshot.
 */
import { createPublicKey } from 'node:crypto'
import { keyIdOf, openCheckpoint, verifierKey } from '../../../kernel/ledger/signed-note.ts'
import { readRotation } from '../../../kernel/ledger/key-rotation.ts'
import { notesFolder } from '../verification/copies.ts'
import { openNotes } from '../../../platform/files/notes.ts'
import { readText } from '../../../platform/files/read-text.ts'
import { namesIn } from '../../../platform/files/trees.ts'
import type { FoundSnapshot } from './reader.ts'

/** The given roots of trust, each of which has to verify. */
export interface Roots {
  /** The station's public key in printed form, or a file with it. */
  readonly signedBy: string | null
  /** A folder of checkpoints that were copied outside the station. */
  readonly checkpoints: string | null
}

export type Trust = 'key' | 'checkpoints' | 'keys' | 'none'

/** The snapshot's origin is unproven, or is another station. */
export class OriginUnproven extends Error {
  override readonly name = 'OriginUnproven'
}

const base64 = (key: Uint8Array): string => Buffer.from(key).toString('base64')
const RAW = /^[A-Za-z0-9+/]{43}=$/
const PRINTED = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})$/

export interface NamedKey {
  /** Origin of the station's checkpoints; null when the form of the key does not contain it. */
  readonly origin: string | null
  readonly key: Uint8Array
}

/** @param text the key as the station prints it, its 32 bytes in base64, or a PEM @returns null when it is none of these */
export function parsePublicKey(text: string): NamedKey | null {
  const given = text.trim()
  if (RAW.test(given)) return { origin: null, key: new Uint8Array(Buffer.from(given, 'base64')) }
  const [, origin = '', id = '', encoded = ''] = PRINTED.exec(given) ?? []
  if (encoded !== '') {
    const bytes = new Uint8Array(Buffer.from(encoded, 'base64'))
    const key = bytes.subarray(1)
    return bytes[0] === 1 && Buffer.from(keyIdOf(origin, key)).toString('hex') === id ? { origin, key } : null
  }
  if (!given.startsWith('-----BEGIN PUBLIC KEY-----')) return null
  try {
    const opened = createPublicKey(given)
    if (opened.asymmetricKeyType !== 'ed25519') return null
    return { origin: null, key: new Uint8Array(Buffer.from(opened.export({ format: 'jwk' }).x as string, 'base64url')) }
  } catch {
    return null
  }
}

/** The printed key itself, or a file that holds it. @throws Error when it is neither */
export async function readPublicKey(given: string): Promise<NamedKey> {
  const direct = parsePublicKey(given)
  if (direct !== null) return direct
  const text = await readText(given).catch(() => null)
  if (text === null)
    throw new Error(`${given} is neither a public key as the station prints it nor a file with one that can be read.`)
  const inside = parsePublicKey(text)
  if (inside === null) throw new Error(`${given} holds no Ed25519 public key.`)
  return inside
}

export interface SignedSnapshot {
  readonly origin: string
  /** Raw keys in base64. */
  readonly signedBy: string
  readonly publicKeys: readonly string[]
  /** Number of entries in its ledger. */
  readonly entries: number
}

export const signedSnapshot = ({
  manifest,
  signedBy,
}: Pick<FoundSnapshot, 'manifest' | 'signedBy'>): SignedSnapshot => ({
  origin: manifest.origin,
  signedBy,
  publicKeys: manifest.publicKeys,
  entries: manifest.ledger.entries,
})

/** Roots of trust that were read before the snapshot was opened. */
export interface OpenRoots {
  readonly trust: Trust
  /**
   * @param rotations the details of the entries `key.rotated` in the snapshot's ledger
   * @returns checkpoints with which its ledger must agree @throws OriginUnproven
   */
  fitting(rotations: readonly unknown[]): readonly string[]
}

/** @throws OriginUnproven when a folder holds no copies; Error when a key cannot be read */
export async function openRoots(roots: Roots, signed: SignedSnapshot): Promise<OpenRoots> {
  const key = roots.signedBy === null ? null : await readPublicKey(roots.signedBy)
  const notes = roots.checkpoints === null ? null : await checkpointsIn(roots.checkpoints, signed.origin)
  return {
    trust: key !== null ? 'key' : notes !== null ? 'checkpoints' : 'none',
    fitting: (rotations) => {
      if (key !== null) requireKey(key, signed, rotations)
      return notes === null ? [] : requireCheckpoints(notes, signed, rotations)
    },
  }
}

/**
 * @param rotations the details of all entries `key.rotated` in the snapshot's ledger. Each is signed by both of its keys, so that trust in
 *   one of them extends to the other
 */
function chained(roots: Iterable<string>, rotations: readonly unknown[]): Set<string> {
  const trusted = new Set(roots)
  const handed = rotations.map(readRotation).filter((rotation) => rotation !== null)
  for (let before = -1; before !== trusted.size; ) {
    before = trusted.size
    for (const { oldKey, newKey } of handed) {
      if (trusted.has(oldKey)) trusted.add(newKey)
      if (trusted.has(newKey)) trusted.add(oldKey)
    }
  }
  return trusted
}

/** @throws OriginUnproven unless the key, or a key that it was rotated to, signed the snapshot */
function requireKey({ origin, key }: NamedKey, signed: SignedSnapshot, rotations: readonly unknown[]): void {
  if (origin !== null && origin !== signed.origin)
    throw new OriginUnproven(`The snapshot is of ${signed.origin}, and the key that was given is that of ${origin}.`)
  if (!chained([base64(key)], rotations).has(signed.signedBy))
    throw new OriginUnproven(
      `The snapshot is signed by ${printedKey(signed)}, and nothing leads there from the key that was given: it is another station’s, or forged.`,
    )
}

/** Checkpoints in a folder outside the station. @throws Error when there are none */
async function checkpointsIn(folder: string, origin: string): Promise<string[]> {
  for (const place of [notesFolder(folder, origin), folder]) {
    if (!((await namesIn(place)) ?? []).some((name) => name.endsWith('.txt'))) continue
    return (await openNotes(place)).all()
  }
  throw new OriginUnproven(`There are no copies of the checkpoints of ${origin} in ${folder}.`)
}

/**
 * The newest copy names the key that signed it by its signature alone. All of them must be the station's.
 * @returns the checkpoints about entries that the snapshot has; its ledger must agree with them
 * @throws OriginUnproven unless each was signed by a key of the snapshot, and the snapshot's own key is one of these or was rotated from one
 */
function requireCheckpoints(notes: readonly string[], signed: SignedSnapshot, rotations: readonly unknown[]): string[] {
  const keys = signed.publicKeys.map((key) => new Uint8Array(Buffer.from(key, 'base64')))
  const signers = new Set<string>()
  const within: string[] = []
  for (const note of notes) {
    try {
      const opened = openCheckpoint(note, keys)
      if (opened.origin !== signed.origin) throw new Error(`it is of ${opened.origin}`)
      signers.add(base64(opened.signedBy))
      if (opened.size <= signed.entries) within.push(note)
    } catch (error) {
      throw new OriginUnproven(
        `A checkpoint that was kept outside does not fit this snapshot: ${(error as Error).message}.`,
      )
    }
  }
  if (!chained(signers, rotations).has(signed.signedBy))
    throw new OriginUnproven(
      `The snapshot is signed by ${printedKey(signed)}, which signed none of the checkpoints that were kept outside.`,
    )
  return within
}

/** @throws OriginUnproven unless one of the keys in the snapshot signed it */
export function requireOwnKeys(keys: readonly Uint8Array[], signed: SignedSnapshot): void {
  if (!keys.some((key) => base64(key) === signed.signedBy))
    throw new OriginUnproven(
      'The keys in this snapshot are not those that signed it: its manifest was forged, or its keys are another station’s.',
    )
}

export const printedKey = ({ origin, signedBy }: Pick<SignedSnapshot, 'origin' | 'signedBy'>): string =>
  verifierKey(origin, new Uint8Array(Buffer.from(signedBy, 'base64')))

/** The sentence about what is missing when no root of trust was given. */
export const noRoot = (signed: SignedSnapshot): string =>
  `Nothing was given that shows whose snapshot this is; it says of itself that it was signed by ${printedKey(signed)}. ` +
  'Give --signed-by with the station’s public key as it was printed at set-up, --checkpoints with a folder of copied checkpoints, ' +
  'or the passphrase of the keys in it. --trust-on-sight restores it all the same, under an alarm that stays open.'
