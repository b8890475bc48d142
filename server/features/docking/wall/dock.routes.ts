import { DockReceipt } from '../../../../shared/docking/receipt.contract.ts'
import * as contract from '../../../../shared/docking/contract.ts'
import { fault } from '../../../../shared/kernel/errors.ts'
import { parseTime, type Time } from '../../../../shared/kernel/time.ts'
import { ed25519PublicKey } from '../../../kernel/ledger/signed-note.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import type { Database } from '../../../kernel/database/database.ts'
import type { BytesAnswer, BytesRequest } from '../../../http/bytes.ts'
import { eventStream } from '../../../http/event-stream.ts'
import { type BoundRoute, bytes, type HttpCall, json } from '../../../http/handlers.ts'
import {
  bytesUnderWay,
  cursorOf,
  detailModel,
  fileModel,
  type Officer,
  readCursor,
  sessionModel,
} from './dock.models.ts'
import {
  countsOf,
  filesPage,
  officersOf,
  receiptEntry,
  type ReceiptRow,
  receiptRow,
  type RecordingRow,
  recordingRows,
  type SessionRow,
  sessionRow,
  sessionsPage,
} from './dock.store.ts'
import { receiptPdf } from './receipt-pdf.ts'
import { receiptWords } from './receipt-text.ts'
import type { DockLive, Wall } from './wall.ts'
import { clocksOf } from '../../../kernel/evidence/clocks.store.ts'

/** What a document says of the station that printed it. */
export interface Letterhead {
  readonly stationName: string
  /** IANA name. */
  readonly timeZone: string
}

interface Deps {
  readonly db: Database
  readonly ledger: Ledger
  readonly live: DockLive
  readonly wall: Wall
  readonly letterhead: Letterhead
  /** With whom the device, active then, was associated at that moment, by what is known today. */
  readonly officersAt: (deviceId: string, at: Time) => Promise<readonly Officer[]>
}

export function dockRoutes(deps: Deps): BoundRoute[] {
  const { db, live, wall } = deps
  const found = async ({ tenant }: HttpCall, id: string): Promise<SessionRow> => {
    const row = await sessionRow(db.read, tenant, Number(id))
    // Ids beyond 2⁵³ cannot exist here; a rounded one must not find its neighbour.
    if (row === undefined || String(row.session_id) !== id) throw noSession(id)
    return row
  }
  return [
    json(contract.getDockWall, async ({ call }) => wall.look(call.tenant)),
    bytes(contract.dockWallEvents, async (request, call) =>
      eventStream(contract.dockWallEvents.events, (send) => wall.watch(call.tenant, send), request.signal),
    ),
    json(contract.listDockSessions, async ({ query, call }) => {
      const before = query.cursor === undefined ? Number.MAX_SAFE_INTEGER : readCursor(query.cursor)
      const { deviceId, serial, state, officer } = query
      const [from, to] = [millisOf(query.from), millisOf(query.to)]
      const asked = { before, count: query.count + 1, deviceId, serial, state, officer, from, to }
      const rows = await sessionsPage(db.read, call.tenant, asked)
      const shown = rows.slice(0, query.count)
      const ids = shown.map((row) => row.session_id)
      const [counts, officers] = [await countsOf(db.read, ids), await officersOf(db.read, ids)]
      call.describeRead({ detail: { returned: shown.length } })
      const last = shown.at(-1)
      return {
        Items: shown.map((row) => {
          const id = row.session_id
          return sessionModel(row, counts.get(id), bytesUnderWay(live.underWay(id).files), officers.get(id) ?? [])
        }),
        Cursor: rows.length > query.count && last !== undefined ? cursorOf(last.session_id) : null,
      }
    }),
    json(contract.getDockSession, async ({ params, call }) => {
      const row = await found(call, params.dockSessionId)
      const id = row.session_id
      call.describeRead({ name: row.bay })
      const counts = await countsOf(db.read, [id])
      const recordings = []
      const listed = await recordingRows(db.read, id)
      const clocks = await clocksOf(
        db.read,
        listed.flatMap(({ evidence_id: evidence }) => (evidence === null ? [] : [evidence])),
      )
      for (const one of listed)
        recordings.push({
          row: one,
          officersNow: await officersNow(deps, row, one),
          clock: clocks.get(one.evidence_id ?? 0) ?? null,
        })
      return detailModel({
        row,
        counts: counts.get(id),
        recordings,
        underWay: bytesUnderWay(live.underWay(id).files),
        receiptEntry: row.receipt_sha256 === null ? null : await receiptEntry(db.read, id),
      })
    }),
    json(contract.listDockFiles, async ({ params, query, call }) => {
      const row = await found(call, params.dockSessionId)
      const after = query.cursor === undefined ? 0 : readCursor(query.cursor)
      const rows = await filesPage(db.read, row.session_id, { after, count: query.count + 1 })
      const shown = rows.slice(0, query.count)
      call.describeRead({ name: row.bay, detail: { returned: shown.length } })
      const last = shown.at(-1)
      return {
        Items: shown.map(fileModel),
        Cursor: rows.length > query.count && last !== undefined ? cursorOf(last.file_id) : null,
      }
    }),
    bytes(contract.getDockReceiptPart, (request, call) => receiptPart(deps, request, call)),
  ]
}

