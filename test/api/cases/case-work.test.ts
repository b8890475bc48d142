import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADMINISTRATOR, type Json } from '../../support/given.ts'
import { type Page, signInToPage } from '../annotations/page.ts'
import { newPage } from '../sessions/page.ts'
import { openTestDatabase } from '../../support/rows.ts'
import { CASES, type CasesWorld, casesWorld } from './world.ts'

/** Tasks on cases, mentions in notes, requests for access, and handing cases over (decisions 32). */
const TENANT = '/api/v1/tenant/station'
const NOTICES = '/userservice/api/v1/tenant/station/notices'
let world: CasesWorld
beforeAll(async () => {
  world = await casesWorld({ timeZone: 'UTC' })
})
afterAll(() => world?.given.close())

let serial = 0
const person = (name = 'person'): Promise<Page> => signInToPage(world.given, `${name}${++serial}`)
const policyOf = ({ id, kId }: Page, Permissions: string) => ({
  Permissions,
  PrincipalId: id,
  KId: kId,
  PrincipalType: 'user',
})
async function aGuest(): Promise<Page> {
  const username = `guest${++serial}`
  const { principalId } = await world.given.command('user.create', {
    username,
    password: 'three blind mice, 1805',
    group: null,
    policies: [],
    guest: true,
  })
  const session = newPage(world.given.url)
  await session.signIn(username, 'three blind mice, 1805')
  return {
    id: principalId,
    kId: `urn:user:station:${username}:${principalId}`,
    headers: {},
    call: (method, place, body) => session.send(method, place, body === undefined ? {} : { body }),
  }
}
/** A case of the maker, with these people in it. */
async function caseWith(...people: readonly (readonly [Page, string])[]): Promise<string> {
  const AccessPolicies = [world.policy(world.maker, 'Manage'), ...people.map(([who, level]) => policyOf(who, level))]
  return (await world.made({ Title: 'Harbour', AccessPolicies })).CaseId
}
const told = async (who: Page): Promise<unknown[]> =>
  (await who.call('GET', NOTICES)).json.Items.map(({ Kind, Message, Object: { Type, Id, Name } }: Json) => [
    Kind,
    Message,
    Type,
    Id,
    Name,
  ])
const ok = async (answer: Promise<{ status: number; json: Json }>, status = 200): Promise<Json> => {
  const { status: given, json } = await answer
  expect([given, json]).toEqual([status, json])
  return json
}
const lastEntry = (action: string): Json => world.given.ledger().findLast((entry) => entry.action === action) as Json

describe('S4: what the people are called whom a case names', () => {
  const peopleOf = async (who: Page, caseId: string): Promise<string[]> =>
    (await ok(who.call('GET', `${CASES}/${caseId}/task`))).People.map(({ PrincipalId }: Json) => PrincipalId).toSorted()

  it('is told of those with access, and of authors whom the history alone names to those who may read it', async () => {
    const [viewer, manager, auditor, former, outside] = [
      await person(),
      await person(),
      await signInToPage(world.given, `auditor${++serial}`, ['AccessAuditTrail']),
      await person('former'),
      await person('outside'),
    ]
    const caseId = await caseWith([viewer, 'View'], [manager, 'Manage'], [auditor, 'Manage'], [former, 'Edit'])
    await ok(former.call('PATCH', `${CASES}/${caseId}`, { Description: 'Rear window forced.' }))
    const now = await ok(manager.call('GET', `${CASES}/${caseId}`))
    const AccessPolicies = now.AccessPolicies.filter((one: Json) => one.PrincipalId !== former.id).map(
      ({ ExpirationDateUtc: _none, ...policy }: Json) => policy,
    )
    await ok(manager.call('PATCH', `${CASES}/${caseId}`, { AccessPolicies }))
    const named = [viewer, manager, auditor].map(({ id }) => id).toSorted()
    expect(await peopleOf(viewer, caseId)).toEqual(named)
    expect(await peopleOf(manager, caseId)).toEqual(named)
    expect(await peopleOf(auditor, caseId)).toEqual([...named, former.id].toSorted())
    expect((await outside.call('GET', `${CASES}/${caseId}/task`)).status).toBe(403)
  })
})

