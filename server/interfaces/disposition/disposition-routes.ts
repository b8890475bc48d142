/** Retention and disposition over HTTP (decisions 6): their parts, built once, and their routes. */
import type { Ledger } from '../../custody/ledger.ts'
import type { Versions } from '../../custody/versions.ts'
import type { Database } from '../../db/database.ts'
import type { Disposition } from '../../evidence/disposition/disposition.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { BoundRoute } from '../handlers.ts'
import { dispositionRoutes } from './disposition.handlers.ts'
import { createDispositionService } from './disposition.service.ts'
import { quarantineRoutes } from './quarantine.handlers.ts'
import { createQuarantineService } from './quarantine.service.ts'
import { retentionRoutes } from './retention.handlers.ts'
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
