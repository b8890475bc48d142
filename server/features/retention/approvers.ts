import type { z } from 'zod'
import type { ApproverProvenance } from '../../../shared/retention/disposition.contract.ts'
import { Fault, fault } from '../../../shared/kernel/errors.ts'
import {
  type AccountEvent,
  COMMAND_LINE,
  controlEndsAt,
  controllersOf,
  controllersSince,
  controlStates,
  hasOwnFactor,
  type SettlingTime,
} from '../../../shared/identity/account-control.ts'
import { type Approved, type Approver, type WhyNot, whyNotApprove } from '../../../shared/retention/approval.ts'
import { INTERNAL } from '../../../shared/kernel/principal.ts'
import type { Tx } from '../../kernel/database/database.ts'
import * as accounts from './disposition/account-control.store.ts'
import type { AccountRow } from './disposition/account-control.store.ts'
import * as queue from './disposition/queue.store.ts'
import type { ApprovalRow, ItemRow } from './disposition/queue.store.ts'
import type { PrincipalThen } from '../../kernel/evidence/model.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import type { HttpCall } from '../../http/handlers.ts'
import { requestedSince } from './disposition.store.ts'

export type ProvenanceOut = z.input<typeof ApproverProvenance>

export interface ApproverDeps {
  readonly clock: Clock
  readonly coolingMs: number
  /** False after the clock jumped. */
  readonly clockIsSteady: () => boolean
}

export interface Judgement {
  readonly approvals: readonly ApprovalRow[]
  whyNot(item: ItemRow | null): WhyNot | null
  /** Account control of the approvers and of the caller. @param item null for an item without approvals */
  provenance(item: ItemRow | null): ProvenanceOut[]
}

/** The approvals of these items, why the caller cannot approve one, and who controls the approvers' accounts. */
export async function judgeApprovers(
  from: Tx,
  call: HttpCall,
  items: readonly ItemRow[],
  { clock, coolingMs, clockIsSteady }: ApproverDeps,
): Promise<Judgement> {
  const now = clock.now()
  const itemIds = items.map((item) => item.item_id)
  const approvals = await queue.approvalsOf(from, itemIds)
  const requested = new Map(items.map((item) => [item.item_id, JSON.parse(item.requested_by) as PrincipalThen]))
  const since = await requestedSince(from, itemIds)
  const isUser = call.actor.kind === 'user'
  const people = [
    ...(isUser || call.actor.kind === 'service' ? [call.actor.id] : []),
    ...approvals.map((one) => String(one.principal_id)),
    ...[...requested.values()].filter(isAccount).map((one) => one.PrincipalId),
  ]
  const events = await accounts.accountEvents(from, people)
  const facts = await readFacts(from, events, [...new Set(people)], now)

  const controlled = (id: string, at: number): Pick<Approver, 'id' | 'controllers'> => ({
    id,
    controllers: controllersSince(events, id, { since: at, now }),
  })
  const requesterOf = (item: ItemRow): Approved['requester'] => {
    const who = requested.get(item.item_id) as PrincipalThen
    if (who.PrincipalType === INTERNAL.kind) return null
    if (!isAccount(who)) return { id: COMMAND_LINE, controllers: new Set() }
    return controlled(who.PrincipalId, since.get(item.item_id) ?? 0)
  }
  const caller: Approver = {
    kind: call.actor.kind,
    id: call.actor.id,
    controllers: controllersOf(facts.states, call.actor.id),
    inPolicySince: facts.inPolicySince.get(call.actor.id) ?? null,
  }
  const time = { now, coolingMs, clockIsSteady: clockIsSteady() }
  const approvedOf = (item: ItemRow | null) => approvals.filter((one) => one.item_id === item?.item_id)
  return {
    approvals,
    whyNot: (item) =>
      whyNotApprove(
        {
          waiting: item === null || item.stage === 'waiting',
          requester: item === null ? null : requesterOf(item),
          approvals: approvedOf(item).map((one) => controlled(String(one.principal_id), Date.parse(one.approved_utc))),
        },
        caller,
        time,
      ),
    provenance: (item) => {
      const ids = approvedOf(item).map((one) => String(one.principal_id))
      const shown = isUser && (item === null || item.stage === 'waiting') ? [...ids, call.actor.id] : ids
      return [...new Set(shown)].flatMap((id) => provenanceOf(facts, id) ?? [])
    },
  }
}

