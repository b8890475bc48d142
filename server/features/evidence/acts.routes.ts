import * as contract from '../../../shared/evidence/acts.contract.ts'
import { type BoundRoute, json } from '../../http/handlers.ts'
import type { EvidenceActs } from './acts.service.ts'
import type { Duplicates } from './duplicates.service.ts'

interface Deps {
  readonly acts: EvidenceActs
  readonly duplicates: Duplicates
  /** Gives the tenant's name as registered. @throws Fault TenantNotFound */
  readonly tenant: (name: string) => string
}

export function actRoutes({ acts, duplicates, tenant }: Deps): BoundRoute[] {
  return [
    json(contract.protectEvidence, async ({ params, body, call }) =>
      acts.protect(call, tenant(params.tenantName), params.evidenceId, body),
    ),
    json(contract.unprotectEvidence, async ({ params, call }) =>
      acts.unprotect(call, tenant(params.tenantName), params.evidenceId),
    ),
    json(contract.deleteEvidence, async ({ params, call }) =>
      acts.remove(call, tenant(params.tenantName), params.evidenceId),
    ),
    json(contract.restoreEvidence, async ({ params, call }) =>
      acts.restore(call, tenant(params.tenantName), params.evidenceId),
    ),
    json(contract.moveEvidence, async ({ params, body, call }) =>
      acts.move(call, tenant(params.tenantName), params.evidenceId, body),
    ),
    json(contract.listDuplicates, async ({ params, query, call }) => {
      const out = await duplicates.list(call, tenant(params.tenantName), params.evidenceId, query)
      call.seen({ name: out.name, detail: { returned: out.page.Items.length } })
      return out.page
    }),
  ]
}
