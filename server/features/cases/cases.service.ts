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
import { type CaseLinking, type EvidencePlaces, placesOf, refuseTooMany } from './case-linking.ts'
import type { CaseOut, HistoryOut } from './cases.models.ts'
import type { CaseRow } from './cases.store.ts'
import { readHistory } from './history.ts'

type Created = z.output<typeof CreateCaseModel>
type Updated = z.output<typeof UpdateCaseModel>
type Patched = z.output<typeof PatchCaseModel>

/** Cases (decisions 3 and 4). Every change makes a version and an entry; each is judged inside its own transaction. */
export interface Cases {
  create(call: HttpCall, tenant: string, given: Created): Promise<CaseOut>
  read(call: HttpCall, tenant: string, id: string, concurrencyId?: string): Promise<CaseOut>
  update(call: HttpCall, tenant: string, id: string, given: Updated): Promise<CaseOut>
  patch(call: HttpCall, tenant: string, id: string, given: Patched): Promise<CaseOut>
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
  readonly changes: Pick<CaseChanges, 'openedToUpdate' | 'openedToPatch'>
  readonly linking: Pick<CaseLinking, 'towards'>
  readonly versions: Versions
  readonly isInPolicy: (principalId: string, policy: SecurityPolicy) => Promise<boolean>
  readonly isAdministrator: (principalId: string) => Promise<boolean>
}

export function createCases({ db, start, core, changes, linking, versions, isInPolicy, isAdministrator }: Deps): Cases {
  /**
   * Refuses too many differences before the writer is taken. The unit of work asks all of it again: the answer may have changed by then.
   * @param opened the case, when the caller may change it now
   */
  const refuseEarly = async (
    wanted: EvidencePlaces | null,
    opened: (from: Tx) => Promise<CaseAggregate>,
  ): Promise<void> => {
    if (wanted !== null && wanted.size > MOST_AT_ONCE)
      await linking.towards(db.read, (await opened(db.read)).row.case_id, wanted)
  }

  return {
    create: async (call, tenant, given) => {
      const wanted = await wantedIn(given)
      refuseTooMany(wanted?.size ?? 0)
      return start(createCaseUnit, call, { tenant, given: withoutIds(given), wanted })
    },

    read: async (call, tenant, id, concurrencyId) => {
      const aggregate = await core.loadLive(db.read, call, tenant, id)
      core.requireHeld(call, aggregate, 'View')
      return concurrencyId === undefined || concurrencyId === aggregate.row.concurrency_id
        ? core.present(db.read, call, aggregate)
        : core.outOfVersion(db.read, call, aggregate, concurrencyId)
    },

    update: async (call, tenant, id, given) => {
      const wanted = await wantedIn(given)
      await refuseEarly(wanted, (from) => changes.openedToUpdate(from, call, { tenant, id, given }))
      return start(updateCaseUnit, call, { tenant, id, given: withoutIds(given), wanted })
    },

    patch: async (call, tenant, id, given) => {
      const wanted = await wantedIn(given)
      await refuseEarly(wanted, (from) => changes.openedToPatch(from, call, { tenant, id, given }))
      return start(patchCaseUnit, call, { tenant, id, given: withoutIds(given), wanted })
    },

    move: (call, tenant, id, to) => start(moveCaseUnit, call, { tenant, id, to }),

    follow: (call, tenant, id, follows) => start(followCaseUnit, call, { tenant, id, follows }),

    history: async (call, tenant, id, page) => {
      const { row, held } = await heldOn(core, db.read, call, tenant, id)
      const who = call.principal?.id ?? '0'
      const manages = includes(held, 'Manage')
      const audits = await isInPolicy(who, 'AccessAuditTrail')
      if (!audits || !(manages || (await isAdministrator(who))))
        throw new Fault('Forbidden', 'The history needs Manage on the case and AccessAuditTrail.', {
          reason: 'PrincipalCannotAccessAuditTrail',
        })
      return readHistory(versions, { entity: 'case', id: row.case_id, name: row.title }, page, manages)
    },
  }
}

async function heldOn(core: CaseCore, from: Tx, call: HttpCall, tenant: string, id: string) {
  const row = await core.live(from, call, tenant, id)
  return { row, held: await core.levelOf(from, call, row) }
}

const wantedIn = async ({ EvidenceIds: ids }: Pick<Created, 'EvidenceIds'>): Promise<EvidencePlaces | null> =>
  isSent(ids) ? placesOf(ids) : null

/** The ids cross to the database's thread once, with their places. */
const withoutIds = <Given extends Pick<Created, 'EvidenceIds'>>(given: Given): Given =>
  isSent(given.EvidenceIds) ? { ...given, EvidenceIds: [] } : given

const isSent = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined
