import type { z } from 'zod'
import * as contract from '../../../shared/evidence/contract.ts'
import { fault } from '../../../shared/kernel/errors.ts'
import type { Database } from '../../kernel/database/database.ts'
import { refuseForwarded } from '../../kernel/evidence/forwarded.store.ts'
import type { ReachRows } from '../../kernel/evidence/reach.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import { resourceObject } from '../../kernel/evidence/records.ts'
import type { ResourceRow } from '../../kernel/evidence/records.store.ts'
import type { BlobStore } from '../../storage/store.ts'
import { type BytesAnswer, type BytesRequest, type ServeFile, recordBeforeSending } from '../../http/bytes.ts'
import { checked, queryMembers } from '../../http/checked-answer.ts'
import { type BoundRoute, bytes, type HttpCall, json } from '../../http/handlers.ts'
import type { CreateEvidence, DocumentsService, UploadPort } from './documents.service.ts'
import type { Playbacks } from './playbacks.ts'

interface Deps {
  service: DocumentsService
  reachRows: ReachRows
  db: Database
  store: BlobStore
  ledger: Ledger
  playbacks: Playbacks
  uploads: UploadPort
  serveFile: ServeFile
}

export function documentRoutes({
  service,
  reachRows,
  db,
  store,
  ledger,
  playbacks,
  uploads,
  serveFile,
}: Deps): BoundRoute[] {
  /** Bytes of a stored blob. The caller sees to the ledger entry. */
  const serve = async (
    request: BytesRequest,
    blob: { sha256: string; type: string; name: string; inline: boolean },
    sent?: (bytes: number) => void,
  ): Promise<BytesAnswer> => {
    const opened = await store.open(blob.sha256).catch(async (error: unknown) => {
      await refuseForwarded(db.read, blob.sha256)
      throw error
    })
    return serveFile(request, {
      ...blob,
      size: opened.size,
      open: async (start, end) => opened.stream(start, end),
      ...(sent === undefined ? {} : { onSent: sent }),
    })
  }

  const content = async (request: BytesRequest, call: HttpCall): Promise<BytesAnswer> => {
    const playing = request.query['purpose'] === 'play'
    const { resource } = await rowsOf(reachRows, contract.getContent, request, call, playing ? 'View' : 'Download')
    if (resource.state !== 'UserCompleted' || resource.sha256 === null)
      throw fault('ResourceNotCompleted', 'This resource has no bytes yet.')
    const about = {
      sha256: resource.sha256,
      type: resource.sniffed_type ?? 'application/octet-stream',
      name: resource.name,
      inline: playing,
    }
    const detail = { evidenceId: String(resource.evidence_id), range: request.headers.range ?? null }
    const looked = {
      action: 'resource.read',
      object: resourceObject(resource),
      sha256: resource.sha256,
      detail,
    } as const
    if (playing) {
      if (resource.role === 'original')
        throw fault('ResourceNotFound', 'For playing, ask for the resource that was made from this original.')
      if (request.method === 'HEAD')
        return recordBeforeSending(await serve(request, about), () => ledger.record(call, looked))
      const sent = await playbacks.touch(call, resourceObject(resource), detail.evidenceId)
      return serve(request, about, sent).catch((error: unknown) => {
        sent(0)
        throw error
      })
    }
    const answer = await serve(request, about)
    const handedOut =
      request.method === 'HEAD' || answer.status === 304 ? null : Number(answer.headers['Content-Length'])
    return recordBeforeSending(answer, () =>
      ledger.record(call, handedOut === null ? looked : { ...looked, action: 'resource.downloaded', bytes: handedOut }),
    )
  }

  const thumbnail = async (request: BytesRequest, call: HttpCall, resource: ResourceRow): Promise<BytesAnswer> => {
    if (resource.thumbnail_sha256 === null)
      throw fault('ResourceNotFound', 'There is no small picture of this resource.')
    const answer = await serve(request, {
      sha256: resource.thumbnail_sha256,
      type: 'image/jpeg',
      name: `${resource.name}.jpg`,
      inline: true,
    })
    return recordBeforeSending(answer, () =>
      ledger.record(call, {
        action: 'resource.thumbnail',
        object: resourceObject(resource),
        sha256: resource.thumbnail_sha256 as string,
        detail: { evidenceId: String(resource.evidence_id) },
      }),
    )
  }

  return [
    json(contract.createEvidence, async ({ body, call }) =>
      service.createEvidence(call, call.tenant, newEvidence(body)),
    ),
    json(contract.getEvidence, async ({ params, query, call }) => {
      const out = await service.readEvidence(call, call.tenant, params.evidenceId, query.concurrencyId)
      call.describeRead({ id: out.EvidenceId, name: out.Name, detail: { concurrencyId: out.ConcurrencyId } })
      return out
    }),
    json(contract.completeEvidence, async ({ params, call }) =>
      service.completeEvidence(call, call.tenant, params.evidenceId),
    ),
    json(
      contract.createResource,
      async ({ params, body, call, origin }) =>
        service.createResource(call, call.tenant, params.evidenceId, newResource(body), origin),
      {
        revive: async (remembered, { origin, call }) => {
          const out = remembered as Omit<z.input<typeof contract.OpenResourceRecord>, 'UploadUri'>
          return {
            ...out,
            UploadUri: uploads.uri(origin, call.tenant, Number(out.ResourceId), call.actor.id),
          }
        },
        judge: ({ params, call }) => reachRows(call, 'Edit', { tenant: call.tenant, evidenceId: params.evidenceId }),
      },
    ),
    json(contract.listResources, async ({ params, call }) => {
      const { name, resources } = await service.listResources(call, call.tenant, params.evidenceId)
      call.describeRead({ id: params.evidenceId, name })
      return resources
    }),
    json(contract.getResource, async ({ params, call }) => {
      const out = await service.readResource(call, call.tenant, params.evidenceId, params.resourceId)
      call.describeRead({ id: out.ResourceId, name: out.Name })
      return out
    }),
    json(contract.renewUploadUri, async ({ params, call, origin }) =>
      service.renewUploadUri(call, call.tenant, params.evidenceId, params.resourceId, origin),
    ),
    json(contract.completeResource, async ({ params, body, call }) =>
      service.completeResource(call, call.tenant, params.evidenceId, params.resourceId, {
        sha256: body?.Sha256 ?? null,
        length: body?.LengthInBytes ?? null,
      }),
    ),
    bytes(contract.getContent, content),
    bytes(contract.getResourceThumbnail, async (request, call) =>
      thumbnail(
        request,
        call,
        (await rowsOf(reachRows, contract.getResourceThumbnail, request, call, 'View')).resource,
      ),
    ),
    bytes(contract.getEvidenceThumbnail, async (request, call) => {
      const { evidenceId } = checked(contract.getEvidenceThumbnail.params, request.params)
      const { evidence } = await reachRows(call, 'View', { tenant: call.tenant, evidenceId })
      if (evidence.thumbnail_resource_id === null)
        throw fault('ResourceNotFound', 'There is no small picture of this evidence.')
      const { resource } = await reachRows(call, 'View', {
        tenant: evidence.tenant_id,
        evidenceId,
        resourceId: String(evidence.thumbnail_resource_id),
      })
      return thumbnail(request, call, resource as ResourceRow)
    }),
  ]
}

