import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRaw, type RawDatabase } from '../../server/kernel/database/sqlite/raw.ts'
import { type Given, givenStation } from '../support/given.ts'
import { signIn } from '../support/integrator.ts'

// Statements that are compiled once (decisions 17) hide their values from SQLite's planner, which would otherwise plan anew at each run.

let given: Given
let db: RawDatabase
/** Statements that requests of the case service run, of this thread and of the database's. */
let ran: string[]

beforeAll(async () => {
  given = await givenStation()
  const token = await signIn(await given.integration('caller', ['CreateCases', 'AccessAuditTrail']), given.url)
  const cases = '/api/v1/case/station'
  const call = (method: string, path: string, body?: unknown) => given.call(method, path, { token, body })
  const made = await given.expecting(201, call('POST', cases, { Title: 'Burglary' }))
  const texts = new Set<string>()
  const hear = (text: unknown): void => void texts.add(text as string)
  subscribe('sallyport:statement', hear)
  try {
    await given.expecting(201, call('POST', cases, { Title: 'Theft' }))
    await given.expecting(200, call('PATCH', `${cases}/${made.CaseId}`, { Title: 'Robbery' }))
    for (const path of ['', `/${made.CaseId}`, `/${made.CaseId}/history`])
      await given.expecting(200, call('GET', `${cases}${path}`))
  } finally {
    unsubscribe('sallyport:statement', hear)
  }
  ran = [...texts].filter((text) => text.includes('+?'))
  db = openRaw(given.file, { readOnly: true })
})
afterAll(async () => {
  db.close()
  await given.close()
})

const planOf = (text: string): string[] => {
  const values = Array.from(text.matchAll(/\?/g), () => 1)
  const steps = db.prepare(`EXPLAIN QUERY PLAN ${text}`).all(values) as { detail: string }[]
  return steps.map(({ detail }) => detail)
}

/** Columns that a partial index compares with a literal: `state` of `WHERE state = 'Open'`. */
const columnsOfPartialIndexes = (): Set<string> => {
  const indexes = db
    .prepare(`SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql LIKE '% WHERE %'`)
    .pluck()
    .all()
  return new Set(
    (indexes as string[]).flatMap((index) =>
      Array.from(
        (index.split(' WHERE ')[1] as string).matchAll(/(\w+) *(?:=|<>|IN)/g),
        ([, column]) => column as string,
      ),
    ),
  )
}

describe('statements that are compiled once', () => {
  it('are planned as with their values in sight', () => {
    expect(ran.length).toBeGreaterThan(10)
    for (const text of ran) expect(planOf(text), text).toEqual(planOf(text.replaceAll('+?', '?')))
  })

  it('let no value decide whether a partial index is used', () => {
    const columns = columnsOfPartialIndexes()
    expect([...columns]).toEqual(expect.arrayContaining(['is_default', 'state', 'lifecycle_state']))
    const compared = ran.flatMap((text) =>
      Array.from(text.matchAll(/"(\w+)" *(?:=|<|>) \+\?/g), ([, column]) => column),
    )
    expect(compared).toContain('case_id')
    expect(compared.filter((column) => columns.has(column as string))).toEqual([])
  })

  it('are not planned anew at each run', () => {
    const text = ran.find((one) => one.includes('"category_name"')) as string
    const timeOf = (one: string): number => {
      const prepared = db.prepare(one)
      const values = Array.from(one.matchAll(/\?/g), () => 1)
      const from = performance.now()
      for (let run = 0; run < 2_000; run++) prepared.all(values)
      return performance.now() - from
    }
    timeOf(text)
    // About a tenth. SQLite plans the other one 2,000 times.
    expect(timeOf(text) / timeOf(text.replaceAll('+?', '?'))).toBeLessThan(0.5)
  })
})
