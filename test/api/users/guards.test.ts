/** What must be left (decisions 3, promise S6): somebody who manages each case, and an administrator who can sign in. */
// @module-tag merge
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestDatabase } from '../../support/rows.ts'
import type { Json, Reply } from '../../support/given.ts'
import { fresh, type UsersWorld, usersWorld } from './world.ts'

const CASES = '/api/v1/case/station'
const CODE = 'CannotRemoveLastAccessPolicyWithFullPermissions'

let world: UsersWorld
beforeAll(async () => {
  world = await usersWorld()
})
afterAll(() => world?.given.close())

/** A case whose policies are these and no others. */
async function caseOf(levels: Readonly<Record<string, Json>>, Title = fresh('Burglary')): Promise<string> {
  const AccessPolicies = Object.entries(levels).flatMap(([level, who]) =>
    [who].flat().map((one: Json) => ({
      Permissions: level,
      PrincipalId: one.PrincipalId,
      KId: one.KId,
      PrincipalType: one.KId.split(':')[1],
    })),
  )
  const opened = await world.given.expecting(
    201,
    world.given.call('POST', CASES, { token: world.chief.token, body: { Title } }),
  )
  // The administrator made it and stays on it only where the test says so.
  await world.given.expecting(
    200,
    world.given.call('PUT', `${CASES}/${opened.CaseId}`, {
      token: world.chief.token,
      body: { Title, ConcurrencyId: opened.ConcurrencyId, AccessPolicies },
    }),
  )
  return opened.CaseId as string
}

const disable = (who: Json, kind: 'users' | 'services' = 'users'): Promise<Reply> =>
  world.send('POST', `/${kind}/${who.PrincipalId}/disable`)
const enabled = async (who: Json): Promise<boolean> => (await world.read('users', who.PrincipalId)).Enabled
const ids = (...who: Json[]): string[] => who.map(({ PrincipalId }) => PrincipalId as string)
const settle = async (...who: Json[]): Promise<void> => {
  for (const one of who)
    expect((await world.send('POST', `/users/${one.PrincipalId}/enable`)).status, 'put right').toBe(200)
}

/** The entries by which these cases went to Account Administrators. */
const handedOver = (...cases: string[]): unknown[] =>
  world.given
    .ledger()
    .filter(({ action, object }) => action === 'case.handedOver' && cases.includes(object.id))
    .map(({ object, detail }) => [object.id, detail?.['disabled']])
const administrators = async (): Promise<Json> =>
  (await world.given.expecting(200, world.send('GET', '/groups'))).Items.find((one: Json) => one.BuiltIn)
async function managers(caseId: string): Promise<string[]> {
  const db = await openTestDatabase({ file: world.given.file })
  try {
    const rows = await db.read
      .selectFrom('case_policies')
      .select('principal_id')
      .where('case_id', '=', Number(caseId))
      .where('level', '=', 'Manage')
      .orderBy('principal_id')
      .execute()
    return rows.map((row) => String(row.principal_id))
  } finally {
    await db.close()
  }
}

