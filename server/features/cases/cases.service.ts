import type { z } from 'zod'
import { MOST_AT_ONCE } from '../../../shared/cases/case-links.contract.ts'
import type { CreateCaseModel, PatchCaseModel, UpdateCaseModel } from '../../../shared/cases/contract.ts'
import { Fault } from '../../../shared/kernel/errors.ts'
import { includes, type SecurityPolicy } from '../../../shared/kernel/permissions.ts'
import type { Versions } from '../../kernel/versions/versions.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import type { StartUnit } from '../../kernel/unit-calls.ts'
import type { HttpCall } from '../../http/handlers.ts'
import type { CaseAggregate, CaseCore } from './case-aggregate.ts'
import {
  type CaseChanges,
  createCaseUnit,
  followCaseUnit,
  moveCaseUnit,
  patchCaseUnit,
  updateCaseUnit,
} from './case-changes.ts'
import { caseHistory, type CaseOut } from './cases.models.ts'
import { type CaseLinking, type EvidencePlaces, placesOf, refuseTooMany } from './case-linking.ts'
import type { CaseRow } from './cases.store.ts'
import { type HistoryOut, readHistory } from './history.ts'

type Created = z.output<typeof CreateCaseModel>
type Updated = z.output<typeof UpdateCaseModel>
type Patched = z.output<typeof PatchCaseModel>

/** Cases (decisions 3 and 4). Every change checks the caller's rights inside its own transaction and makes a version and a ledger entry. */
export interface Cases {
  create(call: HttpCall, tenant: string, input: Created): Promise<CaseOut>
  read(call: HttpCall, tenant: string, id: string, concurrencyId?: string): Promise<CaseOut>
  update(call: HttpCall, tenant: string, id: string, input: Updated): Promise<CaseOut>
  patch(call: HttpCall, tenant: string, id: string, input: Patched): Promise<CaseOut>
  move(call: HttpCall, tenant: string, id: string, to: CaseRow['state']): Promise<CaseOut>
  follow(call: HttpCall, tenant: string, id: string, follows: boolean): Promise<CaseOut>
  history(
    call: HttpCall,
    tenant: string,
    id: string,
    page: { startingConcurrencyId?: string; count: number },
  ): Promise<HistoryOut>
}

interface Deps {
  readonly db: Database
  readonly start: StartUnit
  readonly core: CaseCore
  readonly changes: Pick<CaseChanges, 'loadForUpdate' | 'loadForPatch'>
  readonly linking: Pick<CaseLinking, 'changesTowards'>
  readonly versions: Versions
  readonly isInPolicy: (principalId: string, policy: SecurityPolicy) => Promise<boolean>
  readonly isAdministrator: (principalId: string) => Promise<boolean>
}

export function createCases({ db, start, core, changes, linking, versions, isInPolicy, isAdministrator }: Deps): Cases {
  /**
   * Refuses too many differences before the write transaction begins. The unit of work checks all of it again, because the answer may have
   * changed by then.
   * @param loadCase gives the case when the caller may change it now
   */
  const refuseEarly = async (
    wantedEvidence: EvidencePlaces | null,
    loadCase: (from: Tx) => Promise<CaseAggregate>,
  ): Promise<void> => {
    if (wantedEvidence !== null && wantedEvidence.size > MOST_AT_ONCE)
      await linking.changesTowards(db.read, (await loadCase(db.read)).row.case_id, wantedEvidence)
  }

  return {
    create: async (call, tenant, input) => {
      const wantedEvidence = await wantedEvidenceIn(input)
      refuseTooMany(wantedEvidence?.size ?? 0)
      return start(createCaseUnit, call, { tenant, input: withoutIds(input), wantedEvidence })
    },

    read: async (call, tenant, id, concurrencyId) => {
      const aggregate = await core.loadLive(db.read, call, tenant, id)
      core.requireHeld(call, aggregate, 'View')
      return concurrencyId === undefined || concurrencyId === aggregate.row.concurrency_id
        ? core.present(db.read, call, aggregate)
        : core.presentVersion(db.read, call, aggregate, concurrencyId)
    },

    update: async (call, tenant, id, input) => {
      const wantedEvidence = await wantedEvidenceIn(input)
      await refuseEarly(wantedEvidence, (from) => changes.loadForUpdate(from, call, { tenant, id, input }))
      return start(updateCaseUnit, call, { tenant, id, input: withoutIds(input), wantedEvidence })
    },

    patch: async (call, tenant, id, input) => {
      const wantedEvidence = await wantedEvidenceIn(input)
      await refuseEarly(wantedEvidence, (from) => changes.loadForPatch(from, call, { tenant, id, input }))
      return start(patchCaseUnit, call, { tenant, id, input: withoutIds(input), wantedEvidence })
    },

    move: (call, tenant, id, to) => start(moveCaseUnit, call, { tenant, id, to }),

    follow: (call, tenant, id, follows) => start(followCaseUnit, call, { tenant, id, follows }),

    history: async (call, tenant, id, page) => {
      const { row, held } = await findWithLevel(core, db.read, call, tenant, id)
      const who = call.principal?.id ?? '0'
      const manages = includes(held, 'Manage')
      const audits = await isInPolicy(who, 'AccessAuditTrail')
      if (!audits || !(manages || (await isAdministrator(who))))
        throw new Fault('Forbidden', 'The history needs Manage on the case and AccessAuditTrail.', {
          reason: 'PrincipalCannotAccessAuditTrail',
        })
      // Only the changes need the evidence of each version.
      const shown = manages ? caseHistory(db.read, versions) : versions
      return readHistory(shown, { entity: 'case', id: row.case_id, name: row.title }, page, manages)
    },
  }
}

async function findWithLevel(core: CaseCore, from: Tx, call: HttpCall, tenant: string, id: string) {
  const row = await core.live(from, call, tenant, id)
  return { row, held: await core.levelOf(from, call, row) }
}

const wantedEvidenceIn = async ({ EvidenceIds: ids }: Pick<Created, 'EvidenceIds'>): Promise<EvidencePlaces | null> =>
  isSent(ids) ? placesOf(ids) : null

/** Removes the ids, which cross to the database's thread as `wantedEvidence`, so that they cross only once. */
const withoutIds = <Model extends Pick<Created, 'EvidenceIds'>>(input: Model): Model =>
  isSent(input.EvidenceIds) ? { ...input, EvidenceIds: [] } : input

const isSent = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined
