/** An authenticator without a device: it makes passkeys and signs with them as WebAuthn Level 3 says, and wrongly where a test wants it. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import type { Json } from './given.ts'

const UP = 0x01
const UV = 0x04
const AT = 0x40

export interface Wrong {
  /** Of the page that the browser says it was made in. */
  readonly origin?: string
  /** Which station the authenticator signs for. */
  readonly rpId?: string
  readonly type?: string
  readonly challenge?: string
  readonly crossOrigin?: boolean
  /** User present, user verified. */
  readonly flags?: number
  readonly counter?: number
  readonly userHandle?: string | null
  readonly id?: string
  /** In place of the attestation's own: `fmt` and `attStmt`. */
  readonly statement?: readonly [string, Map<string, unknown>]
  /** The passkey's own key signs for it, which names no maker (8.2 of the standard: self attestation). */
  readonly selfAttested?: true
}

export interface Passkey {
  readonly id: string
  readonly userHandle: string
  counter: number
  readonly privateKey: KeyObject
}

const sha256 = (bytes: string | Uint8Array): Buffer => createHash('sha256').update(bytes).digest()
const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')

const clientData = (type: string, challenge: string, origin: string, crossOrigin = false): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin }))

function authenticatorData(rpId: string, flags: number, counter: number): Buffer {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  return Buffer.concat([sha256(rpId), Buffer.from([flags]), count])
}

/** What the browser sends for PublicKeyCredentialCreationOptionsJSON, and the passkey that stays here. */
export function created(options: Json, origin: string, wrong: Wrong = {}): { passkey: Passkey; response: Json } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' }) as { x: string; y: string }
  const cose = isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
    ]),
  )
  const credential = wrong.id === undefined ? randomBytes(32) : Buffer.from(wrong.id, 'base64url')
  const length = Buffer.alloc(2)
  length.writeUInt16BE(credential.length)
  const counter = wrong.counter ?? 1
  const authData = Buffer.concat([
    authenticatorData(wrong.rpId ?? options.rp.id, (wrong.flags ?? UP | UV) | AT, counter),
    Buffer.alloc(16),
    length,
    credential,
    cose,
  ])
  const data = clientData(
    wrong.type ?? 'webauthn.create',
    wrong.challenge ?? options.challenge,
    wrong.origin ?? origin,
    wrong.crossOrigin,
  )
  const signed = (): Uint8Array => new Uint8Array(sign('sha256', Buffer.concat([authData, sha256(data)]), privateKey))
  const none = ['none', new Map()] as const
  const own = (): NonNullable<Wrong['statement']> => [
    'packed',
    new Map<string, unknown>([
      ['alg', -7],
      ['sig', signed()],
    ]),
  ]
  const [fmt, attStmt] = wrong.statement ?? (wrong.selfAttested === true ? own() : none)
  const attestation = isoCBOR.encode(
    new Map<string, never>([
      ['fmt', fmt as never],
      ['attStmt', attStmt as never],
      ['authData', new Uint8Array(authData) as never],
    ]),
  )
  const id = base64url(credential)
  return {
    passkey: { id, userHandle: options.user.id, counter, privateKey },
    response: {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON: base64url(data), attestationObject: base64url(attestation), transports: ['usb'] },
    },
  }
}

/** What the browser sends for PublicKeyCredentialRequestOptionsJSON. Each use counts one more. */
export function brought(passkey: Passkey, options: Json, origin: string, wrong: Wrong = {}): Json {
  if (wrong.counter === undefined) passkey.counter += 1
  const authData = authenticatorData(
    wrong.rpId ?? options.rpId,
    wrong.flags ?? UP | UV,
    wrong.counter ?? passkey.counter,
  )
  const data = clientData(
    wrong.type ?? 'webauthn.get',
    wrong.challenge ?? options.challenge,
    wrong.origin ?? origin,
    wrong.crossOrigin,
  )
  const signature = sign('sha256', Buffer.concat([authData, sha256(data)]), passkey.privateKey)
  const id = wrong.id ?? passkey.id
  const userHandle = wrong.userHandle === undefined ? passkey.userHandle : wrong.userHandle
  return {
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      clientDataJSON: base64url(data),
      authenticatorData: base64url(authData),
      signature: base64url(signature),
      ...(userHandle === null ? {} : { userHandle }),
    },
  }
}
