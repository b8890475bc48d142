import * as contract from '../../../shared/contract/dock.ts'
import { fault } from '../../../shared/contract/errors.ts'
import { ed25519PublicKey } from '../../custody/note.ts'
import type { Ledger } from '../../custody/ledger.ts'
import type { Database } from '../../db/database.ts'
import type { BytesAnswer, BytesRequest } from '../../platform/bytes/bytes.ts'
import { eventStream } from '../event-stream.ts'
import { type BoundRoute, bytes, type HttpCall, json } from '../handlers.ts'
import { cursorOf, detailModel, fileModel, readCursor, sessionModel } from './dock.models.ts'
import {
  countsOf,
  filesPage,
  type ReceiptRow,
  receiptRow,
  recordingRows,
  type SessionRow,
  sessionRow,
  sessionsPage,
} from './dock.repository.ts'
import type { DockLive, Wall } from './wall.ts'

interface Deps {
  readonly db: Database
  readonly ledger: Ledger
  readonly live: DockLive
  readonly wall: Wall
  /** Gives the tenant's name as registered. @throws Fault TenantNotFound */
  readonly tenant: (name: string) => string
}

export function dockRoutes(deps: Deps): BoundRoute[] {
  const { db, live, wall, tenant } = deps
  const found = async (name: string, id: string): Promise<SessionRow> => {
    const row = await sessionRow(db.read, tenant(name), Number(id))
    // Ids beyond 2⁵³ cannot exist here; a rounded one must not find its neighbour.
    if (row === undefined || String(row.session_id) !== id) throw noSession(id)
    return row
  }
  return [
    json(contract.getDockWall, async ({ params }) => wall.look(tenant(params.tenantId))),
    bytes(contract.dockWallEvents, async (request) => {
      const name = tenant(request.params['tenantId'] ?? '')
      return eventStream((send) => wall.watch(name, send), request.signal)
    }),
    json(contract.listDockSessions, async ({ params, query, call }) => {
      const before = query.cursor === undefined ? Number.MAX_SAFE_INTEGER : readCursor(query.cursor)
      const asked = { before, count: query.count + 1, deviceId: query.deviceId }
      const rows = await sessionsPage(db.read, tenant(params.tenantId), asked)
      const shown = rows.slice(0, query.count)
      const counts = await countsOf(
        db.read,
        shown.map((row) => row.session_id),
      )
      call.seen({ detail: { returned: shown.length } })
      const last = shown.at(-1)
      return {
        Items: shown.map((row) => sessionModel(row, counts.get(row.session_id), live.underWay(row.session_id))),
        Cursor: rows.length > query.count && last !== undefined ? cursorOf(last.session_id) : null,
      }
    }),
    json(contract.getDockSession, async ({ params, call }) => {
      const row = await found(params.tenantId, params.dockSessionId)
      const id = row.session_id
      call.seen({ name: row.bay })
      const counts = await countsOf(db.read, [id])
      return detailModel(row, counts.get(id), await recordingRows(db.read, id), live.underWay(id))
    }),
    json(contract.listDockFiles, async ({ params, query, call }) => {
      const row = await found(params.tenantId, params.dockSessionId)
      const after = query.cursor === undefined ? 0 : readCursor(query.cursor)
      const rows = await filesPage(db.read, row.session_id, { after, count: query.count + 1 })
      const shown = rows.slice(0, query.count)
      call.seen({ name: row.bay, detail: { returned: shown.length } })
      const last = shown.at(-1)
      return {
        Items: shown.map(fileModel),
        Cursor: rows.length > query.count && last !== undefined ? cursorOf(last.file_id) : null,
      }
    }),
    bytes(contract.getDockReceiptPart, (request, call) => receiptPart(deps, request, call)),
  ]
}

const noSession = (id: string) => fault('DockSessionNotFound', `There is no session ${id} of the dock.`)

async function receiptPart({ db, ledger, tenant }: Deps, request: BytesRequest, call: HttpCall): Promise<BytesAnswer> {
  const params = contract.getDockReceiptPart.params.safeParse(request.params)
  if (!params.success) throw fault('DockSessionNotFound', 'There is no such part of a receipt.')
  const { dockSessionId, part, tenantId } = params.data
  const row = await receiptRow(db.read, tenant(tenantId), Number(dockSessionId))
  if (row === undefined || String(Number(dockSessionId)) !== dockSessionId) throw noSession(dockSessionId)
  if (row === null) throw fault('ReceiptNotReady', 'This camera is not released yet; its receipt is made when it is.')
  const body = PARTS[part](row)
  await ledger.record(call, {
    action: 'dock.receiptRead',
    object: { type: 'dockSession', id: dockSessionId, name: '' },
    bytes: body.length,
    sha256: row.sha256,
    detail: { part },
  })
  return {
    status: 200,
    headers: {
      'Content-Type': TYPES[part],
      'Content-Length': String(body.length),
      'Content-Disposition': `attachment; filename="${dockSessionId}-${part}"`,
      'Cache-Control': 'private, no-store',
    },
    body,
  }
}

type Part = (typeof contract.RECEIPT_PARTS)[number]

const TYPES: Readonly<Record<Part, string>> = {
  'receipt.json': 'application/json',
  'receipt.sig': 'application/octet-stream',
  'key.pem': 'application/x-pem-file',
}

const PARTS: Readonly<Record<Part, (row: ReceiptRow) => Buffer>> = {
  'receipt.json': (row) => Buffer.from(row.body),
  'receipt.sig': (row) => Buffer.from(row.signature),
  'key.pem': (row) => Buffer.from(ed25519PublicKey(row.publicKey).export({ type: 'spki', format: 'pem' })),
}
