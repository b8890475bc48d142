import type { z } from 'zod'
import * as contract from '../../../shared/contract/documents.ts'
import { fault } from '../../../shared/contract/errors.ts'
import type { Ledger } from '../../custody/ledger.ts'
import type { NewEvidence } from '../../evidence/records/model.ts'
import { resourceObject, tagKey } from '../../evidence/records/records.ts'
import type { ResourceRow } from '../../evidence/records/records.repository.ts'
import type { BlobStore } from '../../evidence/store/store.ts'
import type { BytesAnswer, BytesRequest, ServeFile } from '../../platform/bytes/bytes.ts'
import { type BoundRoute, bytes, type HttpCall, json } from '../handlers.ts'
import type { DocumentsService, UploadPort } from './documents.service.ts'
import type { Playbacks } from './playbacks.ts'

interface Deps {
  service: DocumentsService
  store: BlobStore
  ledger: Ledger
  playbacks: Playbacks
  uploads: UploadPort
  /** Gives the tenant's name as registered. @throws Fault TenantNotFound */
  tenant: (name: string) => string
  serveFile: ServeFile
}

export function documentRoutes({ service, store, ledger, playbacks, uploads, tenant, serveFile }: Deps): BoundRoute[] {
  /** Bytes of a stored blob, after their ledger entry is durable. */
  const serve = async (
    request: BytesRequest,
    blob: { sha256: string; type: string; name: string; inline: boolean },
    sent?: (bytes: number) => void,
  ): Promise<BytesAnswer> => {
    const opened = await store.open(blob.sha256)
    return serveFile(request, {
      ...blob,
      size: opened.size,
      open: async (start, end) => opened.stream(start, end),
      ...(sent === undefined ? {} : { sent }),
    })
  }

  const content = async (request: BytesRequest, call: HttpCall): Promise<BytesAnswer> => {
    const { resource } = await rowsOf(service, tenant, request)
    if (resource.state !== 'UserCompleted' || resource.sha256 === null)
      throw fault('ResourceNotCompleted', 'This resource has no bytes yet.')
    const about = {
      sha256: resource.sha256,
      type: resource.sniffed_type ?? 'application/octet-stream',
      name: resource.name,
      inline: request.query['purpose'] === 'play',
    }
    const evidenceId = String(resource.evidence_id)
    if (request.query['purpose'] === 'play') {
      if (resource.role === 'original')
        throw fault('ResourceNotFound', 'For playing, ask for the resource that was made from this original.')
      const sent =
        request.method === 'HEAD' ? undefined : await playbacks.touch(call, resourceObject(resource), evidenceId)
      return serve(request, about, sent)
    }
    await ledger.record(call, {
      action: request.method === 'HEAD' ? 'resource.read' : 'resource.downloaded',
      object: resourceObject(resource),
      sha256: resource.sha256,
      ...(request.method === 'HEAD' ? {} : { bytes: resource.length ?? 0 }),
      detail: { evidenceId, range: request.headers.range ?? null },
    })
    return serve(request, about)
  }

  const thumbnail = async (request: BytesRequest, call: HttpCall, resource: ResourceRow): Promise<BytesAnswer> => {
    if (resource.thumbnail_sha256 === null)
      throw fault('ResourceNotFound', 'There is no small picture of this resource.')
    await ledger.record(call, {
      action: 'resource.thumbnail',
      object: resourceObject(resource),
      sha256: resource.thumbnail_sha256,
      detail: { evidenceId: String(resource.evidence_id) },
    })
    return serve(request, {
      sha256: resource.thumbnail_sha256,
      type: 'image/jpeg',
      name: `${resource.name}.jpg`,
      inline: true,
    })
  }

  return [
    json(contract.createEvidence, async ({ params, body, call }) =>
      service.createEvidence(call, tenant(params.tenantName), { ...newEvidence(body), caseIds: body.CaseIds ?? [] }),
    ),
    json(contract.listEvidence, async ({ params, query, call }) =>
      service.list(
        call,
        tenant(params.tenantName),
        {
          ...(query.text === undefined ? {} : { text: query.text }),
          ...(query.tag === undefined ? {} : { tagKey: tagKey(query.tag) }),
          ...(query.state === undefined ? {} : { states: [query.state] }),
          ...(query.type === undefined ? {} : { family: query.type }),
          ...(query.from === undefined ? {} : { fromTicks: query.from.ticks }),
          ...(query.to === undefined ? {} : { toTicks: query.to.ticks }),
        },
        { count: query.count, ...(query.cursor === undefined ? {} : { cursor: query.cursor }) },
      ),
    ),
    json(contract.getEvidence, async ({ params, query, call }) => {
      const out = await service.readEvidence(call, tenant(params.tenantName), params.evidenceId, query.concurrencyId)
      call.seen({ id: out.EvidenceId, name: out.Name, detail: { concurrencyId: out.ConcurrencyId } })
      return out
    }),
    json(contract.completeEvidence, async ({ params, call }) =>
      service.completeEvidence(call, tenant(params.tenantName), params.evidenceId),
    ),
    json(
      contract.createResource,
      async ({ params, body, call, origin }) =>
        service.createResource(call, tenant(params.tenantName), params.evidenceId, newResource(body), origin),
      {
        revive: async (remembered, { params, origin }) => {
          const out = remembered as Omit<z.input<typeof contract.OpenResourceRecord>, 'UploadUri'>
          return { ...out, UploadUri: uploads.uri(origin, tenant(params.tenantName), Number(out.ResourceId)) }
        },
      },
    ),
    json(contract.listResources, async ({ params }) =>
      service.listResources(tenant(params.tenantName), params.evidenceId),
    ),
    json(contract.getResource, async ({ params, call }) => {
      const out = await service.readResource(tenant(params.tenantName), params.evidenceId, params.resourceId)
      call.seen({ id: out.ResourceId, name: out.Name })
      return out
    }),
    json(contract.renewUploadUri, async ({ params, call, origin }) =>
      service.renewUploadUri(call, tenant(params.tenantName), params.evidenceId, params.resourceId, origin),
    ),
    json(contract.completeResource, async ({ params, body, call }) =>
      service.completeResource(call, tenant(params.tenantName), params.evidenceId, params.resourceId, {
        sha256: body?.Sha256 ?? null,
        length: body?.LengthInBytes ?? null,
      }),
    ),
    bytes(contract.getContent, content),
    bytes(contract.getResourceThumbnail, async (request, call) =>
      thumbnail(request, call, (await rowsOf(service, tenant, request)).resource),
    ),
    bytes(contract.getEvidenceThumbnail, async (request, call) => {
      const { evidence } = await service.rows(
        tenant(request.params['tenantName'] ?? ''),
        request.params['evidenceId'] ?? '',
      )
      if (evidence.thumbnail_resource_id === null)
        throw fault('ResourceNotFound', 'There is no small picture of this evidence.')
      const { resource } = await service.rows(
        evidence.tenant_id,
        String(evidence.evidence_id),
        String(evidence.thumbnail_resource_id),
      )
      return thumbnail(request, call, resource as ResourceRow)
    }),
  ]
}

