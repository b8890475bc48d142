import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json, Reply } from '../../support/given.ts'
import { type Camera, CASES, type CadWorld, cadWorld, fresh, type Program } from './world.ts'

/** The correlation engine over HTTP: what it links, what it asks, what people decide (decisions 3 and 8; promise S4). */
let world: CadWorld
let officer: { id: string; name: string; badge: string }
let camera: Camera
beforeAll(async () => {
  world = await cadWorld()
  officer = await world.officer()
  camera = await world.camera(officer.id, soon(0))
})
afterAll(() => world.given.close())

/** Minutes from when this file began: of one moment, so that lengths are exact. */
const BASE = Date.now()
const soon = (minutes: number): string => new Date(BASE + minutes * 60_000).toISOString()
/** Each call has an hour of its own: none is near another one's recording. */
let hour = 0
const REVIEWS = '/api/v1/correlation/station/review'
const DEVICES = '/api/v1/tenant/station/device'

interface Linked {
  readonly caseId: string
  readonly evidenceId: string
  /** Minutes: when the call began. */
  readonly start: number
  readonly eventId: string
}

/** A call of six minutes and its recording, linked by the engine. */
async function linked(): Promise<Linked> {
  const start = ++hour * 60
  const evidenceId = await world.recording(camera, soon(start), soon(start + 10))
  const eventId = fresh('E')
  const { caseId } = await world.pushed({
    eventId,
    name: 'Alarm',
    eventStartTimeUtc: soon(start + 2),
    eventEndTimeUtc: soon(start + 8),
    involvedResources: [{ id: officer.badge }],
  })
  await linkIs({ caseId, evidenceId }, 'Linked')
  return { caseId, evidenceId, start, eventId }
}
const act = (who: Program, method: string, place: string, body?: Json): Promise<Reply> =>
  world.as(who, method, place, body)
const done = (method: string, place: string, body?: Json, status = 200): Promise<Json> =>
  world.given.expecting(status, act(world.chief, method, place, body))
const pair = ({ caseId, evidenceId }: Pick<Linked, 'caseId' | 'evidenceId'>): string =>
  `${CASES}/${caseId}/evidence/${evidenceId}`
const why = (of: Pick<Linked, 'caseId' | 'evidenceId'>): Promise<Json> => done('GET', `${pair(of)}/correlation`)
async function linkIs(of: Pick<Linked, 'caseId' | 'evidenceId'>, state: string): Promise<Json> {
  const found = await world.eventually(
    () => why(of),
    (one) => one.State === state,
  )
  expect(found.State).toBe(state)
  return found
}
/** Until the engine has looked at all that was asked. */
const settled = () =>
  world.eventually(
    async () => world.given.database((db) => db.prepare('SELECT count(*) FROM correlation_pending').pluck().get()),
    (left) => left === 0,
  )
const moved = (of: Linked, by: number): Promise<Json> =>
  done('PATCH', `${CASES}/${of.caseId}`, { OccurredOn: soon(of.start + 2 + by), EndedOn: soon(of.start + 8 + by) })
const code = ({ status, json }: Reply): unknown => [status, json?.ErrorCode]

