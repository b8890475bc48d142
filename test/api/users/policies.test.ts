/** Security policies over HTTP (decisions 3): who is in them, what that opens, and whom one finds to share with. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SECURITY_POLICIES } from '../../../shared/kernel/permissions.ts'
import type { Json } from '../../support/given.ts'
import { BASE, fresh, PASSWORD, type UsersWorld, usersWorld } from './world.ts'

let world: UsersWorld
beforeAll(async () => {
  world = await usersWorld()
})
afterAll(() => world?.given.close())

const policy = async (name: string): Promise<Json> =>
  (await world.given.expecting(200, world.send('GET', '/policies'))).find((one: Json) => one.Policy === name)
const replace = (name: string, Members: readonly Json[], more: Record<string, unknown> = {}) =>
  world.send('PUT', `/policies/${name}`, { Members, ...more })
const asMember = ({ PrincipalId }: Json, Level?: string) => ({ PrincipalId, ...(Level === undefined ? {} : { Level }) })
const others = ({ Members }: Json): Json[] =>
  Members.filter((one: Json) => one.Name !== 'Account Administrators').map((one: Json) => [one.PrincipalId, one.Level])

describe('the matrix', () => {
  it('is every policy, with Account Administrators in each of them', async () => {
    const all = (await world.send('GET', '/policies')).json as Json[]
    expect(all.map((one) => one.Policy)).toEqual([...SECURITY_POLICIES])
    for (const { Policy, WithLevel, Members } of all) {
      const levelled = Policy === 'AccessUnassociatedFiles' || Policy === 'AccessFilesFromMyDevice'
      expect([Policy, WithLevel]).toEqual([Policy, levelled])
      expect(Members.find((one: Json) => one.Name === 'Account Administrators')).toMatchObject({
        PrincipalType: 'group',
        Level: levelled ? 'Manage' : null,
      })
    }
  })

  it('opens and closes doors at once, directly and through a group', async () => {
    const { service, token } = await world.service()
    const { service: member, token: memberToken } = await world.service()
    const group = await world.group([member.PrincipalId])
    const tries = async (): Promise<number[]> =>
      Promise.all(
        [token, memberToken].map(
          async (one) =>
            (await world.given.call('POST', '/api/v1/category/station', { token: one, body: { Name: fresh() } }))
              .status,
        ),
      )
    expect(await tries()).toEqual([403, 403])
    const given = await world.given.expecting(200, replace('ManageConfiguration', [asMember(service), asMember(group)]))
    expect(others(given)).toEqual(
      expect.arrayContaining([
        [service.PrincipalId, null],
        [group.PrincipalId, null],
      ]),
    )
    expect(await tries()).toEqual([201, 201])
    expect((await world.read('services', member.PrincipalId)).Policies).toEqual([
      {
        Policy: 'ManageConfiguration',
        Level: null,
        Through: expect.objectContaining({ PrincipalId: group.PrincipalId, Name: group.Name }),
      },
    ])
    expect(others(await world.given.expecting(200, replace('ManageConfiguration', [asMember(group)])))).toEqual([
      [group.PrincipalId, null],
    ])
    expect(await tries()).toEqual([403, 201])
    await world.given.expecting(200, replace('ManageConfiguration', []))
    expect(await tries()).toEqual([403, 403])
    // The administrators stay though nobody sent them.
    expect(
      (await world.send('GET', '/policies', undefined, {})).json.find(
        (one: Json) => one.Policy === 'ManageConfiguration',
      ).Members,
    ).toHaveLength(1)
    const entries = world.given.ledger().filter(({ action }) => action === 'policy.changed')
    expect(entries.at(-1)).toMatchObject({
      object: { type: 'policy', id: 'ManageConfiguration' },
      detail: {
        before: [expect.objectContaining({ id: '1' }), { id: group.PrincipalId, level: null }],
        after: [{ id: '1', level: null }],
      },
    })
  })

  it('holds levels where there are levels, View unless said', async () => {
    const [one, two] = [await world.user(), await world.user()]
    const out = await world.given.expecting(
      200,
      replace('AccessUnassociatedFiles', [asMember(one, 'Download'), asMember(two)]),
    )
    expect(others(out).toSorted()).toEqual(
      [
        [one.PrincipalId, 'Download'],
        [two.PrincipalId, 'View'],
      ].toSorted(),
    )
    for (const Level of ['None', 'Read', 'view', 7])
      await world.refused(
        world.send('PUT', '/policies/AccessUnassociatedFiles', { Members: [{ PrincipalId: one.PrincipalId, Level }] }),
        400,
        'InvalidModel',
      )
    const { Details } = await world.refused(replace('ShareCases', [asMember(one, 'View')]), 400, 'InvalidModel')
    expect(Details).toEqual([{ Path: 'Members.0.Level', Message: 'ShareCases carries no level.' }])
    const built = (await policy('AccessUnassociatedFiles')).Members.find((m: Json) => m.PrincipalId === '1')
    await world.refused(replace('AccessUnassociatedFiles', [asMember(built, 'View')]), 400, 'InvalidModel')
    expect((await policy('AccessUnassociatedFiles')).Members).toHaveLength(3)
  })

  it('takes guests into CreateCases alone, and nobody twice or from nowhere', async () => {
    const guest = await world.user({ Guest: true })
    const user = await world.user()
    await world.given.expecting(200, replace('CreateCases', [asMember(guest), asMember(user)]))
    expect((await world.read('users', guest.PrincipalId)).Policies.map((one: Json) => one.Policy)).toEqual([
      'CreateCases',
    ])
    const before = await policy('ShareCases')
    const { Details } = await world.refused(
      replace('ShareCases', [asMember(user), asMember(guest), asMember(user), { PrincipalId: '999999' }]),
      400,
      'InvalidModel',
    )
    expect(Details.map(({ Path }: Json) => Path)).toEqual([
      'Members.1.PrincipalId',
      'Members.2',
      'Members.3.PrincipalId',
    ])
    expect(await policy('ShareCases')).toEqual(before)
    // Through a group it does not count for them.
    const group = await world.group([guest.PrincipalId])
    await world.given.expecting(200, replace('ShareCases', [asMember(group)]))
    expect((await world.read('users', guest.PrincipalId)).Policies).toEqual([
      { Policy: 'CreateCases', Level: null, Through: null },
    ])
  })

  it('is not overwritten by who read it before somebody else wrote', async () => {
    const [one, two] = [await world.user(), await world.user()]
    const { ConcurrencyId } = await policy('ProtectFromDeletion')
    const replies = await Promise.all(
      [one, two].map((who) => replace('ProtectFromDeletion', [asMember(who)], { ConcurrencyId })),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(others(await policy('ProtectFromDeletion'))).toHaveLength(1)
    const now = await policy('ProtectFromDeletion')
    expect(
      (
        await replace(
          'ProtectFromDeletion',
          now.Members.map((m: Json) => asMember(m)),
        )
      ).json,
    ).toEqual(now)
    expect(world.given.ledger().at(-1)).toMatchObject({ action: 'user.read', object: { id: 'ProtectFromDeletion' } })
    await world.refused(replace('Nonsense', []), 400, 'InvalidModel')
  })
})

describe('people to share with', () => {
  const find = (query: string, token = world.given.token) =>
    world.given.call('GET', `${BASE}/principals?${query}`, { token })

  it('are found by any member, without what is theirs alone', async () => {
    const stem = fresh('Čeněk')
    const user = await world.user({
      Username: stem,
      FirstName: 'Čeněk',
      LastName: 'Dvořák',
      Badge: 'D-99',
      Email: 'cenek@station.example',
    })
    const group = await world.group([], `${stem} group`)
    const { service } = await world.service({ Name: `${stem} service` })
    const word = stem.slice(-8)
    const all = await find(`text=${word}`)
    expect(all.status).toBe(200)
    expect(all.json).toEqual([
      {
        PrincipalId: user.PrincipalId,
        KId: user.KId,
        Name: 'Čeněk Dvořák',
        Username: stem,
        FirstName: 'Čeněk',
        LastName: 'Dvořák',
        PrincipalType: 'user',
        Badge: 'D-99',
        Guest: false,
      },
      expect.objectContaining({ PrincipalId: group.PrincipalId, PrincipalType: 'group' }),
      expect.objectContaining({ PrincipalId: service.PrincipalId, PrincipalType: 'service' }),
    ])
    expect(all.text).not.toContain('@')
    for (const text of ['dvorak cenek', 'DVOŘÁK d-99', `${word} dvo`])
      expect(
        (await find(`text=${encodeURIComponent(text)}&type=user`)).json.map((one: Json) => one.PrincipalId),
      ).toContain(user.PrincipalId)
    for (const text of ['cenek@station', 'station.example', `${word} nobody`, "' OR 1=1 --", '%', '_'])
      expect([text, (await find(`text=${encodeURIComponent(text)}`)).json]).toEqual([text, []])
    await world.given.expecting(200, world.send('POST', `/users/${user.PrincipalId}/disable`))
    expect((await find(`text=${word}&type=user`)).json).toEqual([])
  })

  it('are never more than fifty', async () => {
    const stem = fresh('crowd').replace(' ', '-')
    await Promise.all(Array.from({ length: 53 }, (_, at) => world.group([], `${stem} ${at}`)))
    expect((await find(`text=${stem}`)).json).toHaveLength(50)
  })

  it('are not for guests or strangers', async () => {
    const guest = await world.user({ Guest: true })
    const page = await world.signedIn(guest.Username, PASSWORD)
    expect((await page.send('GET', `${BASE}/principals?text=a`)).status).toBe(403)
    const member = await world.user()
    const own = await world.signedIn(member.Username, PASSWORD)
    expect((await own.send('GET', `${BASE}/principals?text=a`)).status).toBe(200)
    expect((await world.given.call('GET', `${BASE}/principals`, { token: null })).status).toBe(401)
    await world.refused(find(`text=${'x'.repeat(257)}`), 400, 'InvalidModel')
  })
})
