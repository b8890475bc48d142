import { createHash } from 'node:crypto'
import type { Fault } from '../../../shared/kernel/errors.ts'
import { type CadMapping, USUAL_MAPPING } from '../../../shared/dispatch/cad-mapping.ts'
import { nameKey } from '../../../shared/kernel/names.ts'
import { INTERNAL, type Principal } from '../../../shared/kernel/principal.ts'
import { cadReason } from '../../../shared/messages/cad-reasons.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import type { Log } from '../../platform/log/log.ts'
import * as rows from './cad.store.ts'
import type { DeliveryRow, MessageState } from './cad.store.ts'
import type { CadWritten, EventFields, Receipt, WriteCase } from '../../kernel/cases/cad-case.ts'
import {
  caseMembers,
  elementsOf,
  type Event,
  type Found,
  type MessageProblem,
  type ParseJson,
  type Readable,
  readMessage,
  valueIn,
  valueOf,
} from './message-reader.ts'

type Settle = (tx: Tx, outcome: Outcome) => Promise<unknown>

/** CAD push (decisions 8). A message is kept, durably and as it came, before anything of it is understood. */
export interface CadPush {
  /** Keeps what came. @returns its number */
  keep(call: Call, tenant: string, body: Uint8Array, batch: boolean): Promise<number>
  /** What was kept is no message at all: it is listed with the reason. */
  refuse(call: Call, deliveryId: number, why: Fault): Promise<void>
  /** It was answered before under its Idempotency-Key: nothing is read again. */
  repeated(deliveryId: number): Promise<void>
  /** Reads the one message of a delivery. @param settle in its transaction, with what came of it */
  one(call: Call, deliveryId: number, settle?: Settle): Promise<Outcome>
  /** Reads the messages of a batch, in their order; what went wrong with one stops no other. */
  batch(call: Call, deliveryId: number): Promise<Outcome[]>
  /** Reads one once more, in the caller's transaction. */
  again(tx: Tx, call: Call, message: rows.MessageRow): Promise<Outcome>
  /**
   * Reads what was kept and never looked into: the station ended just then. @param olderThanMs where other nodes are reading: a delivery of
   * this age was left by its node
   */
  catchUp(olderThanMs?: number): Promise<void>
  mapping(from: Tx, tenant: string): Promise<CadMapping>
}

