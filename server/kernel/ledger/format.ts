import { hash } from 'node:crypto'
import type { PrincipalKind } from '../../../shared/kernel/principal.ts'
import { type Action, isAction } from './actions.ts'
import type { EventDetails } from '../events/event-details.ts'
import type { Call } from './call.ts'
import { canonicalJson } from './canonical.ts'

export type Outcome = 'ok' | 'denied' | 'failed'

/** The object of an entry; empty strings for an act without an object. */
export interface LedgerObject {
  readonly type: string
  readonly id: string
  /** The current name. */
  readonly name: string
}

/** An entry as given by the code that appends it. The ledger adds seq, time and actor. */
export type LedgerEntry<A extends Action = Action> = EntryMembers<A> & EntryDetail<A>

interface EntryMembers<A> {
  readonly action: A
  readonly object: LedgerObject
  /** Default: `ok`. */
  readonly outcome?: Outcome
  readonly reason?: string
  readonly bytes?: number
  /** 64 lower-case hexadecimal digits. */
  readonly sha256?: string
  /** The role of the actor, if there are several. */
  readonly role?: string
  /** Principals that it concerns. Not stored: for the features that act on the entry. */
  readonly concerns?: readonly number[]
}

/** Plain JSON. */
type EntryDetail<A> = A extends keyof EventDetails
  ? { readonly detail: EventDetails[A] & Readonly<Record<string, unknown>> }
  : { readonly detail?: Readonly<Record<string, unknown>> }

/** Format 1 (decisions 12), as stored. Every member is always present. */
export interface StoredEntry {
  readonly format: 1
  /** From 1, without gaps. */
  readonly seq: number
  /** ISO 8601, UTC, milliseconds. */
  readonly timeUtc: string
  readonly actor: {
    readonly kind: PrincipalKind
    readonly id: string
    readonly name: string
    readonly role: string | null
  }
  readonly source: string
  readonly action: Action
  readonly object: LedgerObject
  readonly outcome: Outcome
  readonly reason: string | null
  readonly bytes: number | null
  readonly sha256: string | null
  readonly correlationId: string
  readonly detail: Readonly<Record<string, unknown>> | null
}

/**
 * Member of `detail` for an entry whose wall clock time is earlier than that of the previous entry; its value is the time of the previous
 * entry. The entry keeps the clock's actual time. Verification reports a time that goes back without this member, and this member without
 * cause.
 */
export const CLOCK_BACKWARDS = 'clock.backwards'

/**
 * Member of `detail` with the state of changed database rows, a list of StatedRow. It is valid until a newer entry states the same row. The
 * ledger adds it for every covered row (database/row-coverage.ts) that the transaction changed.
 */
export const ROWS_STATED = 'rows.stated'

/** Table, key in the table, and SHA-256 of the row's covered columns; null for a deleted row. */
export type StatedRow = readonly [table: string, key: string, sha256: string | null]

/** Members of `detail` that only the ledger sets. */
const RESERVED_MEMBERS = [CLOCK_BACKWARDS, ROWS_STATED]

/** The hash before the first entry. */
export const NO_HASH: Uint8Array = new Uint8Array(32)

/** A larger entry is a programming error. */
export const MOST_ENTRY_CHARACTERS = 1024 * 1024

const SHA256 = /^[0-9a-f]{64}$/
const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true })

export type PreparedEntry = Omit<StoredEntry, 'seq' | 'timeUtc'>

/** Checks and completes an entry before it is queued. @throws Error, NotCanonical */
export function prepareEntry(call: Call, entry: LedgerEntry): PreparedEntry {
  if (!isAction(entry.action)) throw new Error(`The ledger knows no action ${String(entry.action)}`)
  if (entry.bytes !== undefined && !(Number.isSafeInteger(entry.bytes) && entry.bytes >= 0))
    throw new Error(`${entry.action}: bytes is ${entry.bytes}`)
  if (entry.sha256 !== undefined && !SHA256.test(entry.sha256))
    throw new Error(`${entry.action}: ${entry.sha256} is no SHA-256`)
  for (const member of RESERVED_MEMBERS)
    if (entry.detail !== undefined && member in entry.detail)
      throw new Error(`${entry.action}: "${member}" in the detail is the ledger's own`)
  // Names come from files and unknown senders. A malformed name must not keep the act out of the ledger.
  const prepared: PreparedEntry = {
    format: 1,
    actor: {
      kind: call.actor.kind,
      id: call.actor.id,
      name: call.actor.name.toWellFormed(),
      role: entry.role ?? null,
    },
    source: call.source,
    action: entry.action,
    object: { type: entry.object.type, id: entry.object.id.toWellFormed(), name: entry.object.name.toWellFormed() },
    outcome: entry.outcome ?? 'ok',
    reason: entry.reason?.toWellFormed() ?? null,
    bytes: entry.bytes ?? null,
    sha256: entry.sha256 ?? null,
    correlationId: call.correlationId,
    detail: entry.detail ?? null,
  }
  const text = canonicalJson(prepared)
  if (text.length > MOST_ENTRY_CHARACTERS)
    throw new Error(`${entry.action}: an entry of ${text.length} characters is too large`)
  return JSON.parse(withoutNul(text)) as PreparedEntry
}

/**
 * JSON in which the replacement character stands for the character NUL. PostgreSQL has no text with NUL, and reads no member of an entry that
 * holds one: whoever put it into an address would keep the refusal out of the ledger, or out of sight.
 */
const withoutNul = (json: string): string =>
  json.includes(NUL) ? json.replaceAll(/(?<!\\)((?:\\\\)*)\\u0000/g, '$1\ufffd') : json
const NUL = String.raw`\u0000`

/** The bytes that are stored and hashed (RFC 8785), never serialised a second time. */
export const entryBytes = (entry: StoredEntry): Uint8Array => encoder.encode(canonicalJson(entry))

/** The entry with all hashed members. @throws Error when the bytes are not UTF-8 or not JSON */
export const wholeEntry = (body: Uint8Array): StoredEntry => JSON.parse(decoder.decode(body)) as StoredEntry

/** The entry without the hashes of rows, which only verification needs. @throws as wholeEntry */
export function storedEntry(body: Uint8Array): StoredEntry {
  const entry = wholeEntry(body)
  if (entry.detail?.[ROWS_STATED] === undefined) return entry
  const { [ROWS_STATED]: _, ...detail } = entry.detail
  return { ...entry, detail: Object.keys(detail).length === 0 ? null : detail }
}

/** `hash` of an entry: SHA-256(previous hash ‖ bytes). */
export function chainHash(previous: Uint8Array, body: Uint8Array): Uint8Array {
  const joined = new Uint8Array(previous.length + body.length)
  joined.set(previous)
  joined.set(body, previous.length)
  return hash('sha256', joined, 'buffer')
}

/** RFC 6962 2.1: SHA-256(0x00 ‖ bytes). */
export function leafHash(body: Uint8Array): Uint8Array {
  const joined = new Uint8Array(1 + body.length)
  joined.set(body, 1)
  return hash('sha256', joined, 'buffer')
}

export const toHex = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