describe('a link that the engine made', () => {
  it('is told with its rule, overlap, offset and confidence, and is a version of both', async () => {
    const one = await linked()
    const { Items, ...told } = await done('GET', `${CASES}/${one.caseId}/correlation`)
    expect(told).toEqual({
      CaseId: one.caseId,
      WindowFromUtc: soon(one.start),
      WindowToUtc: soon(one.start + 10),
      WindowCut: false,
      Withdrawn: [],
    })
    expect(Items.find((each: Json) => each.EvidenceId === one.evidenceId)).toMatchObject({
      State: 'Linked',
      Rule: 'officer',
      OverlapSeconds: 600,
      OffsetSeconds: null,
      Confidence: 'Medium',
      Checks: expect.arrayContaining([expect.objectContaining({ Code: 'Assigned', Holds: true })]),
    })
    const relations = await done('GET', `/api/v1/evidence/station/${one.evidenceId}`)
    expect(relations.Relations).toMatchObject([
      { CaseId: one.caseId, Kind: 'Automatic', Confirmed: false, Rule: 'officer', LinkedBy: { Username: 'internal' } },
    ])
    const record = await done('GET', `${world.given.documents}/evidence/${one.evidenceId}`)
    expect([record.AssociationState, record.ConcurrencyId]).toEqual(['Automatic', relations.ConcurrencyId])
  })

  it('gives View and no more, until somebody confirms it', async () => {
    const one = await linked()
    const viewer = await world.program(fresh('viewer'))
    await done('POST', `${CASES}/${one.caseId}/share`, {
      AccessPolicies: [{ Permissions: 'Edit', PrincipalId: viewer.id, KId: viewer.kId, PrincipalType: 'service' }],
    })
    const level = async (): Promise<unknown> =>
      (await act(viewer, 'GET', `${world.given.documents}/evidence/${one.evidenceId}`)).json.AccessorPermissions
    expect(await level()).toEqual(['View'])
    // Who may edit the case may not move its times now, nor confirm.
    const patch = await act(viewer, 'PATCH', `${CASES}/${one.caseId}`, { EndedOn: soon(one.start + 30) })
    expect([patch.status, patch.text]).toEqual([403, ''])
    expect((await act(viewer, 'PATCH', `${CASES}/${one.caseId}`, { Title: 'Another title' })).status).toBe(200)
    expect((await act(viewer, 'POST', `${pair(one)}/confirm`)).status).toBe(403)
    expect((await act(viewer, 'POST', `${pair(one)}/refuse`, { Reason: 'x' })).status).toBe(403)
    await done('POST', `${pair(one)}/confirm`)
    expect(await level()).toEqual(['View', 'Download', 'Edit'])
  })

  it('goes when the call turns out to have been at another time, visibly, and holds up disposition; it comes back', async () => {
    const one = await linked()
    await moved(one, 30)
    await linkIs(one, 'NotLinked')
    const { Withdrawn } = await done('GET', `${CASES}/${one.caseId}/correlation`)
    expect(Withdrawn).toEqual([
      {
        EvidenceId: one.evidenceId,
        EvidenceName: expect.any(String),
        Suspends: true,
        WithdrawnUtc: expect.any(String),
        Reason: expect.stringContaining('it ends 20 min before that'),
      },
    ])
    const held = world.given.database((db) =>
      db
        .prepare('SELECT rule FROM withdrawn_links WHERE evidence_id = ? AND settled_utc IS NULL')
        .pluck()
        .all(Number(one.evidenceId)),
    )
    expect(held).toEqual(['officer'])
    // Whoever asks why is told of it too, with what it was judged by.
    const told = await why(one)
    expect(told.Withdrawn).toEqual(Withdrawn[0])
    const factsOf = (code: string): Json => told.Checks.find(({ Code }: Json) => Code === code).Facts
    const at = (minutes: number): number => Date.parse(soon(one.start + minutes))
    expect(factsOf('CaseHasTime')).toMatchObject({ began: at(32), over: at(38), from: at(30), to: at(40) })
    expect(factsOf('Overlap')).toMatchObject({ from: at(0), to: at(10), gap: 20 * 60_000, offset: null })
    expect(factsOf('Assigned')).toEqual({ officers: [expect.stringContaining(officer.name)] })
    await moved(one, 0)
    await linkIs(one, 'Linked')
  })

  it('follows a late message of dispatch, and an officer who was not there after all', async () => {
    const one = await linked()
    await world.pushed({ eventId: one.eventId, eventStartTimeUtc: soon(one.start + 2), involvedResources: [] })
    expect((await linkIs(one, 'NotLinked')).Text).toBe('Nobody who had the camera was assigned to the call.')
  })

  it('that was refused never comes back', async () => {
    const one = await linked()
    await done('POST', `${pair(one)}/refuse`, { Reason: 'He was at another call' }, 204)
    const refused = await linkIs(one, 'Refused')
    expect(refused.Text).toContain('Somebody refused this link: He was at another call')
    await moved(one, 1)
    await settled()
    await linkIs(one, 'Refused')
    expect((await done('GET', `${CASES}/${one.caseId}`)).Evidences).toEqual([])
    expect(code(await act(world.chief, 'POST', `${pair(one)}/refuse`, { Reason: 'x' }))).toEqual([
      400,
      'InvalidLinkAction',
    ])
  })
})

