import * as contract from '../../../shared/evidence/acts.contract.ts'
import { type BoundRoute, json } from '../../http/handlers.ts'
import type { EvidenceActs } from './acts.service.ts'
import type { Duplicates } from './duplicates.service.ts'

interface Deps {
  readonly acts: EvidenceActs
  readonly duplicates: Duplicates
}

export function actRoutes({ acts, duplicates }: Deps): BoundRoute[] {
  return [
    json(contract.protectEvidence, async ({ params, body, call }) =>
      acts.protect(call, call.tenant, params.evidenceId, body),
    ),
    json(contract.unprotectEvidence, async ({ params, call }) => acts.unprotect(call, call.tenant, params.evidenceId)),
    json(contract.deleteEvidence, async ({ params, call }) => acts.remove(call, call.tenant, params.evidenceId)),
    json(contract.restoreEvidence, async ({ params, call }) => acts.restore(call, call.tenant, params.evidenceId)),
    json(contract.moveEvidence, async ({ params, body, call }) =>
      acts.move(call, call.tenant, params.evidenceId, body),
    ),
    json(contract.listDuplicates, async ({ params, query, call }) => {
      const out = await duplicates.list(call, call.tenant, params.evidenceId, query)
      call.describeRead({ name: out.name, detail: { returned: out.page.Items.length } })
      return out.page
    }),
  ]
}
