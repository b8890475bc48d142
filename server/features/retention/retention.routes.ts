import type { z } from 'zod'
import { fault } from '../../../shared/kernel/errors.ts'
import * as contract from '../../../shared/retention/contract.ts'
import * as disposition from '../../../shared/retention/disposition.contract.ts'
import { dispositionFigures } from '../../../shared/retention/disposition-figures.contract.ts'
import * as quarantine from '../../../shared/retention/quarantine.contract.ts'
import type { BytesAnswer, BytesRequest } from '../../http/bytes.ts'
import { type BoundRoute, bytes, type HttpCall, json } from '../../http/handlers.ts'
import type { Database } from '../../kernel/database/database.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import { ed25519PublicKey } from '../../kernel/ledger/signed-note.ts'
import { certificateOut, cursorOf, readCursor } from './disposition.models.ts'
import type { DispositionService } from './disposition.service.ts'
import { certificateById, certificatesPage } from './disposition.store.ts'
import type { DispositionTimes } from './disposition/items.ts'
import type { CertificateRow } from './disposition/tombstone.store.ts'
import type { QuarantineService } from './quarantine.service.ts'
import type { PreviewRetention, Supposition } from './retention.preview.ts'
import type { SourceInput, Sources } from './sources.service.ts'

interface Deps {
  readonly sources: Sources
  readonly preview: PreviewRetention
}

export function retentionRoutes({ sources, preview }: Deps): BoundRoute[] {
  return [
    json(contract.listSourcePolicies, async ({ call }) => {
      const out = await sources.list(call.tenant)
      call.describeRead({ detail: { returned: out.length } })
      return out
    }),
    json(contract.createSourcePolicy, async ({ body, call }) => sources.create(call, call.tenant, givenBy(body))),
    json(contract.updateSourcePolicy, async ({ params, body, call }) =>
      sources.update(call, call.tenant, params.sourcePolicyId, givenBy(body), body.ConcurrencyId),
    ),
    json(contract.deleteSourcePolicy, async ({ params, call }) =>
      sources.remove(call, call.tenant, params.sourcePolicyId),
    ),
    json(contract.previewRetention, async ({ body, call, signal }) => {
      const supposition = suppositionOf(body)
      const out = await preview(call.tenant, supposition, signal)
      call.describeRead({
        id: supposition.id ?? '',
        detail: { of: supposition.kind, days: supposition.days, becomeDue: out.BecomeDue.Files },
      })
      return out
    }),
  ]
}

type Given = z.output<typeof contract.CreateSourcePolicyModel>

const givenBy = (body: Given): SourceInput => ({
  name: body.Name,
  ...matchOf(body),
  retentionDays: body.RetentionDays ?? null,
})

const matchOf = (body: Pick<Given, 'DeviceType' | 'SourceId' | 'Uploader'>) => ({
  deviceType: body.DeviceType ?? null,
  sourceId: body.SourceId ?? null,
  uploader: body.Uploader ?? null,
})

function suppositionOf({ Category, Source }: z.output<typeof contract.previewRetention.body>): Supposition {
  if (Category != null) return { kind: 'category', id: Category.CategoryId, days: Category.RetentionDays ?? null }
  // The contract takes one of the two and never both.
  const source = Source as NonNullable<typeof Source>
  return {
    kind: 'source',
    id: source.SourcePolicyId ?? null,
    remove: source.Remove,
    match: matchOf(source),
    days: source.RetentionDays ?? null,
  }
}

interface DispositionDeps {
  readonly service: DispositionService
  readonly db: Database
  readonly ledger: Ledger
  readonly times: DispositionTimes
}

/** Items that are looked through for those that a caller may approve. */
const MOST_COUNTED = 100

