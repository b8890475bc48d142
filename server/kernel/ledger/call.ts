import type { Principal } from '../../../shared/kernel/principal.ts'

/**
 * `local`: at the listener on loopback, from this very machine, with nothing in between. `proxied`: something stands in front of the
 * station, so that the address is not the caller's. `network`: everything else.
 */
export type Arrival = 'local' | 'proxied' | 'network'

/** One call into the station: who asks, from where, under which id. Passed down to whatever writes the ledger. */
export interface Call {
  readonly actor: Principal
  /** Remote address, or `cli`, or `station` for the platform's own acts. */
  readonly source: string
  readonly correlationId: string
  /** How a request came in, see http/arrival.ts; absent where there was none. */
  readonly arrival?: Arrival
}
