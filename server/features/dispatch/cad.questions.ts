import type { z } from 'zod'
import { CASE_FIELD_NAMES } from '../../../shared/cases/fields.ts'
import type { CadEventOut, CadMappingModel } from '../../../shared/dispatch/cad.contract.ts'
import { type CadMessage, type CadReceipt, MOST_OF_A_MESSAGE } from '../../../shared/dispatch/cad-messages.contract.ts'
import { Fault, fault } from '../../../shared/kernel/errors.ts'
import { type CadMapping, USUAL_MAPPING } from '../../../shared/dispatch/cad-mapping.ts'
import { includes, type SecurityPolicy } from '../../../shared/kernel/permissions.ts'
import type { Time } from '../../../shared/kernel/time.ts'
import { canonicalJson } from '../../kernel/ledger/canonical.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import type { Access } from '../../kernel/access/access.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import type { HttpCall } from '../../http/handlers.ts'
import * as rows from './cad.store.ts'
import type { CadPush } from './cad.service.ts'
import { metresBetween } from '../../../shared/kernel/distance.ts'
import type { Receipt } from '../../kernel/cases/cad-case.ts'
import { mappingId } from './mapping-id.ts'
import { caseMembers, type Found, type ParseJson, readMessage, valueIn } from './message-reader.ts'

type EventOut = Omit<z.input<typeof CadEventOut>, 'uri'>
export type MessageOut = z.input<typeof CadMessage>
type Mapping = z.output<typeof CadMappingModel>

export interface EventsAsked {
  readonly from: Time | undefined
  readonly to: Time | undefined
  readonly around: { readonly latitude: number; readonly longitude: number; readonly metres: number } | null
}

export interface StoredMappingOut extends Mapping {
  readonly usual: boolean
  readonly concurrencyId: string
  readonly modifiedUtc: string | null
  readonly modifiedBy: Sender | null
}

interface Sender {
  readonly principalId: string
  readonly name: string
}

/** A mapping as it was, or is. */
interface MappingVersion {
  readonly concurrencyId: string
  readonly mapping: Mapping
  readonly modifiedUtc: string
  readonly modifiedBy: Sender
}

interface Preview {
  readonly readable: boolean
  readonly problems: { path: string; message: string }[]
  readonly fields: Record<string, string>
}

/** What is asked about events and messages, and how messages are read (decisions 8). */
export interface CadQuestions {
  /** @throws Fault CadEventNotFound, also for who may not see its case */
  event(call: HttpCall, tenant: string, eventId: string): Promise<EventOut>
  search(call: HttpCall, tenant: string, asked: EventsAsked): Promise<EventOut[]>
  mapping(tenant: string): Promise<StoredMappingOut>
  /** @throws Fault ConcurrentWritingError */
  setMapping(call: HttpCall, tenant: string, mapping: Mapping, expected: string | null): Promise<StoredMappingOut>
  /** Newest first. */
  mappingHistory(tenant: string): Promise<MappingVersion[]>
  preview(
    tenant: string,
    mapping: Mapping,
    messageIds: readonly string[] | null,
  ): Promise<{ messageId: string; now: Preview; proposed: Preview }[]>
  messages(
    tenant: string,
    page: { readonly state: rows.MessageState | undefined; readonly before: number; readonly count: number },
  ): Promise<{ items: MessageOut[]; last: number | null }>
  /** @throws Fault CadMessageNotFound */
  message(
    tenant: string,
    id: string,
    offset: number,
  ): Promise<MessageOut & { body: string; bodyCharacters: number; receipt: z.input<typeof CadReceipt> | null }>
  /** @throws Fault CadMessageNotFound; InvalidModel where it was applied already */
  retry(call: HttpCall, tenant: string, id: string): Promise<MessageOut>
}

interface Deps {
  readonly db: Database
  readonly ledger: Pick<Ledger, 'append'>
  readonly clock: Clock
  readonly access: Pick<Access, 'onCase' | 'onCases'>
  readonly push: Pick<CadPush, 'again' | 'mapping'>
  readonly isInPolicy: (principalId: string, policy: SecurityPolicy) => Promise<boolean>
  readonly parseJson: ParseJson
}

const MOST_FOUND = 1000
const PAGE = 2000
/** States of the mapping that are listed. */
const MOST_VERSIONS = 100
/** For messages that were not named. */
const PREVIEWED = 10