describe('tasks on a case', () => {
  it('I1: are added, given to somebody who is told, changed and deleted, each with a version and an entry', async () => {
    const [editor, doer] = [await person(), await person()]
    const caseId = await caseWith([editor, 'Edit'], [doer, 'View'])
    const place = `${CASES}/${caseId}/task`
    const body = { Title: 'Ask the shop for its footage', DueDate: '2026-12-01', AssigneeId: doer.id }
    const task = await ok(editor.call('POST', place, body), 201)
    expect(task).toMatchObject({
      Title: body.Title,
      DueDate: '2026-12-01',
      Assignee: { PrincipalId: doer.id },
      Done: null,
      Edits: 0,
      Author: { PrincipalId: editor.id },
    })
    expect(lastEntry('task.added')).toMatchObject({
      object: { type: 'case', id: caseId },
      detail: { taskId: task.TaskId, concurrencyId: task.ConcurrencyId },
    })
    expect(await told(doer)).toEqual([['task.assigned', body.Title, 'case', caseId, 'Harbour']])
    const change = { ...body, Title: 'Ask both shops', Done: false, ConcurrencyId: task.ConcurrencyId }
    const changed = await ok(editor.call('PUT', `${place}/${task.TaskId}`, change))
    expect(changed).toMatchObject({ Title: 'Ask both shops', Edits: 1 })
    // The one who has it already is not told again.
    expect(await told(doer)).toHaveLength(1)
    expect(await editor.call('PUT', `${place}/${task.TaskId}`, change)).toMatchObject({
      status: 400,
      json: { ErrorCode: 'ConcurrentWritingError' },
    })
    await ok(editor.call('DELETE', `${place}/${task.TaskId}?concurrencyId=${changed.ConcurrencyId}`))
    expect((await ok(editor.call('GET', place))).Items).toEqual([])
    expect(lastEntry('task.deleted').detail.taskId).toBe(task.TaskId)
  })

  it('open ones come by the day they are due, those without a day after them, then what is done', async () => {
    const editor = await person()
    const place = `${CASES}/${await caseWith([editor, 'Edit'])}/task`
    const add = (Title: string, DueDate?: string) => ok(editor.call('POST', place, { Title, DueDate }), 201)
    await add('no day')
    await add('late', '2026-12-24')
    const done = await add('done', '2026-01-01')
    await add('soon', '2026-12-02')
    const ended = { Title: 'done', DueDate: '2026-01-01', Done: true, ConcurrencyId: done.ConcurrencyId }
    await ok(editor.call('PUT', `${place}/${done.TaskId}`, ended))
    const titles = (await ok(editor.call('GET', place))).Items.map(({ Title }: Json) => Title)
    expect(titles).toEqual(['soon', 'late', 'no day', 'done'])
  })

  it('S4: whoever has a task marks it as done with View, and does nothing else; its author is told', async () => {
    const [editor, doer, other] = [await person(), await person(), await person()]
    const caseId = await caseWith([editor, 'Edit'], [doer, 'View'], [other, 'View'])
    const place = `${CASES}/${caseId}/task`
    const task = await ok(editor.call('POST', place, { Title: 'Look', AssigneeId: doer.id }), 201)
    const own = { Title: 'Look', DueDate: null, AssigneeId: doer.id, Done: true, ConcurrencyId: task.ConcurrencyId }
    const put = (who: Page, body: Json) => who.call('PUT', `${place}/${task.TaskId}`, body)
    expect((await put(other, own)).status).toBe(403)
    for (const more of [{ Title: 'Else' }, { DueDate: '2026-12-01' }, { AssigneeId: other.id }, { AssigneeId: null }])
      expect((await put(doer, { ...own, ...more })).status).toBe(403)
    expect((await doer.call('POST', place, { Title: 'x' })).status).toBe(403)
    expect((await doer.call('DELETE', `${place}/${task.TaskId}`)).status).toBe(403)
    const done = await ok(put(doer, own))
    expect(done.Done).toMatchObject({ AtUtc: expect.stringMatching(/Z$/) })
    expect(await told(editor)).toEqual([['task.done', 'Look', 'case', caseId, 'Harbour']])
    const again = await ok(put(doer, { ...own, Done: false, ConcurrencyId: done.ConcurrencyId }))
    expect(again.Done).toBeNull()
    // An author who may not view the case any more is told nothing of it.
    const without = [world.policy(world.maker, 'Manage'), policyOf(doer, 'View')]
    await world.given.expecting(200, world.send('PATCH', `${CASES}/${caseId}`, { AccessPolicies: without }))
    const before = (await told(editor)).length
    await ok(put(doer, { ...own, ConcurrencyId: again.ConcurrencyId }))
    expect(await told(editor)).toHaveLength(before)
  })

  it('S4: go to nobody who cannot view the case or cannot sign in', async () => {
    const [editor, stranger] = [await person(), await person()]
    const place = `${CASES}/${await caseWith([editor, 'Edit'])}/task`
    for (const AssigneeId of [stranger.id, '999999', '1e3', `${2n ** 60n}`, world.maker.id])
      expect(await editor.call('POST', place, { Title: 'x', AssigneeId })).toMatchObject({
        status: 400,
        json: { ErrorCode: 'UnableToLoadUser' },
      })
    expect((await ok(editor.call('GET', place))).Items).toEqual([])
  })

  it('are refused where title or day are none, and on a closed case', async () => {
    const editor = await person()
    const caseId = await caseWith([editor, 'Manage'])
    const place = `${CASES}/${caseId}/task`
    for (const body of [
      {},
      { Title: ' ' },
      { Title: 'x'.repeat(501) },
      { Title: 'x', DueDate: '2026-02-30' },
      { Title: 'x', DueDate: '1.12.2026' },
      { Title: 'x', DueDate: '9999-12-31' },
    ])
      expect((await editor.call('POST', place, body)).json.ErrorCode).toBe('InvalidModel')
    const task = await ok(editor.call('POST', place, { Title: 'x' }), 201)
    await ok(editor.call('POST', `${CASES}/${caseId}/close`))
    const change = { Title: 'y', Done: true, ConcurrencyId: task.ConcurrencyId }
    for (const answer of [
      editor.call('POST', place, { Title: 'z' }),
      editor.call('PUT', `${place}/${task.TaskId}`, change),
      editor.call('DELETE', `${place}/${task.TaskId}`),
    ])
      expect((await answer).json.ErrorCode).toBe('CannotUpdateClosedCase')
    expect((await ok(editor.call('GET', place))).Items).toHaveLength(1)
  })

  it('S4: one’s own are those in open cases that one can view, and Today counts them', async () => {
    const [editor, doer] = [await person(), await person()]
    const caseId = await caseWith([editor, 'Manage'], [doer, 'View'])
    const task = await ok(
      editor.call('POST', `${CASES}/${caseId}/task`, { Title: 'Look', DueDate: '2026-12-01', AssigneeId: doer.id }),
      201,
    )
    const own = async () => (await ok(doer.call('GET', `${TENANT}/task`))).Items
    expect(await own()).toMatchObject([{ TaskId: task.TaskId, Case: { Title: 'Harbour' } }])
    expect((await ok(doer.call('GET', `${TENANT}/today`))).Waiting.Tasks).toEqual({ Count: 1, More: false })
    await ok(editor.call('POST', `${CASES}/${caseId}/close`))
    expect(await own()).toEqual([])
    await ok(editor.call('POST', `${CASES}/${caseId}/reopen`))
    expect(await own()).toHaveLength(1)
    const without = [world.policy(world.maker, 'Manage'), policyOf(editor, 'Manage')]
    await world.given.expecting(200, world.send('PATCH', `${CASES}/${caseId}`, { AccessPolicies: without }))
    const done = { Title: 'Look', DueDate: '2026-12-01', AssigneeId: doer.id, Done: true }
    const place = `${CASES}/${caseId}/task/${task.TaskId}`
    expect((await doer.call('PUT', place, { ...done, ConcurrencyId: task.ConcurrencyId })).status).toBe(403)
    expect(await own()).toEqual([])
    expect((await ok(doer.call('GET', `${TENANT}/today`))).Waiting.Tasks.Count).toBe(0)
  })
})

