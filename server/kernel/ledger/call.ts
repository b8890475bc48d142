import type { Principal } from '../../../shared/kernel/principal.ts'

/**
 * `local`: from this machine at the listener on loopback, without a proxy. `proxied`: through a proxy, so that the address is not the
 * caller's. `network`: everything else.
 */
export type Arrival = 'local' | 'proxied' | 'network'

/** One call into the station: its actor, source and correlation id. Passed down to the code that writes the ledger. */
export interface Call {
  readonly actor: Principal
  /** Remote address; `cli` for the command line; `station` for acts of the station itself. */
  readonly source: string
  readonly correlationId: string
  /** How the request arrived, see http/begin.ts; absent for calls that are not requests. */
  readonly arrival?: Arrival
}
