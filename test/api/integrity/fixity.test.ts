/** Fixity over the whole store (promise I5): what is due is read, what is wrong is an alarm until somebody acknowledges it. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sha256Of } from '../../support/given.ts'
import { type IntegrityWorld, integrityWorld, PLACE } from './world.ts'

const DAY = 86_400_000
let world: IntegrityWorld
beforeAll(async () => {
  world = await integrityWorld()
})
afterAll(() => world?.given.close())

let made = 0
const content = (): Buffer => Buffer.from(`statement ${(made += 1)} `.repeat(200))
const taken = () => world.given.completed(content())

/** The entry of a walk over all names. */
const comparison = (run: string, problems: number): unknown =>
  expect.objectContaining({
    action: 'fixity.checked',
    actor: { kind: 'internal', id: '0', name: 'internal', role: null },
    source: 'station',
    object: { type: 'station', id: '1', name: '' },
    outcome: problems === 0 ? 'ok' : 'failed',
    reason: null,
    bytes: null,
    detail: { names: true, problems, run },
  })

describe('I5 when blobs are read', () => {
  it('a blob that came in was read back, and is due after a day', async () => {
    const { sha256 } = await taken()
    const { Fixity } = await world.keeping()
    expect(Fixity).toMatchObject({ Run: null, LastRun: null, LastRead: [], BlobsInTime: Fixity.Blobs })
    const next = Fixity.Next.find((one: { Sha256: string }) => one.Sha256 === sha256)
    expect(next.Result).toBe('matches')
    expect(Date.parse(next.DueTimeUtc) - Date.parse(next.CheckedTimeUtc)).toBe(DAY)
  })

  it('what is due is read by itself, longest overdue first, then due after 90 days', async () => {
    const blobs = [await taken(), await taken(), await taken()]
    const [a, b, c] = blobs.map(({ sha256 }) => sha256) as [string, string, string]
    for (const [at, sha256] of [b, c].entries())
      await world.write('UPDATE blob_checks SET due_at = ? WHERE sha256 = ?', Date.now() - 1000 + at, sha256)
    const before = world.entries('fixity.checked').length
    const entry = await world.until(async () => world.entries('fixity.checked')[before] ?? null, 'the check')
    expect(entry).toMatchObject({ outcome: 'ok', detail: { blobs: [b, c], bad: [], run: null } })
    expect(entry.bytes).toBe(2 * content().length)
    const { Fixity } = await world.keeping()
    const read = Fixity.LastRead.filter((one: { Sha256: string }) => [b, c].includes(one.Sha256))
    expect(read.map((one: { DueTimeUtc: string }) => Date.parse(one.DueTimeUtc) - Date.now() > 89 * DAY)).toEqual([
      true,
      true,
    ])
    expect(Fixity.LastRead.some((one: { Sha256: string }) => one.Sha256 === a)).toBe(false)
    const record = await world.given.expecting(
      200,
      world.given.call(
        'GET',
        `${world.given.documents}/evidence/${blobs[1]?.evidenceId}/resource/${blobs[1]?.resourceId}`,
      ),
    )
    expect(record.LastCheck).toMatchObject({ Kind: 'scheduled', Result: 'matches' })
  })

  it('a run reads everything, due or not, and says who asked', async () => {
    const run = await world.runAll()
    const { Fixity } = await world.keeping()
    expect(run).toMatchObject({ State: 'done', Blobs: Fixity.Blobs, TotalBlobs: Fixity.Blobs, Problems: 0 })
    expect(run).toMatchObject({ Bytes: Fixity.Bytes, StartedBy: { Name: 'chief' } })
    expect(Fixity.OldestTimeUtc >= run.StartedTimeUtc).toBe(true)
    expect(world.entries('fixity.runEnded').at(-1)).toMatchObject({ outcome: 'ok', object: { id: run.RunId } })
  })

  it('I1: its comparison of the names is an entry of the station beside that of the bytes, with the run and what was found', async () => {
    const before = world.given.ledger().length
    const { RunId } = await world.runAll()
    const entries = Object.groupBy(world.given.ledger(before), ({ action, detail }) =>
      detail?.['names'] === undefined ? action : 'names',
    )
    expect(entries['names']).toEqual([comparison(RunId, 0)])
    // This test looks until the run has ended.
    const looks = ['keeping.read']
    expect(Object.keys(entries).sort()).toEqual([
      'fixity.checked',
      'fixity.runEnded',
      'fixity.runStarted',
      ...looks,
      'names',
    ])
  })

  it('a run that a stop or a crash left goes on by itself with what is not read yet', async () => {
    const { Fixity } = await world.keeping()
    await world.write(
      "INSERT INTO fixity_runs (state, started_at, started_by, total_blobs, total_bytes, blobs) VALUES ('running', ?, ?, ?, 0, ?)",
      Date.now(),
      '{"PrincipalId":"1","Name":"sergeant","PrincipalType":"user"}',
      Fixity.Blobs + 1,
      1,
    )
    const { LastRun } = await world.until(async () => {
      const found = (await world.keeping()).Fixity
      return found.LastRun?.StartedBy.Name === 'sergeant' && found
    }, 'the end of the run')
    expect(LastRun).toMatchObject({ State: 'done', Blobs: Fixity.Blobs + 1, Problems: 0 })
  })

  it('coverage counts what was not read within its time', async () => {
    const { sha256 } = await taken()
    // The station may read it at any moment, for that is what being due means.
    await world.until(async () => {
      await world.write('UPDATE blob_checks SET due_at = ? WHERE sha256 = ?', Date.now() - 1, sha256)
      const { Fixity } = await world.keeping()
      const text = (await world.given.call('GET', '/metrics', { token: null })).text
      return (
        Fixity.Blobs - Fixity.BlobsInTime === 1 &&
        Fixity.Bytes - Fixity.BytesInTime === content().length &&
        /^sallyport_fixity_overdue_blobs 1$/m.test(text) &&
        /^sallyport_alarms_open 0$/m.test(text) &&
        Number(/^sallyport_fixity_coverage_ratio (\S+)$/m.exec(text)?.[1]) < 1
      )
    }, 'what is overdue')
  })
})

