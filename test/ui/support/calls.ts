/** A station that is pushed calls, whose officers wore cameras for weeks: what a board shows. */
import type { Json } from '../../support/given.ts'
import { ADMINISTRATOR } from '../../support/given.ts'
import { type Camera, cadWorld, fresh } from '../../api/cad/world.ts'

export interface Worn {
  readonly id: string
  readonly badge: string
  readonly camera: Camera
}

export type CallsStation = Awaited<ReturnType<typeof callsStation>>

const LONG_AGO = Date.UTC(2026, 0, 1)

export async function callsStation() {
  const world = await cadWorld({ stationName: 'Harrow Quay', timeZone: 'Europe/Berlin' })
  const { given, chief, as } = world
  const places = '/userservice/api/v1/tenant/station/users'
  return {
    ...world,
    sergeant: { username: ADMINISTRATOR.username, password: ADMINISTRATOR.password },
    person: async (policies: readonly string[] = [], guest = false) => {
      const username = fresh('person').replace(' ', '-')
      const password = 'seven lamps by the harbour'
      const { principalId } = await given.command('user.create', { username, password, policies, group: null, guest })
      return { id: principalId as string, username, password }
    },
    /** With a camera that was theirs, and active, long ago already: the station was not there so long. */
    officer: async (first: string, last: string, cameraName = fresh('BW')): Promise<Worn> => {
      const { id, badge } = await world.officer()
      await given.expecting(200, as(chief, 'PATCH', `${places}/${id}`, { FirstName: first, LastName: last }))
      const camera = await world.camera(id, new Date().toISOString())
      await given.meddle((db) => {
        const [ticks, utc] = [BigInt(LONG_AGO) * 10_000n, new Date(LONG_AGO).toISOString()]
        db.prepare('UPDATE devices SET common_name = ? WHERE device_id = ?').run(cameraName, camera.id)
        db.prepare('UPDATE device_activity SET from_ticks = ? WHERE device_id = ?').run(ticks, camera.id)
        db.prepare('UPDATE device_associations SET from_ticks = ?, from_utc = ? WHERE device_id = ?').run(
          ticks,
          utc,
          camera.id,
        )
        db.prepare('UPDATE device_accesses SET from_ticks = ? WHERE device_id = ?').run(ticks, camera.id)
      })
      return { id, badge, camera: { ...camera, serial: camera.serial } }
    },
    call: async (
      number: string,
      name: string,
      from: string,
      to: string | null,
      sent: readonly (readonly [Worn, string])[],
    ) => {
      const { caseId } = await world.pushed({
        eventId: number,
        name,
        eventStartTimeUtc: from,
        ...(to === null ? {} : { eventEndTimeUtc: to }),
        involvedResources: sent.map(([{ badge }, unit]) => ({ id: unit, name: badge })),
      })
      return caseId as string
    },
    recording: async ({ camera }: Worn, name: string, from: string, to: string, offset = 'PT0S'): Promise<string> => {
      const evidence: Json = await given.expecting(
        201,
        as(chief, 'POST', `${given.documents}/evidence`, {
          Name: name,
          StartTimeUtc: from,
          EndTimeUtc: to,
          Device: { SerialNumber: camera.serial, Manufacturer: 'Acme', DeviceType: 'BodyWornCamera' },
          DeviceCredential: camera.credential,
        }),
      )
      const place = `${given.documents}/evidence/${evidence.EvidenceId}/resource`
      const file = { Name: `${name}.mp4`, StartTimeUtc: from, EndTimeUtc: to, TimeOffset: offset }
      await given.expecting(201, as(chief, 'POST', place, file))
      // Who decides about links manages the recording.
      await given.meddle((db) =>
        db
          .prepare(
            `INSERT INTO evidence_policies (evidence_id, principal_id, level)
             SELECT ?, principal_id, 'Manage' FROM principals WHERE name = ?`,
          )
          .run(Number(evidence.EvidenceId), ADMINISTRATOR.username),
      )
      return evidence.EvidenceId
    },
    /** As a docking leaves it. @param failed when a recording began that could not be read */
    docked: ({ camera }: Worn, at: string, state = 'released', failed: string | null = null): Promise<unknown> =>
      given.meddle((db) => {
        const done = state === 'released'
        const { lastInsertRowid: session } = db
          .prepare(
            `INSERT INTO dock_sessions (tenant_id, volume_id, camera_key, bay, label, state, ended, device_id, clear_rule, detected_at, committed_at)
             VALUES ('station', 'v', ?, '1', 'x', ?, ?, ?, 'never', ?, ?)`,
          )
          .run(
            `device:${camera.id}`,
            state,
            done ? 1 : 0,
            camera.id,
            Date.parse(at),
            done ? Date.parse(at) + 60_000 : null,
          )
        if (failed === null) return
        const { lastInsertRowid: recording } = db
          .prepare(
            `INSERT INTO dock_recordings (session_id, recording_key, name, corrected_start_utc, corrected_end_utc, marks)
             VALUES (?, 'k', 'x', ?, ?, '[]')`,
          )
          .run(session, failed, failed)
        db.prepare(
          `INSERT INTO dock_files (session_id, recording_id, path_key, path, location, length, modified_ns, may_be_cleared, round, outcome)
           VALUES (?, ?, 'p', 'p', x'00', 1, '0', 0, 1, 'failed')`,
        ).run(session, recording)
      }),
    /** Until the engine has looked at all that was asked. */
    settled: () =>
      world.eventually(
        async () => given.database((db) => db.prepare('SELECT count(*) FROM correlation_pending').pluck().get()),
        (left) => left === 0,
      ),
  }
}
