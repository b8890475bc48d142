/** Cases that would have no manager once an account is disabled: Account Administrators get Manage on them (decisions 3). */
import { timeOf } from '../../../shared/kernel/time.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { Tx } from '../../kernel/database/database.ts'
import type { Notices } from '../../kernel/events/notices.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { asNewPolicy, sortPolicies } from './cases.access.ts'
import type { CaseCore } from './case-aggregate.ts'
import * as rows from './cases.store.ts'
import { casesLosingManage } from './last-manage.store.ts'

interface Deps {
  readonly core: Pick<CaseCore, 'found' | 'changed'>
  readonly notices: Notices
  readonly clock: Clock
}

/** Called before the account is disabled, in the same transaction. Each case gets a version and a ledger entry. @returns how many cases */
export type HandOverCases = (tx: Tx, call: Call, tenant: string, disabled: number) => Promise<number>

export function createHandOverCases({ core, notices, clock }: Deps): HandOverCases {
  const handOver = async (tx: Tx, call: Call, tenant: string, caseId: string, to: number, from: number) => {
    const row = await core.found(tx, tenant, caseId)
    const others = (await rows.policiesOfCase(tx, row.case_id))
      .map(asNewPolicy)
      .filter(({ principalId }) => principalId !== to)
    const manage = { principalId: to, level: 'Manage', expires: null, fromDepartment: false } as const
    await rows.replacePolicies(tx, row.case_id, sortPolicies([...others, manage]))
    await core.changed(tx, call, row, {}, 'case.handedOver', { to: String(to), disabled: String(from) })
    await notices.tell(tx, call, [to], { tenant, kind: 'case.orphaned', object: { type: 'case', id: caseId } })
  }
  return async (tx, call, tenant, disabled) => {
    const options = { viewer: null, nowTicks: timeOf(clock.now()).ticks }
    const administrators = await rows.administrators(tx, tenant)
    let count = 0
    for (;;) {
      // Each round names a few cases. A case that was handed over is named again only if no administrator is left to manage it.
      const { first } = await casesLosingManage(tx, tenant, { disabled }, options)
      const handedOver = await rows.managedBy(
        tx,
        administrators,
        first.map(({ caseId }) => Number(caseId)),
      )
      const next = first.filter(({ caseId }) => !handedOver.has(Number(caseId)))
      if (next.length === 0) return count
      for (const { caseId } of next) await handOver(tx, call, tenant, caseId, administrators, disabled)
      count += next.length
    }
  }
}
