import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CallOptions, Json } from '../../support/given.ts'
import { CASES, type CadWorld, cadWorld, fresh, MAPPING } from './world.ts'

/** Officers whom dispatch assigns can open the case, until the rule is turned off (review of the window, B4; decisions 8). */
const BOARD = '/api/v1/correlation/station/board'
const PASSWORD = 'seven lamps by the harbour'

let world: CadWorld
beforeAll(async () => {
  world = await cadWorld({ timeZone: 'UTC' })
})
afterAll(() => world?.given.close())

type Officer = Awaited<ReturnType<CadWorld['officer']>>

const page = async ({ name }: Officer): Promise<CallOptions> => {
  const { headers } = await world.given.call('POST', '/connect/session', {
    token: null,
    body: { Username: name, Password: PASSWORD, NoticeId: 'default' },
  })
  return {
    token: null,
    headers: { cookie: headers.get('set-cookie')?.split(';')[0] as string, origin: world.given.url },
  }
}
const sent = (eventId: string, officers: readonly Officer[], more: Json = {}): Promise<Json> =>
  world.pushed({
    eventId,
    name: 'Noise',
    eventStartTimeUtc: new Date().toISOString(),
    involvedResources: officers.map(({ badge }) => ({ id: badge, name: badge })),
    ...more,
  })
const levelOf = async (caseId: string, { id }: Officer): Promise<string | undefined> =>
  (await world.caseOf(caseId)).AccessPolicies.find((one: Json) => one.PrincipalId === id)?.Permissions
const setRule = async (assignedMayView: boolean): Promise<void> => {
  const { members, fields, keepExtended } = await world.given.expecting(200, world.as(world.chief, 'GET', MAPPING))
  const mapping = { members, fields, keepExtended, assignedMayView }
  await world.given.expecting(200, world.as(world.chief, 'PUT', MAPPING, mapping))
}
const withoutPolicyOf = async (caseId: string, officer: Officer): Promise<void> => {
  const { AccessPolicies } = await world.caseOf(caseId)
  await world.given.expecting(
    200,
    world.as(world.chief, 'PATCH', `${CASES}/${caseId}`, {
      AccessPolicies: AccessPolicies.filter((one: Json) => one.PrincipalId !== officer.id).map(
        ({ ExpirationDateUtc: _expires, ...one }: Json) => one,
      ),
    }),
  )
}

describe('S4: an officer whom dispatch assigns', () => {
  it('opens the case, finds it on the board and among their cases of today; nobody else does', async () => {
    const [anna, ben] = [await world.officer(), await world.officer()]
    const { caseId } = await sent(fresh('E'), [anna])
    const [annas, bens] = [await page(anna), await page(ben)]
    expect((await world.given.call('GET', `${CASES}/${caseId}`, annas)).json.AccessorPermissions).toEqual(['View'])
    const board = (await world.given.call('GET', BOARD, annas)).json
    expect(board.Calls.map((one: Json) => one.CaseId)).toContain(caseId)
    const { Cases } = (await world.given.call('GET', '/api/v1/tenant/station/today', annas)).json
    expect(Cases.Items).toMatchObject([{ CaseId: caseId, Reasons: ['Personnel'] }])
    expect((await world.given.call('GET', `${CASES}/${caseId}`, bens)).status).toBe(403)
    expect((await world.given.call('GET', BOARD, bens)).json.Calls).toEqual([])
  })

  it('gets it when a later message names them, and loses it when one does not any more', async () => {
    const [anna, ben] = [await world.officer(), await world.officer()]
    const event = fresh('E')
    const { caseId } = await sent(event, [anna])
    expect([await levelOf(caseId, anna), await levelOf(caseId, ben)]).toEqual(['View', undefined])
    await sent(event, [ben])
    expect([await levelOf(caseId, anna), await levelOf(caseId, ben)]).toEqual([undefined, 'View'])
    await sent(event, [anna, ben])
    expect([await levelOf(caseId, anna), await levelOf(caseId, ben)]).toEqual(['View', 'View'])
  })

  it('keeps what people decided: View that was taken away does not come back, and a higher level stays', async () => {
    const [anna, ben] = [await world.officer(), await world.officer()]
    const event = fresh('E')
    const { caseId } = await sent(event, [anna, ben])
    await withoutPolicyOf(caseId, anna)
    const share = { PrincipalId: ben.id, PrincipalType: 'user', Permissions: 'Edit' }
    await world.given.expecting(
      200,
      world.as(world.chief, 'POST', `${CASES}/${caseId}/share`, {
        AccessPolicies: [{ ...share, KId: await kIdOf(caseId, ben) }],
      }),
    )
    await sent(event, [anna, ben], { description: 'Once more' })
    expect([await levelOf(caseId, anna), await levelOf(caseId, ben)]).toEqual([undefined, 'Edit'])
    await sent(event, [anna])
    expect(await levelOf(caseId, ben)).toBe('Edit')
  })

  it('gets nothing while the rule is off; a mapping that does not speak of it leaves it as it is', async () => {
    await setRule(false)
    const anna = await world.officer()
    const event = fresh('E')
    const { caseId } = await sent(event, [anna])
    expect(await levelOf(caseId, anna)).toBeUndefined()
    const { members, fields, keepExtended } = await world.given.expecting(200, world.as(world.chief, 'GET', MAPPING))
    await world.given.expecting(200, world.as(world.chief, 'PUT', MAPPING, { members, fields, keepExtended }))
    expect((await world.given.expecting(200, world.as(world.chief, 'GET', MAPPING))).assignedMayView).toBe(false)
    await setRule(true)
    await sent(event, [anna], { description: 'Once more' })
    expect(await levelOf(caseId, anna)).toBe('View')
  })
})

const kIdOf = async (caseId: string, { id }: Officer): Promise<string> =>
  (await world.caseOf(caseId)).AccessPolicies.find((one: Json) => one.PrincipalId === id).KId
