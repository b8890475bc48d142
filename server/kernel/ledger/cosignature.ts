/**
 * Co-signatures of checkpoints: C2SP tlog-cosignature, `cosignature/v1`, Ed25519. A station that holds an earlier checkpoint of another one says by it
 * that the later one continues it, and when it saw that (docs/decisions/0038). Signed is
 * `cosignature/v1 \n time <POSIX seconds> \n` and the text of the checkpoint; no checkpoint has that origin, so no key signs one for the other.
 */
import { hash, verify } from 'node:crypto'
import { BadNote, ed25519PublicKey, isOrigin, type Signer, textOfNote } from './signed-note.ts'

export interface Cosignature {
  /** `— name base64(key id ‖ time ‖ signature)`, as a line of a signed note. */
  readonly line: string
  /** The key in the form that verifiers of signed notes take: `name+id+base64(0x04 ‖ key)`. */
  readonly key: string
}

export interface OpenedCosignature {
  /** Origin of the station that signed. */
  readonly name: string
  /** POSIX seconds. */
  readonly time: number
  /** Raw key of 32 bytes. */
  readonly publicKey: Uint8Array
  /** The key in DER as SHA-256, as `openssl pkey -pubin -outform DER | sha256sum` says it. */
  readonly fingerprint: string
}

/** As an entry of the ledger tells one. */
export interface SaidCosignature {
  /** Origin of the station that signed. */
  readonly station: string
  readonly timeUtc: string
  readonly fingerprint: string
}

/** How paired stations are asked to co-sign a head. */
export interface AskedToCosign {
  /** What is there already. Whoever signed one of them is not asked. */
  readonly present?: readonly Cosignature[]
  readonly signal?: AbortSignal | undefined
}

/** What paired stations answered who were asked to co-sign a head. */
export interface Cosigned {
  /** Of those that were present the ones that hold for this head. */
  readonly kept: readonly Cosignature[]
  readonly cosignatures: readonly (Cosignature & SaidCosignature)[]
  readonly problems: readonly { readonly address: string; readonly problem: string }[]
}

/** C2SP signed-note: the number of timestamped Ed25519 co-signatures. */
const COSIGNATURE = 4
const KEY_ID_BYTES = 4
const TIME_BYTES = 8
const SIGNATURE_BYTES = 64
/** The last second of the year 9999, in POSIX seconds. */
const LAST_TIME = 253_402_300_799
/** SubjectPublicKeyInfo of an Ed25519 key, before the key itself (RFC 8410). */
const DER_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')

const signedText = (time: number, text: string): Buffer => Buffer.from(`cosignature/v1\ntime ${time}\n${text}`)

const keyIdOf = (name: string, publicKey: Uint8Array): Buffer =>
  hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(COSIGNATURE), publicKey]), 'buffer').subarray(0, 4)

/** @param note a signed checkpoint @param time POSIX seconds */
export function cosign(
  note: string,
  by: { readonly name: string; readonly time: number },
  signer: Signer,
): Cosignature {
  const { name, time } = by
  const id = keyIdOf(name, signer.publicKey)
  const seconds = Buffer.alloc(TIME_BYTES)
  seconds.writeBigUInt64BE(BigInt(time))
  const bytes = Buffer.concat([id, seconds, signer.sign(signedText(time, textOfNote(note)))])
  const key = Buffer.concat([Buffer.of(COSIGNATURE), signer.publicKey]).toString('base64')
  return { line: `— ${name} ${bytes.toString('base64')}`, key: `${name}+${id.toString('hex')}+${key}` }
}

/** @param text of the checkpoint, without signatures @throws BadNote when the form is wrong or the key did not sign this text */
export function openCosignature({ line, key }: Cosignature, text: string): OpenedCosignature {
  const [, name = '', id = '', encodedKey = ''] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})$/.exec(key) ?? []
  const keyBytes = Buffer.from(encodedKey, 'base64')
  if (!isOrigin(name) || keyBytes.length !== 33 || keyBytes[0] !== COSIGNATURE) throw new BadNote('It has no key')
  const publicKey = new Uint8Array(keyBytes.subarray(1))
  const [, named, encoded = ''] = /^— (\S+) ([A-Za-z0-9+/]+={0,2})$/.exec(line) ?? []
  const bytes = Buffer.from(encoded, 'base64')
  if (named !== name || bytes.length !== KEY_ID_BYTES + TIME_BYTES + SIGNATURE_BYTES)
    throw new BadNote('It is no line of a co-signature')
  const ownId = keyIdOf(name, publicKey)
  if (ownId.toString('hex') !== id || !bytes.subarray(0, KEY_ID_BYTES).equals(ownId))
    throw new BadNote('It names another key')
  const time = Number(bytes.readBigUInt64BE(KEY_ID_BYTES))
  const signature = bytes.subarray(KEY_ID_BYTES + TIME_BYTES)
  if (time > LAST_TIME || !verify(null, signedText(time, text), ed25519PublicKey(publicKey), signature))
    throw new BadNote('Its signature does not hold')
  return { name, time, publicKey, fingerprint: hash('sha256', Buffer.concat([DER_PREFIX, publicKey]), 'hex') }
}

/** Two lines for each: the co-signature, then the key. */
export const cosignaturesText = (all: readonly Cosignature[]): string =>
  all.map(({ line, key }) => `${line}\n${key}\n`).join('')

/** @throws BadNote for any other text */
export function readCosignatures(text: string): Cosignature[] {
  const lines = text.split('\n')
  if (lines.pop() !== '' || lines.length === 0 || lines.length % 2 === 1)
    throw new BadNote('It has not two lines for each')
  return lines.flatMap((line, at) => (at % 2 === 0 ? [{ line, key: lines[at + 1] as string }] : []))
}
