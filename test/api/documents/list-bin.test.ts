/** The recycle bin in the order in which things came into it, and lists of one case: for those who can view it, as a file too. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json, Reply } from '../../support/given.ts'
import { CASES, type CasesWorld, casesWorld, type Person } from '../cases/world.ts'

let world: CasesWorld
let keeper: Person
let documents: string
beforeAll(async () => {
  world = await casesWorld()
  documents = world.given.documents
  keeper = await world.person('keeper', ['CreateCases', 'DeleteCasesAndFiles'])
})
afterAll(() => world?.given.close())

const send = (method: string, place: string, body?: unknown, as: Person = keeper): Promise<Reply> =>
  world.send(method, place, body, { as })
const list = (query: string, as: Person = keeper): Promise<Json> =>
  world.given.expecting(200, send('GET', `${documents}/evidence?${query}`, undefined, as))
const evidence = async (Name: string): Promise<string> =>
  (await world.given.expecting(201, send('POST', `${documents}/evidence`, { Name, Tags: ['bin'] }))).EvidenceId
const names = ({ Items }: Json): string[] => Items.map(({ Name }: Json) => Name)

describe('the recycle bin', () => {
  const DELETED = ['second', 'third', 'first']
  beforeAll(async () => {
    const made = new Map<string, string>()
    for (const name of ['first', 'second', 'third', 'stays']) made.set(name, await evidence(name))
    for (const name of DELETED) {
      // Times are kept in milliseconds.
      await new Promise((resolve) => setTimeout(resolve, 5))
      await world.given.expecting(200, send('DELETE', `${documents}/evidence/${made.get(name)}`))
    }
  })
  const BIN = 'tag=bin&deleted=true&sort=deleted'

  it('is sorted by when things came into it, whole and page by page', async () => {
    expect(names(await list(BIN))).toEqual(DELETED.toReversed())
    expect(names(await list(`${BIN}&direction=asc`))).toEqual(DELETED)
    for (const direction of ['asc', 'desc']) {
      const walked: string[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page: Json = await list(
          `${BIN}&direction=${direction}&count=1${cursor === '' ? '' : `&cursor=${cursor}`}`,
        )
        walked.push(...names(page))
        cursor = page.Cursor
      }
      expect(walked).toEqual(direction === 'asc' ? DELETED : DELETED.toReversed())
    }
    expect(names(await list(`${BIN}&offset=1&count=1`))).toEqual(['third'])
    const file = await send('GET', `${documents}/evidence/export?${BIN}&format=json`)
    expect(names({ Items: file.json })).toEqual(DELETED.toReversed())
  })

  it('alone: nothing else has a time at which it was deleted', async () => {
    for (const query of ['sort=deleted', 'sort=deleted&deleted=false'])
      for (const place of [`evidence?${query}`, `evidence/export?${query}`]) {
        const { status, json } = await send('GET', `${documents}/${place}`)
        expect([place, status, json.ErrorCode, json.Details[0].Path]).toEqual([place, 400, 'InvalidModel', 'sort'])
      }
  })
})

describe('the list of a case', () => {
  it('is empty for whoever cannot view the case, as a page and as a file', async () => {
    const shared = await evidence('seen by both')
    const { CaseId } = await world.made({ Title: 'Hidden', EvidenceIds: [shared] }, keeper)
    const other = await world.person('stranger')
    const record = await world.given.expecting(200, send('GET', `${documents}/evidence/${shared}`))
    const own = record.AccessPolicies.filter(({ PermissionSource }: Json) => PermissionSource.Reason === 'Direct')
    const AccessPolicies = [...own, { Permissions: 'View', PrincipalId: other.id }]
    const { ConcurrencyId } = record
    await world.given.expecting(
      200,
      send('PATCH', `${documents}/evidence/${shared}`, { AccessPolicies, ConcurrencyId }),
    )
    expect(names(await list('text=seen', other))).toEqual(['seen by both'])
    const file = async (as: Person): Promise<string[]> =>
      names({
        Items: (await send('GET', `${documents}/evidence/export?case=${CaseId}&format=json`, undefined, as)).json,
      })
    expect([names(await list(`case=${CaseId}`)), await file(keeper)]).toEqual([['seen by both'], ['seen by both']])
    expect([names(await list(`case=${CaseId}`, other)), await file(other)]).toEqual([[], []])
    expect((await send('GET', `${CASES}/${CaseId}`, undefined, other)).status).toBe(403)
  })
})
