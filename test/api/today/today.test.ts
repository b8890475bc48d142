import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADMINISTRATOR, type CallOptions, type Json, type Reply } from '../../support/given.ts'
import { type Camera, CASES, type CadWorld, cadWorld, fresh } from '../cad/world.ts'

/** The start page over HTTP: of the caller alone, by the rights of the caller (promise S4). */
const TODAY = '/api/v1/tenant/station/today'
const PASSWORD = 'seven lamps by the harbour'
const HOUR = 3_600_000

interface Person {
  readonly id: string
  readonly kId: string
  readonly page: CallOptions
}

let world: CadWorld
beforeAll(async () => {
  world = await cadWorld({ timeZone: 'UTC', stationName: 'Harbour station' })
})
afterAll(() => world?.given.close())

const signedIn = async (username: string, password = PASSWORD): Promise<CallOptions> => {
  const { headers } = await world.given.call('POST', '/connect/session', {
    token: null,
    body: { Username: username, Password: password, NoticeId: 'default' },
  })
  return {
    token: null,
    headers: { cookie: headers.get('set-cookie')?.split(';')[0] as string, origin: world.given.url },
  }
}
const person = async (policies: readonly string[] = [], guest = false): Promise<Person> => {
  const username = fresh('person')
  const { principalId } = await world.given.command('user.create', {
    username,
    password: PASSWORD,
    policies,
    group: null,
    guest,
  })
  return { id: principalId, kId: `urn:user:station:${username}:${principalId}`, page: await signedIn(username) }
}
const as = (who: Person, method: string, place: string, body?: unknown): Promise<Reply> =>
  world.given.call(method, place, { ...who.page, ...(body === undefined ? {} : { body }) })
const today = (who: Person): Promise<Json> => world.given.expecting(200, as(who, 'GET', TODAY))
const administrator = async (): Promise<Person> => ({
  id: '',
  kId: '',
  page: await signedIn(ADMINISTRATOR.username, ADMINISTRATOR.password),
})
const policyOf = ({ id, kId }: Person, Permissions: string) => ({
  Permissions,
  PrincipalId: id,
  KId: kId,
  PrincipalType: 'user',
})
const chiefsCase = (body: Json): Promise<Json> => world.given.expecting(201, world.as(world.chief, 'POST', CASES, body))
const idsOf = (list: Json, member: string): string[] => list.Items.map((one: Json) => one[member])
/** A camera that is theirs from now on, and what it recorded so many minutes from now: what it did before would be nobody's. */
const recordedBy = async (who: Person, ...minutes: readonly number[]): Promise<{ camera: Camera; ids: string[] }> => {
  const camera = await world.camera(who.id, new Date().toISOString())
  const ids: string[] = []
  for (const minute of minutes) {
    const from = Date.now() + minute * 60_000
    ids.push(await world.recording(camera, new Date(from).toISOString(), new Date(from + 1_000).toISOString()))
  }
  return { camera, ids }
}

describe('S4: my last shift', () => {
  it('is what my camera recorded, with what each lacks, and nobody else sees it', async () => {
    const officer = await person(['AccessFilesFromMyDevice:Edit'])
    const other = await person(['AccessFilesFromMyDevice:Edit'])
    const { ids } = await recordedBy(officer, 0)
    const { Shift, Recordings } = await today(officer)
    expect(idsOf(Recordings, 'EvidenceId')).toEqual(ids)
    expect(Recordings.Total).toEqual({ Count: 1, More: false })
    expect(Recordings.Items[0]).toMatchObject({ Missing: ['Processing', 'Category', 'Case'], Status: 'open' })
    expect(Date.parse(Shift.FromUtc)).toBeLessThanOrEqual(Date.now())
    expect((Date.parse(Shift.ToUtc) - Date.parse(Shift.FromUtc)) / HOUR).toBe(8)
    expect(Shift.Recorded).toBe(true)
    expect((await today(other)).Recordings).toEqual({ Items: [], Total: { Count: 0, More: false } })
    expect((await today(other)).Shift).toBeNull()
  })

  it('shows nothing without the right to see it, although the camera was theirs', async () => {
    const officer = await person()
    await recordedBy(officer, 0)
    expect(await today(officer)).toMatchObject({ Shift: null, Recordings: { Items: [], Total: { Count: 0 } } })
  })

  it('holds what I added myself: its title counts once it is not the name of its file, and it leaves when it is deleted', async () => {
    const officer = await person(['DeleteCasesAndFiles'])
    const { documents, expecting } = world.given
    const add = (Name: string) => expecting(201, as(officer, 'POST', `${documents}/evidence`, { Name }))
    const { EvidenceId: named } = await add('Shop window, north side')
    const { EvidenceId: bare } = await add('IMG_0410.jpg')
    for (const id of [named, bare])
      await expecting(201, as(officer, 'POST', `${documents}/evidence/${id}/resource`, { Name: 'IMG_0410.jpg' }))
    const missing = async (): Promise<Json> =>
      Object.fromEntries((await today(officer)).Recordings.Items.map((one: Json) => [one.EvidenceId, one.Missing]))
    expect((await today(officer)).Shift.Recorded).toBe(false)
    expect(await missing()).toEqual({
      [named]: ['Processing', 'Category', 'Case', 'Time'],
      [bare]: ['Processing', 'Category', 'Case', 'Title', 'Time'],
    })
    await expecting(200, as(officer, 'PATCH', `${documents}/evidence/${bare}`, { Name: 'Shop door' }))
    expect((await missing())[bare]).toEqual(['Processing', 'Category', 'Case', 'Time'])
    await expecting(200, as(officer, 'DELETE', `${documents}/evidence/${named}`))
    expect(Object.keys(await missing())).toEqual([bare])
  })
})

