import type { z } from 'zod'
import {
  type AccessRequestModel,
  type createAccessRequest,
  type decideAccessRequest,
  MOST_OPEN_REQUESTS,
} from '../../../../shared/cases/access-requests.contract.ts'
import { fault } from '../../../../shared/kernel/errors.ts'
import { includes } from '../../../../shared/kernel/permissions.ts'
import type { Principal } from '../../../../shared/kernel/principal.ts'
import type { BodyOf } from '../../../../shared/kernel/route.ts'
import type { HttpCall } from '../../../http/handlers.ts'
import type { Access } from '../../../kernel/access/access.ts'
import type { Database, Tx } from '../../../kernel/database/database.ts'
import type { Notices } from '../../../kernel/events/notices.ts'
import { principalThen } from '../../../kernel/evidence/objects.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import { type Clock, isoMillis } from '../../../platform/clock/clock.ts'
import type { CaseActs } from '../case-acts.service.ts'
import { type CaseCore, caseObject } from '../case-aggregate.ts'
import { ordinalOf } from '../cases.models.ts'
import type { CaseRow } from '../cases.store.ts'
import * as rows from './access-requests.store.ts'
import type { RequestRow } from './access-requests.store.ts'
import { peopleById, personModel } from './people.store.ts'

type RequestOut = z.input<typeof AccessRequestModel>

/** Requests for access to cases (decisions 32). */
export interface AccessRequests {
  /** @throws Fault CaseNotFound, CaseDeleted, AccessHeldAlready, AccessRequestedAlready, TooManyAccessRequests */
  ask(call: HttpCall, given: BodyOf<typeof createAccessRequest>): Promise<RequestOut>
  /** Of the caller, or the open ones that the caller may decide. */
  list(call: HttpCall, of: 'own' | 'toDecide', caseId: string | null): Promise<RequestOut[]>
  /** @throws Fault AccessRequestNotFound to who holds no Manage on the case, AccessRequestClosed, UnableToLoadUser */
  decide(call: HttpCall, id: string, given: BodyOf<typeof decideAccessRequest>): Promise<RequestOut>
  /** @throws Fault AccessRequestNotFound, AccessRequestClosed */
  withdraw(call: HttpCall, id: string): Promise<RequestOut>
  countToDecide(
    call: HttpCall,
    tenant: string,
    most: number,
  ): Promise<{ readonly count: number; readonly more: boolean }>
}

interface Deps {
  readonly db: Database
  readonly core: CaseCore
  readonly access: Access
  readonly ledger: Ledger
  readonly notices: Notices
  readonly clock: Clock
  readonly shareIn: CaseActs['shareIn']
}

