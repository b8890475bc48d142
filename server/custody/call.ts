import type { Principal } from '../../shared/domain/principal.ts'

/** One call into the station: who asks, from where, under which id. Passed down to whatever writes the ledger. */
export interface Call {
  readonly actor: Principal
  /** Remote address, or `cli`, or `station` for the platform's own acts. */
  readonly source: string
  readonly correlationId: string
}