describe('I5 what is wrong is an alarm', () => {
  it.each([
    [
      'changed',
      'one bit',
      (sha256: string) => {
        const bytes = readFileSync(world.blobOf(sha256))
        bytes[99] = (bytes[99] as number) ^ 1
        world.replace(sha256, bytes)
      },
    ],
    ['changed', 'cut short', (sha256: string) => world.replace(sha256, readFileSync(world.blobOf(sha256)).subarray(9))],
    ['missing', 'gone', (sha256: string) => world.remove(sha256)],
  ] as const)('%s: %s', async (kind, _how, damage) => {
    const { sha256, evidenceId, resourceId } = await taken()
    damage(sha256)
    const run = await world.runAll()
    expect(run.Problems).toBe(1)
    const [alarm] = await world.alarms()
    expect(alarm).toMatchObject({ Kind: kind, Subject: sha256, EvidenceIds: [evidenceId] })
    expect(world.entries('alarm.raised').at(-1)).toMatchObject({ outcome: 'failed', detail: { subject: sha256 } })
    const checks = world.entries('resource.checked').filter((entry) => entry.object.id === resourceId)
    expect(checks.map((entry) => [entry.outcome, entry.detail.result])).toEqual([['failed', kind]])
    const station = await world.given.expecting(200, world.given.call('GET', '/api/v1/tenant/station/station'))
    expect(station.Alarms.Open).toBe(1)

    // It stands as long as nobody acknowledges it, and is one however often it is met.
    await world.runAll()
    expect(await world.alarms()).toHaveLength(1)
    const done = await world.given.expecting(
      200,
      world.send('POST', `/alarm/${alarm.AlarmId}/acknowledge`, { Reason: 'The disk is being replaced.' }),
    )
    expect(done).toMatchObject({ AcknowledgedBy: { Name: 'chief' }, Reason: 'The disk is being replaced.' })
    expect(await world.alarms()).toEqual([])
    await world.runAll()
    expect(await world.alarms()).toEqual([])
    // Put back it is as it was, and damaged anew it is told anew.
    await world.write('UPDATE alarms SET acknowledged_at = 1 WHERE subject = ?', sha256)
    await world.runAll()
    expect((await world.alarms()).map((one) => one.Subject)).toEqual([sha256])
    await world.given.expecting(
      200,
      world.send('POST', `/alarm/${(await world.alarms())[0].AlarmId}/acknowledge`, { Reason: 'Known.' }),
    )
    await world.write('DELETE FROM blob_checks WHERE sha256 = ?', sha256)
  })

  it('a stranger is put aside and never deleted; a blob that is being placed is none', async () => {
    const stranger = Buffer.from('nobody knows me')
    const sha256 = sha256Of(stranger)
    mkdirSync(path.dirname(world.blobOf(sha256)), { recursive: true })
    writeFileSync(world.blobOf(sha256), stranger)
    const odd = path.join(world.given.data, 'blobs', 'holiday.jpg')
    writeFileSync(odd, 'sun')
    const placed = sha256Of('on its way')
    mkdirSync(path.dirname(world.blobOf(placed)), { recursive: true })
    writeFileSync(world.blobOf(placed), 'on its way')
    writeFileSync(path.join(world.given.data, 'blobs', '.intents', placed), '')
    const { RunId } = await world.runAll()
    expect(world.entries('fixity.checked').filter(({ detail }) => detail.run === RunId && detail.names)).toEqual([
      comparison(RunId, 2),
    ])
    expect([existsSync(world.blobOf(sha256)), existsSync(odd), existsSync(world.blobOf(placed))]).toEqual([
      false,
      false,
      true,
    ])
    expect(world.given.inQuarantine(stranger)).toBe(true)
    expect(world.given.inQuarantine(Buffer.from('sun'))).toBe(true)
    const alarms = (await world.alarms()).filter((one) => one.Kind === 'untracked')
    expect(alarms.map((one) => one.Subject).sort()).toEqual(
      [path.join(sha256.slice(0, 2), sha256.slice(2, 4), sha256), 'holiday.jpg'].sort(),
    )
    expect(world.entries('quarantine.added').map((entry) => entry.object.id)).toEqual(
      expect.arrayContaining([sha256, '']),
    )
    const rows = world.given.database((db) => db.prepare('SELECT path FROM quarantine').pluck().all()) as string[]
    expect(rows.filter((one) => readdirSync(path.dirname(one)).includes(path.basename(one)))).toHaveLength(2)
  })
})