describe('the last one who manages a case', () => {
  it('can always be disabled: the case goes to Account Administrators, with an entry and a notice', async () => {
    const [manager, editor, second] = [await world.user(), await world.user(), await world.user()]
    const id = await caseOf({ Manage: [manager, second], Edit: editor })
    expect((await disable(editor)).status).toBe(200)
    expect((await disable(second)).status).toBe(200)
    expect(handedOver(id)).toEqual([])
    expect((await disable(manager)).status).toBe(200)
    expect(await enabled(manager)).toBe(false)
    expect(handedOver(id)).toEqual([[id, manager.PrincipalId]])
    const { PrincipalId } = await administrators()
    expect(await managers(id)).toContain(PrincipalId)
    const db = await openTestDatabase({ file: world.given.file })
    const told = await db.read
      .selectFrom('notices')
      .select('object_id')
      .where('kind', '=', 'case.orphaned')
      .where('object_id', '=', id)
      .execute()
    await db.close()
    expect(told.length).toBeGreaterThan(0)
    // Whoever comes back does not lose what they had, and going again hands nothing over twice.
    await settle(manager)
    expect((await disable(manager)).status).toBe(200)
    expect(handedOver(id)).toHaveLength(1)
  })

  it('leaves every one of many cases to them, and nobody else’s', async () => {
    const [manager, other] = [await world.user(), await world.user()]
    const cases: string[] = []
    for (let more = 0; more < 12; more++) cases.push(await caseOf({ Manage: manager }, 'Secret operation'))
    const beside = await caseOf({ Manage: [manager, other] })
    expect((await disable(manager)).status).toBe(200)
    expect(handedOver(...cases)).toHaveLength(12)
    expect(handedOver(beside)).toEqual([])
  })

  it('counts neither guests, nor the disabled, nor a group without a member who counts', async () => {
    const [manager, guest, gone] = [await world.user(), await world.user({ Guest: true }), await world.user()]
    const [empty, ofGuests] = [await world.group(), await world.group(ids(guest))]
    const id = await caseOf({ Manage: [manager, guest, gone, empty, ofGuests] })
    expect((await disable(gone)).status).toBe(200)
    expect(handedOver(id)).toEqual([])
    expect((await disable(manager)).status).toBe(200)
    expect(handedOver(id)).toHaveLength(1)
  })

  it('may be a service, or somebody in a group', async () => {
    const { service } = await world.service()
    const member = await world.user()
    const group = await world.group(ids(member))
    const id = await caseOf({ Manage: [service, group] })
    expect((await disable(member)).status).toBe(200)
    expect(handedOver(id)).toEqual([])
    expect((await disable(service, 'services')).status).toBe(200)
    expect(handedOver(id)).toEqual([[id, service.PrincipalId]])
  })

  it('counts no more once the case is deleted', async () => {
    const { service, token } = await world.service({ Policies: [{ Policy: 'DeleteCasesAndFiles' }] })
    const id = await caseOf({ Manage: service })
    await world.given.expecting(200, world.given.call('POST', `${CASES}/${id}/close`, { token }))
    await world.given.expecting(200, world.given.call('DELETE', `${CASES}/${id}`, { token }))
    expect((await disable(service, 'services')).status).toBe(200)
    expect(handedOver(id)).toEqual([])
  })

  it('a closed case goes to them as well', async () => {
    const { service, token } = await world.service()
    const id = await caseOf({ Manage: service })
    await world.given.expecting(200, world.given.call('POST', `${CASES}/${id}/close`, { token }))
    expect((await disable(service, 'services')).status).toBe(200)
    expect(handedOver(id)).toHaveLength(1)
  })
})

describe('a group that gives the last Manage', () => {
  it('cannot be deleted, emptied, or lose its last member who counts', async () => {
    const [member, guest, next] = [await world.user(), await world.user({ Guest: true }), await world.user()]
    const group = await world.group(ids(member, guest))
    await caseOf({ Manage: group })
    const place = `/groups/${group.PrincipalId}`
    await world.refused(world.send('DELETE', place), 409, CODE)
    await world.refused(world.send('PUT', `${place}/members`, { PrincipalIds: [] }), 409, CODE)
    await world.refused(world.send('PUT', `${place}/members`, { PrincipalIds: ids(guest) }), 409, CODE)
    await world.refused(world.send('DELETE', `${place}/members/${member.PrincipalId}`), 409, CODE)
    const kept = await world.read('groups', group.PrincipalId)
    expect(kept.Members.map((one: Json) => one.PrincipalId).toSorted()).toEqual(ids(member, guest).toSorted())
    // Whoever comes in its place counts at once.
    expect((await world.send('PUT', `${place}/members`, { PrincipalIds: ids(next) })).status).toBe(200)
    expect((await disable(member)).status).toBe(200)
  })

  it('can go where somebody else manages the case, and what it gave goes with it', async () => {
    const { service, token } = await world.service()
    const other = await world.user()
    const group = await world.group(ids(service))
    const id = await caseOf({ Manage: [group, other] })
    const read = () => world.given.call('GET', `${CASES}/${id}`, { token })
    expect((await read()).status).toBe(200)
    expect((await world.send('DELETE', `/groups/${group.PrincipalId}`)).status).toBe(204)
    expect((await read()).status).toBe(403)
    expect((await disable(other)).status).toBe(200)
    expect(handedOver(id)).toEqual([[id, other.PrincipalId]])
  })
})