describe('S4: my cases', () => {
  it('are those that I manage, am named in or follow, the last changed first, with what others changed since I was there', async () => {
    const officer = await person(['CreateCases'])
    const { expecting } = world.given
    const own = await expecting(201, as(officer, 'POST', CASES, { Title: 'Mine' }))
    const shared = await chiefsCase({
      Title: 'Shared with me',
      AccessPolicies: [await manageOfChief(), policyOf(officer, 'View')],
    })
    const followed = await chiefsCase({
      Title: 'Followed',
      AccessPolicies: [await manageOfChief(), policyOf(officer, 'View')],
    })
    await expecting(200, as(officer, 'POST', `${CASES}/${followed.CaseId}/follow`))
    const hidden = await chiefsCase({ Title: 'Not for me' })
    const { Cases } = await today(officer)
    expect(Cases.Items.map((one: Json) => [one.Title, one.Reasons])).toEqual([
      ['Followed', ['Follower']],
      ['Mine', ['Owner']],
    ])
    expect(idsOf(Cases, 'CaseId')).not.toContain(shared.CaseId)
    expect(idsOf(Cases, 'CaseId')).not.toContain(hidden.CaseId)
    expect(Cases.Items[0].Changes).toMatchObject({ Count: 0 })
    await expecting(200, world.as(world.chief, 'PATCH', `${CASES}/${followed.CaseId}`, { Description: 'New' }))
    await expecting(200, as(officer, 'PATCH', `${CASES}/${own.CaseId}`, { Description: 'My own' }))
    const again = (await today(officer)).Cases.Items
    expect(again.map((one: Json) => [one.Title, one.Changes.Count])).toEqual([
      ['Mine', 0],
      ['Followed', 1],
    ])
    await expecting(200, as(officer, 'GET', `${CASES}/${followed.CaseId}`))
    expect((await today(officer)).Cases.Items[1].Changes.Count).toBe(0)
  })

  it('leave when they are closed, or when the right ends', async () => {
    const officer = await person(['CreateCases'])
    const { expecting } = world.given
    const { CaseId } = await expecting(201, as(officer, 'POST', CASES, { Title: 'To be closed' }))
    await expecting(200, as(officer, 'POST', `${CASES}/${CaseId}/close`))
    expect((await today(officer)).Cases).toEqual({ Items: [], Total: { Count: 0, More: false } })
    const named = await chiefsCase({
      Title: 'Named in',
      AccessPolicies: [await manageOfChief(), policyOf(officer, 'View')],
      PersonnelRelations: [{ PrincipalId: officer.id, Role: 'Lead' }],
    })
    expect((await today(officer)).Cases.Items).toMatchObject([{ CaseId: named.CaseId, Reasons: ['Personnel'] }])
    await expecting(
      200,
      world.as(world.chief, 'PATCH', `${CASES}/${named.CaseId}`, { AccessPolicies: [await manageOfChief()] }),
    )
    expect((await today(officer)).Cases.Items).toEqual([])
  })
})

describe('S4: what waits for me', () => {
  it('names a case that was shared with me until I read the notice, and never one that I may not view any more', async () => {
    const officer = await person()
    const { expecting } = world.given
    const { CaseId } = await chiefsCase({ Title: 'Given' })
    await expecting(
      200,
      world.as(world.chief, 'POST', `${CASES}/${CaseId}/share`, { AccessPolicies: [policyOf(officer, 'View')] }),
    )
    const { Waiting } = await today(officer)
    expect(Waiting.Shares).toEqual({ Count: 1, More: false, Cases: [{ CaseId, Title: 'Given' }] })
    expect(Waiting.Notices).toEqual({ Count: 1, More: false })
    await expecting(
      200,
      world.as(world.chief, 'PATCH', `${CASES}/${CaseId}`, { AccessPolicies: [await manageOfChief()] }),
    )
    expect((await today(officer)).Waiting.Shares).toEqual({ Count: 0, More: false, Cases: [] })
  })

  it('counts failed jobs of evidence that I may change, and none of others', async () => {
    const officer = await person()
    const { documents, expecting, meddle } = world.given
    const own = await expecting(201, as(officer, 'POST', `${documents}/evidence`, { Name: 'Mine' }))
    const others = await world.given.evidence()
    await meddle((db) => {
      for (const id of [own.EvidenceId, others.EvidenceId, others.EvidenceId])
        db.prepare(
          `INSERT INTO jobs (kind, payload, subject, state, created_utc) VALUES ('derive.inspect', '{}', ?, 'failed', '2026-11-20T02:00:00Z')`,
        ).run(`evidence:${id}`)
    })
    expect((await today(officer)).Waiting.FailedJobs).toEqual({ Count: 1, More: false })
    expect((await today(await person())).Waiting.FailedJobs).toEqual({ Count: 0, More: false })
  })
})

