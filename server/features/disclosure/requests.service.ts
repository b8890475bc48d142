/** Requests for disclosure, recorded before anything is given (docs/decisions/0040). A disclosure answers one, or somebody closes it. */
import type { z } from 'zod'
import type { RecordRequestModel } from '../../../shared/disclosure/contract.ts'
import { dayAfter, dayIn } from '../../../shared/kernel/days.ts'
import { fault } from '../../../shared/kernel/errors.ts'
import { INTERNAL } from '../../../shared/kernel/principal.ts'
import type { Access } from '../../kernel/access/access.ts'
import type { CaseRow } from '../../kernel/cases/cases.store.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import { principalThen } from '../../kernel/evidence/objects.ts'
import type { Notices } from '../../kernel/events/notices.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { UnitCall } from '../../kernel/unit-calls.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import { ordinalOf, personThen } from './disclosure.models.ts'
import { caseById, disclosuresOf } from './disclosure.store.ts'
import { tellMay } from './due-notices.ts'
import { requestModel, type RequestOut } from './proposals.models.ts'
import * as rows from './requests.store.ts'
import type { RequestRow } from './requests.store.ts'
import type { Asked, AskedRecord } from './rights.ts'

type Given = z.output<typeof RecordRequestModel>

export interface RequestDeps {
  readonly db: Database
  readonly ledger: Ledger
  readonly clock: Clock
  readonly access: Access
  readonly notices: Notices
  readonly timeZone: string
}

/** Every method that writes judges the caller by `rights`, in its transaction. */
export interface Requests {
  /** Of one case, in the order in which they were recorded. @param open leaves out what ended */
  of(from: Tx, row: CaseRow, open?: 'open'): Promise<RequestOut[]>
  record(call: UnitCall, of: Asked, given: Given): Promise<RequestOut>
  /** @throws Fault DisclosureRequestNotFound, DisclosureRequestClosed */
  close(call: UnitCall, of: AskedRecord, reason: string): Promise<RequestOut>
  /** Tells whoever recorded one, once, that its day is near. */
  remind(): Promise<void>
}

/** People are reminded so many days before the day of a request. */
const DAYS_BEFORE = 3
const AT_ONCE = 100

export function createRequests(deps: RequestDeps): Requests {
  const { db, ledger, clock } = deps
  return {
    of: models,
    record: (call, of, given) =>
      db.transaction(async (tx) => {
        const row = await of.rights.reach(tx, of.caseId)
        const no = (await rows.requestsOf(tx, row.case_id)).reduce((most, one) => Math.max(most, one.no), 0) + 1
        await rows.insertRequest(tx, {
          tenant_id: of.tenant,
          case_id: row.case_id,
          no,
          recipient_name: given.Recipient.Name,
          recipient_role: given.Recipient.Role,
          recipient_organisation: given.Recipient.Organisation,
          authority: given.Authority,
          request_number: given.Number,
          request_date: given.Date ?? null,
          request_due: given.Due ?? null,
          what: given.What,
          recorded_utc: isoMillis(clock.now()),
          recorded_by: JSON.stringify(principalThen(call.actor)),
          state: 'open',
          closed_utc: null,
          closed_by: null,
          close_reason: '',
          disclosure_id: null,
          reminded_due: null,
        })
        const made = await openRequest(tx, row, String(no))
        await append(ledger, tx, call, row, made, {
          action: 'disclosure.asked',
          detail: {
            recipient: {
              name: made.recipient_name,
              role: made.recipient_role,
              organisation: made.recipient_organisation,
            },
            what: made.what,
            number: made.request_number,
            date: made.request_date,
            due: made.request_due,
          },
        })
        return call.rememberAnswer(tx, requestModel(made, null))
      }),
    close: (call, of, reason) =>
      db.transaction(async (tx) => {
        const row = await of.rights.reach(tx, of.caseId)
        const request = await openRequest(tx, row, of.no)
        const closed = {
          state: 'closed' as const,
          closed_utc: isoMillis(clock.now()),
          closed_by: JSON.stringify(principalThen(call.actor)),
          close_reason: reason,
        }
        await rows.updateRequest(tx, request.request_id, closed)
        await append(ledger, tx, call, row, request, { action: 'disclosure.askedClosed', reason })
        return requestModel({ ...request, ...closed }, null)
      }),
    remind: () => remind(deps),
  }
}

/** @throws Fault DisclosureRequestNotFound, DisclosureRequestClosed */
export async function openRequest(from: Tx, row: CaseRow, no: string): Promise<RequestRow> {
  const request = (await rows.requestsOf(from, row.case_id)).find((one) => String(one.no) === no)
  if (request === undefined) throw fault('DisclosureRequestNotFound', `The case has no request ${no}.`)
  if (request.state !== 'open')
    throw fault(
      'DisclosureRequestClosed',
      request.state === 'answered' ? `Request ${no} was answered already.` : `Request ${no} was closed already.`,
    )
  return request
}

async function models(from: Tx, row: CaseRow, open?: 'open'): Promise<RequestOut[]> {
  const all = await rows.requestsOf(from, row.case_id)
  const shown = open === undefined ? all : all.filter(({ state }) => state === 'open')
  if (shown.length === 0) return []
  const numbers = new Map((await disclosuresOf(from, row.case_id)).map((one) => [one.disclosure_id, one.no]))
  return shown.map((one) => requestModel(one, numbers.get(one.disclosure_id ?? -1) ?? null))
}

interface Appended {
  readonly action: 'disclosure.asked' | 'disclosure.askedClosed'
  readonly reason?: string
  readonly detail?: Readonly<Record<string, unknown>>
}

const append = (
  ledger: Ledger,
  tx: Tx,
  call: Call,
  row: CaseRow,
  { request_id: id, no }: RequestRow,
  { action, reason, detail = {} }: Appended,
): Promise<unknown> =>
  ledger.append(tx, call, {
    action,
    object: { type: 'disclosureRequest', id: String(id), name: `${ordinalOf(row)} / ${no}` },
    ...(reason === undefined ? {} : { reason }),
    detail: { caseId: String(row.case_id), no, ...detail },
  })

async function remind(deps: RequestDeps): Promise<void> {
  const { db, clock, timeZone } = deps
  const by = dayAfter(dayIn(timeZone, clock.now()), DAYS_BEFORE)
  for (;;) {
    const told = await db.transaction(async (tx) => {
      const near = await rows.requestsToRemind(tx, by, AT_ONCE)
      for (const request of near) {
        await rows.updateRequest(tx, request.request_id, { reminded_due: request.request_due })
        const row = await caseById(tx, request.tenant_id, request.case_id)
        if (row === undefined || row.lifecycle_state === 'Deleted') continue
        const call: Call = {
          actor: INTERNAL,
          source: 'station',
          correlationId: `disclosure-request-${request.request_id}`,
        }
        await tellMay(deps, tx, call, row, [personThen(request.recorded_by).PrincipalId], 'disclosure.requestDue')
      }
      return near.length
    })
    if (told < AT_ONCE) return
  }
}
