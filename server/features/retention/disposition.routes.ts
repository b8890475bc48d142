import * as contract from '../../../shared/retention/disposition.contract.ts'
import { fault } from '../../../shared/kernel/errors.ts'
import { ed25519PublicKey } from '../../kernel/ledger/signed-note.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Database } from '../../kernel/database/database.ts'
import type { DispositionTimes } from './disposition/items.ts'
import type { CertificateRow } from './disposition/tombstone.store.ts'
import type { BytesAnswer, BytesRequest } from '../../http/bytes.ts'
import { type BoundRoute, bytes, type HttpCall, json } from '../../http/handlers.ts'
import { certificateOut, cursorOf, readCursor } from './disposition.models.ts'
import { certificateById, certificatesPage } from './disposition.store.ts'
import type { DispositionService } from './disposition.service.ts'

interface Deps {
  readonly service: DispositionService
  readonly db: Database
  readonly ledger: Ledger
  readonly times: DispositionTimes
}

export function dispositionRoutes({ service, db, ledger, times }: Deps): BoundRoute[] {
  const part = async (request: BytesRequest, call: HttpCall): Promise<BytesAnswer> => {
    const { certificateId, part: name } = contract.getCertificatePart.params.parse(request.params)
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
    json(contract.listDisposition, async ({ query, call }) => {
      const { stage, cursor, count } = query
      const out = await service.list(call, call.tenant, stage, { cursor, count })
      call.describeRead({ detail: { stage, returned: out.Items.length } })
      return out
    }),
    json(contract.dispositionFigures, async ({ call }) => {
      const found = await service.figures(call.tenant)
      return {
        Waiting: found.waiting,
        Due: { Items: found.due, Files: found.files, Bytes: found.bytes },
        RecycleBin: found.bin,
        Certificates: found.certificates,
        CoolingOffHours: times.coolingMs / 3_600_000,
        RecycleBinDays: times.binDays,
      }
    }),
    json(contract.previewDisposition, async ({ body, call }) => {
      const out = await service.preview(call, call.tenant, body.Items)
      call.describeRead({ detail: { items: body.Items, goes: out.Goes.Evidence, stays: out.Stays.Evidence } })
      return out
    }),
    json(contract.approveDisposition, async ({ body, call }) =>
      service.approve(call, call.tenant, body.Items, { reason: body.Reason, previewId: body.PreviewId }),
    ),
    json(contract.keepInstead, async ({ body, call }) =>
      service.keep(call, call.tenant, body.Items, { reason: body.Reason, days: body.Days }),
    ),
    json(contract.settleLinks, async ({ params, body, call }) =>
      service.settleLinks(call, call.tenant, params.evidenceId, body.Reason),
    ),
    json(contract.listCertificates, async ({ query, call }) => {
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
    bytes(contract.getCertificatePart, part),
  ]
}

type Part = (typeof contract.CERTIFICATE_PARTS)[number]

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
