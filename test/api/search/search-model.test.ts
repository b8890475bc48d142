// @module-tag counted
import fc from 'fast-check'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../../server/kernel/database/database.ts'
import { openTestDatabase } from '../../support/rows.ts'
import { createAccess } from '../../../server/kernel/access/access.ts'
import type { HttpCall } from '../../../server/http/handlers.ts'
import { createSearch, type Search, type SearchOut } from '../../../server/features/search/search.service.ts'
import type { DensityOut } from '../../../server/features/search/search.density.ts'
import { isInPolicy } from '../../../server/features/identity/users/users.store.ts'
import { systemClock } from '../../../server/platform/clock/clock.ts'
import { density, SearchBody } from '../../../shared/search/contract.ts'
import type { SecurityPolicy } from '../../../shared/kernel/permissions.ts'
import { FIELD_TYPES } from '../../../shared/templates/custom-fields.ts'
import { scale } from '../../support/scale.ts'
import { levelOnCase, levelOnEvidence } from '../permissions/model.ts'
import { deviceId, managesDevices, modelSearch, type Question, question, rightsOf, textOf } from './search-model.ts'
import { type DrawnWorld, PEOPLE, TYPES, utc, world, type Written, writeWorld } from './search-world.ts'

/** The search against a plain one, for every drawn person: hits in their order, total, every facet (promise S4, facets and counts). */
const RUNS = scale(60, 600, 20)
let folder: string
let db: Database
let search: Search
/** The same, asked of each row by itself, as for somebody whom many policies name. */
let byRow: Search
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'sallyport-search-'))
  db = await openTestDatabase({ file: path.join(folder, 'a.db') })
  const fields = Object.entries(TYPES).map(([name, type]) => ({ name, type: type as (typeof FIELD_TYPES)[number] }))
  const access = createAccess({ clock: systemClock })
  const deps = {
    db,
    isInPolicy: (id: string, policy: SecurityPolicy) => isInPolicy(db.read, Number(id), policy),
    customFields: async () => ({ Case: fields, Evidence: fields }),
    timeZone: 'UTC',
    namesLookedAt: 2,
  }
  search = createSearch({ ...deps, access, fewMatches: 2 })
  byRow = createSearch({ ...deps, access: { ...access, viewer: access.asker } })
})
afterAll(async () => {
  await db?.close()
  rmSync(folder, { recursive: true })
})

const callOf = (id: number): HttpCall =>
  ({ principal: { kind: 'user', id: String(id), name: 'x', kId: 'x' } }) as unknown as HttpCall

function bodyOf(asked: Question, written: Written) {
  const from = asked.from === null ? null : asked.from / 4
  return {
    Query: textOf(asked.terms),
    Types: asked.types,
    States: asked.states,
    MediaTypes: asked.media,
    CategoryIds: asked.categories?.map((at) => String(written.categories[at])),
    FromUtc: from === null ? null : utc(from),
    ToUtc: asked.lasts === null ? null : utc((from ?? 0) + asked.lasts / 4),
    DeviceId: asked.device === null ? null : deviceId(asked.device),
    CaseId: asked.inCase === null ? null : String(written.cases[asked.inCase]),
    Unassociated: asked.unassociated,
    CustomFields: asked.custom,
    BoundingBox: asked.box,
    Near: asked.near,
    Sort: asked.sort,
  }
}

const asking = (
  written: Written,
  who: number,
  asked: Question,
  more: object = {},
  service = search,
): Promise<SearchOut> =>
  service.search(
    callOf(written.people[who] as number),
    written.tenant,
    SearchBody.parse({ ...bodyOf(asked, written), Count: 1000, ...more }),
  )

