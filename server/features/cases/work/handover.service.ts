/** Hands the cases of one person over to another (decisions 32). */
import { HANDED_OVER_AT_ONCE, type handOverCases } from '../../../../shared/cases/handover.contract.ts'
import { Fault, fault } from '../../../../shared/kernel/errors.ts'
import type { BodyOf } from '../../../../shared/kernel/route.ts'
import type { HttpCall } from '../../../http/handlers.ts'
import type { Database, Tx } from '../../../kernel/database/database.ts'
import type { Notices } from '../../../kernel/events/notices.ts'
import { asNewPolicy, sortPolicies } from '../cases.access.ts'
import type { CaseCore } from '../case-aggregate.ts'
import * as rows from '../cases.store.ts'
import { countManaged, countOpenTasks, managedCases } from './handover.store.ts'
import { activeUser, type PersonRow, userById } from './people.store.ts'
import type { CaseTasks } from './tasks.service.ts'

export interface Handover {
  /** @throws Fault Forbidden, UserNotFound */
  count(call: HttpCall, from: string): Promise<{ Cases: number; Tasks: number }>
  /** Up to fifty cases in one transaction. @throws Fault Forbidden, UserNotFound, InvalidModel */
  handOver(call: HttpCall, given: BodyOf<typeof handOverCases>): Promise<{ Cases: number; Tasks: number; Left: number }>
}

interface Deps {
  readonly db: Database
  readonly core: CaseCore
  readonly notices: Notices
  readonly isAdministrator: (principalId: string) => Promise<boolean>
  readonly tasks: Pick<CaseTasks, 'reassign'>
}

export function createHandover(deps: Deps): Handover {
  const { db, isAdministrator } = deps
  const person = async (from: Tx, call: HttpCall, id: string): Promise<PersonRow> => {
    const row = await userById(from, call.tenant, id)
    if (row === null) throw fault('UserNotFound', `There is no user ${id}.`)
    return row
  }
  const judge = async (call: HttpCall, from: string): Promise<void> => {
    if (call.actor.id !== from && !(await isAdministrator(call.actor.id)))
      throw new Fault('Forbidden', 'You can hand over your own cases. Those of others an administrator hands over.', {
        reason: 'UserIsNotAdministrator',
      })
  }
  return {
    count: async (call, from) => {
      await judge(call, from)
      const { principal_id: id } = await person(db.read, call, from)
      return {
        Cases: await countManaged(db.read, call.tenant, id),
        Tasks: await countOpenTasks(db.read, call.tenant, id),
      }
    },
    handOver: (call, given) =>
      db.transaction(async (tx) => {
        await judge(call, given.FromId)
        const from = await person(tx, call, given.FromId)
        const to = await activeUser(tx, call.tenant, given.ToId)
        if (to === null || to.guest === 1 || to.principal_id === from.principal_id)
          throw fault('InvalidModel', 'Cases go to another user who can sign in and is no guest.', [
            { Path: 'ToId', Message: 'must be another user who can sign in and is no guest' },
          ])
        let tasks = 0
        const next = await managedCases(tx, call.tenant, from.principal_id, HANDED_OVER_AT_ONCE)
        for (const { case_id: id } of next) tasks += await handOverOne(deps, tx, call, id, { from, to, ...given })
        if (next.length > 0) await tellBoth(deps, tx, call, { from, to })
        return { Cases: next.length, Tasks: tasks, Left: await countManaged(tx, call.tenant, from.principal_id) }
      }),
  }
}

interface Pair {
  readonly from: PersonRow
  readonly to: PersonRow
}

async function handOverOne(
  { core, tasks }: Deps,
  tx: Tx,
  call: HttpCall,
  caseId: number,
  { from, to, Keep }: Pair & { readonly Keep: 'View' | 'None' },
): Promise<number> {
  const row = await core.found(tx, call.tenant, String(caseId))
  const others = (await rows.policiesOfCase(tx, caseId))
    .map(asNewPolicy)
    .filter(({ principalId: id }) => id !== from.principal_id && id !== to.principal_id)
  const base = { expires: null, fromDepartment: false } as const
  await rows.replacePolicies(
    tx,
    caseId,
    sortPolicies([
      ...others,
      { principalId: to.principal_id, level: 'Manage', ...base },
      ...(Keep === 'View' ? [{ principalId: from.principal_id, level: 'View' as const, ...base }] : []),
    ]),
  )
  const detail = { from: String(from.principal_id), to: String(to.principal_id), kept: Keep }
  await core.changed(tx, call, row, {}, 'case.handedOver', detail, [from.principal_id, to.principal_id])
  return tasks.reassign(tx, call, row, from.principal_id, to.principal_id)
}

/** Each of the two hears of it once: the notices of a day about the same person are one. */
async function tellBoth({ notices }: Deps, tx: Tx, call: HttpCall, { from, to }: Pair): Promise<void> {
  for (const [told, other] of [
    [to, from],
    [from, to],
  ] as const)
    await notices.tell(tx, call, [told.principal_id], {
      tenant: call.tenant,
      kind: told === to ? 'case.received' : 'case.handedOver',
      object: { type: 'user', id: String(other.principal_id) },
    })
}
