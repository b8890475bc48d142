import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json, Reply } from '../../support/given.ts'
import { CASES, type CasesWorld, casesWorld, type Person } from './world.ts'

/** Sharing, protecting, deleting, restoring (decisions 3 and 4, the table of transitions). */
let world: CasesWorld
let keeper: Person
let restorer: Person
let sharer: Person
beforeAll(async () => {
  world = await casesWorld()
  keeper = await world.person('keeper', ['CreateCases', 'DeleteCasesAndFiles', 'ProtectFromDeletion'])
  restorer = await world.person('restorer', ['RestoreFromRecycleBin'])
  sharer = await world.person('sharer', ['ShareCases'])
})
afterAll(() => world.given.close())

const act = (made: Json, what: string, body?: Json, as: Person = keeper): Promise<Reply> =>
  what === 'delete'
    ? world.send('DELETE', `${CASES}/${made.CaseId}${body ?? ''}`, undefined, { as })
    : world.send('POST', `${CASES}/${made.CaseId}/${what}`, body, { as })
const code = async (reply: Promise<Reply>): Promise<unknown> => {
  const { status, json, text } = await reply
  return [status, json?.ErrorCode ?? text]
}
const done = (reply: Promise<Reply>): Promise<Json> => world.given.expecting(200, reply)
const policiesOf = ({ AccessPolicies }: Json): Json =>
  Object.fromEntries(AccessPolicies.map((one: Json) => [one.Username, [one.Permissions, one.ExpirationDateUtc]]))

describe('sharing', () => {
  it('adds and raises, never lowers, and expires for those it adds or raises', async () => {
    const made = await world.made({ AccessPolicies: [world.policy(world.other, 'Edit'), world.policy(sharer, 'View')] })
    const until = '2099-01-01T00:00:00Z'
    const shared = await done(
      world.send('POST', `${CASES}/${made.CaseId}/share`, {
        AccessPolicies: [
          world.policy(world.other, 'View'),
          world.policy(sharer, 'Download'),
          world.policy(keeper, 'View'),
        ],
        ExpirationDateUtc: until,
        Message: 'Have a look',
      }),
    )
    expect(policiesOf(shared)).toEqual({
      maker: ['Manage', null],
      other: ['Edit', null],
      sharer: ['Download', until],
      keeper: ['View', until],
    })
    const raised = await done(
      world.send('POST', `${CASES}/${made.CaseId}/share`, { AccessPolicies: [world.policy(keeper, 'Manage')] }),
    )
    expect(policiesOf(raised).keeper).toEqual(['Manage', null])
  })

  it('I1: with people who have the level already, it leaves an entry and no version', async () => {
    const made = await world.made({ AccessPolicies: [world.policy(world.other, 'Edit')] })
    const again = await done(
      world.send('POST', `${CASES}/${made.CaseId}/share`, { AccessPolicies: [world.policy(world.other, 'View')] }),
    )
    expect(again.ConcurrencyId).toBe(made.ConcurrencyId)
    const entries = world.given
      .ledger()
      .filter(({ action, object }) => action === 'case.shared' && object.id === made.CaseId)
    expect(entries.map(({ outcome, detail }) => [outcome, detail])).toEqual([['ok', { with: [] }]])
  })

  it('reaches people by a notice, also through their group, once each', async () => {
    const { given } = world
    for (const username of ['ana', 'ben'])
      await given.command('user.create', {
        username,
        password: 'a long enough pass phrase',
        group: 'Night shift',
        policies: [],
        guest: false,
      })
    const principals = given.database((db) =>
      db.prepare("SELECT principal_id, k_id, kind, name FROM principals WHERE name IN ('ana', 'Night shift')").all(),
    ) as { principal_id: number | bigint; k_id: string; kind: string; name: string }[]
    const made = await world.made()
    await done(
      world.send('POST', `${CASES}/${made.CaseId}/share`, {
        AccessPolicies: principals.map((one) => ({
          Permissions: 'View',
          PrincipalId: String(one.principal_id),
          KId: one.k_id,
          PrincipalType: one.kind,
        })),
        Message: 'Tonight',
      }),
    )
    const notices = given.database((db) =>
      db
        .prepare('SELECT p.name, n.message FROM notices n JOIN principals p USING (principal_id) WHERE n.object_id = ?')
        .all(made.CaseId),
    )
    expect(notices.map((one) => ({ ...(one as object) }))).toEqual([
      { name: 'ana', message: 'Tonight' },
      { name: 'ben', message: 'Tonight' },
    ])
  })

  it('W2: by the policy ShareCases: whoever can view shares at most Download, and not with themselves', async () => {
    const made = await world.made({ AccessPolicies: [world.policy(sharer, 'Edit'), world.policy(world.other, 'View')] })
    const share = (who: Person, level: string, as: Person) =>
      code(act(made, 'share', { AccessPolicies: [world.policy(who, level)] }, as))
    expect(await share(keeper, 'Edit', sharer)).toEqual([403, ''])
    expect(await share(sharer, 'Download', sharer)).toEqual([403, ''])
    expect(await share(keeper, 'View', world.other)).toEqual([403, ''])
    expect(await share(keeper, 'Download', sharer)).toEqual([200, expect.stringContaining('"CaseId"')])
    const viewed = await world.made({ AccessPolicies: [world.policy(sharer, 'View')] })
    const policies = { AccessPolicies: [world.policy(keeper, 'Download')] }
    expect(await code(act(viewed, 'share', policies, sharer))).toEqual([200, expect.stringContaining('"CaseId"')])
    const edit = { AccessPolicies: [world.policy(keeper, 'Edit')] }
    expect(await code(act(viewed, 'share', edit, sharer))).toEqual([403, ''])
    const denied = world.given.ledger().filter(({ reason }) => reason === 'UserCannotShareCase')
    expect(denied.length).toBe(4)
  })

  it('refuses what cannot be', async () => {
    const made = await world.made()
    const share = (body: Json) => code(act(made, 'share', body, world.maker))
    expect(await share({ AccessPolicies: [] })).toEqual([400, 'InvalidModel'])
    expect(await share({ AccessPolicies: [{ ...world.policy(keeper, 'View'), PrincipalId: '99999' }] })).toEqual([
      400,
      'UnableToLoadUser',
    ])
    const never = { AccessPolicies: [world.policy(keeper, 'Manage')], ExpirationDateUtc: '2099-01-01T00:00:00Z' }
    expect(await share(never)).toEqual([400, 'InvalidModel'])
    await done(act(made, 'close', undefined, world.maker))
    expect(
      (await done(act(made, 'share', { AccessPolicies: [world.policy(keeper, 'View')] }, world.maker))).State,
    ).toBe('Closed')
  })
})

