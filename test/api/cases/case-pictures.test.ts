/** The list of cases has a small picture of each: of the newest evidence in it that has one and that the caller can view (review of the window, C8). */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { statementsOf } from '../../support/statements.ts'
import { CASES, type CasesWorld, casesWorld, type Person } from './world.ts'

let world: CasesWorld
let viewer: Person
let keeper: Person
/** By name: two pictures, and a text that came last. */
const ids = new Map<string, string>()
let caseId: string
beforeAll(async () => {
  world = await casesWorld()
  const { given } = world
  viewer = await world.person('viewer')
  keeper = await world.person('keeper', ['DeleteCasesAndFiles'])
  const uploader = {
    id: given.principalId,
    kId: given.connection.ServicePrincipalKey.kid as string,
    token: given.token,
  }
  caseId = (
    await world.made({
      AccessPolicies: [world.policy(viewer, 'View'), world.policy(keeper, 'Manage'), world.policy(uploader, 'Edit')],
    })
  ).CaseId
  await world.made({ Title: 'Without evidence', AccessPolicies: [world.policy(viewer, 'View')] })
  const file = path.join(given.dir, 'latch.jpg')
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', 'testsrc=s=64x48:d=1', '-frames:v', '1', file])
  for (const [name, bytes] of [
    ['older.jpg', readFileSync(file)],
    ['newer.jpg', readFileSync(file)],
    ['note.txt', Buffer.from('a text has no picture\n')],
  ] as const) {
    const { EvidenceId } = await given.evidence({ Name: name })
    await given.completed(bytes, { name, evidenceId: EvidenceId })
    await given.settled(EvidenceId)
    ids.set(name, EvidenceId)
    await link('link-evidences', name)
  }
}, 120_000)
afterAll(() => world?.given.close())

const link = async (act: 'link-evidences', name: string): Promise<void> => {
  const chief = { token: world.given.token }
  const Evidences = [{ EvidenceId: ids.get(name) }]
  await world.given.expecting(
    204,
    world.given.call('POST', `${CASES}/${caseId}/${act}`, { ...chief, body: { Evidences } }),
  )
}
const listed = async (as: Person = viewer, query = 'faces=true&count=100') =>
  (await world.given.expecting(200, world.send('GET', `${CASES}?${query}`, undefined, { as }))).Items
const pictureOf = async (id: string, as: Person = viewer) =>
  (await listed(as)).find(({ CaseId }: { CaseId: string }) => CaseId === id)?.Thumbnail
const place = (name: string) => `${world.given.documents}/evidence/${ids.get(name)}/thumbnail`

it('is that of the newest one that has a picture, and can be read by who is shown it', async () => {
  expect(await pictureOf(caseId)).toBe(place('newer.jpg'))
  expect((await world.send('GET', place('newer.jpg'), undefined, { as: viewer })).status).toBe(200)
  const without = (await listed()).find(({ Title }: { Title: string }) => Title === 'Without evidence')
  expect(without.Thumbnail).toBeNull()
})

it('S4: shows nothing of what is deleted, nor of a case that is deleted', async () => {
  const { given } = world
  expect(await pictureOf(caseId, world.other)).toBeUndefined()
  const evidence = `${given.documents}/evidence/${ids.get('newer.jpg')}`
  await given.expecting(200, given.call('DELETE', evidence, { token: keeper.token }))
  expect(await pictureOf(caseId)).toBe(place('older.jpg'))
  await given.expecting(200, world.send('POST', `${CASES}/${caseId}/close`, {}, { as: keeper }))
  await given.expecting(200, world.send('DELETE', `${CASES}/${caseId}`, undefined, { as: keeper }))
  const bin = await listed(keeper, 'faces=true&count=100&deleted=true')
  expect(bin.map(({ CaseId, Thumbnail }: { CaseId: string; Thumbnail: unknown }) => [CaseId, Thumbnail])).toEqual([
    [caseId, null],
  ])
})

it('takes the same number of statements for many cases as for one', async () => {
  for (let at = 0; at < 8; at++) await world.made({ AccessPolicies: [world.policy(viewer, 'View')] })
  const costOf = async (query: string): Promise<number> => (await statementsOf(() => listed(viewer, query))).length
  const one = await costOf('faces=true&count=1')
  expect(one).toBeGreaterThan(2)
  expect(await costOf('faces=true&count=100')).toBe(one)
  expect(await costOf('count=100'), 'what nobody asked for costs nothing').toBeLessThan(one)
})
