/** Worlds of cameras whose clocks are wrong in every way, read at every place that shows a time (promise I12). */
// @module-tag merge
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RecordedClockOut } from '../../shared/evidence/recorded-clock.contract.ts'
import { momentAt, clockOf } from '../../renderer/features/evidence/page/player/recorded.ts'
import { timelineOf } from '../../renderer/features/cases/page/scale.ts'
import { parseDuration } from '../../shared/kernel/durations.ts'
import { parseTime } from '../../shared/kernel/time.ts'
import type { Json, Reply } from '../support/given.ts'
import { signIn } from '../support/integrator.ts'
import { patience } from '../support/scale.ts'
import { DOCK, dockWorld } from './world.ts'
import { GPS_APART, GPS_IN_FUTURE, GPS_USED, ZONE_UNKNOWN } from '../../server/features/media/derive/capture-time.ts'

let world: Awaited<ReturnType<typeof dockWorld>>

/** Who holds Manage on all evidence of these worlds. */
let clerk: { readonly token: string; readonly id: string }

beforeAll(() => open(), patience(60_000))

async function open(settings: Parameters<typeof dockWorld>[0] = {}): Promise<void> {
  world = await dockWorld(settings)
  const connection = await world.given.integration('clerk', ['CreateCases'])
  clerk = { token: await signIn(connection, world.given.url), id: connection.ServicePrincipalId }
}
afterAll(() => world.close())

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const at = (text: string): number => Date.parse(text)
const millisOf = (text: string | null): number | null => {
  const time = text === null ? null : parseTime(text, { utcMember: true })
  return time === null ? null : Number(time.ticks / 10_000n)
}
const offsetOf = (text: string | null): number | null => {
  const by = text === null ? null : parseDuration(text)
  return by === null ? null : Number(by.ticks / 10_000n)
}

/** Milliseconds; an offset of null says that nobody compared the clocks. */
interface Expected {
  readonly recorded: number | null
  readonly corrected: number
  readonly offset: number | null
  readonly uncertainty: number | null
  readonly source: string
  /** Where the device named no zone: what it wrote, and whether the corrected time is no more than that. */
  readonly local?: string
  readonly zoneUnknown?: true
}

const told = (clock: RecordedClockOut): Expected => ({
  recorded: millisOf(clock.DeviceTimeUtc),
  corrected: millisOf(clock.CorrectedTimeUtc) as number,
  offset: offsetOf(clock.Offset),
  uncertainty: clock.UncertaintySeconds === null ? null : clock.UncertaintySeconds * 1000,
  source: clock.Source,
  ...(clock.LocalTime === undefined ? {} : { local: clock.LocalTime }),
  ...(clock.ZoneUnknown ? { zoneUnknown: true as const } : {}),
})

const ask = (method: string, address: string, body?: unknown): Promise<Reply> =>
  world.given.call(method, address, { token: clerk.token, ...(body === undefined ? {} : { body }) })
const ok = (reply: Promise<Reply>): Promise<Json> => world.given.expecting(200, reply)

/** Docked recordings are nobody's until an officer is known: the clerk is let in past the station. */
const letIn = (): Promise<unknown> =>
  world.given.meddle((db) =>
    db
      .prepare(
        `INSERT INTO evidence_policies (evidence_id, principal_id, level) SELECT evidence_id, ?, 'Manage' FROM evidence WHERE true
         ON CONFLICT DO NOTHING`,
      )
      .run(clerk.id),
  )

/** One page for all worlds: what the list, the case, the search and the two exports say of each evidence. */
async function readAll(ids: readonly string[]) {
  const { given } = world
  const list = (await ok(ask('GET', `${given.documents}/evidence?count=1000`))).Items as Json[]
  const made = await ask('POST', '/api/v1/case/station', { Title: 'All clocks', EvidenceIds: ids })
  expect(made.status, JSON.stringify(made.json)).toBe(201)
  const record = await ok(ask('GET', `/api/v1/case/station/${made.json.CaseId}`))
  const json = JSON.parse((await ask('GET', `${given.documents}/evidence/export?format=json`)).text) as Json
  const csv = (await ask('GET', `${given.documents}/evidence/export?format=csv`)).text
  return { list, record, json, csv }
}

