import type { Generated } from 'kysely'

export interface PasskeysTable {
  passkey_id: Generated<number>
  principal_id: number
  /** The station's host name for which the passkey was made; it works for no other. */
  rp_id: string
  credential_id: string
  /** A random id for each person, by which authenticators find the passkey; it does not identify the person. */
  user_handle: string
  /** A COSE key (RFC 9052). */
  public_key: Uint8Array
  counter: number
  /** A JSON array, as given by the browser. */
  transports: string
  /** 1 for a passkey that its provider synchronises between devices. */
  synced: number
  name: string
  /** Milliseconds since 1970, as the next. */
  created_at: number
  used_at: number | null
}
