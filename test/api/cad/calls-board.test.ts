import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../support/given.ts'
import { type Camera, CASES, type CadWorld, cadWorld, fresh, type Program } from './world.ts'

/** Calls versus footage over HTTP: five states, whose rights they are judged by, what is handed out (issue 7; promise S4). */
const BOARD = '/api/v1/correlation/station/board'
/** A morning to come: a camera is active from now on, and what it recorded before would be nobody's. */
const DATE = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
const at = (minutes: number): string => new Date(Date.parse(`${DATE}T07:00:00Z`) + minutes * 60_000).toISOString()
const UNIT = fresh('=B1')

type Officer = Awaited<ReturnType<CadWorld['officer']>>
let world: CadWorld
let anna: Officer
let ben: Officer
let camera: Camera
let bens: Camera
beforeAll(async () => {
  world = await cadWorld({ timeZone: 'UTC' })
  anna = await world.officer()
  ben = await world.officer()
  camera = await world.camera(anna.id, new Date().toISOString())
  bens = await world.camera(ben.id, new Date().toISOString())
})
afterAll(() => world.given.close())

const asked = (who: Program, query = '', date = DATE): Promise<Json> =>
  world.given.expecting(200, world.as(who, 'GET', `${BOARD}?date=${date}${query}`))
const calledAt = async (from: number, to: number | null, ...officers: Officer[]): Promise<string> => {
  const { caseId } = await world.pushed({
    eventId: fresh('E'),
    name: '=HYPERLINK("x")',
    eventStartTimeUtc: at(from),
    ...(to === null ? {} : { eventEndTimeUtc: at(to) }),
    involvedResources: officers.map(({ badge }) => ({ id: UNIT, name: badge })),
  })
  return caseId
}
const itemOf = (board: Json, caseId: string, officer: Officer): Json =>
  board.Rows.filter((row: Json) => row.Officer.PrincipalId === officer.id)
    .flatMap((row: Json) => row.Items)
    .find((item: Json) => item.CaseId === caseId)
/** Until the engine knows when the recording was. */
const becomes = async (caseId: string, officer: Officer, state: string): Promise<Json> =>
  world.eventually(
    async () => itemOf(await asked(world.chief), caseId, officer),
    (item) => item?.State === state,
  )
const named = async (of: Camera, name: string, from: number, to: number): Promise<string> => {
  const { given, chief, as } = world
  const evidence = await given.expecting(
    201,
    as(chief, 'POST', `${given.documents}/evidence`, {
      Name: name,
      StartTimeUtc: at(from),
      EndTimeUtc: at(to),
      Device: { SerialNumber: of.serial, Manufacturer: 'Acme', DeviceType: 'BodyWornCamera' },
      DeviceCredential: of.credential,
    }),
  )
  const resource = { Name: name, StartTimeUtc: at(from), EndTimeUtc: at(to) }
  await given.expecting(201, as(chief, 'POST', `${given.documents}/evidence/${evidence.EvidenceId}/resource`, resource))
  return evidence.EvidenceId
}
/** As a docking leaves it. */
const docked = (of: Camera, minutes: number, state: string, files: string | null = null): Promise<unknown> =>
  world.given.meddle((db) => {
    const { lastInsertRowid: session } = db
      .prepare(
        `INSERT INTO dock_sessions (tenant_id, volume_id, camera_key, bay, label, state, ended, device_id, clear_rule, detected_at, committed_at)
         VALUES ('station', 'v', ?, '1', 'x', ?, ?, ?, 'never', ?, ?)`,
      )
      .run(
        `device:${of.id}`,
        state,
        state === 'released' ? 1 : 0,
        of.id,
        Date.parse(at(minutes)),
        state === 'released' ? Date.parse(at(minutes + 1)) : null,
      )
    if (files === null) return
    const { lastInsertRowid: recording } = db
      .prepare(
        `INSERT INTO dock_recordings (session_id, recording_key, name, corrected_start_utc, corrected_end_utc, marks) VALUES (?, 'k', 'x', ?, ?, '[]')`,
      )
      .run(session, files, files)
    db.prepare(
      `INSERT INTO dock_files (session_id, recording_id, path_key, path, location, length, modified_ns, may_be_cleared, round, outcome) VALUES (?, ?, 'p', 'p', ?, 1, '0', 0, 1, 'failed')`,
    ).run(session, recording, Buffer.of(0))
  })