describe('protecting', () => {
  it('bars deletion, not edits, until it is taken away', async () => {
    const made = await world.made({}, keeper)
    const held = await done(act(made, 'protect', { Reason: 'Appeal' }))
    expect([held.LifecycleState, held.ProtectedUntil]).toEqual(['Protected', null])
    expect(await code(act(made, 'protect', { Reason: 'Again' }))).toEqual([400, 'CaseNotInNormalState'])
    await done(world.send('PATCH', `${CASES}/${made.CaseId}`, { Title: 'Robbery' }, { as: keeper }))
    await done(act(made, 'close'))
    expect(await code(act(made, 'delete'))).toEqual([400, 'CaseProtected'])
    expect((await done(act(made, 'unprotect'))).LifecycleState).toBe('Normal')
    expect(await code(act(made, 'unprotect'))).toEqual([400, 'CaseNotProtected'])
    expect((await done(act(made, 'delete'))).LifecycleState).toBe('Deleted')
  })

  it('ends at its instant', async () => {
    const made = await world.made({}, keeper)
    expect(await code(act(made, 'protect', { Reason: 'x', Until: '2020-01-01T00:00:00Z' }))).toEqual([
      400,
      'InvalidModel',
    ])
    expect(await code(act(made, 'protect', { Reason: '  ' }))).toEqual([400, 'InvalidModel'])
    const until = new Date(Date.now() + 1500).toISOString()
    expect((await done(act(made, 'protect', { Reason: 'x', Until: until }))).ProtectedUntil).toBe(until)
    await done(act(made, 'close'))
    expect(await code(act(made, 'delete'))).toEqual([400, 'CaseProtected'])
    await new Promise((resolve) => setTimeout(resolve, 1600))
    expect((await done(act(made, 'delete'))).LifecycleState).toBe('Deleted')
  })

  it('needs Manage and the policy', async () => {
    const made = await world.made({ AccessPolicies: [world.policy(keeper, 'Edit')] })
    expect(await code(act(made, 'protect', { Reason: 'x' }, world.maker))).toEqual([403, ''])
    expect(await code(act(made, 'protect', { Reason: 'x' }))).toEqual([403, ''])
  })
})