describe('mentions in notes', () => {
  it('tell those who can view the case, once, and say who was not told', async () => {
    const [author, seen, unseen] = [await person('ann.'), await person('kim.'), await person('lee.')]
    const names = await Promise.all([seen, unseen].map(nameOf))
    const caseId = await caseWith([author, 'Edit'], [seen, 'View'])
    const place = `${CASES}/${caseId}/note`
    const text = `@${names[0]?.toUpperCase()}, please look. @${names[1]}: and you; mail me at x@${names[0]}`
    const note = await ok(author.call('POST', place, { Text: text }), 201)
    expect(note.NotTold).toEqual([names[1]])
    expect(await told(seen)).toEqual([['note.mentioned', text, 'case', caseId, 'Harbour']])
    expect(await told(unseen)).toEqual([])
    expect(lastEntry('note.added').detail.mentioned).toEqual([seen.id])
    const change = { Text: `${text} Thanks @${names[0]}`, ConcurrencyId: note.ConcurrencyId }
    const changed = await ok(author.call('PUT', `${place}/${note.NoteId}`, change))
    expect(changed.NotTold).toBeUndefined()
    expect(await told(seen)).toHaveLength(1)
  })

  it('tell nobody of themselves, and nobody who is not there', async () => {
    const author = await person()
    const place = `${CASES}/${await caseWith([author, 'Edit'])}/note`
    const note = await ok(author.call('POST', place, { Text: `@${await nameOf(author)} @nobody @ @@` }), 201)
    expect(note.NotTold).toBeUndefined()
    expect(await told(author)).toEqual([])
  })
})