async function hitOf(id: string): Promise<Json> {
  const answer = await ok(ask('POST', '/searchservice/api/v1/search/station', { Types: ['Evidence'], Count: 1000 }))
  return answer.Hits.find((hit: Json) => hit.Id === id)
}

/** By the columns of the head. Every cell stands in quotes, and none of these holds one; what begins like a formula has an apostrophe before it. */
function csvRow(csv: string, id: string): Record<string, string> {
  const lines = csv.replace(/^\uFEFF/, '').split(/\r?\n/)
  const cellsOf = (line: string): string[] => line.slice(1, -1).split('","')
  const head = cellsOf(lines[0] ?? '')
  const cells = cellsOf(lines.find((line) => line.startsWith(`"${id}",`)) ?? '')
  return Object.fromEntries(head.map((name, index) => [name, cells[index] ?? '']))
}

/**
 * What the calls board says of each. Only recordings of proved devices stand there, and calls come from dispatch: both are written into
 * the rows, so that every world has its place on a call. What the board says of the clock comes from the evidence alone.
 */
async function onBoard(worlds: ReadonlyMap<string, Expected>): Promise<Map<string, Json>> {
  const found = new Map<string, Json>()
  const all = [...worlds]
  // A call tells of thirty recordings.
  for (let from = 0; from < all.length; from += 20) {
    const some = all.slice(from, from + 20)
    const made = await ask('POST', '/api/v1/case/station', { Title: 'A call', OccurredOn: '2026-11-20T12:00:00Z' })
    expect(made.status, JSON.stringify(made.json)).toBe(201)
    const { CaseId } = made.json
    const officer = await world.given.meddle((db) => {
      const { id } = db.prepare("SELECT min(principal_id) AS id FROM principals WHERE kind = 'user'").get() as Json
      db.prepare("INSERT INTO case_personnel (case_id, position, principal_id, role) VALUES (?, 0, ?, 'assigned')").run(
        CaseId,
        id,
      )
      db.prepare(
        "INSERT INTO cad_events (tenant_id, event_id, case_id, stated, written, by_hand) VALUES ('station', ?, ?, '{}', '{}', '[]')",
      ).run(`I12 ${CaseId}`, CaseId)
      for (const [evidence, { corrected }] of some) {
        db.prepare('INSERT INTO evidence_recordings VALUES (?, ?, ?) ON CONFLICT DO NOTHING').run(
          evidence,
          'I12',
          BigInt(corrected) * 10_000n,
        )
        db.prepare(
          "INSERT INTO correlation_recordings (evidence_id, device_id, recorded_ms, from_ms, to_ms, names) VALUES (?, 'I12', ?, ?, ?, '[]') ON CONFLICT DO NOTHING",
        ).run(evidence, corrected, corrected, corrected + MINUTE)
        db.prepare(
          "INSERT INTO case_links (case_id, evidence_id, kind, confirmed, linked_on, linked_by) VALUES (?, ?, 'Automatic', 1, '2026-11-20T12:00:00Z', '{}')",
        ).run(CaseId, evidence)
      }
      // The engine is not told: it would take away links that no rule makes.
      db.exec('DELETE FROM correlation_pending')
      return String(id)
    })
    const reason = await ok(ask('GET', `/api/v1/correlation/station/board/${CaseId}/${officer}`))
    for (const one of reason.Recordings) found.set(one.EvidenceId, one)
  }
  return found
}

