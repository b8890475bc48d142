import { Fault, fault } from '../../../shared/contract/errors.ts'
import { type Approver, type WhyNot, whyNotApprove } from '../../../shared/domain/approval.ts'
import type { Tx } from '../../db/database.ts'
import * as queue from '../../evidence/disposition/queue.repository.ts'
import type { ApprovalRow, ItemRow } from '../../evidence/disposition/queue.repository.ts'
import type { PrincipalThen } from '../../evidence/records/model.ts'
import type { HttpCall } from '../handlers.ts'
import * as rows from './disposition.repository.ts'

/** What has been approved of these items, and for each why the caller cannot approve it. */
export async function judgesCaller(
  from: Tx,
  call: HttpCall,
  items: readonly ItemRow[],
): Promise<{ approvals: ApprovalRow[]; whyNot: (item: ItemRow) => WhyNot | null }> {
  const approvals = await queue.approvalsOf(
    from,
    items.map((item) => item.item_id),
  )
  const caller = { kind: call.actor.kind, id: call.actor.id, makers: await makersOf(from, call.actor.id) }
  const approvers = new Map<number, Approver>()
  for (const { principal_id: id } of approvals)
    approvers.set(id, { kind: 'user', id: String(id), makers: await makersOf(from, String(id)) })
  const whyNot = (item: ItemRow): WhyNot | null =>
    whyNotApprove(
      {
        waiting: item.stage === 'waiting',
        requesterId: (JSON.parse(item.requested_by) as PrincipalThen).PrincipalId,
        approvals: approvals
          .filter((one) => one.item_id === item.item_id)
          .map((one) => approvers.get(one.principal_id) as Approver),
      },
      caller,
    )
  return { approvals, whyNot }
}

const WORDS: Readonly<Record<WhyNot, string>> = {
  NotAPerson: 'Only people approve a destruction.',
  Requested: 'You asked for this destruction; two others have to approve it.',
  MadeByRequester: 'Your account was made by whoever asked for this destruction.',
  ApprovedAlready: 'You approved this already; a second person has to.',
  MadeByApprover: 'Of the two who approve, neither may have made the account of the other.',
  NotWaiting: 'This waits for no approval any more.',
}

/** @param what as it is called in a sentence @throws Fault DispositionNotWaiting, Forbidden */
export function refuseApproval(what: string, why: WhyNot | null): void {
  if (why === null) return
  if (why === 'NotWaiting') throw fault('DispositionNotWaiting', `${what}: ${WORDS[why]}`)
  throw new Fault('Forbidden', WORDS[why], { reason: `CannotApproveDisposition:${why}` })
}

/** The accounts that made this one, directly or through each other. */
async function makersOf(from: Tx, id: string): Promise<ReadonlySet<string>> {
  const makers = new Set<string>()
  for (let at: string | null = id; at !== null && /^\d{1,15}$/.test(at); ) {
    const by: string | undefined = (await rows.makersOf(from, [Number(at)])).get(Number(at))
    const next: string | null = /^(?:user|service):(\d+)$/.exec(by ?? '')?.[1] ?? null
    if (next === null || makers.has(next)) break
    makers.add(next)
    at = next
  }
  return makers
}