async function rowsOf(
  reachRows: ReachRows,
  route: typeof contract.getContent | typeof contract.getResourceThumbnail,
  request: BytesRequest,
  call: HttpCall,
  needed: 'View' | 'Download',
): Promise<{ resource: ResourceRow }> {
  const { evidenceId, resourceId } = checked(route.params, request.params)
  if ('query' in route) checked(route.query, queryMembers(request.url))
  const { resource } = await reachRows(call, needed, { tenant: call.tenant, evidenceId, resourceId })
  return { resource: resource as ResourceRow }
}

function newEvidence(body: z.output<typeof contract.CreateEvidenceModel>): CreateEvidence {
  const { Device: device = null, CaseIds, DeviceCredential, ...described } = body
  return {
    ...described,
    device:
      device === null
        ? null
        : {
            DeviceType: device.DeviceType ?? null,
            Manufacturer: device.Manufacturer ?? null,
            SerialNumber: device.SerialNumber ?? null,
            Model: device.Model ?? null,
          },
    // What an uploader says is a claim, unless a credential proves it (decisions 5).
    deviceIdentity: device === null ? null : 'Claimed',
    caseIds: CaseIds ?? [],
    deviceCredential: DeviceCredential ?? null,
  }
}

function newResource(body: z.output<typeof contract.createResource.body>) {
  const start = body.StartTimeUtc ?? null
  const end = body.EndTimeUtc ?? null
  if (start !== null && end !== null && end.ticks < start.ticks) {
    throw fault('InvalidDateTimeRange', 'EndTimeUtc lies before StartTimeUtc.', [
      { Path: 'EndTimeUtc', Message: 'must not be before StartTimeUtc' },
    ])
  }
  return {
    name: body.Name,
    mimeType: body.MimeType ?? 'application/octet-stream',
    start,
    end,
    timeOffset: body.TimeOffset ?? null,
    expectedSha256: body.Sha256 ?? null,
    expectedLength: body.LengthInBytes ?? null,
  }
}
