import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mayChangeRights } from '../../../server/kernel/database/rights-version.ts'
import { type Given, givenStation } from '../../support/given.ts'
import { signIn } from '../../support/integrator.ts'

/** What is remembered about rights counts until one of their tables changes: nothing else may be asked for it. */
let given: Given
beforeAll(async () => {
  given = await givenStation()
})
afterAll(() => given?.close())

const CASES = '/api/v1/case/station'

it('U7: who asks is looked up once, and again after a change of rights, in no other tables than those of rights', async () => {
  const token = await signIn(await given.integration('reader', ['CreateCases', 'AccessAuditTrail']), given.url)
  const { CaseId } = await given.expecting(201, given.call('POST', CASES, { token, body: { Title: 'x' } }))
  const statements = new Set<string>()
  const note = (sql: unknown): void => void statements.add(sql as string)
  const asked = async (): Promise<Set<string>> => {
    statements.clear()
    await given.expecting(200, given.call('GET', `${CASES}/${CaseId}/history`, { token }))
    return new Set(statements)
  }
  subscribe('sallyport:statement', note)
  try {
    const rounds: Set<string>[] = []
    for (const name of ['one', 'two']) {
      await given.integration(name, [])
      rounds.push(await asked(), await asked())
    }
    const [cold, warm, coldAgain, warmAgain] = rounds as [Set<string>, Set<string>, Set<string>, Set<string>]
    // The station itself may ask something at the same time.
    const remembered = [...cold].filter((sql) => coldAgain.has(sql) && !warm.has(sql) && !warmAgain.has(sql))
    expect(remembered.length).toBeGreaterThanOrEqual(4)
    const tables = remembered.flatMap((sql) => [...sql.matchAll(/(?:from|join) "(\w+)"/g)].map(([, table]) => table))
    expect(tables.filter((table) => table !== undefined && !mayChangeRights(table))).toEqual([])
  } finally {
    unsubscribe('sallyport:statement', note)
  }
})
