import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json, Reply } from '../../support/given.ts'
import { CASES, type CasesWorld, casesWorld, type Person } from '../cases/world.ts'

/** Suggested values: what they are read from, who is told of them, and what the ledger holds of one that was accepted. */
let world: CasesWorld
let keeper: Person
let reader: Person
let editor: Person
let documents: string
beforeAll(async () => {
  world = await casesWorld()
  documents = world.given.documents
  keeper = await world.person('keeper', ['CreateCases', 'DeleteCasesAndFiles'])
  reader = await world.person('reader')
  editor = await world.person('editor')
  await world.given.expecting(
    200,
    world.send('PUT', '/customfieldservice/api/v1/template/station', {
      type: 'Evidence',
      customFields: [{ name: 'Exhibit number', type: 'Text' }],
    }),
  )
})
afterAll(() => world.given.close())

const send = (method: string, place: string, body?: unknown, as: Person = keeper): Promise<Reply> =>
  world.send(method, place, body, { as })
const done = (reply: Promise<Reply>): Promise<Json> => world.given.expecting(200, reply)
const placeOf = (id: string): string => `${documents}/evidence/${id}`
async function evidence(body: Json, fileName?: string): Promise<string> {
  const { EvidenceId } = await world.given.expecting(201, send('POST', `${documents}/evidence`, body))
  if (fileName !== undefined) {
    const place = `${placeOf(EvidenceId)}/resource`
    const open = await world.given.expecting(201, send('POST', place, { Name: fileName }))
    await world.given.put(open.UploadUri, randomBytes(40))
    await done(send('POST', `${place}/${open.ResourceId}/complete`, {}))
  }
  return EvidenceId
}
const suggested = async (id: string, as: Person = keeper): Promise<Json[]> =>
  (await done(send('GET', `${placeOf(id)}/suggestions`, undefined, as))).Items
async function share(id: string, who: Person, level: string): Promise<void> {
  const { json } = await send('GET', placeOf(id))
  const AccessPolicies = [...json.AccessPolicies, world.policy(who, level)]
  await done(send('PATCH', placeOf(id), { AccessPolicies, ConcurrencyId: json.ConcurrencyId }))
}

describe('what is suggested', () => {
  it('a time from the name of a file, and nothing once the evidence has one', async () => {
    const id = await evidence({ Name: 'Yard' }, '2025-11-21_2247.mp4')
    expect(await suggested(id)).toEqual([
      {
        Field: 'StartTimeUtc',
        CustomField: null,
        Value: expect.stringMatching(/^2025-11-2[12]T\d\d:47:00Z$/),
        Source: 'fileName',
        From: '2025-11-21_2247.mp4',
        PrecisionSeconds: 60,
        Because: 'empty',
      },
    ])
    await done(send('PATCH', placeOf(id), { StartTimeUtc: '2025-11-21T22:47:00Z' }))
    expect(await suggested(id)).toEqual([])
  })

  it('two where day and month could be each other', async () => {
    expect(await suggested(await evidence({ Name: 'Yard' }, '03-04-2025 22.47.03.avi'))).toHaveLength(2)
  })

  it('nothing is stored by asking, and the one entry says how many there were', async () => {
    const id = await evidence({ Name: 'Yard' }, '20251121_224703.mp4')
    await suggested(id)
    // What is made of the file meanwhile makes versions and entries too.
    const entries = world.given.ledger().filter(({ object }) => object.id === id)
    expect(entries.filter(({ action }) => action === 'evidence.changed')).toEqual([])
    expect(entries.filter(({ action }) => action === 'evidence.suggestions').map(({ detail }) => detail)).toEqual([
      { returned: 1 },
    ])
    expect((await send('GET', placeOf(id))).json.StartTimeUtc).toBeNull()
  })

  it('a value that is accepted says its source in the ledger', async () => {
    const id = await evidence({ Name: 'Yard' }, '20251121_224703.mp4')
    const [first] = await suggested(id)
    const Reason = `Time from the file name ${first.From}`
    await done(send('PATCH', placeOf(id), { StartTimeUtc: first.Value, Reason }))
    const entry = world.given
      .ledger()
      .findLast(({ action, object }) => action === 'evidence.changed' && object.id === id)
    expect(entry?.reason).toBe(Reason)
  })
})

describe('the exhibit number', () => {
  const numbered = (value: string, CaseId: string): Promise<string> =>
    evidence({ Name: value, CaseIds: [CaseId], CustomFields: { 'Exhibit number': value } })
  const number = async (id: string, as?: Person): Promise<string | undefined> =>
    (await suggested(id, as)).find(({ CustomField }) => CustomField === 'Exhibit number')?.Value

  it('goes on from the last one of the case, and another case has its own', async () => {
    const { CaseId } = await world.made({}, keeper)
    const other = (await world.made({}, keeper)).CaseId
    await numbered('KB/2', CaseId)
    await numbered('KB/3', CaseId)
    await numbered('ZZ/41', other)
    const id = await evidence({ Name: 'Next', CaseIds: [CaseId] })
    expect(await number(id)).toBe('KB/4')
    expect(await number(await evidence({ Name: 'No case' }))).toBeUndefined()
  })

  it('S4: tells nothing of evidence that the caller cannot view, nor through a case that they cannot view', async () => {
    const { CaseId } = await world.made({}, keeper)
    const hidden = await numbered('KB/7', CaseId)
    const id = await evidence({ Name: 'Shared', CaseIds: [CaseId] })
    await share(id, editor, 'Edit')
    expect(await number(id)).toBe('KB/8')
    expect(await number(id, editor)).toBeUndefined()
    // They may view the other one now, but not know that both are in one case.
    await share(hidden, editor, 'View')
    expect(await number(id, editor)).toBeUndefined()
    const { json } = await send('GET', `${CASES}/${CaseId}`)
    await done(
      send('PATCH', `${CASES}/${CaseId}`, {
        AccessPolicies: [world.policy(keeper, 'Manage'), world.policy(editor, 'View')],
        ConcurrencyId: json.ConcurrencyId,
      }),
    )
    expect(await number(id, editor)).toBe('KB/8')
  })
})

describe('S4: who is told', () => {
  it('whoever may change it, and nobody else', async () => {
    const id = await evidence({ Name: 'Yard' }, '20251121_224703.mp4')
    const status = async (as: Person) => (await send('GET', `${placeOf(id)}/suggestions`, undefined, as)).status
    expect(await status(reader)).toBe(404)
    await share(id, reader, 'Download')
    expect(await status(reader)).toBe(403)
    await share(id, editor, 'Edit')
    expect(await status(editor)).toBe(200)
    await done(send('DELETE', placeOf(id)))
    expect(await status(editor)).toBe(409)
  })
})