describe('where the engine may not act it asks', () => {
  const asked = async (of: Linked, act: string, because: string): Promise<Json> => {
    const found = await world.eventually(
      async () =>
        (await done('GET', `${REVIEWS}?count=1000`)).Items.find(
          (one: Json) => one.CaseId === of.caseId && one.EvidenceId === of.evidenceId,
        ),
      (one) => one !== undefined,
    )
    expect(found).toMatchObject({
      Act: act,
      Because: because,
      CaseTitle: expect.any(String),
      EvidenceName: expect.any(String),
    })
    return found
  }
  const open = async (of: Linked): Promise<boolean> =>
    (await done('GET', `${REVIEWS}?count=1000`)).Items.some((one: Json) => one.CaseId === of.caseId)

  it('a confirmed link that fits no more stays; the question goes when it fits again', async () => {
    const one = await linked()
    await done('POST', `${pair(one)}/confirm`)
    await moved(one, 30)
    await asked(one, 'Withdraw', 'Confirmed')
    expect((await why(one)).State).toBe('Confirmed')
    await moved(one, 0)
    expect(
      await world.eventually(
        () => open(one),
        (still) => !still,
      ),
    ).toBe(false)
  })

  it('a closed case gets nothing and loses nothing; what was looked at is not asked again', async () => {
    const one = await linked()
    await done('POST', `${CASES}/${one.caseId}/close`)
    // Another recording of the same officer in that time.
    const late = await world.recording(camera, soon(one.start + 3), soon(one.start + 5))
    const other = { ...one, evidenceId: late }
    const { ReviewId } = await asked(other, 'Link', 'CaseClosed')
    expect((await act(world.nobody, 'GET', REVIEWS)).json.Items).toEqual([])
    expect(code(await act(world.nobody, 'POST', `${REVIEWS}/${ReviewId}/settle`, { Reason: 'x' }))).toEqual([
      400,
      'ReviewNotFound',
    ])
    await done('POST', `${REVIEWS}/${ReviewId}/settle`, { Reason: 'Not needed' }, 204)
    expect(await open(other)).toBe(false)
    await done('POST', `${CASES}/${one.caseId}/reopen`)
    await linkIs(other, 'Linked')
    await linkIs(one, 'Linked')
  })

  it('somebody who may does it: a confirmed link goes, and what a protected case lacks is linked by hand', async () => {
    const one = await linked()
    await done('POST', `${pair(one)}/confirm`)
    await moved(one, 30)
    const { ReviewId } = await asked(one, 'Withdraw', 'Confirmed')
    const accepted = `${REVIEWS}/${ReviewId}/accept`
    // Who may not change the case changes it by no question either.
    const viewer = await world.program(fresh('viewer'))
    await done('POST', `${CASES}/${one.caseId}/share`, {
      AccessPolicies: [{ Permissions: 'View', PrincipalId: viewer.id, KId: viewer.kId, PrincipalType: 'service' }],
    })
    expect(code(await act(viewer, 'POST', accepted, { Reason: 'x' }))).toEqual([400, 'ReviewNotFound'])
    await done('POST', accepted, { Reason: 'He was elsewhere' }, 204)
    expect([(await why(one)).State, await open(one)]).toEqual(['Refused', false])
    expect(code(await act(world.chief, 'POST', accepted, { Reason: 'x' }))).toEqual([400, 'ReviewNotFound'])

    const sealed = await linked()
    await done('POST', `${CASES}/${sealed.caseId}/protect`, { Reason: 'Appeal' })
    const late = {
      ...sealed,
      evidenceId: await world.recording(camera, soon(sealed.start + 3), soon(sealed.start + 5)),
    }
    const lacks = await asked(late, 'Link', 'CaseProtected')
    await done('POST', `${REVIEWS}/${lacks.ReviewId}/accept`, { Reason: 'It shows the door' }, 204)
    const relations = await done('GET', `/api/v1/evidence/station/${late.evidenceId}`)
    expect(relations.Relations).toMatchObject([{ CaseId: late.caseId, Kind: 'Manual', Confirmed: true }])
    await settled()
    expect(await open(late)).toBe(false)
  })

  it('nothing goes into a closed case by a question, until it is opened', async () => {
    const one = await linked()
    await done('POST', `${CASES}/${one.caseId}/close`)
    const late = { ...one, evidenceId: await world.recording(camera, soon(one.start + 3), soon(one.start + 5)) }
    const { ReviewId } = await asked(late, 'Link', 'CaseClosed')
    expect(code(await act(world.chief, 'POST', `${REVIEWS}/${ReviewId}/accept`, { Reason: 'x' }))).toEqual([
      400,
      'CaseClosed',
    ])
    expect(await open(late)).toBe(true)
  })

  it('an association that is made later links what was recorded already', async () => {
    const stranger = await world.officer()
    const start = ++hour * 60
    const evidenceId = await world.recording(camera, soon(start), soon(start + 10))
    const { caseId } = await world.pushed({
      eventId: fresh('E'),
      eventStartTimeUtc: soon(start + 2),
      involvedResources: [{ id: stranger.badge }],
    })
    await settled()
    expect((await why({ caseId, evidenceId })).State).toBe('NotLinked')
    await done(
      'POST',
      `${DEVICES}/${camera.id}/association`,
      { PrincipalId: stranger.id, FromUtc: soon(start - 5), ToUtc: soon(start + 30) },
      201,
    )
    const now = await linkIs({ caseId, evidenceId }, 'Linked')
    expect(now.Text).toContain('was assigned to the call')
  })
})

