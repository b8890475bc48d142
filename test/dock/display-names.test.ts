import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Json } from '../support/given.ts'
import { signIn } from '../support/integrator.ts'
import { dockWorld } from './world.ts'

/** What docked footage is called while nobody gave it a title (window review B3). */
let world: Awaited<ReturnType<typeof dockWorld>>
let detective: string
let outsider: string
let keeper: string
let first: string
let second: string

beforeAll(async () => {
  world = await dockWorld({ timeZone: 'Europe/Paris' })
  const { given } = world
  detective = await signIn(await given.integration('detective', ['AccessUnassociatedFiles:Manage']), given.url)
  outsider = await signIn(await given.integration('outsider', ['AccessUnassociatedFiles:View']), given.url)
  keeper = await signIn(await given.integration('keeper', ['CreateCases', 'AccessUnassociatedFiles:Manage']), given.url)
  world.camera('bay-1', { serial: 'BW-0410', behind: 72_000, recordings: [1, 1] }).plugIn()
  await world.reached('bay-1', 'released')
  const { Items } = await listed(detective)
  // Which of them is stored first is not said.
  const idOf = (name: string): string => Items.find((item: Json) => item.Name === name).EvidenceId
  ;[first, second] = [idOf('R1'), idOf('R2')]
})
afterAll(() => world?.close())

const listed = (token: string, query = ''): Promise<Json> =>
  world.given.expecting(200, world.given.call('GET', `${world.given.documents}/evidence?${query}`, { token }))
const named = async (token: string, id: string): Promise<Json> =>
  (await listed(token)).Items.find((item: Json) => item.EvidenceId === id)
const record = (token: string, id: string): Promise<Json> =>
  world.given.expecting(200, world.given.call('GET', `${world.given.documents}/evidence/${id}`, { token }))
const patch = async (id: string, body: Json): Promise<Json> => {
  const { ConcurrencyId } = await record(detective, id)
  const given = { ...body, ConcurrencyId }
  return world.given.expecting(
    200,
    world.given.call('PATCH', `${world.given.documents}/evidence/${id}`, { token: detective, body: given }),
  )
}

it('it is called by camera and time on the station’s wall; the stored name and the file’s name stay', async () => {
  const one = await named(detective, first)
  // 08:00:00 by the camera, which is 72 s behind; Paris is an hour ahead.
  expect(one).toMatchObject({ Name: 'R1', DisplayName: 'BWC 0410, 09:01', Summary: { FileName: 'R1_1.mp4' } })
  expect(one.Summary.Camera).toMatchObject({ Name: 'BWC 0410' })
  expect(await record(detective, first)).toMatchObject({ Name: 'R1', DisplayName: 'BWC 0410, 09:01' })
  expect((await listed(detective, 'text=R1_1')).Items.map((item: Json) => item.EvidenceId)).toEqual([first])
})

it('a place that a person gave follows, without its town', async () => {
  const changed = await patch(first, { LocationText: 'Quay Road, Harrow' })
  expect(changed).toMatchObject({ Name: 'R1', DisplayName: 'BWC 0410, 09:01, Quay Road' })
})

it('S4: the call it belongs to names it for those alone who can view its case', async () => {
  const { given } = world
  const { CaseId } = await given.expecting(
    201,
    given.call('POST', `${given.url}/api/v1/case/station`, {
      token: keeper,
      body: { Title: 'Burglary in progress', LocationText: 'Ferry Street 4, Harrow', EvidenceIds: [second] },
    }),
  )
  await given.meddle((db) => {
    db.prepare("UPDATE cases SET source_type = 'Cad' WHERE case_id = ?").run(Number(CaseId))
    // Both may view the evidence itself.
    for (const name of ['detective', 'outsider'])
      db.prepare(
        "INSERT INTO evidence_policies (evidence_id, principal_id, level) SELECT ?, principal_id, 'View' FROM principals WHERE name = ?",
      ).run(Number(second), name)
    db.prepare(
      "INSERT INTO case_policies (case_id, principal_id, level) SELECT ?, principal_id, 'View' FROM principals WHERE name = 'detective'",
    ).run(Number(CaseId))
  })
  expect(await named(detective, second)).toMatchObject({ DisplayName: 'BWC 0410, 09:11, Ferry Street 4' })
  expect((await named(detective, second)).Summary.Cases).toMatchObject([{ CaseId, Title: 'Burglary in progress' }])
  const without = await named(outsider, second)
  expect(without).toMatchObject({ DisplayName: 'BWC 0410, 09:11', Summary: { Cases: [] } })
  expect(JSON.stringify(without)).not.toMatch(/Ferry|Burglary/)
  expect(JSON.stringify(await record(outsider, second))).not.toMatch(/Ferry|Burglary/)
})

it('a title that a person gave wins', async () => {
  expect(await patch(first, { Name: 'Arrest at the quay' })).toMatchObject({ DisplayName: 'Arrest at the quay' })
  expect(await named(detective, first)).toMatchObject({ DisplayName: 'Arrest at the quay' })
})
