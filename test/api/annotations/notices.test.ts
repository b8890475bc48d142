// @module-tag merge
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADMINISTRATOR, type Json } from '../../support/given.ts'
import { newPage } from '../sessions/page.ts'
import { CASES, type CasesWorld, casesWorld } from '../cases/world.ts'
import { signInToPage, type Page } from './page.ts'

/** Notices: what the station tells one person, seen by nobody else; fresh by the stream of changes. */
const NOTICES = '/userservice/api/v1/tenant/station/notices'
let world: CasesWorld
let ann: Page
let bob: Page
beforeAll(async () => {
  world = await casesWorld()
  ann = await signInToPage(world.given, 'ann')
  bob = await signInToPage(world.given, 'bob')
})
afterAll(() => world?.given.close())

const shared = async (with_: Page, message: string, title = 'Harbour'): Promise<string> => {
  const { CaseId } = await world.made({ Title: title })
  const policy = { Permissions: 'View', PrincipalId: with_.id, KId: with_.kId, PrincipalType: 'user' }
  const body = { AccessPolicies: [policy], Message: message }
  await world.given.expecting(200, world.send('POST', `${CASES}/${CaseId}/share`, body))
  return CaseId
}

describe('notices', () => {
  it('are those of the caller, newest first, with message, sender and the case as it is called now', async () => {
    const first = await shared(ann, 'Please look')
    const second = await shared(ann, '')
    await shared(bob, 'Not for Ann')
    await world.given.expecting(200, world.send('PATCH', `${CASES}/${first}`, { Title: 'Harbour Road' }))
    const { json } = await ann.call('GET', NOTICES)
    expect(json.Unseen).toBe(2)
    expect(json.Items).toEqual([
      expect.objectContaining({ Message: '', Object: { Type: 'case', Id: second, Name: 'Harbour' }, SeenUtc: null }),
      {
        NoticeId: expect.stringMatching(/^\d+$/),
        Kind: 'case.shared',
        Message: 'Please look',
        Object: { Type: 'case', Id: first, Name: 'Harbour Road' },
        Act: null,
        Times: 1,
        SinceUtc: expect.stringMatching(/Z$/),
        CreatedUtc: expect.stringMatching(/Z$/),
        CreatedBy: expect.objectContaining({ Name: 'maker', PrincipalType: 'service' }),
        SeenUtc: null,
        System: false,
      },
    ])
    const page = (await ann.call('GET', `${NOTICES}?count=1`)).json
    expect((await ann.call('GET', `${NOTICES}?count=1&cursor=${page.Cursor}`)).json.Items).toEqual([json.Items[1]])
  })

  it('a case that one cannot view any more is not called by its name', async () => {
    const id = await shared(bob, 'Gone soon', 'Secret title')
    const mine = world.policy(world.maker, 'Manage')
    await world.given.expecting(200, world.send('PATCH', `${CASES}/${id}`, { AccessPolicies: [mine] }))
    const { text, json } = await bob.call('GET', NOTICES)
    expect(json.Items[0].Object).toEqual({ Type: 'case', Id: id, Name: null })
    expect(text).not.toContain('Secret title')
    expect(text).not.toContain('Gone soon')
  })

  it('a follower with whom a case is shared has the notice of that; another follower hears of the change', async () => {
    const [ina, jon] = [await signInToPage(world.given, 'ina'), await signInToPage(world.given, 'jon')]
    const policyOf = (page: Page, level: string) =>
      ({ Permissions: level, PrincipalId: page.id, KId: page.kId, PrincipalType: 'user' }) as const
    const mine = world.policy(world.maker, 'Manage')
    const theirs = [policyOf(ina, 'View'), policyOf(jon, 'View')]
    const { CaseId } = await world.made({ Title: 'Quay 7', AccessPolicies: [mine, ...theirs] })
    for (const page of [ina, jon]) await page.call('POST', `${CASES}/${CaseId}/follow`)
    const body = { AccessPolicies: [policyOf(ina, 'Edit')] }
    await world.given.expecting(200, world.send('POST', `${CASES}/${CaseId}/share`, body))
    const kinds = async (page: Page) =>
      (await page.call('GET', NOTICES)).json.Items.map(({ Kind, Act }: Json) => [Kind, Act])
    expect(await kinds(ina)).toEqual([['case.shared', null]])
    expect(await kinds(jon)).toEqual([['case.changed', 'case.shared']])
  })

  it('S4 of a followed case one hears what others did, not oneself, and nothing more once it is closed to one', async () => {
    const cat = await signInToPage(world.given, 'cat')
    const mine = world.policy(world.maker, 'Manage')
    const theirs = { Permissions: 'Edit', PrincipalId: cat.id, KId: cat.kId, PrincipalType: 'user' }
    const { CaseId } = await world.made({ Title: 'Quay 4', AccessPolicies: [mine, theirs] })
    await world.send('POST', `${CASES}/${CaseId}/follow`, undefined)
    expect((await cat.call('POST', `${CASES}/${CaseId}/follow`)).json.Following).toBe(true)
    expect((await cat.call('PATCH', `${CASES}/${CaseId}`, { Title: 'Quay 5' })).status).toBe(200)
    expect((await cat.call('GET', NOTICES)).json.Items).toEqual([])
    await world.given.expecting(200, world.send('PATCH', `${CASES}/${CaseId}`, { Title: 'Quay 6' }))
    await world.given.expecting(200, world.send('POST', `${CASES}/${CaseId}/close`, {}))
    const told = { Kind: 'case.changed', Act: 'case.closed', Times: 2, CreatedBy: { Name: 'maker' } }
    const before = (await cat.call('GET', NOTICES)).json.Items
    expect(before).toMatchObject([{ ...told, Object: { Type: 'case', Id: CaseId, Name: 'Quay 6' } }])
    await world.given.expecting(200, world.send('POST', `${CASES}/${CaseId}/reopen`, {}))
    await world.given.expecting(200, world.send('PATCH', `${CASES}/${CaseId}`, { AccessPolicies: [mine] }))
    await world.given.expecting(200, world.send('PATCH', `${CASES}/${CaseId}`, { Title: 'Raid on Friday' }))
    const { json, text } = await cat.call('GET', NOTICES)
    expect(json.Items).toMatchObject([
      { Kind: 'case.changed', Times: 3, Act: null, CreatedBy: null, Object: { Id: CaseId, Name: null } },
    ])
    for (const word of ['Quay', 'Raid', 'maker']) expect(text).not.toContain(word)
  })

  it('all up to one are marked as seen; what came meanwhile is not', async () => {
    const dan = await signInToPage(world.given, 'dan')
    await shared(dan, 'One')
    await shared(dan, 'Two')
    const { Items } = (await dan.call('GET', NOTICES)).json
    await shared(dan, 'Three')
    expect((await dan.call('POST', `${NOTICES}/seen`, { UpTo: Items[0].NoticeId })).json).toEqual({ Unseen: 1 })
    const left = (await dan.call('GET', `${NOTICES}?unseen=true`)).json.Items
    expect(left.map(({ Message }: Json) => Message)).toEqual(['Three'])
    for (const body of [{}, { UpTo: '1', NoticeIds: ['1'] }, { UpTo: 'x' }])
      expect((await dan.call('POST', `${NOTICES}/seen`, body)).status).toBe(400)
    expect((await ann.call('POST', `${NOTICES}/seen`, { UpTo: left[0].NoticeId })).status).toBe(200)
    expect((await dan.call('GET', `${NOTICES}?unseen=true`)).json.Unseen).toBe(1)
  })

  it('each chooses how to hear of what they could be told of', async () => {
    const eve = await signInToPage(world.given, 'eve')
    const choices = `${NOTICES}/choices`
    const usual = [
      { Kind: 'camera.failed', Way: 'system' },
      { Kind: 'camera.differs', Way: 'app' },
      { Kind: 'case.shared', Way: 'app' },
      { Kind: 'note.mentioned', Way: 'app' },
      { Kind: 'task.assigned', Way: 'app' },
      { Kind: 'task.due', Way: 'app' },
      { Kind: 'task.done', Way: 'app' },
      { Kind: 'shareLink.locked', Way: 'system' },
      { Kind: 'search.found', Way: 'app' },
      { Kind: 'access.requested', Way: 'app' },
      { Kind: 'access.declined', Way: 'app' },
      { Kind: 'case.received', Way: 'app' },
      { Kind: 'case.handedOver', Way: 'app' },
      { Kind: 'case.changed', Way: 'app' },
      { Kind: 'disclosure.due', Way: 'app' },
      { Kind: 'disclosure.acknowledged', Way: 'app' },
      { Kind: 'disclosure.proposed', Way: 'app' },
      { Kind: 'disclosure.approved', Way: 'app' },
      { Kind: 'disclosure.refused', Way: 'app' },
      { Kind: 'disclosure.requestDue', Way: 'app' },
    ]
    expect((await eve.call('GET', choices)).json).toEqual({ Items: usual })
    const chosen = await eve.call('PUT', choices, { Items: [{ Kind: 'case.shared', Way: 'none' }] })
    expect(chosen.json.Items[2]).toEqual({ Kind: 'case.shared', Way: 'none' })
    await shared(eve, 'Not wanted')
    expect((await eve.call('GET', NOTICES)).json.Items).toEqual([])
    await eve.call('PUT', choices, { Items: [{ Kind: 'case.shared', Way: 'system' }] })
    await shared(eve, 'Wanted')
    expect((await eve.call('GET', NOTICES)).json.Items).toMatchObject([{ Message: 'Wanted', System: true }])
    // Of others nothing changed.
    expect((await ann.call('GET', choices)).json).toEqual({ Items: usual })
    const one = { Kind: 'case.shared', Way: 'app' }
    for (const Items of [[], [one, one], [{ ...one, Kind: 'x' }], [{ ...one, Way: 'loud' }]])
      expect((await eve.call('PUT', choices, { Items })).status).toBe(400)
  })

  it('a thousand messages of dispatch that nobody can read are one notice for who configures', async () => {
    const chief = newPage(world.given.url)
    await chief.signIn(ADMINISTRATOR.username, ADMINISTRATOR.password)
    const connection = await world.given.integration('cad', ['PushCadEvents'])
    const headers = { 'x-api-key': String(connection['APIKey']) }
    const wrong = Array.from({ length: 500 }, (_, at) => ({ eventId: at }))
    for (let times = 0; times < 2; times++)
      await world.given.call('POST', '/cadservice/api/v1/events/station/batch', { token: null, headers, body: wrong })
    const told = ((await chief.send('GET', NOTICES)).json as Json).Items.filter(
      ({ Kind }: Json) => Kind === 'cad.unreadable',
    )
    expect(told).toMatchObject([{ Times: 1000, Object: { Type: 'service', Name: 'cad' } }])
    expect((await ann.call('GET', NOTICES)).text).not.toContain('cad.unreadable')
  })

  it('marked as seen they are seen; those of others stay', async () => {
    const { Items } = (await ann.call('GET', NOTICES)).json
    const ids = Items.map(({ NoticeId }: Json) => NoticeId)
    const other = (await bob.call('GET', NOTICES)).json
    const reply = await ann.call('POST', `${NOTICES}/seen`, {
      NoticeIds: [...ids, other.Items[0].NoticeId, '9007199254740993'],
    })
    expect([reply.status, reply.json]).toEqual([200, { Unseen: 0 }])
    const after = (await ann.call('GET', NOTICES)).json
    expect(after.Items.every(({ SeenUtc }: Json) => SeenUtc !== null)).toBe(true)
    expect((await ann.call('GET', `${NOTICES}?unseen=true`)).json).toMatchObject({ Items: [], Unseen: 0 })
    expect((await bob.call('GET', NOTICES)).json.Unseen).toBe(other.Unseen)
    expect((await ann.call('POST', `${NOTICES}/seen`, { NoticeIds: [] })).status).toBe(400)
  })

  it('the stream tells whom they are for, when one comes and when one was seen elsewhere, and nobody else', async () => {
    const [mine, theirs] = [await listening(ann), await listening(bob)]
    try {
      // Each stream begins with how things are.
      for (const stream of [mine, theirs]) await stream.until((all) => all.length > 0)
      const before = theirs.events.length
      await shared(ann, 'Now')
      await mine.until((all) => all.some(({ Unseen }) => Unseen === 1))
      const { Items } = (await ann.call('GET', `${NOTICES}?unseen=true`)).json
      await ann.call('POST', `${NOTICES}/seen`, { NoticeIds: [Items[0].NoticeId] })
      await mine.until((all) => all.at(-1)?.Unseen === 0)
      expect(theirs.events.slice(before)).toEqual([])
    } finally {
      mine.stop()
      theirs.stop()
    }
  })
})

async function listening(page: Page) {
  const events: Json[] = []
  const asked = request(`${world.given.url}/api/v1/tenant/station/station/events`, { headers: page.headers })
  asked.on('error', () => {})
  asked.end()
  await new Promise<void>((resolve) =>
    asked.once('response', (reply) => {
      let text = ''
      reply.on('error', () => {})
      reply.on('data', (chunk: Buffer) => {
        text += chunk.toString('utf8')
        const parts = text.split('\n\n')
        text = parts.pop() ?? ''
        for (const part of parts)
          if (part.startsWith('event: notice\n')) events.push(JSON.parse(part.split('data: ')[1] ?? 'null'))
      })
      resolve()
    }),
  )
  return {
    events,
    stop: () => asked.destroy(),
    until: async (done: (all: readonly Json[]) => boolean): Promise<void> => {
      for (let tries = 0; tries < 200; tries++) {
        if (done(events)) return
        await new Promise((resolve) => setTimeout(resolve, 25))
      }
      throw new Error(`was told ${JSON.stringify(events)}`)
    },
  }
}
