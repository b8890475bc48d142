import * as contract from '../../../shared/evidence/change.contract.ts'
import { type BoundRoute, json } from '../../http/handlers.ts'
import type { EvidenceHistory } from './change.history.ts'
import type { EvidenceChanging } from './change.service.ts'

interface Deps {
  readonly service: EvidenceChanging
  readonly history: EvidenceHistory
}

export function changeRoutes({ service, history }: Deps): BoundRoute[] {
  return [
    json(contract.patchEvidence, async ({ params, body, call }) =>
      service.patch(call, call.tenant, params.evidenceId, body),
    ),
    json(contract.getEvidenceHistory, async ({ params, query, call }) => {
      const { startingConcurrencyId, count } = query
      const page = { count, ...(startingConcurrencyId === undefined ? {} : { startingConcurrencyId }) }
      const out = await history.read(call, call.tenant, params.evidenceId, page)
      call.describeRead({ name: out.Name, detail: { returned: out.Entries.length } })
      return out
    }),
  ]
}