describe('further rules', () => {
  const RULES = '/api/v1/correlation/station/rules'
  it('are off, need ManageConfiguration, and look at every case again when they are turned on', async () => {
    const off = { Place: { Enabled: false, RadiusMetres: 200 }, Number: { Enabled: false } }
    expect(await done('GET', RULES)).toEqual(off)
    expect((await act(world.dispatch, 'PUT', RULES, off)).status).toBe(403)
    const start = ++hour * 60
    const evidence = await done(
      'POST',
      `${world.given.documents}/evidence`,
      {
        Name: 'By number',
        StartTimeUtc: soon(start),
        Device: { SerialNumber: camera.serial, Manufacturer: 'Acme' },
        DeviceCredential: camera.credential,
      },
      201,
    )
    const eventId = `N-${hour}-4711`
    await done(
      'POST',
      `${world.given.documents}/evidence/${evidence.EvidenceId}/resource`,
      { Name: `${eventId}.mp4` },
      201,
    )
    const { caseId } = await world.pushed({ eventId, eventStartTimeUtc: soon(start) })
    const of = { caseId, evidenceId: evidence.EvidenceId as string }
    await settled()
    expect((await why(of)).State).toBe('NotLinked')
    await done('PUT', RULES, { ...off, Number: { Enabled: true } })
    expect((await linkIs(of, 'Linked')).Rule).toBe('number')
    await done('PUT', RULES, off)
    await linkIs(of, 'NotLinked')
  })
})

it('what nothing proves to be of a camera is told so, and linked by nobody but people', async () => {
  const start = ++hour * 60
  const claimed = await done(
    'POST',
    `${world.given.documents}/evidence`,
    { Name: 'Claimed', StartTimeUtc: soon(start), Device: { SerialNumber: camera.serial, Manufacturer: 'Acme' } },
    201,
  )
  const { caseId } = await world.pushed({
    eventId: fresh('E'),
    eventStartTimeUtc: soon(start),
    involvedResources: [{ id: officer.badge }],
  })
  await settled()
  expect(await why({ caseId, evidenceId: claimed.EvidenceId })).toMatchObject({
    State: 'NotLinked',
    Because: 'DeviceNotProved',
    Text: expect.stringContaining('Nothing proves which camera recorded it'),
  })
})