const isAccount = ({ PrincipalType: kind }: PrincipalThen): boolean => kind === 'user' || kind === 'service'

interface Facts {
  readonly states: ReturnType<typeof controlStates>
  readonly rows: ReadonlyMap<string, AccountRow>
  readonly times: readonly SettlingTime[]
  readonly inPolicySince: ReadonlyMap<string, number | null>
}

async function readFacts(
  from: Tx,
  events: readonly AccountEvent[],
  people: readonly string[],
  now: number,
): Promise<Facts> {
  const named = new Set([...people, ...events.flatMap((event) => (event.kind === 'control' ? [event.by] : []))])
  const ids = [...named].map(Number).filter(Number.isSafeInteger)
  const rows = await accounts.accountsById(from, ids)
  const inPolicySince = new Map<string, number | null>()
  for (const id of people) inPolicySince.set(id, await accounts.approverSince(from, Number(id)))
  const times = await accounts.settlingTimes(from)
  return {
    states: controlStates(events),
    rows: new Map(rows.map((row) => [String(row.principal_id), row])),
    times: times.length === 0 ? [{ days: 0, since: now }] : times,
    inPolicySince,
  }
}

function provenanceOf({ states, rows, times, inPolicySince }: Facts, id: string): ProvenanceOut | null {
  const row = rows.get(id)
  if (row === undefined) return null
  const state = states.get(id)
  const nameOf = (by: string, byName: string) => (by === COMMAND_LINE ? byName : (rows.get(by)?.name ?? by))
  const endsAt = state === undefined ? null : controlEndsAt(state, times)
  const policySince = inPolicySince.get(id) ?? null
  return {
    By: { KId: row.k_id, Username: row.name, PrincipalId: id, PrincipalType: row.kind },
    CreatedUtc: row.created_utc,
    CreatedBy: createdBy(row, rows),
    InPolicySinceUtc: policySince === null ? null : isoMillis(policySince),
    Acts: (state?.acts ?? []).map(({ act, by, byName, at }) => ({
      Act: act,
      By: nameOf(by, byName),
      TimeUtc: isoMillis(at),
    })),
    OwnPassword: state === undefined || state.acts.length === 0 || state.ownPassword,
    OwnSecondFactor: state !== undefined && hasOwnFactor(state),
    ControlEndsUtc: endsAt === null ? null : isoMillis(endsAt),
    ControlEndedUtc: state?.endedAt == null ? null : isoMillis(state.endedAt),
  }
}

function createdBy(row: AccountRow, rows: Facts['rows']): string {
  const [, kind, id] = /^(\w+):(.*)$/s.exec(row.created_by) ?? []
  return kind === 'cli' ? row.created_by : (rows.get(id ?? '')?.name ?? '')
}

const WORDS: Readonly<Record<WhyNot, string>> = {
  NotAPerson: 'Only people approve a destruction.',
  Requested: 'You asked for this destruction; two others have to approve it.',
  MadeByRequester:
    'Your account and that of whoever asked for this destruction are or were under the control of one person, who created or reset them.',
  ApprovedAlready: 'You approved this already; a second person has to.',
  MadeByApprover:
    'Your account and that of the first approver are or were under the control of one person, who created or reset them.',
  ControlledFromCommandLine:
    'Your account was created or reset from the command line. Set a password and a second factor of your own; it can approve after the settling time.',
  NewInPolicy: 'You have been in ApproveDisposition for less time than the cooling-off lasts.',
  ClockJumped: 'The clock of the station was changed. Nothing is approved until it has run steadily for a day.',
  NotWaiting: 'This waits for no approval any more.',
}

/** @param what name of the object in a sentence @throws Fault DispositionNotWaiting, Forbidden */
export function refuseApproval(what: string, why: WhyNot | null): void {
  if (why === null) return
  if (why === 'NotWaiting') throw fault('DispositionNotWaiting', `${what}: ${WORDS[why]}`)
  throw new Fault('Forbidden', WORDS[why], { reason: `CannotApproveDisposition:${why}` })
}
