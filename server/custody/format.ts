import { createHash } from 'node:crypto'
import type { Principal } from '../../shared/domain/principal.ts'
import { canonicalJson } from './canonical.ts'
import type { Action } from './actions.ts'

/** An entry of the ledger as it is stored (decisions 12, `format: 1`). */
export interface Entry {
  readonly format: 1
  readonly seq: number
  /** Milliseconds, UTC. */
  readonly timeUtc: string
  readonly actor: {
    readonly kind: Principal['kind']
    readonly id: string
    readonly name: string
    readonly role: string | null
  }
  /** Address, `cli` or `station`. */
  readonly source: string
  readonly action: Action
  readonly object: LedgerObject
  readonly outcome: Outcome
  readonly reason: string | null
  readonly bytes: number | null
  readonly sha256: string | null
  readonly correlationId: string
  readonly detail: Readonly<Record<string, unknown>>
}

export type Outcome = 'ok' | 'denied' | 'failed'

export interface LedgerObject {
  readonly type: string
  readonly id: string
  /** As then. */
  readonly name: string
}

/** Before the first entry. */
export const GENESIS = Buffer.alloc(32)

/** The stored bytes; never re-serialised afterwards. @throws for what JSON cannot carry. */
export const entryBytes = (entry: Entry): Buffer => Buffer.from(canonicalJson(entry), 'utf8')

/** `hash` = SHA-256(previous hash ‖ bytes). */
export const chainHash = (previous: Uint8Array, body: Uint8Array): Buffer =>
  createHash('sha256').update(previous).update(body).digest()

const LEAF_PREFIX = Buffer.from([0])

/** RFC 6962 leaf hash: SHA-256(0x00 ‖ bytes). */
export const leafHash = (body: Uint8Array): Buffer => createHash('sha256').update(LEAF_PREFIX).update(body).digest()