export function dispositionRoutes({ service, db, ledger, times }: DispositionDeps): BoundRoute[] {
  const part = async (request: BytesRequest, call: HttpCall): Promise<BytesAnswer> => {
    const { certificateId, part: name } = disposition.getCertificatePart.params.parse(request.params)
    const row = await certificateById(db.read, call.tenant, Number(certificateId))
    if (row === undefined || String(row.certificate_id) !== certificateId)
      throw fault('CertificateNotFound', `There is no certificate ${certificateId}.`)
    const body = PARTS[name](row)
    await ledger.record(call, {
      action: 'certificate.read',
      object: { type: 'certificate', id: certificateId, name: '' },
      bytes: body.length,
      sha256: row.sha256,
      detail: { part: name, evidenceId: String(row.evidence_id) },
    })
    return {
      status: 200,
      headers: {
        'Content-Type': TYPES[name],
        'Content-Length': String(body.length),
        'Content-Disposition': `attachment; filename="${certificateId}-${name}"`,
        'Cache-Control': 'private, no-store',
      },
      body,
    }
  }
  return [
    json(disposition.listDisposition, async ({ query, call }) => {
      const { stage, cursor, count } = query
      const out = await service.list(call, call.tenant, stage, { cursor, count })
      call.describeRead({ detail: { stage, returned: out.Items.length } })
      return out
    }),
    json(dispositionFigures, async ({ call }) => {
      const found = await service.figures(call.tenant)
      const own = await service.countApprovable(call, call.tenant, MOST_COUNTED)
      return {
        Waiting: found.waiting,
        Own: { Count: own.count, More: own.more },
        Due: { Items: found.due, Files: found.files, Bytes: found.bytes },
        RecycleBin: found.bin,
        Certificates: found.certificates,
        CoolingOffHours: times.coolingMs / 3_600_000,
        RecycleBinDays: times.binDays,
      }
    }),
    json(disposition.previewDisposition, async ({ body, call }) => {
      const out = await service.preview(call, call.tenant, body.Items)
      call.describeRead({ detail: { items: body.Items, goes: out.Goes.Evidence, stays: out.Stays.Evidence } })
      return out
    }),
    json(disposition.approveDisposition, async ({ body, call }) =>
      service.approve(call, call.tenant, body.Items, { reason: body.Reason, previewId: body.PreviewId }),
    ),
    json(disposition.keepInstead, async ({ body, call }) =>
      service.keep(call, call.tenant, body.Items, { reason: body.Reason, days: body.Days }),
    ),
    json(disposition.settleLinks, async ({ params, body, call }) =>
      service.settleLinks(call, call.tenant, params.evidenceId, body.Reason),
    ),
    json(disposition.listCertificates, async ({ query, call }) => {
      const page = { before: readCursor(query.cursor), count: query.count + 1 }
      const rows = await certificatesPage(db.read, call.tenant, page)
      const shown = rows.slice(0, query.count)
      call.describeRead({ detail: { returned: shown.length } })
      const last = shown.at(-1)
      return {
        Items: shown.map(certificateOut),
        Cursor: rows.length > query.count && last !== undefined ? cursorOf(last.certificate_id) : null,
      }
    }),
    bytes(disposition.getCertificatePart, part),
  ]
}

type Part = (typeof disposition.CERTIFICATE_PARTS)[number]

const TYPES: Readonly<Record<Part, string>> = {
  'certificate.json': 'application/json',
  'certificate.sig': 'application/octet-stream',
  'key.pem': 'application/x-pem-file',
}

const PARTS: Readonly<Record<Part, (row: CertificateRow) => Buffer>> = {
  'certificate.json': (row) => Buffer.from(row.body),
  'certificate.sig': (row) => Buffer.from(row.signature),
  'key.pem': (row) => Buffer.from(ed25519PublicKey(row.public_key).export({ type: 'spki', format: 'pem' })),
}

interface QuarantineDeps {
  readonly service: QuarantineService
}

export function quarantineRoutes({ service }: QuarantineDeps): BoundRoute[] {
  return [
    json(quarantine.listQuarantine, async ({ query, call }) => {
      const { cursor, count } = query
      const out = await service.list(call, call.tenant, { cursor, count })
      call.describeRead({ detail: { returned: out.Items.length } })
      return out
    }),
    json(quarantine.approveQuarantine, async ({ body, call }) =>
      service.approve(call, call.tenant, body.Items, body.Reason),
    ),
    json(quarantine.keepQuarantined, async ({ body, call }) =>
      service.keep(call, call.tenant, body.Items, body.Reason),
    ),
  ]
}
