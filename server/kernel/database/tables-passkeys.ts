import type { Generated } from 'kysely'

export interface PasskeysTable {
  passkey_id: Generated<number>
  principal_id: number
  /** The name of the station it was made for; it answers to no other. */
  rp_id: string
  credential_id: string
  /** One for each person, random: authenticators find theirs by it, and it says nothing of who it is. */
  user_handle: string
  /** A COSE key (RFC 9052). */
  public_key: Uint8Array
  counter: number
  /** A JSON array, as the browser told them. */
  transports: string
  /** 1: copied by its maker between devices. */
  synced: number
  name: string
  /** Milliseconds since 1970, as the next. */
  created_at: number
  used_at: number | null
}
