import { type HoldCode, judge } from '../../../shared/retention/retention.ts'
import type { PrincipalThen } from '../../kernel/evidence/model.ts'
import type { Principal } from '../../../shared/kernel/principal.ts'
import type { Tx } from '../../kernel/database/database.ts'
import type { Feature, Kernel } from '../../kernel/kernel.ts'
import { createDisposition, type Disposition } from './disposition/disposition.ts'
import { judgedEvidence } from './disposition/facts.store.ts'
import { watchDisclosed } from './disposition/queue.store.ts'
import { dispositionRoutes, quarantineRoutes, retentionRoutes } from './retention.routes.ts'
import { createDispositionService, type DispositionService } from './disposition.service.ts'
import { createQuarantineService } from './quarantine.service.ts'
import { createRetentionPreview } from './retention.preview.ts'
import { createSources } from './sources.service.ts'
import { whyNotSecondPerson } from './second-person.ts'
import { createUpcoming, type UpcomingBetween } from './upcoming.ts'

interface Needs {
  /** Supplied by the case service. */
  readonly categoryExists: Parameters<typeof createRetentionPreview>[0]['categoryExists']
}

/** The codes of what holds each evidence, read in the caller's transaction. */
type HoldsOf = (from: Tx, evidenceIds: readonly number[]) => Promise<Map<number, readonly HoldCode[]>>

/** Retention and disposition (decisions 6): due evidence, its approvals, and its destruction. */
export function retentionFeature(
  kernel: Kernel,
  { categoryExists }: Needs,
): Feature & {
  readonly disposition: Disposition
  readonly holdsOf: HoldsOf
  readonly countApprovable: DispositionService['countApprovable']
  readonly upcoming: UpcomingBetween
  readonly whyNotSecondPerson: (
    from: Tx,
    caller: Principal,
    first: { readonly who: PrincipalThen; readonly since: number },
  ) => ReturnType<typeof whyNotSecondPerson>
} {
  const { settings, clock, keys, mode, nodes } = kernel
  const disposition = createDisposition({
    ...kernel,
    times: {
      coolingMs: settings.coolingOffHours * 3_600_000,
      binDays: settings.recycleBinDays,
      settleDays: settings.approverSettleDays,
    },
    signer: keys.signing.current,
    mayWrite: mode.mayWrite,
    clockIsRight: () => nodes.whyNotReady() === null,
  })
  const deps = { ...kernel, disposition, categoryExists }
  const approvers = { clock, coolingMs: disposition.times.coolingMs, clockIsSteady: disposition.clockIsSteady }
  const service = createDispositionService(deps)
  const routes = [
    ...dispositionRoutes({ ...deps, service, times: disposition.times }),
    ...quarantineRoutes({
      service: createQuarantineService({ ...deps, quarantine: disposition.quarantine, approvers }),
    }),
    ...retentionRoutes({
      sources: createSources(deps),
      preview: createRetentionPreview({ ...deps, binDays: disposition.times.binDays }),
    }),
  ]
  const holdsOf: HoldsOf = async (from, ids) => {
    const judged = await judgedEvidence(from, ids)
    const now = clock.now()
    return new Map(
      [...judged].map(([id, { facts }]) => [
        id,
        judge(facts, now, settings.recycleBinDays).holds.map(({ code }) => code),
      ]),
    )
  }
  return {
    disposition,
    holdsOf,
    countApprovable: service.countApprovable,
    whyNotSecondPerson: (from, caller, first) => whyNotSecondPerson(from, clock, caller, first),
    upcoming: createUpcoming({ ...kernel, binDays: settings.recycleBinDays }),
    routes,
    on: {
      'case.closed': (tx, _call, { object }) => watchDisclosed(tx, Number(object.id)),
      'case.reopened': (tx, _call, { object }) => watchDisclosed(tx, Number(object.id)),
      'disclosure.given': (tx, _call, { detail }) => watchDisclosed(tx, Number(detail?.['caseId'])),
      'disclosure.superseded': (tx, _call, { detail }) => watchDisclosed(tx, Number(detail?.['caseId'])),
    },
    tasks: [
      { name: 'what is due', runsOn: 'one node', everyMs: 15_000, run: () => disposition.sortDue() },
      { name: 'disposition', runsOn: 'one node', everyMs: 60_000, run: () => disposition.step() },
    ],
  }
}
