/** What CAD push writes into a case: `server/features/dispatch` reads it from a message, `server/features/cases` writes it. */
import type { CaseFieldName } from '../../../shared/cases/fields.ts'
import type { Tx } from '../database/database.ts'
import type { Call } from '../ledger/call.ts'

/** In the transaction of the message. */
export type WriteCase = (
  tx: Tx,
  call: Call,
  of: CadMessageOf,
  before: CadState,
  fields: EventFields,
) => Promise<CadWritten>

export interface CadMessageOf {
  readonly tenant: string
  /** The integration that pushed it, also when another principal retries it. */
  readonly pusher: number
  /** For the entry of the case. */
  readonly detail: Readonly<Record<string, unknown>>
}

/** By slot, as JSON text. */
export type Slots = Readonly<Record<string, string>>

export interface CadState {
  readonly caseId: number | null
  readonly written: Slots
  readonly byHand: readonly string[]
}

export interface CadWritten extends CadState {
  /** `closed`, `deleted`: nothing was written. */
  readonly outcome: 'created' | 'changed' | 'same' | 'closed' | 'deleted'
  readonly caseId: number
  /** What does not fit, in words. */
  readonly notes: readonly string[]
  /** null: nothing was written. */
  readonly receipt: Receipt | null
}

/** What a message changed in its case, and what it found changed by hand. */
export interface Receipt {
  /** By the names of CaseModel. */
  readonly changes: readonly { readonly field: string; readonly before: string | null; readonly after: string | null }[]
  readonly left: readonly string[]
}

/** Times and texts. Undefined: the event says nothing of that. */
export type CaseMembers = Readonly<Partial<Record<CaseFieldName, string | undefined>>>

/** What an event says of its case. Undefined: it says nothing of that. */
export interface EventFields {
  readonly eventId: string
  readonly members: CaseMembers
  readonly category: string | undefined
  readonly place: { readonly latitude: number; readonly longitude: number } | undefined
  readonly address: string | undefined
  readonly placeNotes: string | undefined
  readonly tags: readonly string[]
  readonly custom: Readonly<Record<string, string>>
  readonly officers: readonly number[] | undefined
  /** Whether these officers get View on the case. */
  readonly officersMayView: boolean
}