const millisOf = (time: Time | undefined): number | undefined =>
  time === undefined ? undefined : Number(time.ticks / 10_000n)

/** A recording whose time nobody knows is nobody's, as when it was taken in. */
async function officersNow({ officersAt }: Deps, session: SessionRow, row: RecordingRow): Promise<readonly Officer[]> {
  const start = row.corrected_start_utc === null ? null : parseTime(row.corrected_start_utc, { utcMember: true })
  return session.device_id === null || start === null ? [] : officersAt(session.device_id, start)
}

const noSession = (id: string) => fault('DockSessionNotFound', `There is no session ${id} of the dock.`)

async function receiptPart(deps: Deps, request: BytesRequest, call: HttpCall): Promise<BytesAnswer> {
  const { db, ledger } = deps
  const params = contract.getDockReceiptPart.params.safeParse(request.params)
  if (!params.success) throw fault('DockSessionNotFound', 'There is no such part of a receipt.')
  const query = contract.getDockReceiptPart.query.safeParse(request.query)
  if (!query.success) throw fault('InvalidModel', 'A receipt is printed in en or fr, on a4 or letter.')
  const { dockSessionId, part } = params.data
  const row = await receiptRow(db.read, call.tenant, Number(dockSessionId))
  if (row === undefined || String(Number(dockSessionId)) !== dockSessionId) throw noSession(dockSessionId)
  if (row === null) throw fault('ReceiptNotReady', 'This camera is not released yet; its receipt is made when it is.')
  const body =
    part === 'receipt.pdf'
      ? await printed(deps, row, { id: Number(dockSessionId), origin: request.origin, ...query.data })
      : PARTS[part](row)
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

interface PrintAsked {
  readonly id: number
  readonly origin: string
  readonly language: 'en' | 'fr'
  readonly paper: 'a4' | 'letter'
}

async function printed({ db, letterhead }: Deps, row: ReceiptRow, asked: PrintAsked): Promise<Buffer> {
  const { id, origin, language, paper } = asked
  return receiptPdf({
    receipt: DockReceipt.parse(JSON.parse(Buffer.from(row.body).toString('utf8'))),
    parts: {
      'receipt.json': PARTS['receipt.json'](row),
      'receipt.sig': PARTS['receipt.sig'](row),
      'key.pem': PARTS['key.pem'](row),
    },
    entry: await receiptEntry(db.read, id),
    origin,
    stationName: letterhead.stationName,
    paper,
    words: receiptWords(language, letterhead.timeZone),
  })
}

type Part = (typeof contract.RECEIPT_PARTS)[number]

const TYPES: Readonly<Record<Part, string>> = {
  'receipt.json': 'application/json',
  'receipt.sig': 'application/octet-stream',
  'key.pem': 'application/x-pem-file',
  'receipt.pdf': 'application/pdf',
}

const PARTS: Readonly<Record<Exclude<Part, 'receipt.pdf'>, (row: ReceiptRow) => Buffer>> = {
  'receipt.json': (row) => Buffer.from(row.body),
  'receipt.sig': (row) => Buffer.from(row.signature),
  'key.pem': (row) => Buffer.from(ed25519PublicKey(row.publicKey).export({ type: 'spki', format: 'pem' })),
}