describe('a call and an officer', () => {
  it('goes through its states as cameras come in, each with its reason', async () => {
    const [whole, part, none] = [
      await calledAt(0, 20, anna),
      await calledAt(40, 60, anna),
      await calledAt(80, 100, anna),
    ]
    expect(itemOf(await asked(world.chief), none, anna)).toMatchObject({
      State: 'NotDocked',
      Reason: 'NotDockedSince',
      DispatchedSeconds: 1200,
      CoveredSeconds: 0,
    })
    await world.recording(camera, at(-2), at(21))
    await world.recording(camera, at(43), at(70))
    expect(await becomes(whole, anna, 'Covered')).toMatchObject({ Reason: 'Recorded', CoveredSeconds: 1200 })
    expect(await becomes(part, anna, 'Partly')).toMatchObject({
      Reason: 'StartsLate',
      CoveredSeconds: 1020,
      Recorded: [{ FromUtc: at(43), ToUtc: at(60) }],
    })
    await docked(camera, 110, 'copying')
    expect(itemOf(await asked(world.chief), none, anna)).toMatchObject({ State: 'NotDocked', Reason: 'Docking' })
    await docked(camera, 120, 'released')
    const board = await asked(world.chief)
    expect(itemOf(board, none, anna)).toMatchObject({ State: 'None', Reason: 'NotRecorded' })
    expect(board).toMatchObject({ Shift: null, TimeZone: 'UTC', AnyCalls: true, CamerasTold: true, Units: [UNIT] })
    const row = board.Rows.find((one: Json) => one.Officer.PrincipalId === anna.id)
    expect([row.Unit, row.Cameras]).toEqual([UNIT, [camera.serial]])
  })

  it('tells of a camera that failed, and of one whose officer had none', async () => {
    const clara = await world.officer()
    const [failed, bare] = [await calledAt(200, 220, ben), await calledAt(200, 220, clara)]
    await docked(bens, 240, 'released', at(205))
    const board = await asked(world.chief)
    expect(itemOf(board, failed, ben)).toMatchObject({ State: 'CameraFailed', Reason: 'FilesFailed' })
    expect(itemOf(board, bare, clara)).toMatchObject({ State: 'None', Reason: 'NoCamera' })
    await docked(bens, 241, 'failed')
    expect(itemOf(await asked(world.chief), failed, ben).State).toBe('CameraFailed')
  })

  it('says why on one question, with the recordings and the cameras', async () => {
    const caseId = await calledAt(300, 320, anna)
    const evidenceId = await world.recording(camera, at(305), at(330), 'PT30S')
    await becomes(caseId, anna, 'Partly')
    const why = await world.given.expecting(200, world.as(world.chief, 'GET', `${BOARD}/${caseId}/${anna.id}`))
    expect(why).toMatchObject({
      State: 'Partly',
      Reason: 'StartsLate',
      Unit: UNIT,
      Cameras: [{ Name: camera.serial, Active: true, Failed: null }],
    })
    expect(why.Recordings[0]).toMatchObject({
      EvidenceId: evidenceId,
      // Corrected time, not the camera's own.
      FromUtc: at(305.5),
      Counts: true,
      OwnOfficer: true,
      OffsetSeconds: 30,
      Rule: 'officer',
      Against: [],
    })
    const { status, json } = await world.as(world.chief, 'GET', `${BOARD}/${caseId}/${ben.id}`)
    expect([status, json.ErrorCode]).toEqual([400, 'UserNotFound'])
  })

  it('shows a missing number of a camera, and not one that was here and is destroyed', async () => {
    const caseId = await calledAt(400, 410, ben)
    await named(bens, 'CAM_0030.mp4', 400, 402)
    const last = await named(bens, 'CAM_0033.mp4', 404, 420)
    const gaps = async (who: Program): Promise<Json[]> => (await asked(who)).Rows.flatMap((row: Json) => row.Gaps)
    const shown = await world.eventually(
      () => gaps(world.chief),
      (found) => found.length > 0,
    )
    expect(shown).toMatchObject([
      { PrincipalId: ben.id, Camera: bens.serial, Missing: ['0031', '0032'], AfterEvidenceId: last, Sure: true },
    ])
    await docked(bens, 430, 'released')
    await world.given.meddle((db) =>
      db
        .prepare(`INSERT INTO dock_recordings (session_id, recording_key, name, corrected_start_utc, marks)
          SELECT max(session_id), 'gone', 'CAM_0031.mp4', ?, '[]' FROM dock_sessions WHERE device_id = ?`)
        .run(at(403), bens.id),
    )
    expect((await gaps(world.chief))[0]?.Missing).toEqual(['0032'])
    expect(itemOf(await asked(world.chief), caseId, ben).State).toBe('Partly')
  })
})