const DENSITY = density.body as NonNullable<typeof density.body>
const LEVEL = 4
const counting = (written: Written, who: number, asked: Question, service = search): Promise<DensityOut> => {
  const { Sort: _sort, ...body } = bodyOf(asked, written)
  return service.density(
    callOf(written.people[who] as number),
    written.tenant,
    DENSITY.parse({ ...body, Area: [-180, -90, 180, 90], Level: LEVEL }),
  )
}
/** Where the evidence among the hits was, by the tiles that web maps have. */
function placesOf(hits: readonly string[], drawn: DrawnWorld, written: Written): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const [at, { place }] of drawn.evidences.entries()) {
    if (place === null || !hits.includes(`Evidence ${written.evidences[at]}`)) continue
    const [longitude, latitude] = place
    const mercator = Math.log(Math.tan(Math.PI / 4 + (latitude * Math.PI) / 360))
    const tile = [(longitude + 180) / 360, 0.5 - mercator / (2 * Math.PI)].map((part) => Math.floor(part * 2 ** LEVEL))
    counts[tile.join('/')] = (counts[tile.join('/')] ?? 0) + 1
  }
  return counts
}

const facetsOf = (answer: SearchOut) =>
  Object.fromEntries(
    (['Types', 'Categories', 'States', 'MediaTypes'] as const).map((facet) => [
      facet,
      Object.fromEntries((answer.Facets?.[facet] ?? []).map(({ Value, Count }) => [Value, Count])),
    ]),
  )
const hitsOf = (answer: SearchOut): string[] => answer.Hits.map(({ Type, Id }) => `${Type} ${Id}`)

async function byCursor(written: Written, who: number, asked: Question): Promise<string[]> {
  const found: string[] = []
  let cursor: string | null = null
  do {
    const answer: SearchOut = await asking(written, who, asked, { Count: asked.count, Cursor: cursor, Facets: false })
    found.push(...hitsOf(answer))
    cursor = answer.Cursor
  } while (cursor !== null)
  return found
}

const somebody = fc.nat({ max: PEOPLE - 2 })

describe('S4 the search of a drawn world', () => {
  it('is the plain search: hits in their order, total and every facet; whole by cursor', {
    timeout: 900_000,
  }, async () => {
    let [met, metPlaces] = [0, 0]
    await fc.assert(
      fc.asyncProperty(
        world,
        fc.array(fc.tuple(somebody, question), { minLength: 8, maxLength: 12 }),
        async (drawn, questions) => {
          const written = await writeWorld(db, drawn)
          for (const [who, asked] of questions) {
            const expected = modelSearch(drawn, written, who, asked)
            const answer = await asking(written, who, asked)
            const said = `${textOf(asked.terms)} ${JSON.stringify(bodyOf(asked, written))}`
            expect({ hits: hitsOf(answer), total: answer.Total, facets: facetsOf(answer) }, said).toEqual(expected)
            expect([answer.TotalIsAtLeast, answer.Facets?.AreAtLeast, answer.Cursor]).toEqual([false, false, null])
            expect(await byCursor(written, who, asked), said).toEqual(expected.hits)
            expect(await asking(written, who, asked, {}, byRow), said).toEqual(answer)
            const counted = await counting(written, who, asked)
            const places = placesOf(expected.hits, drawn, written)
            expect(Object.fromEntries(counted.Cells.map(({ X, Y, Count }) => [`${X}/${Y}`, Count])), said).toEqual(
              places,
            )
            const sum = Object.values(places).reduce((all, one) => all + one, 0)
            expect([counted.Positions, counted.Tracks, counted.IsPartial]).toEqual([sum, 0, false])
            expect(await counting(written, who, asked, byRow), said).toEqual(counted)
            metPlaces += sum > 0 ? 1 : 0
            met += expected.total > 0 ? 1 : 0
          }
        },
      ),
      { numRuns: RUNS },
    )
    // A search that never finds anything agrees with everybody.
    // What is drawn finds something more often than not.
    expect(met).toBeGreaterThan(RUNS)
    expect(metPlaces).toBeGreaterThan(RUNS / 4)
  })

  it('L5: nothing is read for a client that has left', async () => {
    const [drawn] = fc.sample(world, { numRuns: 1, seed: 1 })
    if (drawn === undefined) throw new Error('no world was drawn')
    const written = await writeWorld(db, drawn)
    const caller = callOf(written.people[0] as number)
    const left = AbortSignal.abort(new Error('the client left'))
    const asked = SearchBody.parse({ Query: '' })
    await expect(search.search(caller, written.tenant, asked, left)).rejects.toThrow('the client left')
    expect(await search.search(caller, written.tenant, asked, new AbortController().signal)).toHaveProperty('Total')
  })

  it('what the caller cannot view changes no byte of any answer', { timeout: 900_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        world,
        somebody,
        fc.array(question, { minLength: 4, maxLength: 6 }),
        world,
        async (drawn, who, questions, other) => {
          const written = await writeWorld(db, drawn)
          const before = await Promise.all(questions.map((asked) => asking(written, who, asked)))
          const counted = await Promise.all(questions.map((asked) => counting(written, who, asked)))
          await changeHidden(drawn, written, who, other)
          for (const [at, asked] of questions.entries())
            expect(JSON.stringify(await asking(written, who, asked)), textOf(asked.terms)).toBe(
              JSON.stringify(before[at]),
            )
          for (const [at, asked] of questions.entries())
            expect(JSON.stringify(await counting(written, who, asked)), textOf(asked.terms)).toBe(
              JSON.stringify(counted[at]),
            )
        },
      ),
      { numRuns: Math.ceil(RUNS / 2) },
    )
  })
})

