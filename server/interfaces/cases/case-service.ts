/** The case service (interfaces.md 4.1, decisions 4): its parts, built once, and their routes. */
import type { SecurityPolicy } from '../../../shared/domain/permissions.ts'
import type { Ledger } from '../../custody/ledger.ts'
import type { Versions } from '../../custody/versions.ts'
import type { Call } from '../../custody/call.ts'
import type { Database, Tx } from '../../db/database.ts'
import type { Access } from '../../evidence/access/access.ts'
import type { Notes } from '../../evidence/reading/notes.ts'
import type { Records } from '../../evidence/records/records.ts'
import type { Notices } from '../../notices/notices.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Export } from '../exporting.ts'
import type { BoundRoute } from '../handlers.ts'
import { createCaseActs } from './case-acts.service.ts'
import { type CadCases, createCadCases } from './cad.service.ts'
import { caseExportRoutes } from './case-exports.handlers.ts'
import { createCaseList } from './case-list.service.ts'
import { caseNoteRoutes } from './case-notes.handlers.ts'
import { type CaseCore, createCaseCore } from './cases.core.ts'
import { caseRoutes } from './cases.handlers.ts'
import { caseByIdAlone } from './cases.repository.ts'
import { createCases } from './cases.service.ts'
import { categoryRoutes } from './categories.handlers.ts'
import { type Categories, createCategories } from './categories.service.ts'
import { correlationRoutes } from './correlation.handlers.ts'
import { createCorrelationActs } from './correlation.service.ts'
import { departmentRoutes } from './departments.handlers.ts'
import { createDepartments } from './departments.service.ts'
import { dispatchRoutes } from './dispatch.handlers.ts'
import { createLinks, type Links } from './links.service.ts'
import { createHandOverCases, type HandOverCases } from './orphaned-cases.ts'
import { prefilledFieldRoutes } from './prefilled-fields.handlers.ts'
import { createPrefilledFields } from './prefilled-fields.service.ts'

interface Deps {
  readonly db: Database
  readonly ledger: Ledger
  readonly versions: Versions
  readonly clock: Clock
  readonly access: Access
  readonly records: Records
  readonly notes: Notes
  readonly notices: Pick<Notices, 'tell'>
  /** Of cases, as their template has them. */
  readonly customFields: Parameters<typeof createCases>[0]['customFields']
  readonly isInPolicy: (principalId: string, policy: SecurityPolicy) => Promise<boolean>
  readonly isAdministrator: (principalId: string) => Promise<boolean>
  readonly exporting: Export
  /** Gives the tenant's name as registered. @throws Fault TenantNotFound */
  readonly tenant: (name: string) => string
}

export interface CaseService {
  readonly categories: Pick<Categories, 'exists' | 'isEnabled'>
  readonly links: Pick<Links, 'linkNew' | 'moveBetween' | 'placeInto'>
  readonly cad: CadCases
  readonly core: Pick<CaseCore, 'live' | 'require'>
  /** Links of the case changed in this transaction, by the station itself: one more version of it, and its entry. */
  linksChanged(
    tx: Tx,
    call: Call,
    caseId: number,
    changed: { readonly added: string[]; readonly removed: string[] },
  ): Promise<void>
  /** What becomes of cases that nobody would manage once an account is disabled. */
  readonly handOverCases: HandOverCases
  /** A chore: protections whose time is over. */
  endProtections(): Promise<void>
  readonly routes: BoundRoute[]
}

export function createCaseService(deps: Deps): CaseService {
  const { db, tenant, notes, exporting } = deps
  const core = createCaseCore(deps)
  const links = createLinks({ ...deps, core })
  const acts = createCaseActs({ ...deps, core })
  const service = createCases({ ...deps, core, links })
  const list = createCaseList(deps)
  const categories = createCategories(deps)
  return {
    categories,
    links,
    cad: createCadCases({ ...deps, core }),
    core,
    linksChanged: async (tx, call, caseId, { added, removed }) => {
      const row = await caseByIdAlone(tx, caseId)
      await core.changed(tx, call, row, {}, 'case.linked', { added, removed, automatic: true })
    },
    handOverCases: createHandOverCases({ ...deps, core }),
    endProtections: async () => void (await acts.endProtections()),
    routes: [
      ...caseRoutes({ service, acts, links, list, tenant }),
      ...caseExportRoutes({ list, service, exporting, tenant }),
      ...caseNoteRoutes({ db, core, notes, tenant }),
      ...correlationRoutes({ service: createCorrelationActs({ ...deps, core, links }), tenant }),
      ...dispatchRoutes({ db, core, tenant }),
      ...categoryRoutes({ service: categories, tenant }),
      ...departmentRoutes({ service: createDepartments(deps), tenant }),
      ...prefilledFieldRoutes({ service: createPrefilledFields(deps), tenant }),
    ],
  }
}
