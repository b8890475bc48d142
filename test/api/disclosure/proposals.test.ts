/** What a second person approves before it is disclosed, and requests that are recorded before anything is given (promise C5, decision 40). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ageAccounts } from '../../support/accounts.ts'
import type { Json } from '../../support/given.ts'
import { type Page, signInToPage } from '../annotations/page.ts'
import { pageOf } from '../sessions/acts.ts'
import { newPage } from '../sessions/page.ts'
import { DEFENCE, DISCLOSURES, type DisclosureWorld, disclosureStation, PROSECUTOR } from './world.ts'

const NOTICES = '/userservice/api/v1/tenant/station/notices'
let world: DisclosureWorld
let ann: Page
let bob: Page
let carl: Page
beforeAll(async () => {
  world = await disclosureStation({ settings: { disclosureApproval: ['defence', 'public-records'] } })
  ann = await signInToPage(world.given, 'ann')
  bob = await signInToPage(world.given, 'bob')
  carl = await signInToPage(world.given, 'carl')
  // Everybody owns their account alone, as after the settling time.
  await ageAccounts(world.given.file)
}, 120_000)
afterAll(() => world?.given.close())

it('the start of the station says for whom approval is needed', () => {
  const started = world.given.ledger().findLast(({ action }) => action === 'station.started')
  expect(started?.detail).toMatchObject({ disclosureApproval: ['defence', 'public-records'] })
})

const place = (caseId: string, rest = ''): string => `${DISCLOSURES}/case/${caseId}${rest}`
const share = (caseId: string, levels: readonly (readonly [Page, string])[]): Promise<Json> =>
  world.ok(200, 'POST', `/api/v1/case/station/${caseId}/share`, {
    AccessPolicies: levels.map(([{ id, kId }, Permissions]) => ({
      Permissions,
      PrincipalId: id,
      KId: kId,
      PrincipalType: 'user',
    })),
  })

/** A case with two evidences that Ann may edit and Bob manages. */
async function given(): Promise<{ caseId: string; one: string; two: string }> {
  const caseId = await world.newCase('Burglary')
  const [one, two] = [await world.add('One'), await world.add('Two')]
  await world.link(caseId, one, two)
  await share(caseId, [
    [ann, 'Edit'],
    [bob, 'Manage'],
  ])
  return { caseId, one, two }
}

const BODY = { Recipient: DEFENCE, Authority: 'CPIA 1996, s. 3', Medium: 'handover' }
const propose = async (caseId: string, EvidenceIds: readonly string[], more: Json = {}, by = ann): Promise<Json> => {
  const { status, json } = await by.call('POST', place(caseId, '/proposal'), { ...BODY, EvidenceIds, ...more })
  expect([status, json]).toMatchObject([201, { State: 'waiting' }])
  return json
}
const decide = (by: Page, caseId: string, no: number, Decision = 'Approve', Reason = ''): Promise<Json> =>
  by.call('POST', place(caseId, `/proposal/${no}/decide`), { Decision, Reason })
const give = (by: Page, caseId: string, no: number, body: Json = {}): Promise<Json> =>
  by.call('POST', place(caseId, `/proposal/${no}/give`), body)
const outcome = ({ status, json }: Json): readonly [number, string | undefined] => [status, json?.ErrorCode]
const told = async (who: Page, caseId: string): Promise<string[]> =>
  (await who.call('GET', NOTICES)).json.Items.filter((one: Json) => one.Object.Id === caseId)
    .map(({ Kind }: Json) => Kind)
    .filter((kind: string) => kind.startsWith('disclosure.'))

describe('approval', () => {
  it('C5: what goes to the defence is not recorded before a second person approved it; the record names them', async () => {
    const { caseId, one } = await given()
    const before = world.given.ledger().at(-1)?.seq ?? 0
    const alone = await ann.call('POST', place(caseId), { ...BODY, EvidenceIds: [one] })
    expect(outcome(alone)).toEqual([409, 'DisclosureNeedsApproval'])
    const command = world.given.command('disclosure.create', { caseId, body: { ...BODY, EvidenceIds: [one] } })
    await expect(command).rejects.toThrow(/second person/)
    const { No } = await propose(caseId, [one])
    expect(await told(bob, caseId)).toEqual(['disclosure.proposed'])
    expect(outcome(await give(ann, caseId, No))).toEqual([409, 'DisclosureProposalClosed'])
    const seen = await bob.call('GET', place(caseId, `/proposal/${No}`))
    expect(seen.json).toMatchObject({ WhyNot: null, Outdated: null, Items: [{ EvidenceId: one }], Withheld: [] })
    expect((await decide(bob, caseId, No)).json).toMatchObject({
      State: 'approved',
      Decision: { By: { PrincipalId: bob.id } },
    })
    expect(await told(ann, caseId)).toEqual(['disclosure.approved'])
    const { status, json: record } = await give(ann, caseId, No, { MediumSerial: 'SN-7' })
    expect([status, record]).toMatchObject([
      201,
      {
        No: 1,
        MediumSerial: 'SN-7',
        GivenBy: { PrincipalId: ann.id },
        Approved: { ProposalNo: No, By: { PrincipalId: bob.id } },
      },
    ])
    expect(outcome(await give(ann, caseId, No))).toEqual([409, 'DisclosureProposalClosed'])
    const listed = await ann.call('GET', place(caseId))
    expect(listed.json).toMatchObject({
      Items: [{ No: 1, Approved: { ProposalNo: No, By: { PrincipalId: bob.id } } }],
      Proposals: [{ No, State: 'given', DisclosureNo: 1, WhyNot: null }],
      ApprovalFor: ['defence', 'public-records'],
    })
    const entries = world.given
      .ledger(before)
      .filter(({ action }) => action.startsWith('disclosure.') && !/listed|read/.test(action))
    expect(entries.map(({ action, actor }) => `${action} ${actor.name}`)).toEqual([
      'disclosure.proposed ann',
      'disclosure.approved bob',
      'disclosure.given ann',
    ])
    expect(entries.at(-1)?.detail).toMatchObject({ proposal: No, approvedBy: { Username: 'bob' } })
  })

  it('S4: what was typed is for whoever proposed it, also after it was refused', async () => {
    const { caseId, one, two } = await given()
    const Withheld = [{ EvidenceId: two, Description: 'Two', Ground: 'irrelevant', Basis: 'MG6C' }]
    const { No } = await propose(caseId, [one], { Withheld, Request: { Number: 'R 7' }, MediumSerial: 'SN-7' })
    const asked = async (by: Page) => (await by.call('GET', place(caseId, `/proposal/${No}`))).json.Asked
    const typed = { EvidenceIds: [one], Request: { Number: 'R 7' }, MediumSerial: 'SN-7', Answers: null, Withheld }
    expect(await asked(ann)).toMatchObject(typed)
    expect(await asked(bob)).toBeNull()
    await decide(bob, caseId, No, 'Refuse', 'Not yet')
    expect(await asked(ann)).toMatchObject(typed)
    expect(await asked(bob)).toBeNull()
  })

  it('C5: recipients of other roles need no second person', async () => {
    const { caseId, one } = await given()
    const record = await ann.call('POST', place(caseId), { ...BODY, Recipient: PROSECUTOR, EvidenceIds: [one] })
    expect(record.json).toMatchObject({ No: 1, Approved: null })
    const wrong = await ann.call('POST', place(caseId, '/record/1/supersede'), {
      ...BODY,
      EvidenceIds: [one],
      Reason: 'It was the defence',
    })
    expect(outcome(wrong)).toEqual([409, 'DisclosureNeedsApproval'])
  })

  it('S19: nobody approves what they proposed, without Manage, or as a program', async () => {
    const { caseId, one } = await given()
    const own = await propose(caseId, [one], {}, bob)
    expect(own.WhyNot).toBe('Requested')
    expect(outcome(await decide(bob, caseId, own.No))).toEqual([403, 'Forbidden'])
    const { No, WhyNot } = await propose(caseId, [one])
    expect(WhyNot).toBe('NotManage')
    expect(outcome(await decide(ann, caseId, No))).toEqual([403, 'Forbidden'])
    const program = await world.call('POST', place(caseId, `/proposal/${No}/decide`), { Decision: 'Approve' })
    expect(program.status).toBe(403)
    expect(await ann.call('GET', place(caseId, `/proposal/${No}`))).toMatchObject({ json: { State: 'waiting' } })
    await share(caseId, [[carl, 'View']])
    expect((await decide(carl, caseId, No)).status).toBe(403)
    expect(outcome(await decide(bob, caseId, 77))).toEqual([404, 'DisclosureProposalNotFound'])
  })

  it('S19: nobody approves for an account that they created or reset, nor for whoever created theirs', async () => {
    const { caseId, one } = await given()
    const { page: sergeant, id } = await pageOf(world.given)
    await ageAccounts(world.given.file, [id])
    const erin = await createdBy(sergeant, 'erin')
    const finn = await createdBy(sergeant, 'finn')
    const chief = await personOf(sergeant, id)
    await share(caseId, [
      [erin, 'Manage'],
      [finn, 'Manage'],
      [chief, 'Manage'],
    ])
    const whyNot = async (who: Page, no: number): Promise<string | null> =>
      (await who.call('GET', place(caseId, `/proposal/${no}`))).json.WhyNot
    const ofErin = await propose(caseId, [one], {}, erin)
    expect([await whyNot(chief, ofErin.No), await whyNot(bob, ofErin.No)]).toEqual(['ControlsOther', null])
    expect((await decide(chief, caseId, ofErin.No)).status).toBe(403)
    const ofChief = await propose(caseId, [one], {}, chief)
    expect([await whyNot(erin, ofChief.No), await whyNot(bob, ofChief.No)]).toEqual(['ControlsOther', null])
    expect((await decide(erin, caseId, ofChief.No)).status).toBe(403)
    // One administrator made both accounts: they are two people all the same.
    expect((await decide(finn, caseId, ofErin.No)).json).toMatchObject({ State: 'approved' })
    expect((await decide(bob, caseId, ofChief.No)).json).toMatchObject({ State: 'approved' })
  })

  it('C5: is of what was looked at: other bytes, a restriction or something withheld since end it', async () => {
    const { caseId, one, two } = await given()
    const first = await propose(caseId, [one])
    await world.given.completed(Buffer.from('late'), { name: 'late.txt', evidenceId: one })
    const seen = await bob.call('GET', place(caseId, `/proposal/${first.No}`))
    expect(seen.json.Outdated).toMatch(/not what was proposed/)
    expect(outcome(await decide(bob, caseId, first.No))).toEqual([409, 'DisclosureProposalOutdated'])
    const second = await propose(caseId, [one])
    expect((await decide(bob, caseId, second.No)).status).toBe(200)
    await world.restrict(two)
    expect(outcome(await give(ann, caseId, second.No))).toEqual([409, 'DisclosureProposalOutdated'])
    await world.lift(two)
    await world.restrict(one)
    expect(outcome(await give(ann, caseId, second.No))).toEqual([409, 'EvidenceRestricted'])
    expect((await ann.call('GET', place(caseId))).json.Items).toEqual([])
    await world.lift(one)
    expect((await give(ann, caseId, second.No)).status).toBe(201)
  })

  it('C5: evidence that came into the case after it was proposed is due to the recipient at once', async () => {
    const { caseId, one, two } = await given()
    const { No } = await propose(caseId, [one])
    await decide(bob, caseId, No)
    const three = await world.add('Three')
    await world.link(caseId, three)
    expect((await give(ann, caseId, No)).status).toBe(201)
    const { Due } = (await ann.call('GET', place(caseId))).json
    expect(Due.flatMap(({ Changes }: Json) => Changes.map((one: Json) => one.EvidenceId))).toEqual([three])
    expect(two).not.toBe(three)
  })

  it('is refused with a reason, and withdrawn by who proposed it or who manages the case', async () => {
    const { caseId, one } = await given()
    const { No } = await propose(caseId, [one])
    expect(outcome(await decide(bob, caseId, No, 'Refuse'))).toEqual([400, 'InvalidModel'])
    expect((await decide(bob, caseId, No, 'Refuse', 'Names a witness')).json).toMatchObject({
      State: 'refused',
      Decision: { Reason: 'Names a witness' },
    })
    expect(await told(ann, caseId)).toEqual(['disclosure.refused'])
    expect(outcome(await give(ann, caseId, No))).toEqual([409, 'DisclosureProposalClosed'])
    expect(outcome(await decide(bob, caseId, No))).toEqual([409, 'DisclosureProposalClosed'])
    const next = await propose(caseId, [one])
    await share(caseId, [[carl, 'Edit']])
    expect((await carl.call('POST', place(caseId, `/proposal/${next.No}/withdraw`))).status).toBe(403)
    expect((await ann.call('POST', place(caseId, `/proposal/${next.No}/withdraw`))).json.State).toBe('withdrawn')
    expect(outcome(await decide(bob, caseId, next.No))).toEqual([409, 'DisclosureProposalClosed'])
    const twice = await ann.call('POST', place(caseId, `/proposal/${next.No}/withdraw`))
    expect(outcome(twice)).toEqual([409, 'DisclosureProposalClosed'])
    const last = await propose(caseId, [one])
    expect((await bob.call('POST', place(caseId, `/proposal/${last.No}/withdraw`))).json.State).toBe('withdrawn')
  })

  it('is asked of a replacement too, which is the only one', async () => {
    const { caseId, one } = await given()
    const first = await propose(caseId, [one])
    await decide(bob, caseId, first.No)
    expect((await give(ann, caseId, first.No)).status).toBe(201)
    const second = await propose(caseId, [one], { Supersedes: '1', Reason: 'Another medium', Medium: 'disc' })
    expect(second).toMatchObject({ Supersedes: 1, Reason: 'Another medium' })
    const third = await propose(caseId, [one], { Supersedes: '1', Reason: 'Another one' })
    for (const { No } of [second, third]) expect((await decide(bob, caseId, No)).status).toBe(200)
    expect((await give(ann, caseId, second.No)).json).toMatchObject({ No: 2, Supersedes: 1, Reason: 'Another medium' })
    expect(outcome(await give(ann, caseId, third.No))).toEqual([409, 'DisclosureSuperseded'])
  })

  it('has no time of giving before it was approved', async () => {
    const { caseId, one } = await given()
    const early = { ...BODY, EvidenceIds: [one], GivenTimeUtc: '2026-11-01T08:00:00Z' }
    expect(outcome(await ann.call('POST', place(caseId, '/proposal'), early))).toEqual([400, 'InvalidModel'])
    const { No } = await propose(caseId, [one])
    await decide(bob, caseId, No)
    expect(outcome(await give(ann, caseId, No, { GivenTimeUtc: '2026-11-01T08:00:00Z' }))).toEqual([
      400,
      'InvalidModel',
    ])
  })

  it('C5: of two who give at the same moment one does', async () => {
    const { caseId, one } = await given()
    const { No } = await propose(caseId, [one])
    await decide(bob, caseId, No)
    const both = await Promise.all([give(ann, caseId, No), give(bob, caseId, No)])
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
    expect((await ann.call('GET', place(caseId))).json.Items).toHaveLength(1)
  })

  it('stands in the list of the station for those who may edit the case, while it waits or was approved', async () => {
    const { caseId, one } = await given()
    const { No } = await propose(caseId, [one])
    const of = async (who: Page): Promise<Json[]> =>
      (await who.call('GET', `${DISCLOSURES}/due`)).json.Proposals.filter((item: Json) => item.CaseId === caseId)
    expect(await of(ann)).toMatchObject([{ No, State: 'waiting', WhyNot: 'NotManage', Title: 'Burglary' }])
    expect(await of(bob)).toMatchObject([{ No, WhyNot: null }])
    expect(await of(carl)).toEqual([])
    const today = async (who: Page): Promise<number> =>
      (await who.call('GET', '/api/v1/tenant/station/today')).json.Waiting.Disclosures.Count
    expect([await today(ann), await today(carl)]).toEqual([0, 0])
    const before = await today(bob)
    expect(before).toBeGreaterThan(0)
    await decide(bob, caseId, No)
    expect(await of(ann)).toMatchObject([{ No, State: 'approved' }])
    expect(await today(bob)).toBe(before - 1)
    await give(ann, caseId, No)
    expect(await of(ann)).toEqual([])
  })
})