describe('the last administrator', () => {
  // A station of its own: Account Administrators manage no case here.
  let others: UsersWorld
  beforeAll(async () => {
    others = world
    world = await usersWorld()
  })
  afterAll(async () => {
    await world.given.close()
    world = others
  })

  it('can neither be disabled nor taken out; a service is none', async () => {
    const groups = (await world.send('GET', '/groups?text=account administrators')).json.Items as Json[]
    const administrators = groups[0]
    expect(administrators).toMatchObject({ Name: 'Account Administrators', BuiltIn: true })
    const place = `/groups/${administrators.PrincipalId}`
    const sergeant = (await world.send('GET', '/users?text=sergeant')).json.Items[0]
    await world.refused(disable(sergeant), 409, 'LastAdministrator')
    await world.refused(world.send('DELETE', `${place}/members/${sergeant.PrincipalId}`), 409, 'LastAdministrator')
    await world.refused(world.send('PUT', `${place}/members`, { PrincipalIds: [] }), 409, 'LastAdministrator')
    await world.refused(world.send('DELETE', place), 409, 'BuiltInGroup')
    await world.refused(world.send('PATCH', place, { Name: 'Bosses' }), 409, 'BuiltInGroup')

    const second = await world.user()
    await world.given.expecting(200, world.send('POST', `${place}/members`, { PrincipalIds: ids(second) }))
    expect((await world.read('users', second.PrincipalId)).Administrator).toBe(true)
    expect((await disable(sergeant)).status).toBe(200)
    await world.refused(disable(second), 409, 'LastAdministrator')
    await settle(sergeant)
    const guest = await world.user({ Guest: true })
    const { Details } = await world.refused(
      world.send('POST', `${place}/members`, { PrincipalIds: ids(guest) }),
      400,
      'InvalidModel',
    )
    expect(Details[0].Path).toBe('PrincipalIds.0')
  })

  it('of all at once, one is left', async () => {
    const place = `/groups/${(await world.send('GET', '/groups?text=account')).json.Items[0].PrincipalId}/members`
    const added = await Promise.all(Array.from({ length: 5 }, () => world.user()))
    await world.given.expecting(200, world.send('POST', place, { PrincipalIds: ids(...added) }))
    const all = (await world.send('GET', '/users?count=1000')).json.Items.filter(
      (one: Json) => one.Administrator && one.Enabled,
    )
    expect(all.length).toBeGreaterThanOrEqual(6)
    const replies = await Promise.all(all.map((one: Json) => disable(one)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(all.length - 1)
    expect(replies.filter(({ json }) => json.ErrorCode === 'LastAdministrator')).toHaveLength(1)
    const left = (await world.send('GET', '/users?count=1000')).json.Items.filter((one: Json) => one.Administrator)
    expect(left).toHaveLength(1)
    await settle(...all)
  })
})

describe('S6 races', () => {
  it('of two last managers disabled at the same moment the second one leaves the case to administrators', async () => {
    for (let round = 0; round < 8; round++) {
      const [one, two] = [await world.user(), await world.user()]
      const id = await caseOf({ Manage: [one, two] })
      const replies = await Promise.all([disable(one), disable(two)])
      expect(replies.map(({ status }) => status)).toEqual([200, 200])
      expect(handedOver(id)).toHaveLength(1)
      expect(await Promise.all([enabled(one), enabled(two)])).toEqual([false, false])
    }
  })

  it('disabling, leaving a group, deleting it and changing the case at once leave somebody', async () => {
    for (let round = 0; round < 8; round++) {
      const [direct, member] = [await world.user(), await world.user()]
      const group = await world.group(ids(member))
      const { service, token } = await world.service()
      const id = await caseOf({ Manage: [direct, group, service] })
      const acts = [
        () => disable(direct),
        () => disable(member),
        () => world.send('DELETE', `/groups/${group.PrincipalId}`),
        () => world.send('PUT', `/groups/${group.PrincipalId}/members`, { PrincipalIds: [] }),
        () => disable(service, 'services'),
        () =>
          world.given.call('PATCH', `${CASES}/${id}`, {
            token,
            body: {
              AccessPolicies: [
                { Permissions: 'Manage', PrincipalId: direct.PrincipalId, KId: direct.KId, PrincipalType: 'user' },
              ],
            },
          }),
      ]
      // Another order each time; the writer takes them one by one.
      const order = acts
        .map((act, at) => [(at * 5 + round) % acts.length, act] as const)
        .toSorted((a, b) => a[0] - b[0])
      await Promise.all(order.map(([, act]) => act()))
      const left = world.given.database(
        (db) =>
          db
            .prepare(
              `SELECT count(*) FROM principals who WHERE enabled = 1 AND guest = 0 AND kind <> 'group' AND EXISTS (
                 SELECT 1 FROM case_policies p WHERE p.case_id = ? AND p.level = 'Manage' AND (p.principal_id = who.principal_id
                 OR p.principal_id IN (SELECT group_id FROM memberships WHERE member_id = who.principal_id)))`,
            )
            .pluck()
            .get(Number(id)) as number,
      )
      expect(left, `round ${round}`).toBeGreaterThan(0)
    }
  })
})
