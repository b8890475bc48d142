/** The user service (decisions 1): its parts, built once, and their routes. */
import type { Export } from '../../../http/exports.ts'
import type { BoundRoute } from '../../../http/handlers.ts'
import { groupRoutes } from './groups.routes.ts'
import { createGroups } from './groups.service.ts'
import { integrationRoutes } from './integrations.routes.ts'
import { createIntegrations } from './integrations.service.ts'
import { originRoutes } from './origins.routes.ts'
import { createOrigins } from './origins.service.ts'
import { createPeople, type People, type PeopleDeps } from './people.service.ts'
import { policyRoutes } from './policies.routes.ts'
import { createPolicies } from './policies.service.ts'
import { trailExportRoutes } from './audit-trail-exports.routes.ts'
import { createTrail } from './audit-trail.service.ts'
import { userRoutes } from './users.routes.ts'

interface Deps extends PeopleDeps {
  /** Gives the tenant's name as registered. @throws Fault TenantNotFound */
  readonly tenant: (name: string) => string
  readonly exporting: Export
}

export function createUserService(deps: Deps): { people: People; routes: BoundRoute[] } {
  const { db, clock, users, tenant } = deps
  const people = createPeople(deps)
  const trail = createTrail({ db, clock, isInPolicy: users.isInPolicy })
  return {
    people,
    routes: [
      ...userRoutes({ people, tenant }),
      ...groupRoutes({ groups: createGroups(deps), tenant }),
      ...originRoutes({ origins: createOrigins(deps), tenant }),
      ...integrationRoutes({ integrations: createIntegrations(deps), tenant }),
      ...policyRoutes({ policies: createPolicies(deps), trail, tenant }),
      ...trailExportRoutes({ trail, exporting: deps.exporting, tenant }),
    ],
  }
}
