import { sha256Of } from '../../support/given.ts'
import { asChief } from '../cases/acts.ts'
import type { Act, World } from '../documents/acts.ts'

const PLACE = '/api/v1/tenant/station/dock'

/** One good call of each route of the dock (promise I1). */
export const DOCK_ACTS: Readonly<Record<string, (world: World) => Promise<Act> | Act>> = {
  getDockWall: (world) => ({
    call: () => asChief(world, 'GET', `${PLACE}/wall`),
    status: 200,
    actor: 'chief',
    entries: () => [],
  }),
  dockWallEvents: ({ given }) => ({
    call: async () => {
      const ends = new AbortController()
      // Nobody: the wall hangs in the station itself.
      const reply = await fetch(`${given.url}${PLACE}/wall/events`, { signal: ends.signal })
      ends.abort()
      return { status: reply.status, correlationId: reply.headers.get('x-correlation-id') ?? '', json: null }
    },
    status: 200,
    actor: 'anonymous',
    entries: () => [],
  }),
  listDockSessions: (world) => ({
    call: () => asChief(world, 'GET', `${PLACE}/session`),
    status: 200,
    actor: 'chief',
    entries: ({ json }) => [['list.read', 'dockSession', '', { detail: { returned: json.Items.length } }]],
  }),
  getDockSession: async (world) => {
    const id = await released(world)
    return {
      call: () => asChief(world, 'GET', `${PLACE}/session/${id}`),
      status: 200,
      actor: 'chief',
      entries: () => [['dock.read', 'dockSession', id]],
    }
  },
  listDockFiles: async (world) => {
    const id = await released(world)
    return {
      call: () => asChief(world, 'GET', `${PLACE}/session/${id}/file`),
      status: 200,
      actor: 'chief',
      entries: () => [['dock.read', 'dockSession', id, { detail: { returned: 0 } }]],
    }
  },
  getDockReceiptPart: async (world) => {
    const id = await released(world)
    return {
      call: () => asChief(world, 'GET', `${PLACE}/session/${id}/receipt/receipt.json`),
      status: 200,
      actor: 'chief',
      entries: () => [
        [
          'dock.receiptRead',
          'dockSession',
          id,
          { bytes: RECEIPT.length, sha256: sha256Of(RECEIPT), detail: { part: 'receipt.json' } },
        ],
      ],
    }
  },
}

const RECEIPT = Buffer.from('{"kind":"dock receipt"}')

/** A session as it stands when its camera is safe to take; how it comes to that is shown in test/dock. */
export function released({ given }: Pick<World, 'given'>): Promise<string> {
  return given.meddle((db) => {
    const { lastInsertRowid } = db
      .prepare(
        `INSERT INTO dock_sessions (tenant_id, volume_id, camera_key, bay, label, state, ended, clear_rule, detected_at,
           released_at, receipt, receipt_sha256, receipt_signature, receipt_key)
         VALUES ('station', 'v', 'volume:v', '1-4.2', 'CARD', 'released', 1, 'never', 1, 2, ?, ?, ?, ?)`,
      )
      .run(RECEIPT, sha256Of(RECEIPT), Buffer.alloc(64), Buffer.alloc(32))
    return String(lastInsertRowid)
  })
}
