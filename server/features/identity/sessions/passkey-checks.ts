/**
 * What WebAuthn Level 3 asks a station to look at (7.1, 7.2), by the library, and what is asked of browsers. Everything that comes in is a
 * stranger's: whatever goes wrong while it is read is a refusal, never an error.
 */
import type { z } from 'zod'
import type { NewPasskeyResponse, PasskeyResponse } from '../../../../shared/identity/passkeys.contract.ts'
import type { PasskeyRow } from './passkeys.store.ts'

/** Where the station is asked: the configured origin that the request's Host matched. */
export interface At {
  readonly origin: string
  readonly rpId: string
}

/** With the first passkey: its hundred and fifty modules are a tenth of what a start costs. */
const library = () => import('@simplewebauthn/server')
const helpers = () => import('@simplewebauthn/server/helpers')

/** COSE: EdDSA, ES256, RS256. */
const ALGORITHMS = [-8, -7, -257]
/** Milliseconds for the person; the challenge lives longer. */
const TIMEOUT = 120_000

export const creationOptions = (
  { rpId }: At,
  given: {
    readonly challenge: string
    readonly station: string
    readonly user: { readonly handle: string; readonly name: string; readonly displayName: string }
    readonly known: readonly PasskeyRow[]
  },
) => ({
  rp: { id: rpId, name: given.station },
  user: { id: given.user.handle, name: given.user.name, displayName: given.user.displayName },
  challenge: given.challenge,
  pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
  timeout: TIMEOUT,
  attestation: 'none',
  // Found without a name being typed, and only by whoever it belongs to: that is what makes it both steps.
  authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  excludeCredentials: given.known
    .filter(({ rp_id: of }) => of === rpId)
    .map(({ credential_id: id, transports }) => ({ type: 'public-key', id, transports: JSON.parse(transports) })),
})

export const requestOptions = ({ rpId }: At, challenge: string) => ({
  challenge,
  rpId,
  timeout: TIMEOUT,
  userVerification: 'required',
  allowCredentials: [],
})

/** The challenge that an answer is about; null for what is no client data, or was made inside somebody else's page. */
export function challengeIn(clientDataJSON: string): string | null {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'))
    if (typeof data !== 'object' || data === null || !('challenge' in data)) return null
    const framed = 'crossOrigin' in data && data.crossOrigin === true
    return typeof data.challenge === 'string' && !framed ? data.challenge : null
  } catch {
    return null
  }
}

export type NewCredential = Pick<PasskeyRow, 'credential_id' | 'public_key' | 'counter' | 'transports' | 'synced'>

/** @returns null for everything that is not a new passkey of this place, made for this challenge by somebody who proved who they are. */
export async function checkedNew(
  { origin, rpId }: At,
  response: z.output<typeof NewPasskeyResponse>,
  challenge: string,
): Promise<NewCredential | null> {
  try {
    if (await attests(response.response.attestationObject)) return null
    const { verifyRegistrationResponse } = await library()
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...plain(response), response: { ...response.response, transports: [] } },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!verified || registrationInfo.credential.id !== response.id) return null
    const { credential, credentialBackedUp } = registrationInfo
    return {
      credential_id: credential.id,
      public_key: credential.publicKey,
      counter: credential.counter,
      transports: JSON.stringify(response.response.transports ?? []),
      synced: credentialBackedUp ? 1 : 0,
    }
  } catch {
    return null
  }
}

/**
 * None was asked for. A statement with certificates has the library follow the addresses in them, and a station asks nobody (promise
 * S15): that is refused before it is looked at.
 */
async function attests(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await helpers()
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
  const format = decoded.get('fmt')
  return format !== 'none' && !(format === 'packed' && decoded.get('attStmt').get('x5c') === undefined)
}

export type Checked = { readonly counter: number; readonly synced: number } | { readonly refused: string }

/** @returns what to keep of the use once `countsOn` was asked; or one word for the ledger. */
export async function checkedUse(
  { origin, rpId }: At,
  response: z.output<typeof PasskeyResponse>,
  { challenge, passkey }: { readonly challenge: string; readonly passkey: PasskeyRow },
): Promise<Checked> {
  // A passkey names its owner by itself; one that names nobody, or somebody else, was put together.
  if (response.response.userHandle !== passkey.user_handle) return { refused: 'passkeyOwner' }
  if (passkey.rp_id !== rpId) return { refused: 'passkeyElsewhere' }
  const use = await verified({ origin, rpId }, response, { challenge, passkey })
  if (use === null) return { refused: 'passkeyInvalid' }
  return use
}

/**
 * 6.1.1: one that counts must count on. A true signature with an old count is a copy of the authenticator. Asked in the transaction that
 * keeps the new count: two uses may be verified at the same moment.
 */
export function countsOn(use: { readonly counter: number }, kept: { readonly counter: number }): boolean {
  const counts = use.counter > 0 || kept.counter > 0
  return !counts || use.counter > kept.counter
}

async function verified(
  { origin, rpId }: At,
  response: z.output<typeof PasskeyResponse>,
  { challenge, passkey }: { readonly challenge: string; readonly passkey: PasskeyRow },
): Promise<{ counter: number; synced: number } | null> {
  try {
    const { userHandle, ...rest } = response.response
    const { verifyAuthenticationResponse } = await library()
    const done = await verifyAuthenticationResponse({
      response: { ...plain(response), response: { ...rest, userHandle: userHandle ?? '' } },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      // `countsOn` compares the count: so a copy can be told from what is merely wrong.
      credential: { id: passkey.credential_id, publicKey: new Uint8Array(passkey.public_key), counter: 0 },
    })
    const { newCounter, credentialBackedUp } = done.authenticationInfo
    return done.verified ? { counter: newCounter, synced: credentialBackedUp ? 1 : 0 } : null
  } catch {
    return null
  }
}

const plain = ({ id, rawId, type }: { readonly id: string; readonly rawId: string; readonly type: 'public-key' }) => ({
  id,
  rawId,
  type,
  clientExtensionResults: {},
})
