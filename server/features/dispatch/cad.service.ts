import { createHash } from 'node:crypto'
import type { Fault } from '../../../shared/kernel/errors.ts'
import { type CadMapping, USUAL_MAPPING } from '../../../shared/dispatch/cad-mapping.ts'
import { nameKey } from '../../../shared/kernel/names.ts'
import { INTERNAL, type Principal } from '../../../shared/kernel/principal.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import type { Log } from '../../platform/log/log.ts'
import * as rows from './cad.store.ts'
import type { DeliveryRow, MessageState } from './cad.store.ts'
import type { EventFields, Outcome, WriteCase } from './cad.types.ts'
import {
  caseMembers,
  elementsOf,
  type Event,
  type Found,
  type ParseJson,
  type Readable,
  readMessage,
  valueIn,
  valueOf,
} from './message-reader.ts'

/** CAD push (decisions 8). A message is kept, durably and as it came, before anything of it is understood. */
export interface CadPush {
  /** Keeps what came. @returns its number */
  keep(call: Call, tenant: string, body: Uint8Array, batch: boolean): Promise<number>
  /** What was kept is no message at all: it is listed with the reason. */
  refuse(call: Call, deliveryId: number, why: Fault): Promise<void>
  /** It was answered before under its Idempotency-Key: nothing is read again. */
  repeated(deliveryId: number): Promise<void>
  /** Reads the one message of a delivery. @param settle in its transaction, with what came of it */
  one(call: Call, deliveryId: number, settle?: (tx: Tx, outcome: Outcome) => Promise<unknown>): Promise<Outcome>
  /** Reads the messages of a batch, in their order; what went wrong with one stops no other. */
  batch(call: Call, deliveryId: number): Promise<Outcome[]>
  /** Reads one once more, in the caller's transaction. */
  again(tx: Tx, call: Call, message: rows.MessageRow): Promise<Outcome>
  /** Reads what was kept and never looked into: the station ended just then. */
  catchUp(): Promise<void>
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

const NOTHING_DONE = { state: 'unreadable', created: false, caseId: null, receipt: null } as const
const receiptText = ({ receipt }: Outcome): string | null => (receipt === null ? null : JSON.stringify(receipt))

/** Messages of a batch that are read in one transaction: other writers wait behind it. */
const AT_ONCE = 20

export function createCadPush({ db, ledger, clock, log, writeCase, parseJson }: Deps): CadPush {
  const now = (): string => isoMillis(clock.now())
  const mapping: CadPush['mapping'] = async (from, tenant) => {
    const row = await rows.mappingRow(from, tenant)
    return row === undefined ? USUAL_MAPPING : (JSON.parse(row.mapping) as CadMapping)
  }
  const refused = (tx: Tx, call: Call, delivery: DeliveryRow, position: number | null, reason: string) =>
    ledger.append(tx, call, {
      action: 'cad.refused',
      object: { type: 'cadDelivery', id: String(delivery.delivery_id), name: '' },
      outcome: 'failed',
      reason,
      ...(position === null ? {} : { detail: { position } }),
    })

  /** Finds the officers of an event's resources. Resources that match none or several are reported. */
  const officersOf = async (tx: Tx, tenant: string, event: Event, notes: string[]): Promise<number[] | undefined> => {
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
        notes.push(`"${texts.join(' ')}" ${meant.length === 0 ? 'is nobody of this station' : 'means several people'}.`)
    }
    return [...found]
  }

  const fieldsOf = async (tx: Tx, tenant: string, read: Readable, notes: string[]): Promise<EventFields> => {
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
    }
  }

  /** Reads a message and does what it says, in one transaction with what is remembered of it. */
  const interpret = async (
    tx: Tx,
    call: Call,
    delivery: DeliveryRow,
    position: number | null,
    value: Found,
  ): Promise<Outcome & { readonly transactionId: string | null }> => {
    const tenant = delivery.tenant_id
    const read = readMessage(value, await mapping(tx, tenant))
    if (!read.readable) {
      const { problems, eventId, transactionId } = read
      const reason = 'The message cannot be read as an event.'
      await refused(tx, call, delivery, position, reason)
      return { ...NOTHING_DONE, eventId, transactionId, reason, problems }
    }
    const { event } = read
    const transactionId = event.transactionId ?? null
    const known = await rows.eventById(tx, tenant, event.eventId)
    const settled = (state: MessageState, reason: string | null, more: Partial<Outcome> = {}) => ({
      state,
      created: false,
      eventId: event.eventId,
      transactionId,
      caseId: known?.case_id ?? null,
      reason,
      problems: [],
      receipt: null,
      ...more,
    })
    if (transactionId !== null && (await rows.wasApplied(tx, tenant, event.eventId, transactionId)))
      return settled('repeated', 'A message with this transactionId was applied already.')
    const at = event.transactionDateUtc?.ticks ?? null
    if (known !== undefined && at !== null && known.transaction !== null && at < known.transaction)
      return settled('older', 'A newer message of this event was applied already.')
    const notes = [...read.notes]
    const fields = await fieldsOf(tx, tenant, read, notes)
    const written = await writeCase(
      tx,
      call,
      {
        tenant,
        pusher: delivery.principal_id,
        detail: {
          cadDelivery: String(delivery.delivery_id),
          ...(position === null ? {} : { position }),
        },
      },
      {
        caseId: known?.case_id ?? null,
        written: known === undefined ? {} : (JSON.parse(known.written) as Record<string, string>),
        byHand: known === undefined ? [] : (JSON.parse(known.by_hand) as string[]),
      },
      fields,
    )
    if (written.outcome === 'closed' || written.outcome === 'deleted') {
      const reason = `The case of this event is ${written.outcome === 'closed' ? 'closed' : 'in the recycle bin'}.`
      await refused(tx, call, delivery, position, reason)
      return settled('review', reason)
    }
    await rows.putEvent(tx, tenant, {
      event_id: event.eventId,
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

  const rememberOne = async (
    tx: Tx,
    call: Call,
    delivery: DeliveryRow,
    position: number | null,
    value: Found,
  ): Promise<Outcome> => {
    const { transactionId, ...outcome } = await interpret(tx, call, delivery, position, value)
    await rows.insertMessage(tx, {
      tenant_id: delivery.tenant_id,
      delivery_id: delivery.delivery_id,
      position,
      event_id: outcome.eventId,
      transaction_id: transactionId,
      state: outcome.state,
      reason: outcome.reason,
      problems: JSON.stringify(outcome.problems),
      case_id: outcome.caseId,
      attempts: 1,
      tried_utc: now(),
      receipt: receiptText(outcome),
    })
    return outcome
  }

  const push: CadPush = {
    mapping,

    keep: (call, tenant, body, batch) =>
      db.transaction(async (tx) => {
        const sha256 = createHash('sha256').update(body).digest('hex')
        const id = await rows.insertDelivery(tx, {
          tenant_id: tenant,
          principal_id: Number(call.actor.id),
          sent_by: JSON.stringify({
            principalId: call.actor.id,
            name: call.actor.name,
            kind: call.actor.kind,
            kId: call.actor.kId,
          }),
          source: call.source,
          correlation_id: call.correlationId,
          batch: batch ? 1 : 0,
          body,
          sha256,
          received_utc: now(),
        })
        await ledger.append(tx, call, {
          action: 'cad.received',
          object: { type: 'cadDelivery', id: String(id), name: '' },
          bytes: body.byteLength,
          sha256,
        })
        return id
      }),

    refuse: (call, deliveryId, why) =>
      db.transaction(async (tx) => {
        const delivery = await rows.deliveryById(tx, deliveryId)
        await rows.insertMessage(tx, {
          tenant_id: delivery.tenant_id,
          delivery_id: deliveryId,
          position: null,
          event_id: null,
          transaction_id: null,
          state: 'unreadable',
          reason: why.message,
          problems: JSON.stringify(why.details.map(({ Path, Message }) => ({ path: Path, message: Message }))),
          case_id: null,
          attempts: 1,
          tried_utc: now(),
        })
        await rows.taken(tx, deliveryId)
        await refused(tx, call, delivery, null, why.message)
      }),

    repeated: (deliveryId) => db.transaction((tx) => rows.taken(tx, deliveryId)),

    one: (call, deliveryId, settle) =>
      db.transaction(async (tx) => {
        const delivery = await rows.deliveryById(tx, deliveryId)
        const outcome = await rememberOne(tx, call, delivery, null, valueIn(delivery.body, null, parseJson))
        await rows.taken(tx, deliveryId)
        await settle?.(tx, outcome)
        return outcome
      }),

    batch: async (call, deliveryId) => {
      const delivery = await rows.deliveryById(db.read, deliveryId)
      const values = elementsOf(delivery.body) ?? []
      const done = await rows.positionsOf(db.read, deliveryId)
      const outcomes: Outcome[] = []
      const some = (from: number, to: number): Promise<Outcome[]> =>
        db.transaction(async (tx) => {
          const found: Outcome[] = []
          for (let at = from; at < to; at++)
            if (!done.has(at))
              found.push(await rememberOne(tx, call, delivery, at, valueOf(values[at] as Uint8Array, parseJson)))
          return found
        })
      for (let from = 0; from < values.length; from += AT_ONCE) {
        const to = Math.min(values.length, from + AT_ONCE)
        try {
          outcomes.push(...(await some(from, to)))
        } catch (error) {
          log.error(
            { correlationId: call.correlationId, err: error },
            'events of a batch could not be applied together',
          )
          // One by one: what is wrong with one stops no other.
          for (let at = from; at < to; at++)
            outcomes.push(...(await some(at, at + 1).catch((cause: unknown) => failed(call, delivery, at, cause))))
        }
      }
      await db.transaction((tx) => rows.taken(tx, deliveryId))
      return outcomes
    },

    again: async (tx, call, message) => {
      const delivery = await rows.deliveryById(tx, message.delivery_id)
      await ledger.append(tx, call, {
        action: 'cad.retried',
        object: { type: 'cadMessage', id: String(message.message_id), name: '' },
      })
      const value = valueIn(delivery.body, message.position, parseJson)
      const { transactionId, ...outcome } = await interpret(tx, call, delivery, message.position, value)
      await rows.updateMessage(tx, message.message_id, {
        event_id: outcome.eventId,
        transaction_id: transactionId,
        state: outcome.state,
        reason: outcome.reason,
        problems: JSON.stringify(outcome.problems),
        case_id: outcome.caseId,
        attempts: message.attempts + 1,
        tried_utc: now(),
        receipt: receiptText(outcome),
      })
      return outcome
    },

    catchUp: async () => {
      for (const { delivery_id: id, correlation_id: correlationId } of await rows.deliveriesLeft(db.read)) {
        const delivery = await rows.deliveryById(db.read, id)
        const actor = actorOf(delivery)
        const call: Call = { actor, source: 'station', correlationId }
        const whole = valueIn(delivery.body, null, parseJson)
        try {
          if (delivery.batch === 1 && whole !== undefined && elementsOf(delivery.body) !== null)
            await push.batch(call, id)
          else await push.one(call, id)
        } catch (error) {
          // One message must not keep the station from starting; it is listed, to be tried again.
          await failed(call, delivery, null, error)
          await db.transaction((tx) => rows.taken(tx, id))
        }
      }
    },
  }

  /** A mistake of the house with one event must not lose the others, nor this one. */
  async function failed(
    call: Call,
    delivery: DeliveryRow,
    position: number | null,
    cause: unknown,
  ): Promise<Outcome[]> {
    log.error({ correlationId: call.correlationId, position, err: cause }, 'an event of a batch could not be applied')
    const reason = 'The station could not apply this message. Try it again.'
    await db.transaction(async (tx) => {
      await rows.insertMessage(tx, {
        tenant_id: delivery.tenant_id,
        delivery_id: delivery.delivery_id,
        position,
        event_id: null,
        transaction_id: null,
        state: 'unreadable',
        reason,
        problems: '[]',
        case_id: null,
        attempts: 1,
        tried_utc: now(),
      })
      await refused(tx, call, delivery, position, reason)
    })
    return [{ ...NOTHING_DONE, eventId: null, reason, problems: [] }]
  }
  return push
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