const nameOf = async (who: Page): Promise<string> => {
  const db = await openTestDatabase({ file: world.given.file })
  const { name } = await db.read
    .selectFrom('principals')
    .select('name')
    .where('principal_id', '=', Number(who.id))
    .executeTakeFirstOrThrow()
  await db.close()
  return name
}

describe('requests for access', () => {
  const ask = (who: Page, CaseId: string, Level = 'View') =>
    who.call('POST', `${TENANT}/access-request`, { CaseId, Level, Reason: 'I interview the witness' })
  const decide = (who: Page, id: string, body: Json) =>
    who.call('POST', `${TENANT}/access-request/${id}/decision`, body)
  const list = async (who: Page, of: string) =>
    (await ok(who.call('GET', `${TENANT}/access-request?of=${of}`))).Items as Json[]

  it('S4: are told to those who manage the case, and say nothing of the case to who asked', async () => {
    const [manager, asker, viewer] = [await person(), await person(), await person()]
    const caseId = await caseWith([manager, 'Manage'], [viewer, 'View'])
    const made = await ok(ask(asker, caseId), 201)
    expect(made).toMatchObject({ Case: null, State: 'Open', Level: 'View', By: { PrincipalId: asker.id } })
    expect(JSON.stringify(made)).not.toContain('Harbour')
    expect(await told(manager)).toEqual([['access.requested', 'I interview the witness', 'case', caseId, 'Harbour']])
    expect(await list(manager, 'toDecide')).toMatchObject([{ RequestId: made.RequestId, Case: { Title: 'Harbour' } }])
    expect(await list(viewer, 'toDecide')).toEqual([])
    expect((await ok(manager.call('GET', `${TENANT}/today`))).Waiting.AccessRequests.Count).toBe(1)
    for (const who of [asker, viewer])
      expect(await decide(who, made.RequestId, { Decision: 'Grant' })).toMatchObject({
        status: 400,
        json: { ErrorCode: 'AccessRequestNotFound' },
      })
    expect((await asker.call('GET', `${CASES}/${caseId}`)).status).toBe(403)
  })

  it('I1: granting shares the case at the level that was chosen', async () => {
    const [manager, asker] = [await person(), await person()]
    const caseId = await caseWith([manager, 'Manage'])
    const { RequestId } = await ok(ask(asker, caseId, 'Edit'), 201)
    const granted = await ok(decide(manager, RequestId, { Decision: 'Grant', Level: 'Download', Message: 'Welcome' }))
    expect(granted).toMatchObject({ State: 'Granted', Decision: { Message: 'Welcome' } })
    expect((await ok(asker.call('GET', `${CASES}/${caseId}`))).AccessorPermissions).toEqual(['View', 'Download'])
    expect(await told(asker)).toEqual([['case.shared', 'Welcome', 'case', caseId, 'Harbour']])
    expect(lastEntry('access.granted')).toMatchObject({ detail: { requestId: RequestId, level: 'Download' } })
    expect((await decide(manager, RequestId, { Decision: 'Decline' })).json.ErrorCode).toBe('AccessRequestClosed')
    expect((await ask(asker, caseId)).json.ErrorCode).toBe('AccessHeldAlready')
  })

  it('declining gives nothing, tells who asked, and leaves them free to ask again', async () => {
    const [manager, asker] = [await person(), await person()]
    const caseId = await caseWith([manager, 'Manage'])
    const { RequestId } = await ok(ask(asker, caseId), 201)
    expect((await ask(asker, caseId)).json.ErrorCode).toBe('AccessRequestedAlready')
    await ok(decide(manager, RequestId, { Decision: 'Decline', Message: 'Ask CID' }))
    expect(await told(asker)).toEqual([['access.declined', '', 'case', caseId, null]])
    expect(await list(asker, 'own')).toMatchObject([
      { State: 'Declined', Case: null, Decision: { Message: 'Ask CID' } },
    ])
    expect((await asker.call('GET', `${CASES}/${caseId}`)).status).toBe(403)
    const again = await ok(ask(asker, caseId), 201)
    const place = `${TENANT}/access-request/${again.RequestId}`
    expect((await manager.call('DELETE', place)).json.ErrorCode).toBe('AccessRequestNotFound')
    expect((await ok(asker.call('DELETE', place))).State).toBe('Withdrawn')
    expect(await list(manager, 'toDecide')).toEqual([])
  })

  it('are limited for each person, and refused for a case that is not there', async () => {
    const asker = await person()
    expect((await ask(asker, '999999')).json.ErrorCode).toBe('CaseNotFound')
    for (let at = 0; at < 20; at++) await ok(ask(asker, await caseWith()), 201)
    expect((await ask(asker, await caseWith())).json.ErrorCode).toBe('TooManyAccessRequests')
  })

  it('S4: a guest neither asks nor decides', async () => {
    const guest = await aGuest()
    const [asker, manager] = [await person(), await person()]
    const caseId = await caseWith([manager, 'Manage'])
    await world.given.expecting(
      200,
      world.send('POST', `${CASES}/${caseId}/share`, { AccessPolicies: [policyOf(guest, 'Manage')] }),
    )
    const { RequestId } = await ok(ask(asker, caseId), 201)
    expect((await ask(guest, await caseWith())).status).toBe(403)
    expect((await decide(guest, RequestId, { Decision: 'Grant' })).status).toBe(403)
    expect((await list(asker, 'own'))[0]?.State).toBe('Open')
  })
})