describe('what whoever asks may know', () => {
  it('is all that is shown and counted: neither other calls nor other recordings nor cameras', async () => {
    const dora = await world.officer()
    const doras = await world.camera(dora.id, new Date().toISOString())
    const [mine, other] = [await calledAt(500, 520, dora), await calledAt(530, 540, dora)]
    const evidenceId = await named(doras, 'D_0001.mp4', 499, 521)
    await named(doras, 'D_0003.mp4', 529, 541)
    await becomes(mine, dora, 'Covered')
    await becomes(other, dora, 'Covered')
    const viewer = await world.program(fresh('viewer'))
    const empty = { Rows: [], Calls: [], Units: [], Officers: [], AnyCalls: false }
    expect(await asked(viewer)).toMatchObject(empty)
    await world.given.expecting(
      200,
      world.as(world.chief, 'POST', `${CASES}/${mine}/share`, {
        AccessPolicies: [{ Permissions: 'View', PrincipalId: viewer.id, KId: viewer.kId, PrincipalType: 'service' }],
      }),
    )
    // The link that the engine made gives View of the recording; the other call, its recording and the gap before it are not there.
    const seen = await asked(viewer)
    expect(seen).toMatchObject({ AnyCalls: true, CamerasTold: false, Tally: { Covered: 1, None: 0, NotDocked: 0 } })
    expect(seen.Calls.map((one: Json) => one.CaseId)).toEqual([mine])
    expect(seen.Rows).toMatchObject([{ Cameras: [], Gaps: [] }])
    expect((await world.as(viewer, 'GET', `${BOARD}/${other}/${dora.id}`)).status).toBe(403)
    await world.given.expecting(
      204,
      world.as(world.chief, 'POST', `${CASES}/${mine}/evidence/${evidenceId}/refuse`, { Reason: 'Another call' }),
    )
    // Without the link the recording is not theirs to view: to them there is none, and nothing says why.
    expect(itemOf(await asked(viewer), mine, dora)).toMatchObject({ State: 'None', Reason: 'CamerasNotTold' })
    expect(itemOf(await asked(world.chief), mine, dora)).toMatchObject({ State: 'NotDocked', Reason: 'NotDockedSince' })
    const why = await world.given.expecting(200, world.as(viewer, 'GET', `${BOARD}/${mine}/${dora.id}`))
    expect([why.Cameras, why.Recordings, why.CamerasTold]).toEqual([[], [], false])
    expect(JSON.stringify([await asked(viewer), why])).not.toContain(doras.serial)
  })
})

