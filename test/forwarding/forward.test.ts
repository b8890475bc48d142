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
  until,
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

  it('takes no headquarters while it holds sample data, of which none shall be forwarded', async () => {
    const set = (text: string): Promise<unknown> => world.station.meddle((db) => db.exec(text))
    await set(
      `INSERT INTO station (name, value) VALUES ('sample-data', '{"startedAt":0,"language":"en","done":[],"items":[],"removal":null}')`,
    )
    const { connection: Connection } = world
    expect(await world.administrator('PUT', `${HEADQUARTERS}/connection`, { Connection })).toMatchObject({
      status: 409,
      ErrorCode: 'HeadquartersUnusable',
      Message: expect.stringContaining('sample data'),
    })
    expect(await world.administrator('GET', HEADQUARTERS)).toMatchObject({ State: 'none', Address: null })
    await set("DELETE FROM station WHERE name = 'sample-data'")
  })

  it('I1: sends record, bytes and custody, and keeps a receipt, with an entry for the file and one for the evidence', async () => {
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
    expect(world.station.ledger().filter(({ action }) => action === 'evidence.forwarded')).toMatchObject([
      {
        object: { type: 'evidence', id: evidenceId },
        detail: {
          address: world.headquarters.url,
          remoteEvidenceId: item.RemoteEvidenceId,
          custody: { resourceId: custody[0].ResourceId },
        },
      },
    ])

    expect(custody).toHaveLength(1)
    const text = (await contentAt(world, item.RemoteEvidenceId, custody[0].ResourceId)).toString('utf8')
    const key = world.headquarters.database((db) =>
      db.prepare('SELECT public_key FROM received_checkpoints').pluck().get(),
    ) as string
    const opened = openCustodyRecord(text, Buffer.from(key, 'base64'))
    expect(opened.lines.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['evidence.created', 'resource.completed', 'resource.forwarded']),
    )
    expect(opened).toMatchObject({ isProved: true, head: { origin: opened.origin } })
    expect(opened.head?.size).toBeGreaterThanOrEqual(opened.lines.at(-1)?.seq as number)
    // Byte for byte the lines of the ledger.
    const bodies = world.station.database((db) =>
      db.prepare('SELECT CAST(body AS TEXT) FROM ledger ORDER BY seq').pluck().all(),
    ) as string[]
    for (const line of text.split('\n\n')[0]?.split('\n') ?? []) expect(bodies).toContain(line)
    expect(() =>
      openCustodyRecord(text.replace('evidence.created', 'evidence.creates'), Buffer.from(key, 'base64')),
    ).toThrow('does not hold')
  })

  it('B7 two files of the same bytes in one evidence arrive as two', async () => {
    const { EvidenceId: evidenceId } = await world.station.evidence({ Name: 'twice the same' })
    const { station } = world
    for (const name of ['one.bin', 'two.bin']) await station.completed(someBytes(50_000, 9), { evidenceId, name })
    await station.expecting(
      200,
      station.call('POST', `${station.documents}/evidence/${evidenceId}/complete`, { body: {} }),
    )
    const { originals } = await remoteFiles(world, (await forwarded(world, evidenceId)).RemoteEvidenceId)
    expect(originals.map(({ Name }) => Name).sort()).toEqual(['one.bin', 'two.bin'])
  })

  it('names the backlog, and the station by its identity', async () => {
    const shown = await world.administrator('GET', HEADQUARTERS)
    expect(shown).toMatchObject({ State: 'ready', Problem: null, Backlog: { Waiting: 0, Failed: 0, Done: 2 } })
    expect(shown.Station.Origin).toMatch(/^sallyport\.local\/[0-9a-f]{16}$/)
  })
})

it('is set up and looked at from the terminal', async () => {
  const world = await twoStations()
  try {
    const imported = await world.station.command('headquarters.import', { connection: world.connection })
    expect(imported).toMatchObject({ Address: world.headquarters.url, State: 'ready' })
    expect(await world.station.command('headquarters.status', {})).toMatchObject({ Address: world.headquarters.url })
    expect(world.station.ledger().find(({ action }) => action === 'headquarters.imported')?.actor.kind).toBe('cli')
  } finally {
    await world.close()
  }
})

it('sends at the pace of the rules, and inside the windows only', async () => {
  const world = await twoStations()
  try {
    // A window that is closed for at least an hour on both sides of now.
    const hour = (new Date().getUTCHours() + 6) % 24
    const text = (value: number): string => `${String(value).padStart(2, '0')}:00`
    const closed = { Days: [0, 1, 2, 3, 4, 5, 6], From: text(hour), To: text((hour + 1) % 24) }
    await importInto(world, { Everything: true, Windows: [closed] })
    const made = await completeEvidence(world.station, someBytes(2_000_000, 3), { Name: 'paced' })
    await until('the backlog', async () => (await world.administrator('GET', HEADQUARTERS)).Backlog.Waiting === 1)
    await new Promise((resolve) => setTimeout(resolve, 2500))
    const waiting = await world.administrator('GET', HEADQUARTERS)
    expect(waiting).toMatchObject({ State: 'window', Backlog: { Waiting: 1, WaitingBytes: 2_000_000, Done: 0 } })
    expect(Date.parse(waiting.Backlog.NextWindowUtc)).toBeGreaterThan(Date.now())

    await world.administrator('PUT', `${HEADQUARTERS}/rules`, { Everything: true, MegabitsPerSecond: 4 })
    const began = performance.now()
    await forwarded(world, made.evidenceId)
    // 2 MB at 4 Mbit/s take 4 s; the first slice goes at once.
    expect(performance.now() - began).toBeGreaterThan(3_700)
  } finally {
    await world.close()
  }
})