async function rowsOf(
  service: DocumentsService,
  tenant: Deps['tenant'],
  request: BytesRequest,
): Promise<{ resource: ResourceRow }> {
  const { tenantName = '', evidenceId = '', resourceId = '' } = request.params
  const { resource } = await service.rows(tenant(tenantName), evidenceId, resourceId)
  return { resource: resource as ResourceRow }
}

function newEvidence(body: z.output<typeof contract.CreateEvidenceModel>): NewEvidence {
  const device = body.Device ?? null
  return {
    name: body.Name,
    description: body.Description ?? null,
    tags: body.Tags ?? [],
    categoryId: body.CategoryId ?? null,
    sourceId: body.SourceId ?? null,
    start: body.StartTimeUtc ?? null,
    end: body.EndTimeUtc ?? null,
    locationText: body.LocationText ?? null,
    locationWkt: body.LocationWKT ?? null,
    device:
      device === null
        ? null
        : {
            DeviceType: device.DeviceType ?? null,
            Manufacturer: device.Manufacturer ?? null,
            SerialNumber: device.SerialNumber ?? null,
            Model: device.Model ?? null,
          },
    // No device is known to this station yet, so no credential can be current for one: what an uploader says is a claim (decisions 5).
    deviceIdentity: device === null ? null : 'Claimed',
    customFields: body.CustomFields ?? {},
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