/** What somebody cannot view gets other words, numbers, times and places, and is joined by more of its kind. */
async function changeHidden(drawn: DrawnWorld, written: Written, who: number, other: DrawnWorld): Promise<void> {
  const rights = rightsOf(drawn)
  await db.transaction(async (tx) => {
    for (const [at, id] of written.cases.entries())
      if (levelOnCase(rights, who, at) === 'None') {
        const next = other.cases[at] as DrawnWorld['cases'][number]
        await tx
          .updateTable('cases')
          .set({
            title: next.title,
            description: next.description,
            tags: JSON.stringify(next.tags),
            external_reference_1: next.numbers[0],
            external_reference_2: next.numbers[1],
            category_id: next.category === null ? null : (written.categories[next.category] as number),
            state: next.state,
            custom_fields: JSON.stringify(next.custom),
            location_text: next.location,
          })
          .where('case_id', '=', id)
          .execute()
      }
    for (const [at, id] of written.evidences.entries())
      if (levelOnEvidence(rights, who, at) === 'None') {
        const next = other.evidences[at] as DrawnWorld['evidences'][number]
        await tx
          .updateTable('evidence')
          .set({
            name: next.title,
            description: next.description,
            source_id: next.source,
            state: next.state,
            lifecycle_state: next.lifecycle === 'Normal' ? 'None' : next.lifecycle,
            custom_fields: JSON.stringify(next.custom),
          })
          .where('evidence_id', '=', id)
          .execute()
      }
    for (const [at, id] of written.devices.entries())
      if (!managesDevices(drawn, who) && drawn.devices[at]?.of.includes(who) !== true) {
        const { name, serial, manufacturer, active } = other.devices[at] as DrawnWorld['devices'][number]
        const set = {
          common_name: name,
          serial_number: serial,
          manufacturer,
          active: active ? (1 as const) : (0 as const),
        }
        await tx.updateTable('devices').set(set).where('device_id', '=', id).execute()
      }
  })
  // Nobody of the first world is in the second, which lies in the first one's tenant from now on.
  const more = await writeWorld(db, {
    ...other,
    evidences: other.evidences.map((one) => ({ ...one, links: [{ toCase: 0, kind: 'Manual', confirmed: true }] })),
  })
  await db.transaction(async (tx) => {
    await tx
      .deleteFrom('search_list')
      .where('tenant_id', '=', more.tenant)
      .where('kind', 'in', managesDevices(drawn, who) ? [2, 3, 4] : [2, 3])
      .execute()
    for (const table of ['cases', 'evidence'] as const) {
      await tx
        .updateTable(table)
        .set({
          tenant_id: written.tenant,
          ...(table === 'cases' ? { ordinal_year: 2027 + Number(more.tenant.slice(6)) } : {}),
        })
        .where('tenant_id', '=', more.tenant)
        .execute()
    }
    await tx
      .updateTable('search_list')
      .set({ tenant_id: written.tenant })
      .where('tenant_id', '=', more.tenant)
      .execute()
  })
}
