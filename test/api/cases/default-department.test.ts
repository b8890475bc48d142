/** The default department over HTTP (interfaces.md 2.3, 4, decisions 2–4): it comes, goes, stays enabled, and is one at most. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../support/given.ts'
import { DEFAULT, departments, PLACE } from './departments-world.ts'
import { type CasesWorld, casesWorld } from './world.ts'

/** `maker` is in ManageConfiguration and AccessAuditTrail. */
let world: CasesWorld
beforeAll(async () => {
  world = await casesWorld()
})
afterAll(() => world?.given.close())
const { at, send, ok, body, made, assign, refused, entriesOf, withoutDefault } = departments(() => world)

describe('the default department', () => {
  it('is assigned, moves, is taken away, and both departments keep the version', async () => {
    await withoutDefault()
    const one = await made()
    const other = await made()
    await refused(assign(null, one.ConcurrencyId), 'DefaultDepartmentNotAssigned')
    const first = await assign(one.DepartmentId, one.ConcurrencyId)
    expect([first.status, first.json]).toEqual([
      200,
      { DepartmentId: one.DepartmentId, Name: one.Name, ConcurrencyId: expect.stringMatching(/^[0-9a-f]{40}$/) },
    ])
    expect(entriesOf(first)).toEqual([['department.defaultAssigned', one.DepartmentId, first.json.ConcurrencyId]])
    expect(await ok(send('GET', DEFAULT))).toEqual(first.json)
    const assigned = await ok(send('GET', at(one)))
    expect(assigned).toEqual({
      ...one,
      IsDefault: true,
      ConcurrencyId: first.json.ConcurrencyId,
      LastModifiedUtcTime: expect.any(String),
    })

    const second = await assign(other.DepartmentId, other.ConcurrencyId)
    const left = await ok(send('GET', at(one)))
    expect([left.IsDefault, left.ConcurrencyId === assigned.ConcurrencyId]).toEqual([false, false])
    expect(entriesOf(second)).toEqual([
      ['department.defaultRemoved', one.DepartmentId, left.ConcurrencyId],
      ['department.defaultAssigned', other.DepartmentId, second.json.ConcurrencyId],
    ])
    const history = await ok(send('GET', `${at(one)}/history`))
    expect(history.Entries.map(({ Action, Changes }: Json) => [Action, Changes.slice(0, 1)]).slice(0, 2)).toEqual([
      ['department.defaultRemoved', [{ op: 'replace', path: '/IsDefault', value: false }]],
      ['department.defaultAssigned', [{ op: 'replace', path: '/IsDefault', value: true }]],
    ])

    // Of the current default, not of any department.
    await refused(assign(null, left.ConcurrencyId), 'ConcurrentWritingError')
    await refused(assign(null, other.ConcurrencyId), 'ConcurrentWritingError')
    const gone = await send('PUT', `${DEFAULT}/assign`, { ConcurrencyId: second.json.ConcurrencyId })
    expect([gone.status, gone.json]).toEqual([200, { DepartmentId: null, Name: null, ConcurrencyId: null }])
    const { ConcurrencyId, IsDefault } = await ok(send('GET', at(other)))
    expect(entriesOf(gone)).toEqual([['department.defaultRemoved', other.DepartmentId, ConcurrencyId]])
    expect(IsDefault).toBe(false)
    await refused(send('GET', DEFAULT), 'DefaultDepartmentNotAssigned')
  })

  it('assigned again it stays the default', async () => {
    const one = await made()
    const first = await ok(assign(one.DepartmentId, one.ConcurrencyId))
    const again = await assign(one.DepartmentId, first.ConcurrencyId)
    expect(again.json).toEqual({ ...first, ConcurrencyId: again.json.ConcurrencyId })
    expect(entriesOf(again).map(([action]) => action)).toEqual(['department.defaultAssigned'])
    expect((await ok(send('GET', DEFAULT))).ConcurrencyId).toBe(again.json.ConcurrencyId)
  })

  it('cannot be disabled, and a disabled one cannot become it', async () => {
    const one = await made()
    const { ConcurrencyId } = await ok(assign(one.DepartmentId, one.ConcurrencyId))
    const { Details } = await refused(
      send('PUT', at(one), body({ Enabled: false, ConcurrencyId })),
      'CannotDisableADefaultDepartment',
    )
    expect(Details).toEqual([{ Path: 'Enabled', Message: expect.any(String) }])
    const renamed = await ok(send('PUT', at(one), body({ ConcurrencyId })))
    expect([renamed.IsDefault, renamed.Enabled]).toEqual([true, true])
    expect(await ok(send('GET', DEFAULT))).toEqual({
      DepartmentId: one.DepartmentId,
      Name: renamed.Name,
      ConcurrencyId: renamed.ConcurrencyId,
    })
    const disabled = await made({ Enabled: false })
    await refused(assign(disabled.DepartmentId, disabled.ConcurrencyId), 'CannotAssignToDisabledDepartment')
    expect((await ok(send('GET', DEFAULT))).DepartmentId).toBe(one.DepartmentId)
    await withoutDefault()
    const { ConcurrencyId: free } = await ok(send('GET', at(one)))
    expect((await ok(send('PUT', at(one), body({ Enabled: false, ConcurrencyId: free })))).Enabled).toBe(false)
  })

  it('what is not there is DefaultDepartmentNotFound, what is no model InvalidModel', async () => {
    const { ConcurrencyId, DepartmentId } = await made()
    for (const id of ['999999', '', 'x', `0${DepartmentId}`, '9007199254740993', '9'.repeat(48)])
      await refused(assign(id, ConcurrencyId), 'DefaultDepartmentNotFound')
    for (const sent of [
      { DepartmentId },
      { DepartmentId, ConcurrencyId: '' },
      { DepartmentId, ConcurrencyId: null },
      { DepartmentId: '9'.repeat(49), ConcurrencyId },
      { DepartmentId: 7, ConcurrencyId },
      { DepartmentId, ConcurrencyId, Name: 'x' },
    ])
      await refused(send('PUT', `${DEFAULT}/assign`, sent), 'InvalidModel')
  })

  it('literal segments win over parameters', async () => {
    await withoutDefault()
    await refused(send('GET', DEFAULT), 'DefaultDepartmentNotAssigned')
    await refused(send('GET', `${DEFAULT}/`), 'DefaultDepartmentNotAssigned')
    // What could be the department `station` of a tenant `default` is the default of the tenant: it is only read.
    const put = await send('PUT', DEFAULT, body({ ConcurrencyId: 'x' }))
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    const named = await send('GET', `${PLACE}/availability`)
    expect([named.status, named.headers.get('allow')]).toEqual([405, 'POST'])
    await refused(send('GET', `${DEFAULT}/history`), 'TenantNotFound')
  })

  it('S6 there is never more than one default', async () => {
    await withoutDefault()
    const all = await Promise.all(Array.from({ length: 8 }, () => made()))
    const replies = await Promise.all(all.map(({ DepartmentId, ConcurrencyId }) => assign(DepartmentId, ConcurrencyId)))
    expect(replies.map(({ status }) => status)).toEqual(all.map(() => 200))
    const list = (await ok(send('GET', PLACE))) as Json[]
    const defaults = list.filter(({ IsDefault }) => IsDefault)
    expect(defaults).toHaveLength(1)
    expect((await ok(send('GET', DEFAULT))).DepartmentId).toBe(defaults[0].DepartmentId)
    // Taken away and disabled at once: whichever comes first, no default is disabled.
    const { DepartmentId, ConcurrencyId } = defaults[0]
    await Promise.all([
      assign(null, ConcurrencyId),
      send('PUT', `${PLACE}/${DepartmentId}`, body({ Enabled: false, ConcurrencyId })),
    ])
    const bad = world.given.database((db) =>
      db.prepare('SELECT count(*) FROM departments WHERE is_default = 1 AND enabled = 0').pluck().get(),
    )
    expect(Number(bad)).toBe(0)
  })
})
