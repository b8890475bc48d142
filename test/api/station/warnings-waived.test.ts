/** A10: warnings about the station are waived for a time, with a reason, by administrators; and count again by themselves. */
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StationWarning } from '../../../shared/station/warnings.ts'
import { dayStart } from '../../../shared/station/warnings.ts'
import { startServer } from '../../../server/index.ts'
import { createStationWarnings } from '../../../server/features/station/warnings.service.ts'
import type { ClockSync } from '../../../server/platform/clock/sync.ts'
import { officer, openWorld } from '../../custody/world.ts'
import type { Json, Reply } from '../../support/given.ts'
import { signIn } from '../../support/integrator.ts'
import { isOnPostgres } from '../../support/postgres-given.ts'
import { type IntegrityWorld, integrityWorld } from '../integrity/world.ts'

const DAY = 86_400_000
const ZONE = 'Europe/Berlin'
const iso = (millis: number): string => new Date(millis).toISOString()

describe('A10: by the clock', () => {
  /** The service over a real database and ledger; the clock and what the machine says of it are the test's. */
  const opened = async () => {
    const world = await openWorld()
    const { db, ledger, clock } = world
    const machine: { source: ClockSync['source'] } = { source: 'unknown' }
    const clockSync = async () => ({ source: machine.source, errorMilliseconds: null })
    const make = () => createStationWarnings({ db, ledger, clock, clockSync, timeZone: ZONE })
    const warnings = make()
    const waived = async (by = warnings): Promise<StationWarning[]> =>
      (await by.standing()).filter(({ Waiver }) => Waiver !== null).map(({ Warning }) => Warning)
    const inDays = (days: number): number => dayStart(clock.now(), ZONE, days)
    const place = (table: 'backup_targets' | 'checkpoint_targets', removed: string | null) =>
      table === 'backup_targets'
        ? db.transaction((tx) =>
            tx
              .insertInto(table)
              .values({
                folder: '/x',
                every_hours: 24,
                created_utc: '',
                created_by: '{}',
                next_at: 0,
                removed_utc: removed,
              })
              .execute(),
          )
        : db.transaction((tx) =>
            tx
              .insertInto(table)
              .values({
                kind: 'folder',
                address: '/x',
                sealed: null,
                created_utc: '',
                created_by: '{}',
                removed_utc: removed,
                copied_at: null,
                problem: null,
              })
              .execute(),
          )
    return { ...world, machine, warnings, make, waived, inDays, place }
  }

  it('a waiver ends at its moment by itself, and not a millisecond later', async () => {
    const { warnings, waived, inDays, clock } = await opened()
    const until = inDays(30)
    const given = await warnings.waive(officer(), 'backup', { until, reason: 'the drive is ordered' })
    expect(given).toEqual({
      Warning: 'backup',
      UntilUtc: iso(until),
      Reason: 'the drive is ordered',
      WaivedTimeUtc: iso(clock.now()),
      WaivedBy: { PrincipalId: '1', Name: 'officer.1', PrincipalType: 'user' },
    })
    expect(await waived()).toEqual(['backup'])
    clock.set(until - 1)
    expect(await waived()).toEqual(['backup'])
    clock.set(until)
    expect(await waived()).toEqual([])
    expect((await warnings.standing()).map(({ Warning }) => Warning)).toEqual(['backup', 'checkpoints', 'clock'])
    // What has ended can be neither taken back nor in the way of another one.
    await expect(warnings.takeBack(officer(), 'backup')).rejects.toMatchObject({ code: 'WaiverNotFound' })
    await warnings.waive(officer(), 'backup', { until: inDays(1), reason: 'again' })
    expect(await waived()).toEqual(['backup'])
  })

  it('a clock that is set back does not make a waiver longer', async () => {
    const { warnings, waived, inDays, clock } = await opened()
    await warnings.waive(officer(), 'backup', { until: inDays(2), reason: 'x' })
    clock.set(clock.now() - 365 * DAY)
    expect(await waived()).toEqual([])
  })

  it('it ends on a day between tomorrow and 90 days from today, by the zone of the station', async () => {
    const { warnings, clock, inDays } = await opened()
    clock.set(Date.parse('2026-11-21T23:30:00Z')) // in Berlin it is the 22nd
    const tomorrow = Date.parse('2026-11-22T23:00:00Z')
    const last = Date.parse('2027-02-19T23:00:00Z')
    expect([inDays(1), inDays(90)]).toEqual([tomorrow, last])
    for (const until of [tomorrow - 1, last + 1, clock.now(), 0, inDays(0), inDays(365)])
      await expect(warnings.waive(officer(), 'backup', { until, reason: 'x' })).rejects.toMatchObject({
        code: 'InvalidModel',
        details: [{ Path: 'UntilUtc', Message: `must lie between ${iso(tomorrow)} and ${iso(last)}` }],
      })
    await warnings.waive(officer(), 'backup', { until: tomorrow, reason: 'x' })
    await warnings.takeBack(officer(), 'backup')
    await warnings.waive(officer(), 'backup', { until: last, reason: 'x' })
  })

  it.each([
    ['backup', 'backup_targets'],
    ['checkpoints', 'checkpoint_targets'],
  ] as const)('%s: what was settled in between is not covered when it comes again', async (warning, table) => {
    const { warnings, waived, inDays, place, db } = await opened()
    await warnings.waive(officer(), warning, { until: inDays(30), reason: 'x' })
    expect(await waived()).toEqual([warning])
    await place(table, null)
    expect((await warnings.standing()).map(({ Warning }) => Warning)).not.toContain(warning)
    await expect(warnings.waive(officer(), warning, { until: inDays(30), reason: 'x' })).rejects.toMatchObject({
      code: 'WarningNotStanding',
    })
    await db.transaction((tx) => tx.updateTable(table).set({ removed_utc: 'now' }).execute())
    expect((await warnings.standing()).find(({ Warning }) => Warning === warning)).toEqual({
      Warning: warning,
      Waiver: null,
    })
    // The new state of things may be waived too.
    await warnings.waive(officer(), warning, { until: inDays(30), reason: 'y' })
    expect(await waived()).toEqual([warning])
  })

  it('a clock that is known to run free is another problem than one of which nothing is known', async () => {
    const { warnings, waived, inDays, machine } = await opened()
    await warnings.waive(officer(), 'clock', { until: inDays(30), reason: 'closed network' })
    expect(await waived()).toEqual(['clock'])
    for (const source of ['free', 'ntp'] as const) {
      machine.source = source
      expect(await waived()).toEqual([])
      await expect(warnings.waive(officer(), 'clock', { until: inDays(30), reason: 'x' })).rejects.toMatchObject({
        code: 'WarningNotStanding',
      })
    }
    // It could come back, so that it can be taken back although its warning does not stand.
    await warnings.takeBack(officer(), 'clock')
    machine.source = 'unknown'
    expect(await waived()).toEqual([])
  })

  it('lies in the database: a station that starts again knows it, and one whose row is nonsense waives nothing', async () => {
    const { warnings, make, waived, inDays, db } = await opened()
    await warnings.waive(officer(), 'backup', { until: inDays(30), reason: 'x' })
    expect(await waived(make())).toEqual(['backup'])
    const unsigned = JSON.stringify({ until: inDays(30), waivedAt: 0, placesEver: 0 })
    for (const value of ['', 'nonsense', '{}', 'null', unsigned]) {
      await db.transaction((tx) =>
        tx.updateTable('station').set({ value }).where('name', '=', 'waiver-backup').execute(),
      )
      expect([value, await waived()]).toEqual([value, []])
    }
  })

  it('of two who waive at once one is told that it is waived already', async () => {
    const { warnings, inDays, ledger } = await opened()
    const waive = (name: string) => warnings.waive(officer(name), 'backup', { until: inDays(9), reason: name })
    const ends = await Promise.allSettled([waive('abel'), waive('bea')])
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect((ends[1] as PromiseRejectedResult).reason).toMatchObject({ code: 'WarningWaived' })
    const found = await warnings.standing()
    expect(found.find(({ Warning }) => Warning === 'backup')?.Waiver).toMatchObject({ Reason: 'abel' })
    expect((await ledger.entriesFor('station', '1', { count: 10 })).map(({ entry }) => entry.action)).toEqual([
      'station.warningWaived',
    ])
  })
})