describe('runs and alarms, refused', () => {
  it('one run at a time; none to stop when none is on its way; a cancelled one says how far it was', async () => {
    for (let at = 0; at < 3; at++) await taken()
    const first = await world.given.expecting(201, world.send('POST', '/run'))
    const second = await world.send('POST', '/run')
    const cancelled = await world.send('POST', '/run/cancel')
    // It may have ended in between: then there is nothing to refuse.
    if (second.status === 409) {
      expect(second.json.ErrorCode).toBe('RunInProgress')
      if (cancelled.status === 200)
        expect(cancelled.json).toMatchObject({ RunId: first.RunId, State: 'cancelled', Problems: 0 })
    }
    await world.until(async () => (await world.keeping()).Fixity.Run === null, 'the end')
    const { status, json } = await world.send('POST', '/run/cancel')
    expect([status, json.ErrorCode]).toEqual([409, 'NoRunInProgress'])
  })

  it('alarms: unknown, twice, without a reason', async () => {
    expect((await world.send('POST', '/alarm/999/acknowledge', { Reason: 'x' })).json.ErrorCode).toBe('AlarmNotFound')
    for (const Reason of ['', '   ', undefined, 7, 'x'.repeat(2001), '\u0000'])
      expect((await world.send('POST', '/alarm/1/acknowledge', { Reason })).json.ErrorCode).toBe('InvalidModel')
    expect((await world.send('POST', '/alarm/1/acknowledge', { Reason: 'x' })).json.ErrorCode).toBe('AlarmAcknowledged')
  })

  it('only account administrators see or do anything of it', async () => {
    const { given } = world
    for (const [method, place, body] of [
      ['GET', '', undefined],
      ['POST', '/run', undefined],
      ['POST', '/run/cancel', undefined],
      ['POST', '/alarm/1/acknowledge', { Reason: 'x' }],
      ['POST', '/checkpoint-target', { Folder: given.dir }],
      ['DELETE', '/checkpoint-target/1', undefined],
      ['POST', '/checkpoint-target/1/copy', undefined],
      ['POST', '/backup-target', { Folder: given.dir }],
      ['DELETE', '/backup-target/1', undefined],
      ['POST', '/backup-target/1/snapshot', undefined],
      ['POST', '/backup-target/1/drill', undefined],
    ] as const) {
      const options = body === undefined ? {} : { body }
      expect([method, place, (await given.call(method, `${PLACE}${place}`, options)).status]).toEqual([
        method,
        place,
        403,
      ])
      expect((await given.call(method, `${PLACE}${place}`, { ...options, token: null })).status).toBe(401)
    }
  })
})