describe('S4: a guest', () => {
  it('sees what was shared with them, closed cases too, and nothing of the station', async () => {
    const guest = await person([], true)
    const { documents, expecting } = world.given
    const { CaseId } = await chiefsCase({
      Title: 'For the lawyer',
      AccessPolicies: [await manageOfChief(), policyOf(guest, 'View')],
    })
    await expecting(200, world.as(world.chief, 'POST', `${CASES}/${CaseId}/close`))
    const { EvidenceId, ConcurrencyId, AccessPolicies } = await world.given.evidence()
    await world.given.evidence()
    await expecting(
      200,
      world.given.call('PATCH', `${documents}/evidence/${EvidenceId}`, {
        body: { ConcurrencyId, AccessPolicies: [...AccessPolicies, policyOf(guest, 'View')] },
      }),
    )
    const out = await today(guest)
    expect(out).toMatchObject({ Shift: null, Cameras: null, Checklist: null })
    expect(out.Cases.Items).toMatchObject([{ CaseId, State: 'Closed', Reasons: ['Shared'] }])
    expect(idsOf(out.Recordings, 'EvidenceId')).toEqual([EvidenceId])
    expect(out.Waiting.Reviews).toEqual({ Count: 0, More: false })
  })
})

describe('the station, for those who keep it', () => {
  it('names cameras that were not docked for a week to ManageDevices alone', async () => {
    const keeper = await person(['ManageDevices'])
    const officer = await person()
    const { camera } = await recordedBy(officer)
    await world.given.meddle((db) => {
      db.prepare(
        `INSERT INTO dock_sessions (tenant_id, volume_id, camera_key, bay, label, state, ended, device_id, clear_rule, detected_at)
         VALUES ('station', 'v', ?, '1', 'x', 'released', 1, ?, 'never', ?)`,
      ).run(`device:${camera.id}`, camera.id, Date.now() - 8 * 24 * HOUR)
    })
    const { Cameras } = await today(keeper)
    expect(Cameras.AfterDays).toBe(7)
    expect(Cameras.Items).toMatchObject([{ DeviceId: camera.id, Officer: { PrincipalId: officer.id } }])
    expect((await today(officer)).Cameras).toBeNull()
  })

  it('I1: an administrator has the checklist, dismisses it and brings it back; each is an entry, and others may not', async () => {
    const chief = await administrator()
    const { Checklist } = await today(chief)
    const done = Object.fromEntries(Checklist.Steps.map((one: Json) => [one.Step, one.Done]))
    expect(done).toMatchObject({
      Name: true,
      People: true,
      Cameras: true,
      Categories: false,
      Backup: false,
      Network: false,
    })
    expect(Checklist.Dismissed).toBe(false)
    const place = `${TODAY}/checklist`
    const stranger = await person(['ManageConfiguration'])
    expect((await as(stranger, 'PUT', place, { Dismissed: true })).status).toBe(403)
    expect((await today(stranger)).Checklist).toBeNull()
    for (const Dismissed of [true, false]) {
      const reply = await as(chief, 'PUT', place, { Dismissed })
      expect([reply.status, reply.json.Dismissed]).toEqual([200, Dismissed])
      const entries = world.given.ledger().filter((one) => one.correlationId === reply.correlationId)
      expect(entries.map(({ action, detail }) => [action, detail])).toEqual([
        ['station.checklistChanged', { dismissed: Dismissed }],
      ])
      expect((await today(chief)).Checklist.Dismissed).toBe(Dismissed)
    }
  })

  it('a step is done once it is there', async () => {
    const chief = await administrator()
    const isDone = async (step: string): Promise<boolean> =>
      (await today(chief)).Checklist.Steps.find((one: Json) => one.Step === step).Done
    expect(await isDone('Categories')).toBe(false)
    await world.given.expecting(
      201,
      world.as(world.chief, 'POST', '/api/v1/category/station', { Name: 'Theft', RetentionDays: 30 }),
    )
    expect(await isDone('Categories')).toBe(true)
    expect(await isDone('Dispatch')).toBe(false)
    await world.pushed({ eventId: fresh('E'), name: 'A call', eventStartTimeUtc: new Date().toISOString() })
    expect(await isDone('Dispatch')).toBe(true)
  })
})

const manageOfChief = async (): Promise<Json> => ({
  Permissions: 'Manage',
  PrincipalId: world.chief.id,
  KId: world.chief.kId,
  PrincipalType: 'service',
})
