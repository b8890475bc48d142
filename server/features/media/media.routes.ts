import type { RouteDefinition } from '../../../shared/kernel/route.ts'
import * as clipContract from '../../../shared/media/clips.contract.ts'
import * as contract from '../../../shared/media/contract.ts'
import { VIEW_KINDS, type ViewKind } from '../../../shared/media/derivations.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import { resourceObject } from '../../kernel/evidence/records.ts'
import type { BlobStore } from '../../storage/store.ts'
import { type ServeFile, recordBeforeSending } from '../../http/bytes.ts'
import { checked } from '../../http/checked-answer.ts'
import { answer, type BoundRoute, bytes, type HttpCall, json } from '../../http/handlers.ts'
import type { Clips } from './clips/media.clips.ts'
import type { Crops } from './media.crops.ts'
import type { MediaService } from './media.service.ts'
import type { Stills } from './media.stills.ts'

interface Deps {
  service: MediaService
  stills: Stills
  clips: Clips
  crops: Crops
  store: BlobStore
  ledger: Ledger
  serveFile: ServeFile
}

export function mediaRoutes({ service, stills, clips, crops, store, ledger, serveFile }: Deps): BoundRoute[] {
  /** The bytes of a view, or what its JSON says. That it was looked at is written down before the answer. */
  const viewRoute = (kind: ViewKind): BoundRoute => {
    const route: RouteDefinition = contract.VIEW_ROUTES[kind]
    const model = route.responses[200]
    const look = async (params: unknown, call: HttpCall) => {
      const { evidenceId, resourceId } = checked(contract.getMedia.params, params)
      const { row, view } = await service.view(call, call.tenant, evidenceId, resourceId, kind)
      const detail = { evidenceId: String(row.evidence_id), view: kind }
      const looked = { action: 'resource.previewed', object: resourceObject(row), sha256: view.sha256, detail } as const
      return { row, view, write: () => ledger.record(call, looked) }
    }
    if (model !== 'bytes')
      return json(route, async ({ params, call }) => {
        const { view, write } = await look(params, call)
        const figures = model?.parse(JSON.parse(await service.textOf(view)))
        await write()
        return answer(200, figures)
      })
    return bytes(route, async (request, call) => {
      const { row, view, write } = await look(request.params, call)
      const opened = await store.open(view.sha256)
      const served = await serveFile(request, {
        sha256: view.sha256,
        type: view.mime_type,
        name: `${row.name}.${kind}.jpg`,
        inline: true,
        size: opened.size,
        open: async (start, end) => opened.stream(start, end),
      })
      return recordBeforeSending(served, write)
    })
  }

  return [
    json(contract.getMedia, async ({ params, call }) => {
      const { row, out } = await service.media(call, call.tenant, params.evidenceId, params.resourceId)
      call.describeRead({ id: String(row.resource_id), name: row.name })
      return out
    }),
    json(
      contract.takeStill,
      ({ params, body, call, signal }) =>
        stills.take(call, call.tenant, params.evidenceId, params.resourceId, {
          seconds: body.Seconds,
          name: body.Name ?? null,
          signal,
        }),
      { judge: ({ params, call }) => stills.judge(call, call.tenant, params.evidenceId) },
    ),
    json(
      clipContract.makeClips,
      ({ params, body, call }) => clips.request(call, call.tenant, params.evidenceId, params.resourceId, body),
      { judge: ({ params, call }) => clips.judge(call, call.tenant, params.evidenceId) },
    ),
    json(
      clipContract.getClipBounds,
      async ({ params, body, call, signal }) => {
        const { evidenceId, resourceId } = params
        const { row, out } = await clips.bounds(call, call.tenant, evidenceId, resourceId, {
          ranges: body.Ranges,
          signal,
        })
        call.describeRead({ id: String(row.resource_id), name: row.name })
        return out
      },
      { judge: ({ params, call }) => clips.judge(call, call.tenant, params.evidenceId) },
    ),
    json(
      clipContract.cropPicture,
      ({ params, body, call, signal }) => {
        const area = { left: body.Left, top: body.Top, width: body.Width, height: body.Height }
        const asked = { area, name: body.Name ?? null, signal }
        return crops.crop(call, call.tenant, params.evidenceId, params.resourceId, asked)
      },
      { judge: ({ params, call }) => crops.judge(call, call.tenant, params.evidenceId) },
    ),
    ...VIEW_KINDS.map(viewRoute),
  ]
}
