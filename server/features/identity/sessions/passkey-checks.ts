/**
 * The checks of WebAuthn Level 3 (7.1, 7.2), by the library, and the options for browsers. All input is untrusted: any failure to read it
 * is a refusal, never an error.
 */
import type { z } from 'zod'
import type { NewPasskeyResponse, PasskeyResponse } from '../../../../shared/identity/passkeys.contract.ts'
import type { PasskeyRow } from './passkeys.store.ts'

/** The site of a passkey: the configured origin that the request's Host matched. */
export interface PasskeySite {
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
  { rpId }: PasskeySite,
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
  // Found without a typed name, and only after the authenticator verified its owner. So a passkey stands for both steps.
  authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  excludeCredentials: given.known
    .filter(({ rp_id: of }) => of === rpId)
    .map(({ credential_id: id, transports }) => ({ type: 'public-key', id, transports: JSON.parse(transports) })),
})

export const requestOptions = ({ rpId }: PasskeySite, challenge: string) => ({
  challenge,
  rpId,
  timeout: TIMEOUT,
  userVerification: 'required',
  allowCredentials: [],
})

/** The challenge of a response; null when it is not client data, or was made in a frame of another site. */
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

/** @returns null unless it is a new passkey for this site and challenge, whose authenticator verified its user. */
export async function verifyNewPasskey(
  { origin, rpId }: PasskeySite,
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
 * No attestation was requested. For one with certificates the library would fetch the addresses in them, and a station makes no outgoing
 * requests (promise S15). So it is refused before verification.
 */
async function attests(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await helpers()
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
  const format = decoded.get('fmt')
  return format !== 'none' && !(format === 'packed' && decoded.get('attStmt').get('x5c') === undefined)
}

export type Checked = { readonly counter: number; readonly synced: number } | { readonly refused: string }

/** @returns the values to store once `hasNewerCounter` agreed; or the reason of a refusal, one word for the ledger. */
export async function verifyPasskeyUse(
  { origin, rpId }: PasskeySite,
  response: z.output<typeof PasskeyResponse>,
  { challenge, passkey }: { readonly challenge: string; readonly passkey: PasskeyRow },
): Promise<Checked> {
  // A passkey names its owner. A response without that name, or with another one, is forged.
  if (response.response.userHandle !== passkey.user_handle) return { refused: 'passkeyOwner' }
  if (passkey.rp_id !== rpId) return { refused: 'passkeyElsewhere' }
  const use = await verified({ origin, rpId }, response, { challenge, passkey })
  if (use === null) return { refused: 'passkeyInvalid' }
  return use
}

/**
 * WebAuthn 6.1.1: the counter of an authenticator that has one must grow. A valid signature with an old counter comes from a copy. Call it
 * in the transaction that stores the new counter: two uses may be verified at the same moment.
 */
export function hasNewerCounter(use: { readonly counter: number }, stored: { readonly counter: number }): boolean {
  const counts = use.counter > 0 || stored.counter > 0
  return !counts || use.counter > stored.counter
}

async function verified(
  { origin, rpId }: PasskeySite,
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
      // `hasNewerCounter` compares the counter later, so that a copy gets a reason of its own.
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