export function createAccessRequests(deps: Deps): AccessRequests {
  const { db, core, access, ledger, notices, clock } = deps
  const models = async (from: Tx, call: HttpCall, requests: readonly RequestRow[]): Promise<RequestOut[]> => {
    const people = await peopleById(
      from,
      call.tenant,
      requests.map((one) => one.principal_id),
    )
    const cases = [...new Set(requests.map((one) => one.case_id))]
    const levels = await access.onCases(from, call.principal, cases)
    const shown = new Map<number, CaseRow>()
    for (const id of cases)
      if (includes(levels.get(id) ?? 'None', 'View')) shown.set(id, await core.found(from, call.tenant, String(id)))
    return requests.map((one) => requestModel(one, people, shown.get(one.case_id)))
  }
  const one = async (from: Tx, call: HttpCall, request: RequestRow): Promise<RequestOut> =>
    (await models(from, call, [request]))[0] as RequestOut
  const found = async (from: Tx, id: string, isShown: (row: RequestRow) => Promise<boolean>): Promise<RequestRow> => {
    const row = await rows.requestById(from, Number(id))
    // Ids beyond 2⁵³ cannot exist here; a rounded one must not find its neighbour.
    if (row === undefined || String(row.request_id) !== id || !(await isShown(row)))
      throw fault('AccessRequestNotFound', `There is no request ${id} that you could answer.`)
    if (row.state !== 'Open') throw fault('AccessRequestClosed', `This request was ${row.state.toLowerCase()} already.`)
    return row
  }

  return {
    ask: (call, { CaseId, Level, Reason }) =>
      db.transaction(async (tx) => {
        const row = await core.found(tx, call.tenant, CaseId)
        if (row.lifecycle_state === 'Deleted') throw fault('CaseDeleted', 'The case is in the recycle bin.')
        if (includes(await access.onCase(tx, call.principal, row.case_id), Level))
          throw fault('AccessHeldAlready', `You have ${Level} on this case already.`)
        const own = await rows.openRequestsBy(tx, Number(call.actor.id))
        if (own.some((request) => request.case_id === row.case_id))
          throw fault('AccessRequestedAlready', 'You asked for access to this case already. Nobody has decided yet.')
        if (own.length >= MOST_OPEN_REQUESTS)
          throw fault('TooManyAccessRequests', `You have ${MOST_OPEN_REQUESTS} open requests. Withdraw one first.`)
        const id = await rows.insertRequest(tx, {
          case_id: row.case_id,
          principal_id: Number(call.actor.id),
          level: Level,
          reason: Reason,
          requested_utc: isoMillis(clock.now()),
          state: 'Open',
          decided_utc: null,
          decided_by: null,
        })
        await ledger.append(tx, call, {
          action: 'access.requested',
          object: caseObject(row),
          detail: { requestId: String(id), level: Level, reason: Reason },
        })
        await notices.tell(tx, call, await rows.managersOf(tx, row.case_id), {
          tenant: call.tenant,
          kind: 'access.requested',
          message: Reason,
          object: { type: 'case', id: String(row.case_id) },
        })
        const made = await rows.requestById(tx, id)
        return call.rememberAnswer(tx, await one(tx, call, made as RequestRow))
      }),

    list: async (call, of, caseId) => {
      const onCase = caseId === null ? null : Number(caseId)
      const found =
        of === 'own'
          ? await rows.requestsBy(db.read, call.tenant, Number(call.actor.id), onCase)
          : await rows.requestsToDecide(db.read, call.tenant, await access.asker(db.read, call.principal), onCase)
      return models(db.read, call, found)
    },

    countToDecide: async (call, tenant, most) => {
      const viewer = await access.asker(db.read, call.principal)
      const found = await rows.requestsToDecide(db.read, tenant, viewer, null)
      return { count: Math.min(found.length, most), more: found.length > most }
    },

    decide: (call, id, given) =>
      db.transaction(async (tx) => {
        const request = await found(tx, id, async (row) =>
          includes(await access.onCase(tx, call.principal, row.case_id), 'Manage'),
        )
        const row = await core.live(tx, call, call.tenant, String(request.case_id))
        const grants = given.Decision === 'Grant'
        const message = given.Message ?? ''
        if (grants) await grant(deps, tx, call, request, given.Level ?? request.level, message)
        const set = {
          state: grants ? ('Granted' as const) : ('Declined' as const),
          decided_utc: isoMillis(clock.now()),
          decided_by: JSON.stringify(principalThen(call.actor)),
          message,
        }
        await rows.updateRequest(tx, request.request_id, set)
        await ledger.append(tx, call, {
          action: grants ? 'access.granted' : 'access.declined',
          object: caseObject(row),
          detail: { requestId: id, ...(grants ? { level: given.Level ?? request.level } : {}) },
          concerns: [request.principal_id],
        })
        if (!grants)
          await notices.tell(tx, call, [request.principal_id], {
            tenant: call.tenant,
            kind: 'access.declined',
            message,
            object: { type: 'case', id: String(row.case_id) },
          })
        return one(tx, call, { ...request, ...set })
      }),

    withdraw: (call, id) =>
      db.transaction(async (tx) => {
        const request = await found(tx, id, async (row) => String(row.principal_id) === call.actor.id)
        const row = await core.found(tx, call.tenant, String(request.case_id))
        const set = { state: 'Withdrawn' as const, decided_utc: isoMillis(clock.now()) }
        await rows.updateRequest(tx, request.request_id, set)
        await ledger.append(tx, call, {
          action: 'access.withdrawn',
          object: caseObject(row),
          detail: { requestId: id },
        })
        return one(tx, call, { ...request, ...set })
      }),
  }
}

/** Shares the case as `shareCase` does, with its rights, its version and its notice. @throws Fault UnableToLoadUser */
async function grant(
  { shareIn }: Deps,
  tx: Tx,
  call: HttpCall,
  { case_id: caseId, principal_id: id }: RequestRow,
  level: 'View' | 'Download' | 'Edit',
  message: string,
): Promise<void> {
  if ((await peopleById(tx, call.tenant, [id])).get(id)?.enabled !== 1)
    throw fault('UnableToLoadUser', 'Whoever asked can sign in no more. Decline the request.')
  await shareIn(tx, call, call.tenant, String(caseId), {
    AccessPolicies: [{ PrincipalId: String(id), Permissions: level }],
    ...(message === '' ? {} : { Message: message }),
  } as Parameters<CaseActs['shareIn']>[4])
}

const requestModel = (
  request: RequestRow,
  people: Awaited<ReturnType<typeof peopleById>>,
  shown: CaseRow | undefined,
): RequestOut => ({
  RequestId: String(request.request_id),
  CaseId: String(request.case_id),
  Case: shown === undefined ? null : { Ordinal: ordinalOf(shown), Title: shown.title },
  By: personModel(people.get(request.principal_id), request.principal_id),
  Level: request.level,
  Reason: request.reason,
  AtUtc: request.requested_utc,
  State: request.state,
  Decision:
    request.decided_utc === null || request.decided_by === null
      ? null
      : {
          By: (JSON.parse(request.decided_by) as Pick<Principal, never> & { readonly Username: string }).Username,
          AtUtc: request.decided_utc,
          Message: request.message,
        },
})
