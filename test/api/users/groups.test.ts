/** Groups over HTTP (decisions 3): named, filled, emptied, deleted; what they give counts from that moment. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../support/given.ts'
import { fresh, type UsersWorld, usersWorld } from './world.ts'

let world: UsersWorld
beforeAll(async () => {
  world = await usersWorld()
})
afterAll(() => world?.given.close())

const ids = (...who: Json[]): string[] => who.map(({ PrincipalId }) => PrincipalId as string)
const members = ({ Members }: Json): string[] => Members.map((one: Json) => one.PrincipalId).toSorted()

describe('groups', () => {
  it('are made with members, read and listed', async () => {
    const [user, guest] = [await world.user({ FirstName: 'Ada' }), await world.user({ Guest: true })]
    const { service } = await world.service()
    const stem = fresh('patrol')
    const made = await world.group(ids(user, guest, service), `${stem} Nürnberg`)
    expect(made).toMatchObject({
      Name: `${stem} Nürnberg`,
      KId: `urn:group:station:${stem} Nürnberg:${made.PrincipalId}`,
      BuiltIn: false,
      MemberCount: 3,
      Policies: [],
      ConcurrencyId: expect.stringMatching(/^[0-9a-f]{40}$/),
    })
    expect(members(made)).toEqual(ids(user, guest, service).toSorted())
    expect(made.Members.find((one: Json) => one.PrincipalId === user.PrincipalId)).toEqual({
      PrincipalId: user.PrincipalId,
      KId: user.KId,
      Name: 'Ada',
      Username: user.Username,
      PrincipalType: 'user',
      Enabled: true,
      Guest: false,
    })
    expect(await world.read('groups', made.PrincipalId)).toEqual(made)
    const { Items } = (await world.send('GET', `/groups?text=${encodeURIComponent(`${stem} nurnberg`)}`)).json
    expect(Items).toEqual([
      {
        PrincipalId: made.PrincipalId,
        KId: made.KId,
        Name: made.Name,
        BuiltIn: false,
        MemberCount: 3,
        CreatedUtcTime: made.CreatedUtcTime,
      },
    ])
    expect((await world.read('users', user.PrincipalId)).Groups.map((one: Json) => one.Name)).toEqual([made.Name])
  })

  it('hold users and services, not groups, and nobody who is not there; every wrong one is named', async () => {
    const [inner, user] = [await world.group(), await world.user()]
    for (const send of [
      (PrincipalIds: string[]) => world.send('POST', '/groups', { Name: fresh(), PrincipalIds }),
      (PrincipalIds: string[]) => world.send('POST', `/groups/${inner.PrincipalId}/members`, { PrincipalIds }),
      (PrincipalIds: string[]) => world.send('PUT', `/groups/${inner.PrincipalId}/members`, { PrincipalIds }),
    ]) {
      const { Details } = await world.refused(
        send([user.PrincipalId, inner.PrincipalId, '999999', '9007199254740993']),
        400,
        'InvalidModel',
      )
      expect(Details.map(({ Path }: Json) => Path)).toEqual(['PrincipalIds.1', 'PrincipalIds.2', 'PrincipalIds.3'])
    }
    expect((await world.read('groups', inner.PrincipalId)).Members).toEqual([])
    const many = Array.from({ length: 5_001 }, (_, at) => String(at))
    await world.refused(
      world.send('PUT', `/groups/${inner.PrincipalId}/members`, { PrincipalIds: many }),
      400,
      'InvalidModel',
    )
  })

  it('a member that is added twice is in once, one that is not in cannot be taken out', async () => {
    const [one, two] = [await world.user(), await world.user()]
    const group = await world.group(ids(one))
    const place = `/groups/${group.PrincipalId}/members`
    const added = await world.given.expecting(200, world.send('POST', place, { PrincipalIds: ids(one, two, two) }))
    expect(members(added)).toEqual(ids(one, two).toSorted())
    const replaced = await world.given.expecting(200, world.send('PUT', place, { PrincipalIds: ids(two) }))
    expect(members(replaced)).toEqual(ids(two))
    expect((await world.send('DELETE', `${place}/${two.PrincipalId}`)).json.Members).toEqual([])
    await world.refused(world.send('DELETE', `${place}/${two.PrincipalId}`), 404, 'NotFound')
    const details = world.given
      .ledger()
      .filter(({ action, object }) => action === 'group.membersChanged' && object.id === group.PrincipalId)
      .map(({ detail }) => detail)
    expect(details).toEqual([
      { before: ids(one), after: ids(one, two) },
      { before: ids(one, two), after: ids(two) },
      { before: ids(two), after: [] },
    ])
  })

  it('are not overwritten by who read them before somebody else wrote', async () => {
    const [one, two] = [await world.user(), await world.user()]
    const group = await world.group()
    const place = `/groups/${group.PrincipalId}/members`
    const body = (who: Json) => ({ PrincipalIds: ids(who), ConcurrencyId: group.ConcurrencyId })
    const replies = await Promise.all([one, two].map((who) => world.send('PUT', place, body(who))))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(replies.find(({ status }) => status === 409)?.json.ErrorCode).toBe('ConcurrentWritingError')
    expect((await world.read('groups', group.PrincipalId)).Members).toHaveLength(1)
  })

  it('are renamed, with their KId, to a name nobody has', async () => {
    const [one, two] = [await world.group(), await world.group()]
    await world.refused(
      world.send('PATCH', `/groups/${two.PrincipalId}`, { Name: one.Name.toUpperCase() }),
      409,
      'NameTaken',
    )
    await world.refused(world.send('POST', '/groups', { Name: ` ${one.Name}` }), 400, 'InvalidModel')
    await world.refused(world.send('POST', '/groups', { Name: one.Name.toUpperCase() }), 409, 'NameTaken')
    const Name = fresh('renamed')
    const renamed = await world.given.expecting(200, world.send('PATCH', `/groups/${two.PrincipalId}`, { Name }))
    expect(renamed).toMatchObject({ Name, KId: `urn:group:station:${Name}:${two.PrincipalId}` })
    expect((await world.send('GET', `/groups?text=${encodeURIComponent(Name)}`)).json.Items).toHaveLength(1)
    // A user may have the name of a group.
    expect((await world.user({ Username: Name })).Username).toBe(Name)
  })

  it('once deleted give nothing, are found nowhere, and leave their name free', async () => {
    const { service, token } = await world.service()
    const group = await world.group(ids(service))
    const create = () => world.given.call('POST', '/api/v1/case/station', { token, body: { Title: 'Theft' } })
    expect((await create()).status).toBe(403)
    const policy = (await world.send('GET', '/policies')).json.find((one: Json) => one.Policy === 'CreateCases')
    const held = policy.Members.map(({ PrincipalId }: Json) => ({ PrincipalId }))
    await world.given.expecting(
      200,
      world.send('PUT', '/policies/CreateCases', { Members: [...held, { PrincipalId: group.PrincipalId }] }),
    )
    const made = await world.given.expecting(201, create())
    expect(made.AccessPolicies[0].PrincipalId).toBe(service.PrincipalId)
    expect((await world.send('DELETE', `/groups/${group.PrincipalId}`)).status).toBe(204)
    expect((await create()).status).toBe(403)
    await world.refused(world.send('GET', `/groups/${group.PrincipalId}`), 404, 'GroupNotFound')
    await world.refused(world.send('DELETE', `/groups/${group.PrincipalId}`), 404, 'GroupNotFound')
    expect((await world.send('GET', `/groups?text=${encodeURIComponent(group.Name)}`)).json.Items).toEqual([])
    expect((await world.send('GET', `/principals?text=${encodeURIComponent(group.Name)}`)).json).toEqual([])
    expect(
      (await world.send('GET', '/policies')).json
        .find((one: Json) => one.Policy === 'CreateCases')
        .Members.map((one: Json) => one.PrincipalId),
    ).not.toContain(group.PrincipalId)
    const again = await world.group([], group.Name)
    expect(again.PrincipalId).not.toBe(group.PrincipalId)
    expect((await world.read('services', service.PrincipalId)).Groups).toEqual([])
    expect((await world.send('DELETE', `/groups/${again.PrincipalId}`)).status).toBe(204)
    const entry = world.given
      .ledger()
      .find(({ action, object }) => action === 'group.deleted' && object.id === group.PrincipalId)
    expect(entry?.detail).toEqual({
      before: { members: ids(service), policies: [{ policy: 'CreateCases', level: null }] },
      after: null,
    })
  })
})
