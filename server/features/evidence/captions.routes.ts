import * as contract from '../../../shared/evidence/captions.contract.ts'
import { type BoundRoute, json } from '../../http/handlers.ts'
import type { Captions } from './captions.service.ts'

interface Deps {
  readonly captions: Captions
}

export function captionRoutes({ captions }: Deps): BoundRoute[] {
  return [
    json(
      contract.attachCaptions,
      async ({ params, body, call }) => captions.attach(call, call.tenant, params.evidenceId, params.resourceId, body),
      { judge: ({ params, call }) => captions.judge(call, call.tenant, params.evidenceId) },
    ),
    json(contract.detachCaptions, async ({ params, call }) =>
      captions.setAttached(call, call.tenant, params.evidenceId, params.resourceId, false),
    ),
    json(contract.restoreCaptions, async ({ params, call }) =>
      captions.setAttached(call, call.tenant, params.evidenceId, params.resourceId, true),
    ),
    json(contract.getCaptions, async ({ params, call }) => {
      const { row, out } = await captions.read(call, call.tenant, params.evidenceId, params.resourceId)
      call.describeRead({
        id: out.ResourceId,
        name: row.name,
        ...(row.sha256 === null ? {} : { sha256: row.sha256 }),
        detail: { evidenceId: String(row.evidence_id) },
      })
      return out
    }),
  ]
}