describe('deleting and restoring', () => {
  it('goes through the recycle bin and back, and its evidence stays', async () => {
    const { given } = world
    const evidence = await given.expecting(
      201,
      given.call('POST', `${given.documents}/evidence`, { token: keeper.token, body: { Name: 'Clip' } }),
    )
    const body = { EvidenceIds: [evidence.EvidenceId], AccessPolicies: [world.policy(world.other, 'View')] }
    const made = await world.made(body, keeper)
    const seen = (): Promise<Reply> =>
      given.call('GET', `${given.documents}/evidence/${evidence.EvidenceId}`, { token: world.other.token })
    expect((await seen()).status).toBe(200)
    expect(await code(act(made, 'delete'))).toEqual([400, 'CaseNotInNormalState'])
    await done(act(made, 'close'))
    expect(await code(act(made, 'delete', '?withFiles=maybe'))).toEqual([400, 'InvalidModel'])
    await done(act(made, 'delete'))
    // A deleted case gives no access to its evidence; whoever has their own still has it.
    expect((await seen()).status).toBe(404)
    expect(
      (await given.call('GET', `${given.documents}/evidence/${evidence.EvidenceId}`, { token: keeper.token })).status,
    ).toBe(200)
    const place = `${CASES}/${made.CaseId}`
    for (const [method, path, payload] of [
      ['GET', place],
      ['GET', `${place}?concurrencyId=${made.ConcurrencyId}`],
      ['PATCH', place, { Title: 'x' }],
      ['PUT', place, { Title: 'x', ConcurrencyId: made.ConcurrencyId }],
      ['POST', `${place}/reopen`],
      ['POST', `${place}/follow`],
      ['POST', `${place}/share`, { AccessPolicies: [world.policy(world.maker, 'View')] }],
      ['POST', `${place}/protect`, { Reason: 'x' }],
      ['POST', `${place}/link-evidences`, { Evidences: [] }],
    ] as const) {
      expect([path, await code(world.send(method, path, payload, { as: keeper }))]).toEqual([
        path,
        [400, 'CaseDeleted'],
      ])
      const stranger = await world.send(method, path, payload, { as: world.maker })
      expect([path, stranger.status]).toEqual([path, 403])
    }
    expect(await code(act(made, 'delete'))).toEqual([400, 'CaseAlreadyDeleted'])
    expect(await code(act(made, 'restore'))).toEqual([403, ''])
    const restored = await done(act(made, 'restore', undefined, restorer))
    expect([restored.LifecycleState, restored.State]).toEqual(['Normal', 'Closed'])
    expect((await seen()).status).toBe(200)
    expect(await code(act(made, 'restore', undefined, restorer))).toEqual([400, 'CaseNotDeleted'])
  })
})

describe('the list', () => {
  const list = async (query: string, as: Person = world.other): Promise<Json> =>
    done(world.send('GET', `${CASES}?${query}`, undefined, { as }))

  it('shows what one can view, newest first, page by page', async () => {
    const viewer = await world.person('viewer')
    const made: string[] = []
    for (let at = 0; at < 5; at++) {
      made.unshift((await world.made({ Title: `Night ${at}`, AccessPolicies: [world.policy(viewer, 'View')] })).CaseId)
      await world.made({ Title: 'Hidden' })
    }
    const found: string[] = []
    let cursor = ''
    do {
      const page = await list(`count=2${cursor}`, viewer)
      found.push(...page.Items.map(({ CaseId }: Json) => CaseId))
      cursor = page.Cursor === null ? '' : `&cursor=${page.Cursor}`
    } while (cursor !== '')
    expect(found).toEqual(made)
    expect((await list('text=night%203', viewer)).Items.map(({ CaseId }: Json) => CaseId)).toEqual([made[1]])
    expect(await code(world.send('GET', `${CASES}?cursor=abc`))).toEqual([400, 'InvalidModel'])
  })

  it('is filtered by state, category, mine, following, time and the recycle bin', async () => {
    const one = await world.person('filterer', ['CreateCases', 'DeleteCasesAndFiles'])
    const category = await world.given.expecting(
      201,
      world.send('POST', '/api/v1/category/station', { Name: 'Filtered' }),
    )
    const ids = async (query: string, as = one) => (await list(query, as)).Items.map(({ Title }: Json) => Title).sort()
    await world.made({ Title: 'a', CategoryId: category.CategoryId, OccurredOn: '2026-01-01T00:00:00Z' }, one)
    const b = await world.made({ Title: 'b', EndedOn: '2026-03-01T00:00:00Z' }, one)
    const c = await world.made({ Title: 'c', AccessPolicies: [world.policy(one, 'View')] })
    const gone = await world.made({ Title: 'gone' }, one)
    for (const closed of [b, gone]) await done(act(closed, 'close', undefined, one))
    await done(act(gone, 'delete', undefined, one))
    await done(act(c, 'follow', undefined, one))
    expect(await ids('')).toEqual(['a', 'b', 'c'])
    expect(await ids('state=Closed')).toEqual(['b'])
    expect(await ids(`category=${category.CategoryId}`)).toEqual(['a'])
    expect(await ids('mine=true')).toEqual(['a', 'b'])
    expect(await ids('following=true')).toEqual(['c'])
    expect(await ids('to=2026-02-01T00:00:00Z')).toEqual(['a'])
    expect(await ids('from=2026-02-01T00:00:00Z&to=2026-04-01T00:00:00Z')).toEqual(['b'])
    expect(await ids('deleted=true')).toEqual(['gone'])
    expect(await ids('deleted=true', restorer)).toContain('gone')
    expect(await ids('', restorer)).toEqual([])
  })
})
