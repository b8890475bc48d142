/** Tells whoever gave something that a supplement to it is due now, in the transaction of what made it due (docs/decisions/0035). */
import { includes } from '../../../shared/kernel/permissions.ts'
import { type NoticeKind, NOTICES } from '../../../shared/notifications/rules.ts'
import type { Access } from '../../kernel/access/access.ts'
import { isGuest } from '../../kernel/access/guests.ts'
import type { CaseRow } from '../../kernel/cases/cases.store.ts'
import type { Tx } from '../../kernel/database/database.ts'
import type { EventHandlers } from '../../kernel/events/events.ts'
import type { Notices } from '../../kernel/events/notices.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import { personThen } from './disclosure.models.ts'
import * as rows from './disclosure.store.ts'
import { dueOfCase } from './due.service.ts'

/** As the rule of the notice says. */
const TOLD_AGAIN_AFTER_MS = NOTICES['disclosure.due'].gathered.withinMs

interface Deps {
  readonly clock: Clock
  readonly access: Pick<Access, 'onCase'>
  readonly notices: Notices
}

/** What may make a supplement due: evidence or a file that came, a restriction that was set or lifted. */
export function dueNotices(deps: Deps): EventHandlers {
  const ofEvidence = async (tx: Tx, call: Call, { object }: { readonly object: { readonly id: string } }) =>
    tellDue(deps, tx, call, await rows.casesThatDisclosed(tx, { evidenceId: Number(object.id) }))
  return {
    'case.linked': async (tx, call, { object }) =>
      tellDue(deps, tx, call, await rows.casesThatDisclosed(tx, { caseId: Number(object.id) })),
    'resource.completed': async (tx, call, { object }) =>
      tellDue(deps, tx, call, await rows.casesThatDisclosed(tx, { resourceId: Number(object.id) })),
    'disclosure.groundEnded': async (tx, call, { detail }) =>
      tellDue(deps, tx, call, await rows.casesThatDisclosed(tx, { caseId: Number(detail?.['caseId']) })),
    'restriction.set': ofEvidence,
    'restriction.lifted': ofEvidence,
  }
}

async function tellDue(deps: Deps, tx: Tx, call: Call, cases: readonly CaseRow[]): Promise<void> {
  for (const row of cases) {
    const standing = await rows.disclosuresOf(tx, row.case_id)
    const givers = new Set(standing.map((one) => personThen(one.given_by).PrincipalId))
    // What is due takes a look at all evidence of the case, for every file that comes in. Who was told today is told of one more.
    const told = await rows.peopleTold(tx, row.case_id, isoMillis(deps.clock.now() - TOLD_AGAIN_AFTER_MS))
    if ([...givers].every((id) => told.has(id))) {
      await tellMay(deps, tx, call, row, [...givers], 'disclosure.due')
      continue
    }
    const due = new Set((await dueOfCase(tx, row)).map(({ LastNo }) => LastNo))
    if (due.size === 0) continue
    const given = standing.filter(({ no }) => due.has(no))
    const people = new Set(given.map((one) => personThen(one.given_by).PrincipalId))
    await tellMay(deps, tx, call, row, [...people], 'disclosure.due')
  }
}

/** Those among them who may know of disclosures of the case today. The notice says only that there is something. */
export async function tellMay(
  { access, notices }: Pick<Deps, 'access' | 'notices'>,
  tx: Tx,
  call: Call,
  row: CaseRow,
  people: readonly string[],
  kind: Extract<NoticeKind, `disclosure.${string}`>,
): Promise<void> {
  const may: number[] = []
  for (const id of people) {
    // The command line and integrations read no notices.
    if (!/^\d+$/.test(id)) continue
    const principal = { kind: 'user', id, name: '', kId: '' } as const
    if (includes(await access.onCase(tx, principal, row.case_id), 'Edit') && !(await isGuest(tx, principal)))
      may.push(Number(id))
  }
  await notices.tell(tx, call, may, { tenant: row.tenant_id, kind, object: { type: 'case', id: String(row.case_id) } })
}
