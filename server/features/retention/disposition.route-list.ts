/** Retention and disposition over HTTP (decisions 6): their parts, built once, and their routes. */
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Versions } from '../../kernel/versions/versions.ts'
import type { Database } from '../../kernel/database/database.ts'
import type { Disposition } from './disposition/disposition.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { BoundRoute } from '../../http/handlers.ts'
import { dispositionRoutes } from './disposition.routes.ts'
import { createDispositionService } from './disposition.service.ts'
import { quarantineRoutes } from './quarantine.routes.ts'
import { createQuarantineService } from './quarantine.service.ts'
import { retentionRoutes } from './retention.routes.ts'
import { createRetentionPreview } from './retention.preview.ts'
import { createSources } from './sources.service.ts'

interface Deps {
  readonly db: Database
  readonly ledger: Ledger
  readonly versions: Versions
  readonly clock: Clock
  readonly disposition: Disposition
  /** What the case service knows. */
  readonly categoryExists: Parameters<typeof createRetentionPreview>[0]['categoryExists']
  /** Gives the tenant's name as registered. @throws Fault TenantNotFound */
  readonly tenant: (name: string) => string
}

export function retentionAndDisposition(deps: Deps): BoundRoute[] {
  const { disposition, clock } = deps
  const approvers = { clock, coolingMs: disposition.times.coolingMs, clockIsSteady: disposition.clockIsSteady }
  return [
    ...dispositionRoutes({ ...deps, service: createDispositionService(deps), times: disposition.times }),
    ...quarantineRoutes({
      service: createQuarantineService({ ...deps, quarantine: disposition.quarantine, approvers }),
      tenant: deps.tenant,
    }),
    ...retentionRoutes({
      sources: createSources(deps),
      preview: createRetentionPreview({ ...deps, binDays: disposition.times.binDays }),
      tenant: deps.tenant,
    }),
  ]
}