type AsPage = Awaited<ReturnType<typeof pageOf>>['page']

const USERS = '/userservice/api/v1/tenant/station/users'

/** Somebody whose account this administrator created, with a password of their own. */
async function createdBy(administrator: AsPage, username: string): Promise<Page> {
  const first = 'a temporary pass phrase'
  const password = 'a pass phrase of my own'
  const body = { Username: username, Password: first, Policies: [] }
  await world.given.expecting(201, world.given.call('POST', USERS, { ...administrator, body }))
  const page = newPage(world.given.url)
  const { json } = await page.signIn(username, first)
  const changed = await page.send('POST', '/connect/account/password', {
    body: { Password: first, NewPassword: password },
  })
  expect(changed.status).toBe(204)
  const { PrincipalId, KId } = (json as Json).User
  return {
    id: PrincipalId,
    kId: KId,
    headers: { cookie: page.cookie ?? '' },
    call: (method, where, sent) => page.send(method, where, sent === undefined ? {} : { body: sent }),
  }
}

const personOf = async (page: AsPage, id: string): Promise<Page> => ({
  id,
  kId: (await world.given.expecting(200, world.given.call('GET', `${USERS}/${id}`, page))).KId,
  headers: {},
  call: (method, where, body) =>
    world.given.call(method, where, { ...page, ...(body === undefined ? {} : { body }) }) as ReturnType<Page['call']>,
})