describe('the board', () => {
  it('is split where somebody says, and each call is in the shift in which it began', async () => {
    const put = (Shifts: Json[], who = world.chief) => world.as(who, 'PUT', `${BOARD}/shifts`, { Shifts })
    const [early, late] = [await calledAt(600, 700, anna), await calledAt(601, 610, anna)]
    expect((await put([{ Start: '17:01', Name: 'Late' }], world.nobody)).status).toBe(403)
    expect((await put([])).status).toBe(400)
    const saved = await put([
      { Start: '17:01', Name: 'Late' },
      { Start: '05:00', Name: 'Early' },
    ])
    expect(saved.json.Shifts.map((one: Json) => one.Name)).toEqual(['Early', 'Late'])
    const cases = async (query: string, date = DATE) =>
      (await asked(world.chief, query, date)).Calls.map((one: Json) => one.CaseId)
    const [first, second] = [await cases('&shift=0'), await cases('&shift=1')]
    expect([first.includes(early), first.includes(late), second.includes(early), second.includes(late)]).toEqual([
      true,
      false,
      false,
      true,
    ])
    const wrong = await world.as(world.chief, 'GET', `${BOARD}?date=${DATE}&shift=2`)
    expect([wrong.status, (await world.as(world.chief, 'GET', `${BOARD}?date=2026-02-30`)).status]).toEqual([400, 400])
    expect(await asked(world.chief, `&officer=${anna.id}&state=None`)).toMatchObject({
      Rows: [{ Officer: { PrincipalId: anna.id } }],
    })
    await put([
      { Start: '06:00', Name: '' },
      { Start: '14:00', Name: '' },
      { Start: '22:00', Name: '' },
    ])
  })

  it('begins with the last shift that has a call where the one on now has none, for each caller with their own', async () => {
    const usual = (who: Program): Promise<Json> => world.given.expecting(200, world.as(who, 'GET', BOARD))
    const board = await usual(world.chief)
    expect(board.Calls.length).toBeGreaterThan(0)
    expect(board.Date).toBe((await asked(world.chief)).Date)
    // A shift that is asked for is answered, empty or not.
    const on = new Date().toISOString().slice(0, 10)
    expect((await asked(world.chief, '&shift=0', on)).Calls).toEqual([])
    // Whoever may see no call gets the shift on now, without a word of other calls.
    const viewer = await world.program(fresh('viewer'))
    expect(await usual(viewer)).toMatchObject({ Date: expect.not.stringMatching(DATE), Calls: [], AnyCalls: false })
    const mine = await calledAt(-60 * 24 * 60, -60 * 24 * 60 + 10, anna)
    await world.given.expecting(
      200,
      world.as(world.chief, 'POST', `${CASES}/${mine}/share`, {
        AccessPolicies: [{ Permissions: 'View', PrincipalId: viewer.id, KId: viewer.kId, PrincipalType: 'service' }],
      }),
    )
    expect((await usual(viewer)).Calls.map((one: Json) => one.CaseId)).toEqual([mine])
  })

  it('sums a week as the days do', async () => {
    const place = `${BOARD}/weeks?date=${DATE}&weeks=2`
    const { Items } = await world.given.expecting(200, world.as(world.chief, 'GET', place))
    const { Tally, Calls } = await asked(world.chief)
    expect([Items.length, Items[1].Tally, Items[1].Calls]).toEqual([2, Tally, Calls.length])
    expect([Items[0].ToUtc, Items[0].Calls]).toEqual([Items[1].FromUtc, 0])
    expect(Tally.CoveredSeconds).toBeGreaterThan(0)
    expect((await world.as(world.chief, 'GET', `${BOARD}/weeks?weeks=13`)).status).toBe(400)
  })

  it('is handed out as CSV that no spreadsheet runs, and as JSON, and that is written down', async () => {
    const place = `${BOARD}/export?date=${DATE}`
    const csv = await world.as(world.chief, 'GET', place)
    const lines = csv.text.split('\r\n')
    expect([csv.status, csv.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/csv')])
    expect(lines[0]).toContain('"Kind","Date","Unit","Officer"')
    expect(lines.some((line) => line.includes(`"'=HYPERLINK`) && line.includes(`"'${UNIT}"`))).toBe(true)
    expect(lines.some((line) => line.startsWith('"MissingNumbers"') && line.includes('"0032"'))).toBe(true)
    const json = await world.as(world.chief, 'GET', `${place}&format=json&until=${DATE}`)
    const { Tally } = await asked(world.chief)
    const { DispatchedSeconds: _d, CoveredSeconds: _c, ...counts } = Tally
    const all = Object.values(counts as Record<string, number>).reduce((sum, one) => sum + one, 0)
    expect((json.json as unknown as Json[]).filter((one) => one.Kind === 'Call')).toHaveLength(all)
    const entries = world.given.ledger().filter((entry) => entry.correlationId === csv.correlationId)
    expect(entries.map(({ action, object }) => [action, object.type])).toEqual([
      ['list.exportStarted', 'callsBoard'],
      ['list.exported', 'callsBoard'],
    ])
    const long = await world.as(world.chief, 'GET', `${BOARD}/export?date=2026-01-01&until=2026-12-31`)
    expect([long.status, long.json.Details[0].Path]).toEqual([400, 'until'])
    const nothing = await world.as(world.nobody, 'GET', place)
    expect(nothing.text.split('\r\n').filter((line) => line !== '')).toHaveLength(1)
  })
})
