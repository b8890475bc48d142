// @module-tag merge
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../support/given.ts'
import { openTestDatabase } from '../../support/rows.ts'
import { type DevicesWorld, devicesWorld, fresh, minutes, named } from './world.ts'

/** What is suggested of the camera: who had it then, where its track begins, and the date of its file. */
let world: DevicesWorld
beforeAll(async () => {
  world = await devicesWorld()
})
afterAll(() => world?.close())

const place = (id: string): string => `${world.given.documents}/evidence/${id}`
const suggested = async (id: string): Promise<Json[]> =>
  (await world.given.expecting(200, world.given.call('GET', `${place(id)}/suggestions`))).Items

/** A device that is active since an hour ago, and what it recorded then by its own credential. */
async function recorded(at: number, more: Json = {}): Promise<{ readonly device: Json; readonly id: string }> {
  const device = await world.device()
  const db = await openTestDatabase({ file: world.given.file })
  await db.transaction((tx) =>
    tx
      .updateTable('device_activity')
      .set({ from_ticks: BigInt(Date.parse(minutes(-600))) * 10_000n })
      .where('device_id', '=', device.Id)
      .execute(),
  )
  await db.close()
  const DeviceId = named(device)
  const Credential = { DeviceCredential: `of ${device.Id}` }
  const offer = await world.sent(200, 'POST', '/configuration/negociate', { DeviceId, Credential })
  await world.sent(204, 'POST', '/configuration/commit', { DeviceId, TransactionId: offer.TransactionId })
  const { EvidenceId } = await world.given.evidence({
    Name: fresh('recording'),
    Device: { ...DeviceId, Model: 'M1', DeviceType: 'BodyWornCamera' },
    StartTimeUtc: minutes(at),
    ...Credential,
    ...more,
  })
  return { device, id: EvidenceId }
}

const associate = (device: Json, officer: { id: string }, FromUtc: string): Promise<Json> =>
  world.sent(201, 'POST', `/device/${device.Id}/association`, { PrincipalId: officer.id, FromUtc })
const officersIn = (items: readonly Json[]) => items.filter(({ Source }) => Source === 'device')

describe('the officer', () => {
  it('is whoever had the device then, once somebody else confirmed what lies in the past', async () => {
    const officer = await world.officer()
    const { device, id } = await recorded(-60)
    expect(officersIn(await suggested(id))).toEqual([])
    const { AssociationId } = await associate(device, officer, minutes(-120))
    // It gives nobody access yet, and is nothing to build on.
    expect(officersIn(await suggested(id))).toEqual([])
    const confirm = `/device/${device.Id}/association/${AssociationId}/confirm`
    await world.sent(200, 'POST', confirm, undefined, { token: world.second.token })
    expect(officersIn(await suggested(id))).toEqual([
      {
        Field: 'CustomFields',
        CustomField: 'Officer',
        Value: officer.name,
        Source: 'device',
        From: `M1 ${device.DeviceIdentification.SerialNumber}`,
        PrecisionSeconds: null,
        Because: 'empty',
      },
    ])
  })

  it('is none where somebody said one already, or had it at another time', async () => {
    const officer = await world.officer()
    const said = await recorded(10, { CustomFields: { Officer: 'K. Brandt' } })
    const later = await recorded(10)
    await associate(said.device, officer, minutes(5))
    await associate(later.device, officer, minutes(15))
    expect(officersIn(await suggested(said.id))).toEqual([])
    expect(officersIn(await suggested(later.id))).toEqual([])
  })
})

describe('what a card says', () => {
  /** As the dock leaves it; how it comes to that is shown in test/dock. */
  async function docked(body: Json, modified: string): Promise<string> {
    const { resourceId, evidenceId } = await world.given.completed(Buffer.from(fresh('clip')), {
      evidenceId: (await world.given.evidence(body)).EvidenceId,
    })
    await world.given.meddle((db) => {
      const session = db
        .prepare(
          `INSERT INTO dock_sessions (tenant_id, volume_id, camera_key, bay, label, state, ended, clear_rule, detected_at)
           VALUES ('station', 'v', ?, '1-4.2', 'CARD', 'released', 1, 'never', 1)`,
        )
        .run(fresh('volume')).lastInsertRowid
      const recording = db
        .prepare(
          `INSERT INTO dock_recordings (session_id, recording_key, name, marks, location_wkt, evidence_id)
           VALUES (?, 'r', 'r', '[]', 'LINESTRING (13.4 52.5, 13.41 52.51)', ?)`,
        )
        .run(session, Number(evidenceId)).lastInsertRowid
      db.prepare(
        `INSERT INTO dock_files (session_id, recording_id, path_key, path, location, length, modified_ns, may_be_cleared,
           round, outcome, resource_id, sha256, ledger_seq)
         VALUES (?, ?, 'a', 'a', ?, 4, ?, 0, 1, 'taken', ?, 'x', 1)`,
      ).run(session, recording, Buffer.from('a'), `${Date.parse(modified)}000000`, Number(resourceId))
    })
    return evidenceId
  }

  it('the date of the file is about when it was recorded, and the track about where', async () => {
    const id = await docked({ Name: 'Clip' }, '2025-03-01T10:00:00Z')
    expect(await suggested(id)).toMatchObject([
      { Field: 'StartTimeUtc', Value: '2025-03-01T10:00:00Z', Source: 'fileDate', PrecisionSeconds: null },
      { Field: 'LocationWKT', Value: 'POINT (13.4 52.5)', Source: 'track' },
    ])
  })

  it('nothing is suggested over what is there, nor from the date of a clock that was never set', async () => {
    const id = await docked({ Name: 'Clip', LocationWKT: 'POINT (1 2)' }, '1980-01-01T00:00:00Z')
    expect(await suggested(id)).toEqual([])
  })
})
