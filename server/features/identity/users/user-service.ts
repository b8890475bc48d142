/** The user service (decisions 1): its parts, built once, and their routes. */
import type { Export } from '../../../http/exports.ts'
import type { BoundRoute } from '../../../http/handlers.ts'
import {
  groupRoutes,
  integrationRoutes,
  originRoutes,
  policyRoutes,
  trailExportRoutes,
  userRoutes,
} from './users.routes.ts'
import { createGroups } from './groups.service.ts'
import { createIntegrations } from './integrations.service.ts'
import { createOrigins } from './origins.service.ts'
import { createPeople, type People, type PeopleDeps } from './people.service.ts'
import { createPolicies } from './policies.service.ts'
import { createTrail } from './audit-trail.service.ts'

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