describe('handing cases over', () => {
  it('I1: gives Manage and the open tasks to the other one, and leaves View or nothing', async () => {
    const chief = newPage(world.given.url)
    await chief.signIn(ADMINISTRATOR.username, ADMINISTRATOR.password)
    for (const Keep of ['View', 'None'] as const) {
      const [from, to, other] = [await person(), await person(), await person()]
      const one = await caseWith([from, 'Manage'], [to, 'View'])
      const two = await caseWith([from, 'Manage'])
      const viewed = await caseWith([from, 'View'])
      const task = { Title: 'Look', AssigneeId: from.id }
      await ok(from.call('POST', `${CASES}/${one}/task`, task), 201)
      const body = { FromId: from.id, ToId: to.id, Keep }
      expect((await other.call('POST', `${TENANT}/case-handover`, body)).status).toBe(403)
      expect((await other.call('GET', `${TENANT}/case-handover?from=${from.id}`)).status).toBe(403)
      const who =
        Keep === 'View'
          ? { call: (m: string, p: string, b?: unknown) => chief.send(m, p, b === undefined ? {} : { body: b }) }
          : from
      expect(await ok(who.call('GET', `${TENANT}/case-handover?from=${from.id}`))).toEqual({ Cases: 2, Tasks: 1 })
      expect(await ok(who.call('POST', `${TENANT}/case-handover`, body))).toEqual({ Cases: 2, Tasks: 1, Left: 0 })
      for (const caseId of [one, two]) {
        expect((await ok(to.call('GET', `${CASES}/${caseId}`))).AccessorPermissions).toContain('Manage')
        const { status, json } = await from.call('GET', `${CASES}/${caseId}`)
        if (Keep === 'View') expect(json.AccessorPermissions).toEqual(['View'])
        else expect(status).toBe(403)
      }
      expect((await to.call('GET', `${CASES}/${viewed}`)).status).toBe(403)
      expect((await ok(to.call('GET', `${TENANT}/task`))).Items).toHaveLength(1)
      expect((await ok(from.call('GET', `${TENANT}/task`))).Items).toEqual([])
      expect(lastEntry('case.handedOver').detail).toMatchObject({ from: from.id, to: to.id, kept: Keep })
      expect((await told(to)).map((item) => (item as string[])[0])).toEqual(['case.received'])
      const heard = (await told(from)).map((item) => (item as string[])[0])
      expect(heard).toEqual(Keep === 'View' ? ['case.handedOver'] : [])
    }
  })

  it('goes in steps of fifty, and to nobody who cannot take them', async () => {
    const [from, to] = [await person(), await person()]
    for (let at = 0; at < 51; at++) await caseWith([from, 'Manage'])
    const hand = (ToId: string) => from.call('POST', `${TENANT}/case-handover`, { FromId: from.id, ToId, Keep: 'None' })
    for (const nobody of [from.id, '999999', world.maker.id, (await aGuest()).id])
      expect((await hand(nobody)).json.ErrorCode).toBe('InvalidModel')
    expect(await ok(hand(to.id))).toEqual({ Cases: 50, Tasks: 0, Left: 1 })
    expect(await ok(hand(to.id))).toEqual({ Cases: 1, Tasks: 0, Left: 0 })
    expect(await ok(hand(to.id))).toEqual({ Cases: 0, Tasks: 0, Left: 0 })
    expect((await told(to)).map((item) => (item as string[])[0])).toEqual(['case.received'])
  })
})