async function requireEverywhere(id: string, expected: Expected, all: Awaited<ReturnType<typeof readAll>>) {
  const { given } = world
  const item = all.list.find(({ EvidenceId }) => EvidenceId === id)
  expect(told(item.Clock), `list ${id}`).toEqual(expected)
  const { Summary } = item
  expect(
    {
      ...expected,
      recorded: expected.recorded,
      corrected: millisOf(Summary.RecordedTimeUtc),
      offset: offsetOf(Summary.ClockOffset),
      uncertainty: Summary.ClockUncertaintySeconds === null ? null : Summary.ClockUncertaintySeconds * 1000,
      source: Summary.ClockSource,
    },
    `summary ${id}`,
  ).toEqual(expected)
  const evidence = await ok(ask('GET', `${given.documents}/evidence/${id}`))
  expect(told(evidence.Clock), `record ${id}`).toEqual(expected)
  // The player and the details page, by their own functions.
  const resources = (await ok(ask('GET', `${given.documents}/evidence/${id}/resource`))) as Json[]
  const originals = resources.filter(({ Parent }) => Parent === null)
  // Of several files the one that begins first; those that follow may have no time of their own yet.
  const [first] = originals.toSorted(
    (a, b) => (millisOf(a.StartTimeUtc) ?? Infinity) - (millisOf(b.StartTimeUtc) ?? Infinity),
  )
  const shown = momentAt(clockOf(evidence, first, originals.length === 1), 0)
  expect(
    [
      millisOf(shown.recorded),
      millisOf(shown.corrected ?? shown.recorded),
      shown.offset === null ? null : Math.round(shown.offset * 1000),
    ],
    `player ${id}`,
  ).toEqual([expected.recorded, expected.corrected, expected.offset])
  // The case: its table and its timeline.
  const inCase = all.record.Evidences.find((one: Json) => one.EvidenceId === id)
  expect(told(inCase.Clock), `case ${id}`).toEqual(expected)
  expect(timelineOf([inCase], { OccurredOn: null, EndedOn: null })?.lanes[0]?.starts, `timeline ${id}`).toBe(
    expected.corrected,
  )
  const hit = await hitOf(id)
  expect(told(hit.Clock), `search ${id}`).toEqual(expected)
  // A local time of an unknown zone sorts, and is no instant.
  const instant = expected.zoneUnknown === true ? null : expected.corrected
  expect(millisOf(hit.StartTimeUtc), `search start ${id}`).toBe(instant)
  if (expected.zoneUnknown === true)
    expect([evidence.StartTimeUtc, inCase.StartTimeUtc, item.StartTimeUtc], `start ${id}`).toEqual([null, null, null])
  const exported = (Array.isArray(all.json) ? all.json : all.json.Items).find((one: Json) => one.EvidenceId === id)
  expect(told(exported.Clock), `json ${id}`).toEqual(expected)
  for (const [how, row] of [['csv', csvRow(all.csv, id)]] as const)
    expect(
      [
        millisOf(row.RecordedTimeUtc || null),
        millisOf(row.DeviceTimeUtc || null),
        offsetOf(row.ClockOffset?.replace(/^'/, '') || null),
        row.ClockSource,
        row.ClockUncertaintySeconds === '' || row.ClockUncertaintySeconds === null
          ? null
          : Number(row.ClockUncertaintySeconds) * 1000,
        row.LocalTime,
        row.ZoneUnknown,
      ],
      `${how} ${id}`,
    ).toEqual([
      expected.corrected,
      expected.recorded,
      expected.offset,
      expected.source,
      expected.uncertainty,
      expected.local ?? '',
      expected.zoneUnknown === true ? 'true' : '',
    ])
  // What is sorted and filtered by is the corrected time.
  const moment = new Date(expected.corrected).toISOString()
  const found = await ok(ask('GET', `${given.documents}/evidence?from=${moment}&to=${moment}&count=1000`))
  expect(
    found.Items.map(({ EvidenceId }: Json) => EvidenceId),
    `filter ${id}`,
  ).toContain(id)
}

/** Behind the station in milliseconds; ahead where it is negative; undefined: the camera does not tell its clock. */
const CLOCKS: readonly (number | undefined)[] = [
  40_000,
  -40_000,
  172_600,
  0,
  HOUR,
  -HOUR,
  3 * 86_400_000,
  -86_400_000,
  undefined,
  499,
]
/** By the camera's clock: a plain day, the hour of summer time that comes twice, midnight, the end of a year, an unset clock. */
const STARTS = [
  at('2026-11-20T14:07:42Z'),
  at('2026-10-25T00:59:45Z'),
  at('2026-11-19T23:59:40Z'),
  at('2026-12-31T23:59:50.250Z'),
  at('2000-01-01T00:00:00Z'),
]

describe('I12: times are shown as measured', () => {
  it('I12: 40 worlds say the same recorded time, corrected time, offset and uncertainty at every place', {
    timeout: patience(240_000),
  }, async () => {
    const { given } = world
    const expected = new Map<string, Expected>()
    const names: string[] = []
    // 24 cameras in their bays.
    const cameras = Array.from({ length: 24 }, (_, index) => ({
      bay: `bay ${index + 1}`,
      behind: CLOCKS[index % CLOCKS.length],
      uncertainty: [1000, 2500, 0, 60_000][index % 4] as number,
      start: STARTS[index % STARTS.length] as number,
      parts: index % 3 === 2 ? 3 : 1,
    }))
    for (const { bay, behind, uncertainty, start, parts } of cameras)
      world
        .camera(bay, {
          serial: `I12-${bay}`,
          recordings: [parts],
          bytes: 2000,
          start,
          uncertainty,
          ...(behind === undefined ? {} : { behind }),
        })
        .plugIn()
    const typed: [string, number][] = []
    for (const [index, { bay, behind, start }] of cameras.entries()) {
      const { DockSessionId: session } = await world.reached(bay, 'released', patience(120_000))
      const detail = await ok(world.get(`/session/${session}`))
      const measured = detail.Clock[0].Camera
      const station = detail.Clock[0].StationErrorMilliseconds ?? 0
      const offset: number | null = measured === null ? null : measured.OffsetMilliseconds
      expect(offset === null, bay).toBe(behind === undefined)
      // The dock measured what the camera was set to; reading it takes a while.
      if (offset !== null) expect(Math.abs(offset - (behind as number)), bay).toBeLessThan(patience(20_000))
      const docked: Expected = {
        recorded: start,
        corrected: start + (offset ?? 0),
        offset,
        uncertainty: measured === null ? null : Math.ceil(measured.UncertaintyMilliseconds + station),
        source: offset === null ? 'none' : 'dock',
      }
      const [recording] = detail.Recordings
      expect(told(recording.Clock), `session ${bay}`).toEqual(docked)
      const receipt = JSON.parse(
        (await given.call('GET', `${DOCK}/session/${session}/receipt/receipt.json`, { token: world.keeper })).text,
      ) as Json
      const [line] = receipt.recordings
      expect(
        [
          millisOf(line.startUtc),
          millisOf(line.correctedStartUtc),
          line.offsetMilliseconds,
          line.uncertaintyMilliseconds,
        ],
        `receipt ${bay}`,
      ).toEqual([docked.recorded, docked.corrected, docked.offset, docked.uncertainty])
      const id = recording.EvidenceId as string
      names.push(id)
      expected.set(id, docked)
      // Of every third a person says that it was another time; of some that the camera was right after all.
      if (index % 3 === 0) typed.push([id, index % 2 === 0 ? start : start + 7 * MINUTE + 123])
    }
    await letIn()
    for (const [id, corrected] of typed) {
      const before = expected.get(id) as Expected
      const record = await ok(ask('GET', `${given.documents}/evidence/${id}`))
      const changed = await ask('PATCH', `${given.documents}/evidence/${id}`, {
        StartTimeUtc: new Date(corrected).toISOString(),
        EndTimeUtc: new Date(corrected + 5 * MINUTE).toISOString(),
        ConcurrencyId: record.ConcurrencyId,
      })
      expect(changed.status, JSON.stringify(changed.json)).toBe(200)
      // Whoever types the time that stands there already changes nothing.
      if (corrected === before.corrected) continue
      expected.set(id, {
        recorded: before.recorded,
        corrected,
        offset: corrected - (before.recorded as number),
        uncertainty: null,
        source: 'person',
      })
    }
    // 16 that came over the interface, with and without an offset, the evidence put right or not.
    for (let index = 0; index < 16; index++) {
      const start = STARTS[index % STARTS.length] as number
      const offset = [72_000, -500, null, 0][index % 4] as number | null
      const right = index % 8 >= 4
      const none = index % 16 === 15
      const text = offset === null ? {} : { TimeOffset: `${offset < 0 ? '-' : ''}PT${Math.abs(offset) / 1000}S` }
      const { EvidenceId } = await given.evidence(
        none ? {} : { StartTimeUtc: new Date(start + (right ? (offset ?? 0) : 0)).toISOString() },
      )
      await given.resource(EvidenceId, { StartTimeUtc: new Date(start).toISOString(), ...text })
      names.push(EvidenceId)
      expected.set(EvidenceId, {
        recorded: start,
        corrected: start + (offset ?? 0),
        offset,
        uncertainty: null,
        source: offset === null ? 'none' : 'device',
      })
    }
    expect(names).toHaveLength(40)
    await letIn()
    const all = await readAll(names)
    for (const id of names) await requireEverywhere(id, expected.get(id) as Expected, all)
    const board = await onBoard(expected)
    for (const id of names) expect(told(board.get(id)?.['Clock']), `board ${id}`).toEqual(expected.get(id))
  })
})

describe('I12: times of pictures without a time zone', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sallyport-picture-times-'))
  beforeAll(async () => {
    await world.close()
    await open({ timeZone: 'Europe/Vienna' })
  }, patience(60_000))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** A real JPEG with these tags. */
  function picture(name: string, tags: Readonly<Record<string, string>>): Buffer {
    const file = path.join(folder, name)
    execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', 'testsrc=s=64x48', '-frames:v', '1', file])
    const given = Object.entries(tags).map(([tag, value]) => `-${tag}=${value}`)
    execFileSync('exiftool', ['-q', '-overwrite_original', '-n', ...given, file])
    return readFileSync(file)
  }

  async function taken(tags: Readonly<Record<string, string>>): Promise<{ id: string; message: string }> {
    const { given } = world
    const { EvidenceId: id } = await given.evidence({})
    await given.completed(picture('photo.jpg', tags), { evidenceId: id, name: 'photo.jpg' })
    await given.settled(id)
    const resources = (await given.expecting(
      200,
      given.call('GET', `${given.documents}/evidence/${id}/resource`),
    )) as Json[]
    const work = resources.flatMap(({ Processing }) => Processing as Json[])
    return { id, message: work.find(({ Kind }) => Kind === 'derive.exif')?.Message ?? '' }
  }

  const LOCAL = { DateTimeOriginal: '2024:11:20 14:07:42', SubSecTimeOriginal: '25' }
  const gps = (date: string, time: string) => ({ GPSDateStamp: date, GPSTimeStamp: time })
  const unknown = (local: string, instant: string): Expected => ({
    recorded: at(instant),
    corrected: at(instant),
    offset: null,
    uncertainty: null,
    source: 'container',
    local,
    zoneUnknown: true,
  })
  const UNKNOWN = unknown('2024-11-20T14:07:42.25', '2024-11-20T13:07:42.250Z')
  const byGps = (instant: string): Expected => ({
    recorded: at(instant),
    corrected: at(instant),
    offset: null,
    uncertainty: null,
    source: 'gps',
    local: '2024-11-20T14:07:42.25',
  })
  const GPS_ALONE: Expected = {
    recorded: at('2024-11-20T13:07:40Z'),
    corrected: at('2024-11-20T13:07:40Z'),
    offset: null,
    uncertainty: null,
    source: 'gps',
  }

  /** Search by period takes a local time as in the zone of the station, and marks what it finds so. */
  async function requirePeriods(expected: ReadonlyMap<string, Expected>): Promise<void> {
    const searched = async (FromUtc: number, ToUtc: number): Promise<Json[]> =>
      (
        await ok(
          ask('POST', '/searchservice/api/v1/search/station', {
            Types: ['Evidence'],
            Count: 1000,
            FromUtc: new Date(FromUtc).toISOString(),
            ToUtc: new Date(ToUtc).toISOString(),
          }),
        )
      ).Hits
    for (const [id, { corrected, zoneUnknown }] of expected) {
      const hit = (await searched(corrected, corrected)).find((one) => one['Id'] === id)
      expect(hit?.['Clock'].ZoneUnknown, `period ${id}`).toBe(zoneUnknown === true)
      // Nor is it found where its digits would be in UTC.
      for (const [from, to] of [
        [corrected - HOUR, corrected - 1],
        [corrected + 1, corrected + HOUR],
      ] as const)
        expect(
          (await searched(from, to)).map((one) => one['Id']),
          `beside ${id}`,
        ).not.toContain(id)
    }
  }

  it('I12: the GPS time is the time; without one the local time sorts, marked, and is the same at every place', {
    timeout: patience(240_000),
  }, async () => {
    const cases: readonly (readonly [Readonly<Record<string, string>>, Expected, string])[] = [
      [LOCAL, UNKNOWN, ZONE_UNKNOWN],
      [{ ...LOCAL, ...gps('2024:11:20', '13:07:40') }, byGps('2024-11-20T13:07:40Z'), GPS_USED],
      // Taken in Japan.
      [{ ...LOCAL, ...gps('2024:11:20', '05:07:40.5') }, byGps('2024-11-20T05:07:40.500Z'), GPS_USED],
      [{ ...LOCAL, ...gps('2005:04:06', '13:07:40') }, UNKNOWN, GPS_APART],
      [{ ...LOCAL, ...gps('2199:11:20', '13:07:40') }, UNKNOWN, GPS_IN_FUTURE],
      [{ ...LOCAL, ...gps('1980:01:06', '00:00:13') }, UNKNOWN, ZONE_UNKNOWN],
      [{ ...LOCAL, ...gps('0000:00:00', '00:00:00') }, UNKNOWN, ZONE_UNKNOWN],
      [{ ...LOCAL, GPSDateStamp: '2024:11:20' }, UNKNOWN, ZONE_UNKNOWN],
      [{ ...LOCAL, GPSTimeStamp: '13:07:40' }, UNKNOWN, ZONE_UNKNOWN],
      [{ ...LOCAL, ...gps('2024:11:20', '13:07:40'), GPSStatus: 'V' }, UNKNOWN, ZONE_UNKNOWN],
      // The receiver's time alone.
      [gps('2024:11:20', '13:07:40'), GPS_ALONE, ''],
      // The hour that comes twice: the earlier one.
      [
        { DateTimeOriginal: '2024:10:27 02:30:00' },
        unknown('2024-10-27T02:30:00', '2024-10-27T00:30:00Z'),
        ZONE_UNKNOWN,
      ],
      [
        { ...LOCAL, OffsetTimeOriginal: '+05:30', ...gps('2024:11:20', '13:07:40') },
        {
          recorded: at('2024-11-20T08:37:42.250Z'),
          corrected: at('2024-11-20T08:37:42.250Z'),
          offset: null,
          uncertainty: null,
          source: 'container',
        },
        '',
      ],
    ]
    const expected = new Map<string, Expected>()
    for (const [tags, clock, message] of cases) {
      const made = await taken(tags)
      expect(made.message, JSON.stringify(tags)).toContain(message)
      expected.set(made.id, clock)
    }
    const none = await taken({ DateTimeOriginal: '0000:00:00 00:00:00', ...gps('0000:00:00', '00:00:00') })
    await letIn()
    const nothing = await ok(ask('GET', `${world.given.documents}/evidence/${none.id}`))
    expect([nothing.StartTimeUtc, nothing.Clock.CorrectedTimeUtc, nothing.Clock.Source]).toEqual([null, null, 'none'])
    // An end before the local time is refused as before any other start; a start that somebody types takes its place.
    const [typed] = [...expected.keys()] as [string]
    const change = (body: Json) => ask('PATCH', `${world.given.documents}/evidence/${typed}`, body)
    expect((await change({ EndTimeUtc: '2024-11-20T13:00:00Z' })).json.ErrorCode).toBe('InvalidDateTimeRange')
    const before = await ok(ask('GET', `${world.given.documents}/evidence/${typed}`))
    expect(told(before.Clock)).toEqual(UNKNOWN)
    const all = await readAll([...expected.keys()])
    for (const [id, clock] of expected) await requireEverywhere(id, clock, all)
    const board = await onBoard(expected)
    for (const [id, clock] of expected) expect(told(board.get(id)?.['Clock']), `board ${id}`).toEqual(clock)
    await requirePeriods(expected)
    await ok(change({ StartTimeUtc: '2024-11-20T12:00:00Z' }))
    const after = await ok(ask('GET', `${world.given.documents}/evidence/${typed}`))
    expect(told(after.Clock)).toEqual({
      recorded: null,
      corrected: at('2024-11-20T12:00:00Z'),
      offset: null,
      uncertainty: null,
      source: 'person',
      local: '2024-11-20T14:07:42.25',
    })
    const then = await ok(
      ask('GET', `${world.given.documents}/evidence/${typed}?concurrencyId=${before.ConcurrencyId}`),
    )
    expect(told(then.Clock)).toEqual(UNKNOWN)
    expect(Object.keys(then).filter((name) => name.startsWith('Local'))).toEqual([])
  })
})