const STATION = '/api/v1/tenant/station/station'
const waiverOf = (warning: string): string => `${STATION}/warning/${warning}/waiver`

describe('A10: over HTTP', () => {
  let world: IntegrityWorld
  beforeAll(async () => {
    world = await integrityWorld({ timeZone: ZONE })
  })
  afterAll(() => world?.given.close())
  const inDays = (days: number): string => iso(dayStart(Date.now(), ZONE, days))
  const chief = (method: string, place: string, body?: unknown): Promise<Reply> =>
    world.given.call(method, place, { token: world.token, ...(body === undefined ? {} : { body }) })
  const waive = (warning: string, members: Record<string, unknown> = {}): Promise<Reply> =>
    chief('PUT', waiverOf(warning), { Reason: 'The drive arrives on Thursday.', UntilUtc: inDays(30), ...members })
  const told = async (): Promise<{ waived: Json; warnings: Json }> => {
    const { Waived } = await world.given.expecting(200, world.given.call('GET', STATION))
    const { Warnings } = await world.keeping()
    // What the machine says of its clock is not the test's.
    return { waived: Waived, warnings: Warnings.filter(({ Warning }: Json) => Warning !== 'clock') }
  }

  it('an administrator waives one warning: everybody is told until when, administrators by whom and why', async () => {
    const reply = await waive('backup', { Reason: '  The drive arrives on Thursday.\n' })
    expect(reply.status).toBe(200)
    const waiver = {
      UntilUtc: inDays(30),
      Reason: 'The drive arrives on Thursday.',
      WaivedTimeUtc: expect.stringMatching(/Z$/),
      WaivedBy: { PrincipalId: expect.stringMatching(/^\d+$/), Name: 'chief', PrincipalType: 'service' },
    }
    expect(reply.json).toEqual({ Warning: 'backup', ...waiver })
    expect(await told()).toEqual({
      waived: [{ Warning: 'backup', UntilUtc: inDays(30) }],
      warnings: [
        { Warning: 'backup', Waiver: waiver },
        { Warning: 'checkpoints', Waiver: null },
      ],
    })
    expect((await waive('backup', { Reason: 'Another reason.' })).json.ErrorCode).toBe('WarningWaived')
    expect((await told()).warnings[0].Waiver.Reason).toBe('The drive arrives on Thursday.')

    const back = await chief('DELETE', waiverOf('backup'))
    expect([back.status, back.text]).toEqual([204, ''])
    expect((await told()).waived).toEqual([])
    const again = await chief('DELETE', waiverOf('backup'))
    expect([again.status, again.json.ErrorCode]).toEqual([404, 'WaiverNotFound'])

    const detail = { warning: 'backup', untilUtc: inDays(30) }
    const acts = world.given
      .ledger()
      .filter(({ action }) => action === 'station.warningWaived' || action === 'station.waiverTakenBack')
    expect(acts).toMatchObject([
      {
        action: 'station.warningWaived',
        object: { type: 'station', id: '1' },
        actor: { name: 'chief' },
        reason: 'The drive arrives on Thursday.',
        correlationId: reply.correlationId,
        detail,
      },
      { action: 'station.waiverTakenBack', actor: { name: 'chief' }, correlationId: back.correlationId, detail },
    ])
    // The entry of the act states the row itself, so that both commit together.
    const bodies = world.given.database((db) => db.prepare('SELECT body FROM ledger ORDER BY seq').pluck().all())
    const stated = (bodies as Uint8Array[]).flatMap((body) => {
      const { action, detail } = JSON.parse(Buffer.from(body).toString('utf8')) as Json
      return ((detail?.['rows.stated'] ?? []) as [string, unknown, unknown][])
        .filter(([, row]) => String(row).startsWith('waiver-'))
        .map(([name, row, hash]) => ({ action, name, row, gone: hash === null }))
    })
    expect(stated).toEqual([
      { action: 'station.warningWaived', name: 'station', row: 'waiver-backup', gone: false },
      { action: 'station.waiverTakenBack', name: 'station', row: 'waiver-backup', gone: true },
    ])
  })

  it.each([
    ['no reason', { Reason: undefined }],
    ['an empty reason', { Reason: '' }],
    ['a reason of spaces', { Reason: ' \n\t ' }],
    ['a reason that is too long', { Reason: 'x'.repeat(1001) }],
    ['control characters', { Reason: 'a\u0000b' }],
    ['a reason that is no text', { Reason: 7 }],
    ['no end', { UntilUtc: undefined }],
    ['an end that is no time', { UntilUtc: 'tomorrow' }],
    ['an end today', { UntilUtc: iso(Date.now() + 1000) }],
    ['an end in the past', { UntilUtc: '2020-01-01T00:00:00Z' }],
    ['an end that is too far away', { UntilUtc: iso(Date.now() + 92 * DAY) }],
  ])('%s is refused and waives nothing', async (_, members) => {
    const { status, json } = await waive('backup', members)
    expect([status, json.ErrorCode, json.Details.length]).toEqual([400, 'InvalidModel', 1])
    expect((await told()).waived).toEqual([])
  })

  it('a reason may have a thousand characters, and spaces around it do not count', async () => {
    expect((await waive('checkpoints', { Reason: ` ${'é'.repeat(1000)} ` })).json.Reason).toBe('é'.repeat(1000))
    expect((await chief('DELETE', waiverOf('checkpoints'))).status).toBe(204)
  })

  it('of another warning, or of another tenant, nothing is waived', async () => {
    for (const warning of ['alarms', 'disk', 'Backup', '__proto__'])
      expect([warning, (await waive(warning)).json.ErrorCode]).toEqual([warning, 'InvalidModel'])
    const other = await chief('PUT', waiverOf('backup').replace('/station/station', '/other/station'), {
      Reason: 'x',
      UntilUtc: inDays(2),
    })
    expect([other.status, other.json.ErrorCode]).toEqual([404, 'TenantNotFound'])
    expect((await told()).waived).toEqual([])
  })

  it('belongs to account administrators, whatever policies somebody else is in', async () => {
    const { given } = world
    const policies = ['ManageConfiguration', 'ManageDevices', 'AccessAuditTrail', 'ApproveDisposition']
    const equipped = await signIn(await given.integration('equipped', policies), given.url)
    expect((await waive('checkpoints')).status).toBe(200)
    for (const [method, warning, body] of [
      ['PUT', 'backup', { Reason: 'x', UntilUtc: inDays(2) }],
      ['DELETE', 'checkpoints', undefined],
    ] as const)
      for (const [token, status] of [
        [given.token, 403],
        [equipped, 403],
        [null, 401],
      ] as const) {
        const reply = await given.call(method, waiverOf(warning), { token, ...(body === undefined ? {} : { body }) })
        expect([method, reply.status]).toEqual([method, status])
      }
    expect((await told()).waived).toEqual([{ Warning: 'checkpoints', UntilUtc: inDays(30) }])
    expect((await chief('DELETE', waiverOf('checkpoints'))).status).toBe(204)
  })

  it('a place for backups ends the waiver, also when the place is removed again', async ({ skip }) => {
    skip(isOnPostgres, 'on PostgreSQL: the tools of the server make backups')
    expect((await waive('backup')).status).toBe(200)
    const folder = path.join(world.given.dir, 'drive')
    mkdirSync(folder)
    const { TargetId } = await world.given.expecting(
      201,
      world.send('POST', '/backup-target', { Folder: folder, EveryHours: 24 }),
    )
    expect(await told()).toMatchObject({ waived: [], warnings: [{ Warning: 'checkpoints' }] })
    expect((await waive('backup')).json.ErrorCode).toBe('WarningNotStanding')
    await world.until(async () => (await world.keeping()).Backups.Targets[0].Last !== null, 'the first snapshot')
    expect((await world.send('DELETE', `/backup-target/${TargetId}`)).status).toBe(204)
    expect(await told()).toMatchObject({ waived: [], warnings: [{ Warning: 'backup', Waiver: null }, {}] })
  })

  it('survives a restart; a row that was changed in the database is found by verify', { timeout: 60_000 }, async () => {
    const { given } = world
    expect((await waive('backup', { UntilUtc: inDays(3) })).status).toBe(200)
    expect((await given.command('verify', { fast: true })).problems).toEqual([])
    await given.stop()
    const again = await startServer({ ...given.settings, port: 0 })
    try {
      const token = await signIn(given.connection, again.url)
      const asked = await fetch(`${again.url}${STATION}`, { headers: { authorization: `Bearer ${token}` } })
      expect(((await asked.json()) as Json).Waived).toEqual([{ Warning: 'backup', UntilUtc: inDays(3) }])
      const rows = async (): Promise<string[]> =>
        (await given.command('verify', { fast: true })).problems.map(
          ({ what, message }: Json) => `${what}: ${message.replace(/\d+/, 'N')}`,
        )
      const value = given.database((db) =>
        db.prepare("SELECT value FROM station WHERE name = 'waiver-backup'").pluck().get(),
      ) as string
      const longer = JSON.stringify({ ...JSON.parse(value), until: Date.now() + 80 * DAY })
      await given.meddle((db) => {
        db.prepare("UPDATE station SET value = ? WHERE name = 'waiver-backup'").run(longer)
        db.prepare("INSERT INTO station (name, value) VALUES ('waiver-clock', ?)").run(longer)
      })
      expect(await rows()).toEqual([
        'row waiver-backup of station: It is not what entry N says: it was changed in the database.',
        'row waiver-clock of station: No entry says that it was made: it was put into the database.',
      ])
      await given.meddle((db) => void db.prepare("DELETE FROM station WHERE name LIKE 'waiver-%'").run())
      expect(await rows()).toEqual(['row waiver-backup of station: Entry N says that it is there, and it is gone.'])
    } finally {
      await again.close()
    }
  })
})
