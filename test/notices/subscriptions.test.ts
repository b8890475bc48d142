import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isInPolicy } from '../../server/features/identity/users/users.store.ts'
import { createSavedSearches } from '../../server/features/search/saved.service.ts'
import { createSearch } from '../../server/features/search/search.service.ts'
import { createSubscriptions } from '../../server/features/search/subscriptions.service.ts'
import { createAccess } from '../../server/kernel/access/access.ts'
import { createLog } from '../../server/platform/log/log.ts'
import { type NoticesWorld, noticesWorld, TENANT } from './world.ts'

/** Saved searches that tell of what is new in them (decisions 7). */
const folder = mkdtempSync(join(tmpdir(), 'sallyport-subscriptions-'))
let world: NoticesWorld
let look: () => Promise<void>
let writes = true
beforeAll(async () => {
  world = await noticesWorld(join(folder, 'sallyport.db'))
  const search = createSearch({
    db: world.db,
    access: createAccess(world),
    timeZone: 'UTC',
    isInPolicy: (id, policy) => isInPolicy(world.db.read, Number(id), policy),
    customFields: async () => ({ Case: [], Evidence: [] }),
  })
  const log = createLog('silent')
  look = createSubscriptions({ ...world, log, search, mayWrite: () => writes }).look
})
afterAll(async () => {
  await world?.close()
  rmSync(folder, { recursive: true, force: true })
})

const saved = () => createSavedSearches(world)
async function subscribed(who: number, question: object = { Query: 'case', Types: ['Case'] }): Promise<number> {
  const made = await saved().save(world.callOf(who), TENANT, { name: 'Burglaries', question })
  const id = Number(made.SavedSearchId)
  await saved().change(world.callOf(who), id, { name: null, question: null, subscribed: true })
  return id
}
const seenBy = async (who: number): Promise<number> => {
  const made = await world.aCase()
  await world.policies(made, [{ principalId: who, level: 'View' }])
  return made
}
const told = async (who: number) =>
  (await world.list(who)).map(({ Kind, Object: { Type, Id, Name }, Message }) => [Kind, Type, Id, Name, Message])

it('S4: tells of what is new to its owner, by the rights of its owner, and of nothing that was there', async () => {
  const who = await world.principal('user')
  await seenBy(who)
  const id = await subscribed(who)
  await look()
  await look()
  expect(await told(who)).toEqual([])
  await world.aCase()
  await look()
  expect(await told(who)).toEqual([])
  await seenBy(who)
  await look()
  expect(await told(who)).toEqual([['search.found', 'savedSearch', String(id), 'Burglaries', '']])
  await look()
  expect(await told(who)).toHaveLength(1)
})

it('tells once an hour, with how often, and not of what only went', async () => {
  const who = await world.principal('user')
  const [first] = [await seenBy(who), await seenBy(who)]
  await subscribed(who)
  await look()
  await world.policies(first, [])
  await look()
  expect(await told(who)).toEqual([])
  for (let at = 0; at < 3; at++) {
    await seenBy(who)
    await look()
  }
  expect((await world.list(who)).map(({ Kind, Times }) => [Kind, Times])).toEqual([['search.found', 3]])
})

it('tells nobody who unsubscribed, deleted it, replaced the question, or was disabled; nor while nothing may be written', async () => {
  const people = await Promise.all(Array.from({ length: 5 }, () => world.principal('user')))
  const ids = []
  for (const who of people) ids.push(await subscribed(who))
  await look()
  const [off, gone, replaced, disabled, listens] = people as [number, number, number, number, number]
  const change = { name: null, question: null }
  await saved().change(world.callOf(off), ids[0] as number, { ...change, subscribed: false })
  await saved().delete(world.callOf(gone), ids[1] as number)
  await saved().change(world.callOf(replaced), ids[2] as number, {
    name: null,
    question: { Query: 'case', Types: ['Case', 'Evidence'] },
    subscribed: null,
  })
  await world.inTransaction((tx) =>
    tx.updateTable('principals').set({ enabled: 0 }).where('principal_id', '=', disabled).execute(),
  )
  const made = await world.aCase()
  await world.policies(
    made,
    people.map((principalId) => ({ principalId, level: 'View' as const })),
  )
  writes = false
  await look()
  expect(await told(listens)).toEqual([])
  writes = true
  await look()
  for (const who of [off, gone, replaced, disabled]) expect(await told(who)).toEqual([])
  expect(await told(listens)).toHaveLength(1)
})

it('one that cannot be answered any more stops no other; a view of a list cannot be subscribed to', async () => {
  const [broken, who] = [await world.principal('user'), await world.principal('user')]
  await subscribed(broken, { Query: 'case', CustomFields: [{ Name: 'Gone', Value: 'x' }] })
  await subscribed(who)
  await look()
  await seenBy(who)
  await look()
  expect(await told(who)).toHaveLength(1)
  await expect(subscribed(await world.principal('user'), { List: 'evidence' })).rejects.toMatchObject({
    code: 'InvalidModel',
  })
})