const asked = async (caseId: string, more: Json = {}): Promise<Json> => {
  const body = { Recipient: PROSECUTOR, What: 'All recordings of the night', Number: 'R-9', ...more }
  const { status, json } = await ann.call('POST', place(caseId, '/request'), body)
  expect([status, json]).toMatchObject([201, { State: 'open' }])
  return json
}

describe('a request', () => {
  it('is recorded before anything is given, and a disclosure answers it once, with its number and day', async () => {
    const { caseId, one } = await given()
    const { No } = await asked(caseId, { Date: '2026-11-02', Due: '2026-12-24' })
    const due = (await ann.call('GET', `${DISCLOSURES}/due`)).json.Requests
    expect(due.filter((item: Json) => item.CaseId === caseId)).toMatchObject([{ No, Due: '2026-12-24' }])
    const body = { ...BODY, Recipient: PROSECUTOR, EvidenceIds: [one], Answers: String(No) }
    const other = await ann.call('POST', place(caseId), { ...body, Recipient: { ...PROSECUTOR, Role: 'court' } })
    expect(outcome(other)).toEqual([400, 'InvalidModel'])
    expect((await ann.call('POST', place(caseId), body)).json).toMatchObject({
      No: 1,
      Request: { Number: 'R-9', Date: '2026-11-02', Due: '2026-12-24' },
    })
    expect(outcome(await ann.call('POST', place(caseId), body))).toEqual([409, 'DisclosureRequestClosed'])
    const { Requests } = (await ann.call('GET', place(caseId))).json
    expect(Requests).toMatchObject([{ No, State: 'answered', DisclosureNo: 1 }])
    expect(
      (await ann.call('GET', `${DISCLOSURES}/due`)).json.Requests.filter((item: Json) => item.CaseId === caseId),
    ).toEqual([])
    const missing = await ann.call('POST', place(caseId), { ...body, Answers: '7' })
    expect(outcome(missing)).toEqual([404, 'DisclosureRequestNotFound'])
  })

  it('is closed with a reason, once', async () => {
    const { caseId } = await given()
    const { No } = await asked(caseId)
    const close = (Reason: string) => ann.call('POST', place(caseId, `/request/${No}/close`), { Reason })
    expect(outcome(await close(' '))).toEqual([400, 'InvalidModel'])
    expect((await close('Withdrawn by counsel')).json).toMatchObject({
      State: 'closed',
      Closed: { Reason: 'Withdrawn by counsel', By: { PrincipalId: ann.id } },
    })
    expect(outcome(await close('Again'))).toEqual([409, 'DisclosureRequestClosed'])
  })

  it('S4: is recorded and seen with Edit on the case alone', async () => {
    const { caseId } = await given()
    await asked(caseId)
    await share(caseId, [[carl, 'Download']])
    const body = { Recipient: PROSECUTOR, What: 'Anything' }
    expect((await carl.call('POST', place(caseId, '/request'), body)).status).toBe(403)
    expect((await carl.call('POST', place(caseId, '/request/1/close'), { Reason: 'x' })).status).toBe(403)
    expect((await carl.call('GET', `${DISCLOSURES}/due`)).json.Requests).toEqual([])
  })
})
