/** Who is told that a supplement is due, and that what they gave was acknowledged; and who is not (promises C5, S4). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../support/given.ts'
import { type Page, signInToPage } from '../annotations/page.ts'
import { DEFENCE, DISCLOSURES, type DisclosureWorld, disclosureStation, PROSECUTOR } from './world.ts'

const NOTICES = '/userservice/api/v1/tenant/station/notices'
let world: DisclosureWorld
let ann: Page
let bob: Page
beforeAll(async () => {
  world = await disclosureStation()
  ann = await signInToPage(world.given, 'ann')
  bob = await signInToPage(world.given, 'bob')
}, 120_000)
afterAll(() => world?.given.close())

/** Of a case: kind and how often. */
const told = async (who: Page, caseId: string): Promise<readonly (readonly [string, number])[]> =>
  (await who.call('GET', NOTICES)).json.Items.filter((one: Json) => one.Object.Id === caseId)
    .filter(({ Kind }: Json) => String(Kind).startsWith('disclosure.'))
    .map(({ Kind, Times }: Json) => [Kind, Times])

/** A case that both may edit, of which Ann gave its evidence. */
async function givenByAnn(): Promise<{ caseId: string; one: string }> {
  const caseId = await world.newCase('Burglary')
  const one = await world.add('One')
  await world.link(caseId, one)
  await share(caseId, 'Edit')
  const body = { Recipient: DEFENCE, Authority: 'x', Medium: 'handover', EvidenceIds: [one] }
  expect((await ann.call('POST', `${DISCLOSURES}/case/${caseId}`, body)).status).toBe(201)
  return { caseId, one }
}

const share = (caseId: string, Permissions: string): Promise<Json> =>
  world.ok(200, 'POST', `/api/v1/case/station/${caseId}/share`, {
    AccessPolicies: [ann, bob].map(({ id, kId }) => ({
      Permissions,
      PrincipalId: id,
      KId: kId,
      PrincipalType: 'user',
    })),
  })

describe('a supplement that is due', () => {
  it('is told once to whoever gave, for evidence that comes into the case', async () => {
    const { caseId } = await givenByAnn()
    expect(await told(ann, caseId)).toEqual([])
    await world.link(caseId, await world.add('Two'))
    expect(await told(ann, caseId)).toEqual([['disclosure.due', 1]])
    await world.link(caseId, await world.add('Three'))
    expect(await told(ann, caseId)).toEqual([['disclosure.due', 2]])
    expect(await told(bob, caseId)).toEqual([])
  })

  it('is told for a file that comes into what was given, and for a restriction of it', async () => {
    const { caseId, one } = await givenByAnn()
    await world.given.completed(Buffer.from('late'), { name: 'late.txt', evidenceId: one })
    expect(await told(ann, caseId)).toEqual([['disclosure.due', 1]])
    const { caseId: other, one: restricted } = await givenByAnn()
    await world.restrict(restricted)
    expect(await told(ann, other)).toEqual([['disclosure.due', 1]])
  })

  it('is told when a restriction is lifted for which something was withheld', async () => {
    const { caseId } = await givenByAnn()
    const secret = await world.add('Secret')
    await world.restrict(secret)
    await world.link(caseId, secret)
    // The defence is not told of what is restricted.
    expect(await told(ann, caseId)).toEqual([])
    const body = { Recipient: PROSECUTOR, Authority: 'x', Medium: 'handover' }
    expect((await bob.call('POST', `${DISCLOSURES}/case/${caseId}`, body)).status).toBe(201)
    await world.lift(secret)
    expect(await told(bob, caseId)).toEqual([['disclosure.due', 1]])
  })

  it('S4: is told to nobody who may not edit the case any more, and where nothing was given', async () => {
    const { caseId } = await givenByAnn()
    const { AccessPolicies } = await world.ok(200, 'GET', `/api/v1/case/station/${caseId}`)
    await world.ok(200, 'PATCH', `/api/v1/case/station/${caseId}`, {
      AccessPolicies: AccessPolicies.map(({ PrincipalId, KId, PrincipalType, Permissions }: Json) => ({
        PrincipalId,
        KId,
        PrincipalType,
        Permissions: PrincipalId === ann.id ? 'Download' : Permissions,
      })),
    })
    await world.link(caseId, await world.add('Two'))
    expect(await told(ann, caseId)).toEqual([])
    const { caseId: asGuest } = await givenByAnn()
    const guest = (is: number) =>
      world.given.meddle((db) =>
        db.prepare('UPDATE principals SET guest = ? WHERE principal_id = ?').run(is, Number(ann.id)),
      )
    await guest(1)
    await world.link(asGuest, await world.add('Two'))
    await guest(0)
    expect(await told(ann, asGuest)).toEqual([])
    const bare = await world.newCase('Bare')
    await share(bare, 'Edit')
    await world.link(bare, await world.add('Three'))
    expect(await told(ann, bare)).toEqual([])
  })
})

describe('a disclosure that is acknowledged', () => {
  const said = { By: 'A. Mercer', How: 'in-person', Witnesses: ['P. Lund', 'R. Adeyemi'] }

  it('is told to whoever gave it, and not where they recorded that themselves', async () => {
    const { caseId } = await givenByAnn()
    expect((await bob.call('POST', `${DISCLOSURES}/case/${caseId}/record/1/acknowledge`, said)).status).toBe(200)
    expect(await told(ann, caseId)).toEqual([['disclosure.acknowledged', 1]])
    expect(await told(bob, caseId)).toEqual([])
    const { caseId: own } = await givenByAnn()
    expect((await ann.call('POST', `${DISCLOSURES}/case/${own}/record/1/acknowledge`, said)).status).toBe(200)
    expect(await told(ann, own)).toEqual([])
  })
})
