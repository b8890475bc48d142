import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openCustodyRecord } from '../../server/features/forwarding/custody.ts'
import {
  completeEvidence,
  contentAt,
  forwarded,
  HEADQUARTERS,
  importInto,
  remoteFiles,
  someBytes,
  twoStations,
  type World,
} from './world.ts'

describe('a station that forwards', () => {
  let world: World
  beforeAll(async () => {
    world = await twoStations()
  })
  afterAll(() => world.close())

  it('forwards nothing before headquarters is imported, and says so', async () => {
    expect(await world.administrator('GET', HEADQUARTERS)).toMatchObject({ status: 200, State: 'none', Address: null })
    expect(await world.administrator('PUT', `${HEADQUARTERS}/rules`, {})).toMatchObject({
      status: 409,
      ErrorCode: 'HeadquartersNotSet',
    })
  })

  it('sends record, bytes and custody, and keeps a receipt', async () => {
    const bytes = someBytes(9 * 1024 * 1024)
    const { evidenceId, resourceId, sha256 } = await completeEvidence(world.station, bytes, {
      Name: 'Forwarded',
      Description: 'from the north',
      Tags: ['night'],
      CustomFields: { Weather: 'rain' },
      StartTimeUtc: '2026-11-20T02:47:31.240Z',
    })
    await importInto(world)
    const item = await forwarded(world, evidenceId)
    const { originals, custody } = await remoteFiles(world, item.RemoteEvidenceId)
    expect(originals).toHaveLength(1)
    expect(originals[0]).toMatchObject({ Sha256: sha256, LengthInBytes: bytes.length, State: 'UserCompleted' })
    expect((await contentAt(world, item.RemoteEvidenceId, originals[0].ResourceId)).equals(bytes)).toBe(true)
    const state = await world.station.expecting(
      200,
      world.station.call('GET', `${world.station.documents}/evidence/${evidenceId}/forwarding`),
    )
    expect(state).toMatchObject({
      State: 'done',
      Address: world.headquarters.url,
      Resources: [
        { ResourceId: resourceId, Sha256: sha256, RemoteResourceId: originals[0].ResourceId, ClearedTimeUtc: null },
      ],
    })
    const receipt = world.station.ledger().find(({ action }) => action === 'resource.forwarded')
    expect(receipt).toMatchObject({
      sha256,
      bytes: bytes.length,
      object: { id: resourceId },
      detail: { remoteResourceId: originals[0].ResourceId },
    })

    expect(custody).toHaveLength(1)
    const text = (await contentAt(world, item.RemoteEvidenceId, custody[0].ResourceId)).toString('utf8')
    const key = world.headquarters.database((db) =>
      db.prepare('SELECT public_key FROM received_checkpoints').pluck().get(),
    ) as string
    const opened = openCustodyRecord(text, Buffer.from(key, 'base64'))
    expect(opened.lines.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['evidence.created', 'resource.completed', 'resource.forwarded']),
    )
    // Byte for byte the lines of the ledger.
    const bodies = world.station.database((db) =>
      db.prepare('SELECT CAST(body AS TEXT) FROM ledger ORDER BY seq').pluck().all(),
    ) as string[]
    for (const line of text.split('\n\n')[0]?.split('\n') ?? []) expect(bodies).toContain(line)
    expect(() =>
      openCustodyRecord(text.replace('evidence.created', 'evidence.creates'), Buffer.from(key, 'base64')),
    ).toThrow('does not hold')
  })

  it('names the backlog, and the station by its identity', async () => {
    const shown = await world.administrator('GET', HEADQUARTERS)
    expect(shown).toMatchObject({ State: 'ready', Problem: null, Backlog: { Waiting: 0, Failed: 0, Done: 1 } })
    expect(shown.Station.Origin).toMatch(/^sallyport\.local\/[0-9a-f]{16}$/)
  })
})
