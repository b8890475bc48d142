import * as contract from '../../../shared/evidence/captions.contract.ts'
import { type BoundRoute, json } from '../../http/handlers.ts'
import type { Captions } from './captions.service.ts'

interface Deps {
  readonly captions: Captions
  /** Gives the tenant's name as registered. @throws Fault TenantNotFound */
  readonly tenant: (name: string) => string
}

export function captionRoutes({ captions, tenant }: Deps): BoundRoute[] {
  return [
    json(
      contract.attachCaptions,
      async ({ params, body, call }) =>
        captions.attach(call, tenant(params.tenantName), params.evidenceId, params.resourceId, body),
      { judge: ({ params, call }) => captions.judge(call, tenant(params.tenantName), params.evidenceId) },
    ),
    json(contract.detachCaptions, async ({ params, call }) =>
      captions.setAttached(call, tenant(params.tenantName), params.evidenceId, params.resourceId, false),
    ),
    json(contract.restoreCaptions, async ({ params, call }) =>
      captions.setAttached(call, tenant(params.tenantName), params.evidenceId, params.resourceId, true),
    ),
    json(contract.getCaptions, async ({ params, call }) => {
      const { row, out } = await captions.read(call, tenant(params.tenantName), params.evidenceId, params.resourceId)
      call.seen({
        id: out.ResourceId,
        name: row.name,
        ...(row.sha256 === null ? {} : { sha256: row.sha256 }),
        detail: { evidenceId: String(row.evidence_id) },
      })
      return out
    }),
  ]
}
