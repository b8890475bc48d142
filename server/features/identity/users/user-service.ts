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
  readonly exporting: Export
}

export function createUserService(deps: Deps): { people: People; routes: BoundRoute[] } {
  const { db, clock, users } = deps
  const people = createPeople(deps)
  const trail = createTrail({ db, clock, isInPolicy: users.isInPolicy })
  return {
    people,
    routes: [
      ...userRoutes({ people }),
      ...groupRoutes({ groups: createGroups(deps) }),
      ...originRoutes({ origins: createOrigins(deps) }),
      ...integrationRoutes({ integrations: createIntegrations(deps) }),
      ...policyRoutes({ policies: createPolicies(deps), trail }),
      ...trailExportRoutes({ trail, exporting: deps.exporting }),
    ],
  }
}
