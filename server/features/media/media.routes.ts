import * as contract from '../../../shared/media/contract.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import { resourceObject } from '../../kernel/evidence/records.ts'
import type { BlobStore } from '../../storage/store.ts'
import type { ServeFile } from '../../http/bytes.ts'
import { checked } from '../../http/checked-answer.ts'
import { type BoundRoute, bytes, json } from '../../http/handlers.ts'
import { written } from '../evidence/documents.routes.ts'
import type { MediaService } from './media.service.ts'
import type { Stills } from './media.stills.ts'

interface Deps {
  service: MediaService
  stills: Stills
  store: BlobStore
  ledger: Ledger
  /** Gives the tenant's name as registered. @throws Fault TenantNotFound */
  tenant: (name: string) => string
  serveFile: ServeFile
}

export function mediaRoutes({ service, stills, store, ledger, tenant, serveFile }: Deps): BoundRoute[] {
  return [
    json(contract.getMedia, async ({ params, call }) => {
      const { row, out } = await service.media(call, tenant(params.tenantName), params.evidenceId, params.resourceId)
      call.seen({ id: String(row.resource_id), name: row.name })
      return out
    }),
    bytes(contract.getStrip, async (request, call) => {
      const { tenantName, evidenceId, resourceId } = checked(contract.getStrip.params, request.params)
      const { row, view } = await service.view(call, tenant(tenantName), evidenceId, resourceId, 'strip')
      const opened = await store.open(view.sha256)
      const answer = await serveFile(request, {
        sha256: view.sha256,
        type: view.mime_type,
        name: `${row.name}.strip.jpg`,
        inline: true,
        size: opened.size,
        open: async (start, end) => opened.stream(start, end),
      })
      return written(answer, () =>
        ledger.record(call, {
          action: 'resource.previewed',
          object: resourceObject(row),
          sha256: view.sha256,
          detail: { evidenceId: String(row.evidence_id), view: 'strip' },
        }),
      )
    }),
    json(
      contract.takeStill,
      ({ params, body, call, signal }) =>
        stills.take(call, tenant(params.tenantName), params.evidenceId, params.resourceId, {
          seconds: body.Seconds,
          name: body.Name ?? null,
          signal,
        }),
      { judge: ({ params, call }) => stills.judge(call, tenant(params.tenantName), params.evidenceId) },
    ),
    json(contract.getWaveform, ({ params, call }) =>
      service.waveform(call, tenant(params.tenantName), params.evidenceId, params.resourceId),
    ),
  ]
}
