import type { GrantedLevel } from '../../../shared/kernel/permissions.ts'
import type { Tx } from '../database/database.ts'
import type { UnitCall } from '../unit-calls.ts'
import type { CaseRow } from './cases.store.ts'

/**
 * Finds a case and requires a level on it, for the routes of a case that another feature answers. The cases feature supplies it.
 * @throws Fault CaseNotFound; CaseDeleted for callers with View; Forbidden
 */
export type ReachCase = (
  from: Tx,
  call: UnitCall,
  tenant: string,
  caseId: string,
  needed: GrantedLevel,
) => Promise<CaseRow>