export function createCadQuestions(deps: Deps): CadQuestions {
  const { db, access, push, parseJson } = deps
  return {
    event: async (call, tenant, eventId) => {
      const row = await rows.eventById(db.read, tenant, eventId)
      const notThere = () => fault('CadEventNotFound', `There is no event ${eventId}.`)
      if (row === undefined) throw notThere()
      const may =
        (await pushes(deps, call)) || includes(await access.onCase(db.read, call.principal, row.case_id), 'View')
      if (!may)
        throw new Fault('CadEventNotFound', `There is no event ${eventId}.`, { reason: 'PrincipalCannotReadCase' })
      return eventModel(row)
    },
    search: (call, tenant, asked) => search(deps, call, tenant, asked),
    mapping: (tenant) => stored(deps, tenant),
    setMapping: (call, tenant, mapping, expected) =>
      db.transaction((tx) => setMapping(deps, tx, call, tenant, mapping, expected)),
    mappingHistory: async (tenant) =>
      (await rows.mappingVersions(db.read, tenant, MOST_VERSIONS)).map((row) => ({
        concurrencyId: row.concurrency_id,
        mapping: asSent(JSON.parse(row.mapping) as CadMapping),
        modifiedUtc: row.modified_utc,
        modifiedBy: JSON.parse(row.modified_by) as Sender,
      })),
    preview: (tenant, mapping, messageIds) => preview(deps, tenant, mapping, messageIds),
    messages: async (tenant, { state, before, count }) => {
      const found = await rows.messagesBefore(db.read, tenant, { state, before, count: count + 1 })
      const shown = found.slice(0, count)
      return {
        items: shown.map(messageModel),
        last: found.length > count ? (shown.at(-1)?.message_id ?? null) : null,
      }
    },
    message: async (tenant, id, offset) => {
      const row = await needed(deps, tenant, id)
      const { body } = await rows.deliveryById(db.read, row.delivery_id)
      const one = row.position === null ? undefined : valueIn(body, row.position, parseJson)
      const whole =
        one === undefined || 'problem' in one ? new TextDecoder().decode(body) : JSON.stringify(one.value, null, 2)
      return {
        ...messageModel(row),
        body: whole.slice(offset, offset + MOST_OF_A_MESSAGE),
        bodyCharacters: whole.length,
        receipt: row.receipt === null ? null : receiptModel(JSON.parse(row.receipt) as Receipt),
      }
    },
    retry: (call, tenant, id) =>
      db.transaction(async (tx) => {
        const row = await needed(deps, tenant, id, tx)
        if (row.state !== 'unreadable' && row.state !== 'review')
          throw fault('InvalidModel', 'Only what could not be read, or waits for its case, is tried again.', [
            { Path: 'messageId', Message: `is ${row.state}` },
          ])
        await push.again(tx, call, row)
        return messageModel(await needed(deps, tenant, id, tx))
      }),
  }
}

async function search(deps: Deps, call: HttpCall, tenant: string, { from, to, around }: EventsAsked) {
  const { db, access } = deps
  const all = await pushes(deps, call)
  const found: EventOut[] = []
  let before: { ticks: bigint; caseId: number } | null = null
  for (;;) {
    const page: Awaited<ReturnType<typeof rows.eventsBetween>> = await rows.eventsBetween(
      db.read,
      tenant,
      { from: from?.ticks ?? null, to: to?.ticks ?? null },
      { before, count: PAGE },
    )
    const ids = page.map((row) => row.case_id)
    const levels = all ? null : await access.onCases(db.read, call.principal, ids)
    for (const row of page) {
      if (levels !== null && !includes(levels.get(row.case_id) ?? 'None', 'View')) continue
      if (around !== null) {
        if (row.latitude === null || row.longitude === null) continue
        const place = { latitude: row.latitude, longitude: row.longitude }
        if (metresBetween(around, place) > around.metres) continue
      }
      found.push(eventModel(row))
      if (found.length === MOST_FOUND) return found
    }
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return found
    before = { ticks: BigInt(last.ticks), caseId: last.case_id }
  }
}

async function setMapping(
  deps: Deps,
  tx: Tx,
  call: HttpCall,
  tenant: string,
  mapping: Mapping,
  expected: string | null,
): Promise<StoredMappingOut> {
  const before = await stored(deps, tenant, tx)
  if (expected !== null && expected !== before.concurrencyId)
    throw fault('ConcurrentWritingError', 'Somebody changed the mapping since you read it. Read it again.')
  const { members, fields, keepExtended, assignedMayView } = before
  const after = asStored({ ...mapping, assignedMayView: mapping.assignedMayView ?? assignedMayView })
  await rows.putMappingRow(tx, {
    tenant_id: tenant,
    mapping: canonicalJson(after),
    concurrency_id: mappingId(before.concurrencyId, after),
    modified_utc: isoMillis(deps.clock.now()),
    modified_by: JSON.stringify({ principalId: call.actor.id, name: call.actor.name }),
  })
  const was = { members, fields, keepExtended, assignedMayView }
  await deps.ledger.append(tx, call, {
    action: 'cad.mappingChanged',
    object: { type: 'cadMapping', id: tenant, name: '' },
    detail: { before: JSON.stringify(was), after: JSON.stringify(after) },
  })
  return stored(deps, tenant, tx)
}

async function preview(
  { db, push, parseJson }: Deps,
  tenant: string,
  mapping: Mapping,
  messageIds: readonly string[] | null,
): Promise<{ messageId: string; now: Preview; proposed: Preview }[]> {
  const now = await push.mapping(db.read, tenant)
  const proposed = asStored(mapping)
  const list =
    messageIds === null
      ? await rows.messagesBefore(db.read, tenant, {
          state: undefined,
          before: Number.MAX_SAFE_INTEGER,
          count: PREVIEWED,
        })
      : (await Promise.all(messageIds.map((id) => rows.messageById(db.read, tenant, Number(id))))).filter(
          (row) => row !== undefined,
        )
  const previews: { messageId: string; now: Preview; proposed: Preview }[] = []
  for (const row of list) {
    const delivery = await rows.deliveryById(db.read, row.delivery_id)
    const value = valueIn(delivery.body, row.position, parseJson)
    previews.push({
      messageId: String(row.message_id),
      now: previewOf(value, now),
      proposed: previewOf(value, proposed),
    })
  }
  return previews
}

const pushes = ({ isInPolicy }: Deps, call: HttpCall): Promise<boolean> => isInPolicy(call.actor.id, 'PushCadEvents')

async function needed({ db }: Deps, tenant: string, id: string, from: Tx = db.read): Promise<rows.ListedMessage> {
  const row = await rows.messageById(from, tenant, Number(id))
  // Ids beyond 2⁵³ cannot exist here; a rounded one must not find its neighbour.
  if (row === undefined || String(row.message_id) !== id)
    throw fault('CadMessageNotFound', `There is no message ${id}.`)
  return row
}

async function stored({ db }: Deps, tenant: string, from: Tx = db.read): Promise<StoredMappingOut> {
  const row = await rows.mappingRow(from, tenant)
  const mapping = row === undefined ? USUAL_MAPPING : (JSON.parse(row.mapping) as CadMapping)
  return {
    ...asSent(mapping),
    usual: row === undefined,
    concurrencyId: row?.concurrency_id ?? mappingId('', USUAL_MAPPING),
    modifiedUtc: row?.modified_utc ?? null,
    modifiedBy: row === undefined ? null : (JSON.parse(row.modified_by) as Sender),
  }
}

/** Optional members of the contract are absent, not undefined. */
const asStored = ({ members, fields, keepExtended, assignedMayView }: Mapping): CadMapping => ({
  members: Object.fromEntries(Object.entries(members).filter(([, paths]) => paths !== undefined)),
  fields: fields.map(({ from, to, name }) => (name === undefined ? { from, to } : { from, to, name })),
  keepExtended,
  assignedMayView: assignedMayView ?? true,
})
const asSent = ({ members, fields, keepExtended, assignedMayView }: CadMapping): Mapping => ({
  members: Object.fromEntries(Object.entries(members).map(([member, paths]) => [member, [...paths]])),
  fields: fields.map(({ from, to, name }) => (name === undefined ? { from, to } : { from, to, name })),
  keepExtended,
  assignedMayView: assignedMayView ?? true,
})

const eventModel = (row: { event_id: string; case_id: number; stated: string }): EventOut => ({
  eventId: row.event_id,
  caseId: String(row.case_id),
  event: JSON.parse(row.stated) as Record<string, unknown>,
})

function messageModel(row: rows.ListedMessage): MessageOut {
  const { principalId, name } = JSON.parse(row.sent_by) as { principalId: string; name: string }
  return {
    messageId: String(row.message_id),
    state: row.state,
    eventId: row.event_id,
    transactionId: row.transaction_id,
    caseId: row.case_id === null ? null : String(row.case_id),
    reason: row.reason,
    problems: JSON.parse(row.problems) as MessageOut['problems'],
    receivedUtc: row.received_utc,
    triedUtc: row.tried_utc,
    attempts: row.attempts,
    sentBy: { principalId, name },
    sha256: row.sha256,
  }
}

const receiptModel = ({ changes, left }: Receipt) => ({ changes: changes.map((one) => ({ ...one })), left: [...left] })

/** What a mapping makes of a message, by the names of CaseModel. */
function previewOf(value: Found, mapping: CadMapping): Preview {
  const read = readMessage(value, mapping)
  if (!read.readable) return { readable: false, problems: [...read.problems], fields: {} }
  const { event, texts, notes } = read
  const fields: Record<string, string> = {}
  const put = (name: string, text: string | null | undefined): void => {
    if (text !== null && text !== undefined) fields[name] = text
  }
  const members = caseMembers(read)
  put('Title', members.Title ?? event.eventId)
  for (const name of CASE_FIELD_NAMES) put(name, members[name])
  put('Category', texts.category)
  put('Tags', texts.tags.length === 0 ? undefined : texts.tags.join(', '))
  put('LocationText', event.location?.address)
  if (typeof event.location?.latitude === 'number')
    put('LocationWKT', `POINT (${event.location.longitude} ${event.location.latitude})`)
  put(
    'PersonnelRelations',
    event.involvedResources?.map(({ id, name }) => [id, name].filter((text) => text).join(' ')).join(', '),
  )
  for (const [name, text] of Object.entries(texts.custom)) fields[`CustomFields.${name}`] = text
  return { readable: true, problems: notes.map((message) => ({ path: '', message })), fields }
}
