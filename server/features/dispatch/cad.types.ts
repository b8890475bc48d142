/** What CAD push needs of the case service, and what it says became of a message. */
import type { Call } from '../../kernel/ledger/call.ts'
import type { Tx } from '../../kernel/database/database.ts'
import type { MessageState } from './cad.store.ts'
import type { Event, MessageProblem } from './message-reader.ts'

/** What the case service does for an event; see its own `CadCases`. */
export interface WriteCase {
  (
    tx: Tx,
    call: Call,
    of: { readonly tenant: string; readonly pusher: number; readonly detail: Readonly<Record<string, unknown>> },
    before: {
      readonly caseId: number | null
      readonly written: Readonly<Record<string, string>>
      readonly byHand: readonly string[]
    },
    fields: EventFields,
  ): Promise<{
    readonly outcome: 'created' | 'changed' | 'same' | 'closed' | 'deleted'
    readonly caseId: number
    readonly written: Readonly<Record<string, string>>
    readonly byHand: readonly string[]
    readonly notes: readonly string[]
    readonly receipt: Receipt | null
  }>
}

/** What a message changed in its case, and what it found changed by hand. */
export interface Receipt {
  readonly changes: readonly { readonly field: string; readonly before: string | null; readonly after: string | null }[]
  readonly left: readonly string[]
}

export interface EventFields {
  readonly eventId: string
  readonly title: string | undefined
  readonly description: string | undefined
  readonly reference1: string | undefined
  readonly category: string | undefined
  readonly occurred: Event['eventStartTimeUtc']
  readonly ended: Event['eventStartTimeUtc'] | undefined
  readonly place: { readonly latitude: number; readonly longitude: number } | undefined
  readonly address: string | undefined
  readonly placeNotes: string | undefined
  readonly tags: readonly string[]
  readonly custom: Readonly<Record<string, string>>
  readonly officers: readonly number[] | undefined
}

/** What became of a message. */
export interface Outcome {
  readonly state: MessageState
  readonly created: boolean
  readonly eventId: string | null
  readonly caseId: number | null
  readonly reason: string | null
  readonly problems: readonly MessageProblem[]
  readonly receipt: Receipt | null
}
