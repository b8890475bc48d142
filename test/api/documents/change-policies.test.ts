/** The policies of an evidence itself, changed with its record (decisions 3 and 6). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../support/given.ts'
import type { Person } from '../cases/world.ts'
import { type ChangeWorld, changeWorld, refused } from './change-world.ts'

let world: ChangeWorld
beforeAll(async () => {
  world = await changeWorld()
})
afterAll(() => world?.given.close())

const grant = (who: Person, level: string, more: Json = {}): Json => ({ ...world.policy(who, level), ...more })

describe('policies', () => {
  it('Manage and the current ConcurrencyId change them, and the right follows', async () => {
    const { EvidenceId: id, ConcurrencyId, AccessPolicies } = await world.evidence()
    await refused(world.send('GET', world.place(id), undefined, { as: world.officer }), 404, 'EvidenceNotFound')
    const after = await world.changed(id, {
      ConcurrencyId,
      AccessPolicies: [...AccessPolicies, grant(world.officer, 'Read')],
    })
    expect(after.AccessPolicies[1]).toEqual({
      ExpirationDateUtc: null,
      Permissions: 'View',
      PermissionSource: { Reason: 'Direct', MergeStrategy: 'Highest', Permissions: 'View' },
      KId: world.officer.kId,
      Username: 'officer',
      PrincipalId: world.officer.id,
      PrincipalType: 'service',
    })
    expect((await world.read(id, world.officer)).AccessorPermissions).toEqual(['View'])
  })

  it('changed without Manage: 403, and nothing else of the call is done; sent back as they are: fine', async () => {
    const before = await world.shared('Edit')
    const { EvidenceId: id, ConcurrencyId, AccessPolicies } = before
    const [own, mine] = AccessPolicies
    for (const policies of [
      [],
      [own],
      [own, { ...mine, Permissions: 'Manage' }],
      [own, { ...mine, ExpirationDateUtc: '2030-01-01T00:00:00Z' }],
      [own, mine, grant(world.other, 'View')],
      [own, { ...mine, KId: own.KId }],
      [own, own],
      [own, { ...mine, PrincipalId: '999999' }],
    ])
      for (const guard of [{}, { ConcurrencyId }]) {
        const reply = await world.patch(id, { ...guard, Name: 'x', AccessPolicies: policies }, world.officer)
        expect([reply.status, reply.json.ErrorCode]).toEqual([403, 'Forbidden'])
        expect(world.entriesOf(reply).map(({ action, reason }) => [action, reason])).toEqual([
          ['access.denied', 'PrincipalCannotManageEvidence'],
        ])
      }
    expect(await world.read(id)).toEqual(before)
    const turned = await world.changed(id, { Name: 'x', AccessPolicies: [mine, own] }, world.officer)
    expect([turned.Name, turned.AccessPolicies]).toEqual(['x', AccessPolicies])
  })

  it('changed without a ConcurrencyId: 400, and nothing else of the call is done', async () => {
    const before = await world.evidence()
    const AccessPolicies = [...before.AccessPolicies, grant(world.officer, 'View')]
    for (const guard of [{}, { ConcurrencyId: null }])
      expect(
        await refused(world.patch(before.EvidenceId, { ...guard, Name: 'x', AccessPolicies }), 400, 'InvalidModel'),
      ).toEqual(['ConcurrencyId'])
    expect(await world.read(before.EvidenceId)).toEqual(before)
  })

  it('only own ones are taken: an inherited one is ignored and never becomes one', async () => {
    const { EvidenceId: id, ConcurrencyId, AccessPolicies } = await world.evidence()
    const from = (Reason: unknown) => ({
      PermissionSource: { Reason, MergeStrategy: 'Highest', Permissions: 'Manage' },
    })
    const inherited = ['Case', 'Department', 'Policy', 'None', 'direct', null, 7].map((reason) =>
      grant(world.officer, 'Manage', from(reason)),
    )
    const odd = [{ PermissionSource: {} }, { PermissionSource: 'x', Permissions: 'x' }]
    const body = { ConcurrencyId, Name: 'x', AccessPolicies: [...inherited, ...AccessPolicies, ...odd] }
    expect((await world.changed(id, body)).AccessPolicies).toEqual(AccessPolicies)
    await refused(world.send('GET', world.place(id), undefined, { as: world.officer }), 404, 'EvidenceNotFound')
    const { ConcurrencyId: now } = await world.read(id)
    const own = [grant(world.officer, 'View', from('Direct')), grant(world.other, 'View', { PermissionSource: null })]
    const after = await world.changed(id, { ConcurrencyId: now, AccessPolicies: [...AccessPolicies, ...own] })
    expect(after.AccessPolicies.map(({ PrincipalId }: Json) => PrincipalId).sort()).toEqual(
      [world.owner.id, world.officer.id, world.other.id].sort(),
    )
  })

  it('an expiry is kept where none is said, cleared by null, given back in UTC; Manage never expires', async () => {
    const { EvidenceId: id, ConcurrencyId, AccessPolicies } = await world.evidence()
    const set = (version: string, policy: Json) =>
      world.patch(id, { ConcurrencyId: version, AccessPolicies: [...AccessPolicies, policy] })
    const officers = (record: Json): [string, string | null] => {
      const { Permissions, ExpirationDateUtc } = record.AccessPolicies.find(
        (one: Json) => one.PrincipalId === world.officer.id,
      )
      return [Permissions, ExpirationDateUtc]
    }
    const until = { ExpirationDateUtc: '2099-01-01T01:00:00.50+01:00' }
    const first = await world.given.expecting(200, set(ConcurrencyId, grant(world.officer, 'View', until)))
    expect(officers(first)).toEqual(['View', '2099-01-01T00:00:00.50Z'])
    expect((await world.changed(id, first)).ConcurrencyId).toBe(first.ConcurrencyId)
    const kept = await world.given.expecting(200, set(first.ConcurrencyId, grant(world.officer, 'Edit')))
    expect(officers(kept)).toEqual(['Edit', '2099-01-01T00:00:00.50Z'])
    expect(await refused(set(kept.ConcurrencyId, grant(world.officer, 'Manage', until)), 400, 'InvalidModel')).toEqual([
      'AccessPolicies.1.ExpirationDateUtc',
    ])
    const raised = await world.given.expecting(200, set(kept.ConcurrencyId, grant(world.officer, 'Manage')))
    expect(officers(raised)).toEqual(['Manage', null])
    const again = await world.given.expecting(200, set(raised.ConcurrencyId, grant(world.officer, 'View', until)))
    const cleared = await world.given.expecting(
      200,
      set(again.ConcurrencyId, grant(world.officer, 'View', { ExpirationDateUtc: null })),
    )
    expect(officers(cleared)).toEqual(['View', null])
    const past = { ExpirationDateUtc: '2020-01-01T00:00:00Z' }
    await world.given.expecting(200, set(cleared.ConcurrencyId, grant(world.officer, 'Edit', past)))
    await refused(world.patch(id, { Name: 'x' }, world.officer), 404, 'EvidenceNotFound')
  })

  it('whoever is named must be one principal, once; every problem is listed', async () => {
    const { EvidenceId: id, ConcurrencyId, AccessPolicies } = await world.evidence()
    const [own] = AccessPolicies
    const entries = [
      own,
      grant(world.officer, 'View', { PrincipalId: '999999' }),
      grant(world.officer, 'View', { PrincipalId: '9007199254740993' }),
      grant(world.officer, 'View', { KId: own.KId }),
      grant(world.officer, 'View', { PrincipalType: 'group' }),
      own,
    ]
    const body = { ConcurrencyId, Name: '', AccessPolicies: entries }
    expect(await refused(world.patch(id, body), 400, 'InvalidModel')).toEqual([
      'AccessPolicies.1',
      'AccessPolicies.2',
      'AccessPolicies.3',
      'AccessPolicies.4',
      'AccessPolicies.5',
      'Name',
    ])
    const short = { Permissions: 'Edit', PrincipalId: Number(world.officer.id), PrincipalType: 'Service' }
    const after = await world.changed(id, { ConcurrencyId, AccessPolicies: [own, short] })
    expect(after.AccessPolicies.map(({ KId }: Json) => KId).sort()).toEqual([own.KId, world.officer.kId].sort())
  })

  it('none may be left; a version still says who there was', async () => {
    const before = await world.shared('Download')
    const { EvidenceId: id, ConcurrencyId } = before
    const after = await world.changed(id, { ConcurrencyId, AccessPolicies: [] })
    expect([after.AccessPolicies, after.AccessPoliciesGrantType, after.AccessorPermissions]).toEqual([
      [],
      'None',
      ['None'],
    ])
    await refused(world.patch(id, { Name: 'x' }), 404, 'EvidenceNotFound')
    const finder = await world.person('late finder', ['AccessUnassociatedFiles:View'])
    const version = await world.send('GET', `${world.place(id)}?concurrencyId=${ConcurrencyId}`, undefined, {
      as: finder,
    })
    expect(version.json.AccessPolicies).toEqual(before.AccessPolicies)
  })
})
