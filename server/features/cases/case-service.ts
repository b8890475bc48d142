/** The case service (interfaces.md 4.1, decisions 4): its parts, built once, and their routes. */
import { dayIn } from '../../../shared/kernel/days.ts'
import type { SecurityPolicy } from '../../../shared/kernel/permissions.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Versions } from '../../kernel/versions/versions.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import type { Access } from '../../kernel/access/access.ts'
import { createStartUnit } from '../../kernel/unit-calls.ts'
import type { Notes } from '../../kernel/annotations/notes.ts'
import type { Records } from '../../kernel/evidence/records.ts'
import type { Notices } from '../../kernel/events/notices.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Export } from '../../http/exports.ts'
import type { BoundRoute } from '../../http/handlers.ts'
import type { Task } from '../../kernel/scheduler.ts'
import { createCaseActs } from './case-acts.service.ts'
import type { ReachCase } from '../../kernel/cases/reach-case.ts'
import { type CadCases, createCadCases } from './case-cad.service.ts'
import { caseExportRoutes } from './case-exports.routes.ts'
import { createCaseList } from './case-list.service.ts'
import { caseNoteRoutes } from './case-notes.routes.ts'
import { createCaseCore } from './case-aggregate.ts'
import { caseRoutes, categoryRoutes, departmentRoutes, prefilledFieldRoutes } from './cases.routes.ts'
import { caseByIdOfAnyTenant } from './cases.store.ts'
import { createCaseChanges } from './case-changes.ts'
import { createCases } from './cases.service.ts'
import { type Categories, createCategories } from './categories.service.ts'
import { createDepartments } from './departments.service.ts'
import { type CaseLinking, createCaseLinking } from './case-linking.ts'
import { createLinks, type Links } from './links.service.ts'
import { createHandOverCases, type HandOverCases } from './orphaned-cases.ts'
import { createSampleCases, type SampleCases } from './sample-cases.ts'
import { createPrefilledFields } from './prefilled-fields.service.ts'
import { type AccessRequests, createAccessRequests } from './work/access-requests.service.ts'
import { createHandover } from './work/handover.service.ts'
import { type CaseTasks, createCaseTasks } from './work/tasks.service.ts'
import { accessRequestRoutes, handoverRoutes, taskRoutes } from './work/work.routes.ts'

interface Deps {
  readonly db: Database
  readonly ledger: Ledger
  readonly versions: Versions
  readonly clock: Clock
  readonly access: Access
  /** IANA name, of the station. */
  readonly timeZone: string
  readonly records: Records
  readonly notes: Notes
  readonly notices: Notices
  /** The custom fields of the template of cases. */
  readonly customFields: Parameters<typeof createCaseChanges>[0]['customFields']
  readonly isInPolicy: (principalId: string, policy: SecurityPolicy) => Promise<boolean>
  readonly isAdministrator: (principalId: string) => Promise<boolean>
  readonly exporting: Export
}

interface LinksChanged {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** By the station itself. */
  readonly automatic?: true
  /** Somebody said that an automatic link is wrong. */
  readonly refused?: true
}

export interface CaseService {
  readonly categories: Pick<Categories, 'exists' | 'isEnabled'>
  readonly links: Pick<CaseLinking, 'apply' | 'linkNew' | 'moveBetween'> & Pick<Links, 'placeInto'>
  readonly cad: CadCases
  readonly reach: ReachCase
  /** Adds a version and a ledger entry after links of the case changed in this transaction. */
  linksChanged(tx: Tx, call: Call, caseId: number, changed: LinksChanged): Promise<void>
  /** Hands over the cases that would have no manager once an account is disabled. */
  readonly handOverCases: HandOverCases
  /** What waits for a person. */
  readonly countTasks: CaseTasks['countOwn']
  readonly countAccessRequests: AccessRequests['countToDecide']
  readonly sample: SampleCases & Pick<CaseTasks, 'add' | 'list'>
  readonly routes: BoundRoute[]
  readonly tasks: readonly Task[]
}

export function createCaseService(deps: Deps): CaseService {
  const { db, notes, exporting } = deps
  const core = createCaseCore(deps)
  const start = createStartUnit(db, deps.clock)
  const linking = createCaseLinking({ ...deps, core })
  const links = createLinks({ ...deps, start, linking })
  const acts = createCaseActs({ ...deps, core })
  const changes = createCaseChanges({ ...deps, core, linking })
  const service = createCases({ ...deps, start, core, changes, linking })
  const list = createCaseList(deps)
  const categories = createCategories(deps)
  const tasks = createCaseTasks({ ...deps, core })
  const accessRequests = createAccessRequests({ ...deps, core, shareIn: acts.shareIn })
  return {
    categories,
    links: { ...linking, ...links },
    cad: createCadCases({ ...deps, core }),
    reach: async (from, call, tenantId, caseId, needed) => {
      const row = await core.live(from, call, tenantId, caseId)
      await core.require(from, call, row, needed)
      return row
    },
    linksChanged: async (tx, call, caseId, changed) => {
      const row = await caseByIdOfAnyTenant(tx, caseId)
      await core.changed(tx, call, row, {}, 'case.linked', { ...changed })
    },
    handOverCases: createHandOverCases({ ...deps, core }),
    countTasks: tasks.countOwn,
    countAccessRequests: accessRequests.countToDecide,
    sample: { ...createSampleCases({ ...deps, core, changes }), add: tasks.add, list: tasks.list },
    tasks: [
      {
        name: 'protections of cases',
        runsOn: 'one node',
        everyMs: 30_000,
        run: async () => void (await acts.endProtections()),
      },
      {
        name: 'tasks that are due',
        runsOn: 'one node',
        everyMs: 600_000,
        run: () => tasks.remind(dayIn(deps.timeZone, deps.clock.now())),
      },
    ],
    routes: [
      ...caseRoutes({ service, acts, links, list }),
      ...caseExportRoutes({ list, service, exporting }),
      ...caseNoteRoutes({ db, core, notes }),
      ...taskRoutes({ service: tasks }),
      ...accessRequestRoutes({ service: accessRequests }),
      ...handoverRoutes({ service: createHandover({ ...deps, core, tasks }) }),
      ...categoryRoutes({ service: categories }),
      ...departmentRoutes({ service: createDepartments(deps) }),
      ...prefilledFieldRoutes({ service: createPrefilledFields(deps) }),
    ],
  }
}
