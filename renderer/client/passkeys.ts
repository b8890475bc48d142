/** Passkeys in this browser (WebAuthn): what the station asks is given to it, and its answer goes back as it is. */
import { type NoPasskeys, passkeysAt } from '../../shared/identity/passkeys.ts'

/** Why there are none at this page; `browser`: it has none to give. null: there are. */
export function noPasskeysHere(): NoPasskeys | 'browser' | null {
  const at = passkeysAt(window.location.origin)
  if ('none' in at) return at.none
  return 'PublicKeyCredential' in window && 'parseCreationOptionsFromJSON' in PublicKeyCredential ? null : 'browser'
}

/** Why the browser gave none: its person stopped it or took too long, or this device holds one already. */
export type PasskeyStop = 'stopped' | 'there'

export class PasskeyStopped extends Error {
  readonly why: PasskeyStop
  constructor(why: PasskeyStop) {
    super(`the browser gave no passkey: ${why}`)
    this.why = why
  }
}

type Json = Record<string, unknown>

/** @returns a RegistrationResponseJSON. @throws PasskeyStopped */
export const makePasskey = (options: Json): Promise<Json> =>
  asked(() => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as never)
    return navigator.credentials.create({ publicKey })
  })

/** @param signal takes the question back. @returns an AuthenticationResponseJSON. @throws PasskeyStopped */
export const bringPasskey = (options: Json, signal?: AbortSignal): Promise<Json> =>
  asked(() => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as never)
    return navigator.credentials.get({ publicKey, ...(signal === undefined ? {} : { signal }) })
  })

async function asked(ask: () => Promise<Credential | null>): Promise<Json> {
  try {
    const credential = await ask()
    if (!(credential instanceof PublicKeyCredential)) throw new PasskeyStopped('stopped')
    return { ...credential.toJSON() }
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
    throw new PasskeyStopped(error.name === 'InvalidStateError' ? 'there' : 'stopped')
  }
}