interface Deps {
  readonly db: Database
  readonly ledger: Pick<Ledger, 'append'>
  readonly clock: Clock
  readonly log: Log
  readonly writeCase: WriteCase
  readonly parseJson: ParseJson
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

const NOTHING_DONE = { state: 'unreadable', created: false, caseId: null, receipt: null } as const

/** Messages of a batch that are read in one transaction: other writers wait behind it. */
const AT_ONCE = 20

export function createCadPush(deps: Deps): CadPush {
  const { db } = deps
  return {
    mapping: mappingOf,
    keep: (call, tenant, body, batch) => db.transaction((tx) => keepDelivery(deps, tx, call, { tenant, body, batch })),
    refuse: (call, deliveryId, why) =>
      db.transaction(async (tx) => {
        const delivery = await rows.deliveryById(tx, deliveryId)
        const problems = why.details.map(({ Path, Message }) => ({ path: Path, message: Message }))
        await rows.taken(tx, deliveryId)
        await listUnreadable(deps, tx, call, { delivery, position: null }, why.message, problems)
      }),
    repeated: (deliveryId) => db.transaction((tx) => rows.taken(tx, deliveryId)),
    one: (call, deliveryId, settle) => readOne(deps, call, deliveryId, settle),
    batch: (call, deliveryId) => readBatch(deps, call, deliveryId),
    again: (tx, call, message) => readAgain(deps, tx, call, message),
    catchUp: async (olderThanMs = 0) => {
      const before = isoMillis(deps.clock.now() - olderThanMs)
      for (const left of await rows.deliveriesLeft(db.read, before)) await catchUpOne(deps, left)
    },
  }
}

/** Where a message stands: in a delivery, and of a batch at which place. */
interface Place {
  readonly delivery: DeliveryRow
  readonly position: number | null
}

const nowOf = ({ clock }: Deps): string => isoMillis(clock.now())

async function mappingOf(from: Tx, tenant: string): Promise<CadMapping> {
  const row = await rows.mappingRow(from, tenant)
  return row === undefined ? USUAL_MAPPING : (JSON.parse(row.mapping) as CadMapping)
}

async function keepDelivery(
  deps: Deps,
  tx: Tx,
  call: Call,
  { tenant, body, batch }: { readonly tenant: string; readonly body: Uint8Array; readonly batch: boolean },
): Promise<number> {
  const { actor } = call
  const sha256 = createHash('sha256').update(body).digest('hex')
  const id = await rows.insertDelivery(tx, {
    tenant_id: tenant,
    principal_id: Number(actor.id),
    sent_by: JSON.stringify({ principalId: actor.id, name: actor.name, kind: actor.kind, kId: actor.kId }),
    source: call.source,
    correlation_id: call.correlationId,
    batch: batch ? 1 : 0,
    body,
    sha256,
    received_utc: nowOf(deps),
  })
  await deps.ledger.append(tx, call, {
    action: 'cad.received',
    object: { type: 'cadDelivery', id: String(id), name: '' },
    bytes: body.byteLength,
    sha256,
  })
  return id
}

const refused = ({ ledger }: Deps, tx: Tx, call: Call, { delivery, position }: Place, reason: string) =>
  ledger.append(tx, call, {
    action: 'cad.refused',
    object: { type: 'cadDelivery', id: String(delivery.delivery_id), name: '' },
    outcome: 'failed',
    reason,
    ...(position === null ? {} : { detail: { position } }),
  })

async function listUnreadable(
  deps: Deps,
  tx: Tx,
  call: Call,
  place: Place,
  reason: string,
  problems: Outcome['problems'],
): Promise<void> {
  await rows.insertMessage(tx, {
    ...placeColumns(place),
    event_id: null,
    transaction_id: null,
    state: 'unreadable',
    reason,
    problems: JSON.stringify(problems),
    case_id: null,
    attempts: 1,
    tried_utc: nowOf(deps),
  })
  await refused(deps, tx, call, place, reason)
}

const placeColumns = ({ delivery, position }: Place) => ({
  tenant_id: delivery.tenant_id,
  delivery_id: delivery.delivery_id,
  position,
})

/** Finds the officers of an event's resources. Resources that match none or several are reported. */
async function officersOf(tx: Tx, tenant: string, event: Event, notes: string[]): Promise<number[] | undefined> {
  const resources = event.involvedResources ?? undefined
  if (resources === undefined) return undefined
  const textsOfEach = resources.map(({ id, name }) =>
    [id, name].flatMap((text) => (typeof text === 'string' && text.trim() !== '' ? [text.trim()] : [])),
  )
  const all = [...new Set(textsOfEach.flat())]
  const people = await rows.peopleNamed(tx, tenant, all, all.map(nameKey))
  const found = new Set<number>()
  for (const texts of textsOfEach) {
    const [byBadge, byName] = [new Set(texts), new Set(texts.map(nameKey))]
    const meant = people.filter((one) => (one.badge !== '' && byBadge.has(one.badge)) || byName.has(one.name_key))
    if (meant.length === 1) found.add((meant[0] as rows.Named).principal_id)
    else if (texts.length > 0)
      notes.push(cadReason(meant.length === 0 ? 'nobody' : 'severalPeople', { name: texts.join(' ') }))
  }
  return [...found]
}

async function fieldsOf(tx: Tx, tenant: string, read: Readable, notes: string[]): Promise<EventFields> {
  const { assignedMayView = true } = await mappingOf(tx, tenant)
  const { event, texts } = read
  const { category, tags, custom } = texts
  const { latitude, longitude, address, notes: placeNotes } = event.location ?? {}
  const known = typeof latitude === 'number' && typeof longitude === 'number'
  return {
    eventId: event.eventId,
    members: caseMembers(read),
    category,
    tags,
    custom,
    place: known ? { latitude, longitude } : undefined,
    address: address ?? undefined,
    placeNotes: placeNotes ?? undefined,
    officers: await officersOf(tx, tenant, event, notes),
    officersMayView: assignedMayView,
  }
}

type Interpreted = Outcome & { readonly transactionId: string | null }

/** Reads a message and does what it says, in one transaction with what is remembered of it. */
async function interpret(deps: Deps, tx: Tx, call: Call, place: Place, value: Found): Promise<Interpreted> {
  const tenant = place.delivery.tenant_id
  const read = readMessage(value, await mappingOf(tx, tenant))
  if (!read.readable) {
    const { problems, eventId, transactionId } = read
    const reason = cadReason('notAnEvent')
    await refused(deps, tx, call, place, reason)
    return { ...NOTHING_DONE, eventId, transactionId, reason, problems }
  }
  const { eventId, transactionId = null, transactionDateUtc } = read.event
  const known = await rows.eventById(tx, tenant, eventId)
  const settled = (state: MessageState, reason: string | null, more: Partial<Outcome> = {}): Interpreted => ({
    state,
    created: false,
    eventId,
    transactionId,
    caseId: known?.case_id ?? null,
    reason,
    problems: [],
    receipt: null,
    ...more,
  })
  if (transactionId !== null && (await rows.wasApplied(tx, tenant, eventId, transactionId)))
    return settled('repeated', cadReason('repeated'))
  const at = transactionDateUtc?.ticks ?? null
  if (known !== undefined && at !== null && known.transaction !== null && at < known.transaction)
    return settled('older', cadReason('older'))
  const notes = [...read.notes]
  const written = await writeEvent(deps, tx, call, place, { read, known, notes })
  if (written.outcome === 'closed' || written.outcome === 'deleted') {
    const reason = cadReason(written.outcome)
    await refused(deps, tx, call, place, reason)
    return settled('review', reason)
  }
  await rows.putEvent(tx, tenant, {
    event_id: eventId,
    case_id: written.caseId,
    transaction: at ?? known?.transaction ?? null,
    stated: JSON.stringify({ ...(known === undefined ? {} : JSON.parse(known.stated)), ...read.stated }),
    written: JSON.stringify(written.written),
    by_hand: JSON.stringify(written.byHand),
  })
  return settled('applied', null, {
    created: written.outcome === 'created',
    caseId: written.caseId,
    problems: [...notes, ...written.notes].map((message) => ({ path: '', message })),
    receipt: written.receipt,
  })
}

interface ReadEvent {
  readonly read: Readable
  readonly known: Awaited<ReturnType<typeof rows.eventById>>
  /** Added to: what does not fit, in words. */
  readonly notes: string[]
}

async function writeEvent(
  { writeCase }: Deps,
  tx: Tx,
  call: Call,
  { delivery, position }: Place,
  { read, known, notes }: ReadEvent,
): Promise<CadWritten> {
  const { tenant_id: tenant, principal_id: pusher, delivery_id: id } = delivery
  const fields = await fieldsOf(tx, tenant, read, notes)
  const detail = { cadDelivery: String(id), ...(position === null ? {} : { position }) }
  const before = {
    caseId: known?.case_id ?? null,
    written: known === undefined ? {} : (JSON.parse(known.written) as Record<string, string>),
    byHand: known === undefined ? [] : (JSON.parse(known.by_hand) as string[]),
  }
  return writeCase(tx, call, { tenant, pusher, detail }, before, fields)
}

/** The columns of a message that say what came of it. */
const outcomeColumns = (deps: Deps, outcome: Outcome, transactionId: string | null) => ({
  event_id: outcome.eventId,
  transaction_id: transactionId,
  state: outcome.state,
  reason: outcome.reason,
  problems: JSON.stringify(outcome.problems),
  case_id: outcome.caseId,
  tried_utc: nowOf(deps),
  receipt: outcome.receipt === null ? null : JSON.stringify(outcome.receipt),
})

async function rememberOne(deps: Deps, tx: Tx, call: Call, place: Place, value: Found): Promise<Outcome> {
  const { transactionId, ...outcome } = await interpret(deps, tx, call, place, value)
  const columns = outcomeColumns(deps, outcome, transactionId)
  await rows.insertMessage(tx, { ...placeColumns(place), ...columns, attempts: 1 })
  return outcome
}

const readOne = (deps: Deps, call: Call, deliveryId: number, settle?: Settle): Promise<Outcome> =>
  deps.db.transaction(async (tx) => {
    const delivery = await rows.deliveryById(tx, deliveryId)
    if (delivery.taken === 1) throw new ReadElsewhere()
    const value = valueIn(delivery.body, null, deps.parseJson)
    const outcome = await rememberOne(deps, tx, call, { delivery, position: null }, value)
    await rows.taken(tx, deliveryId)
    await settle?.(tx, outcome)
    return outcome
  })

async function readBatch(deps: Deps, call: Call, deliveryId: number): Promise<Outcome[]> {
  const { db, log, parseJson } = deps
  const delivery = await rows.deliveryById(db.read, deliveryId)
  const values = elementsOf(delivery.body) ?? []
  const outcomes: Outcome[] = []
  const some = (from: number, to: number): Promise<Outcome[]> =>
    db.transaction(async (tx) => {
      const found: Outcome[] = []
      // Read in here: what another node read meanwhile is not read again.
      const done = await rows.positionsOf(tx, deliveryId)
      for (let position = from; position < to; position++) {
        if (done.has(position)) continue
        const value = valueOf(values[position] as Uint8Array, parseJson)
        found.push(await rememberOne(deps, tx, call, { delivery, position }, value))
      }
      return found
    })
  for (let from = 0; from < values.length; from += AT_ONCE) {
    const to = Math.min(values.length, from + AT_ONCE)
    try {
      outcomes.push(...(await some(from, to)))
    } catch (error) {
      log.error({ correlationId: call.correlationId, err: error }, 'events of a batch could not be applied together')
      // One by one: what is wrong with one stops no other.
      for (let at = from; at < to; at++)
        outcomes.push(
          ...(await some(at, at + 1).catch((cause: unknown) => failed(deps, call, { delivery, position: at }, cause))),
        )
    }
  }
  await db.transaction((tx) => rows.taken(tx, deliveryId))
  return outcomes
}

async function readAgain(deps: Deps, tx: Tx, call: Call, message: rows.MessageRow): Promise<Outcome> {
  const delivery = await rows.deliveryById(tx, message.delivery_id)
  await deps.ledger.append(tx, call, {
    action: 'cad.retried',
    object: { type: 'cadMessage', id: String(message.message_id), name: '' },
  })
  const { position } = message
  const value = valueIn(delivery.body, position, deps.parseJson)
  const { transactionId, ...outcome } = await interpret(deps, tx, call, { delivery, position }, value)
  const attempts = message.attempts + 1
  await rows.updateMessage(tx, message.message_id, { ...outcomeColumns(deps, outcome, transactionId), attempts })
  return outcome
}

/** Another node has read the message of a delivery: this one stood still for minutes. The sender repeats it, and is told what came of it. */
class ReadElsewhere extends Error {
  override readonly name = 'ReadElsewhere'
}

async function catchUpOne(
  deps: Deps,
  { delivery_id: id, correlation_id: correlationId }: Awaited<ReturnType<typeof rows.deliveriesLeft>>[number],
): Promise<void> {
  const { db, parseJson } = deps
  const delivery = await rows.deliveryById(db.read, id)
  const call: Call = { actor: actorOf(delivery), source: 'station', correlationId }
  try {
    const isBatch = delivery.batch === 1 && valueIn(delivery.body, null, parseJson) !== undefined
    if (isBatch && elementsOf(delivery.body) !== null) await readBatch(deps, call, id)
    else await readOne(deps, call, id)
  } catch (error) {
    if (error instanceof ReadElsewhere) return
    // One message must not keep the station from starting; it is listed, to be tried again.
    await failed(deps, call, { delivery, position: null }, error)
    await db.transaction((tx) => rows.taken(tx, id))
  }
}

/** A mistake of the house with one event must not lose the others, nor this one. */
async function failed(deps: Deps, call: Call, place: Place, cause: unknown): Promise<Outcome[]> {
  const { correlationId } = call
  deps.log.error({ correlationId, position: place.position, err: cause }, 'an event of a batch could not be applied')
  const reason = cadReason('failed')
  await deps.db.transaction((tx) => listUnreadable(deps, tx, call, place, reason, []))
  return [{ ...NOTHING_DONE, eventId: null, reason, problems: [] }]
}

/** The sender, as recorded then. */
function actorOf({ sent_by: text }: DeliveryRow): Principal {
  const {
    principalId: id,
    name,
    kind,
    kId,
  } = JSON.parse(text) as { principalId: string; name: string; kind: string; kId: string }
  return kind === 'service' || kind === 'user' ? { kind, id, name, kId } : INTERNAL
}
