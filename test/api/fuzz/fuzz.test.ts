/**
 * Calls made from the OpenAPI document alone: whatever is sent, the station answers as it is described there. Every fault is told with
 * the smallest call that shows it.
 */
// @module-tag counted
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLong, scale } from '../../support/scale.ts'
import { type Call, callsOf } from './calls.ts'
import { described, type Description, type Operation } from './description.ts'
import { type Answer, judged, type Problem } from './judge.ts'
import { valuesFor } from './values.ts'
import { type FuzzWorld, fuzzWorld } from './world.ts'

const CALLS = scale(1_000, 20_000, 300)
const SEED = Number(process.env['SALLYPORT_TEST_SEED'] ?? (isLong ? Date.now() % 2 ** 31 : 20_261_121))
/** Side by side: the station has one writer, its readers need not wait for one another. */
const LANES = 4

/** What is not called, and why. */
const SKIPPED: Readonly<Record<string, string>> = {
  dockWallEvents: 'a stream of events, which does not end',
  jobEvents: 'a stream of events, which does not end',
  stationEvents: 'a stream of events, which does not end',
}

let world: FuzzWorld
let description: Description
beforeAll(async () => {
  world = await fuzzWorld()
  description = await described(world.given)
}, 120_000)
afterAll(() => world?.close())

/** A body has more to get wrong; of two paths of one operation the second has the same rules. */
const weightOf = ({ id, body }: Operation): number => (body === null ? 2 : 6) * (/_\d+$/.test(id) ? 0.25 : 1)

/** What takes from the others what they need comes last: first what deletes, then what changes people and groups. */
const turnOf = ({ service, id }: Operation): number => (service === 'user' ? 2 : /^(delete|remove)/.test(id) ? 1 : 0)

class Found extends Error {
  override readonly name = 'Found'
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.message)
    this.problem = problem
  }
}

interface Tally {
  calls: number
  readonly byStatus: Map<number, number>
  readonly faults: string[]
}

async function fuzzed(operation: Operation, runs: number, tally: Tally): Promise<void> {
  const calls = callsOf(operation, valuesFor(description, world.pool), world.pool)
  const known = new Set<string>()
  const asked = fc.asyncProperty(calls, async (call) => {
    // Takes the administrator who calls out of the administrators.
    fc.pre(!call.target.includes(`/groups/${world.administrators}/members`) || call.method === 'POST')
    const answer = await world.send(call)
    tally.calls++
    tally.byStatus.set(answer.status, (tally.byStatus.get(answer.status) ?? 0) + 1)
    const problem = judged(operation, answer)
    if (problem !== null && !known.has(problem.kind)) throw new Found(problem)
  })
  for (let left = runs, seed = SEED; left > 0; seed++) {
    const { failed, counterexample, errorInstance, numRuns } = await fc.check(asked, { numRuns: left, seed })
    if (!failed) return
    const kind = errorInstance instanceof Found ? errorInstance.problem.kind : String(errorInstance)
    // One that is no finding, such as a lost connection, would come again and again.
    if (known.has(kind) || !(errorInstance instanceof Found)) left = 0
    known.add(kind)
    left -= numRuns
    tally.faults.push(`${operation.id}: ${(errorInstance as Error).message}\n    ${told(counterexample?.[0])}`)
  }
}

const told = (call: Call | undefined): string => {
  if (call === undefined) return 'no call'
  const { caller, method, target, headers, body } = call
  const shown = typeof body === 'string' ? body.slice(0, 400) : body === null ? '' : `${body.length} bytes`
  return `${caller}: ${method} ${target.slice(0, 300)} ${JSON.stringify(headers)} ${shown}`
}

describe('the station and its OpenAPI document', () => {
  it(`keep to each other in ${CALLS} calls`, { timeout: isLong ? 3_600_000 : 300_000 }, async () => {
    const operations = description.operations.filter(({ id }) => SKIPPED[id.replace(/_\d+$/, '')] === undefined)
    const whole = operations.reduce((sum, one) => sum + weightOf(one), 0)
    const runsOf = (one: Operation): number => Math.ceil((CALLS * weightOf(one)) / whole)
    const tally: Tally = { calls: 0, byStatus: new Map(), faults: [] }
    const waiting = operations.toSorted((a, b) => turnOf(a) - turnOf(b))
    await Promise.all(
      Array.from({ length: LANES }, async () => {
        for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await fuzzed(one, runsOf(one), tally)
      }),
    )
    expect.soft(tally.faults.toSorted(), `seed ${SEED}: run again with SALLYPORT_TEST_SEED=${SEED}`).toEqual([])
    expect(tally.calls).toBeGreaterThanOrEqual(CALLS)
    // Most of it got past the door: otherwise the generator is wrong, not the station right.
    const share = (wanted: (status: number) => boolean): number =>
      [...tally.byStatus].reduce((sum, [status, calls]) => sum + (wanted(status) ? calls : 0), 0) / tally.calls
    expect(share((status) => status < 300)).toBeGreaterThan(0.25)
    expect(share((status) => status === 401)).toBeLessThan(0.2)
  })

  it('an answer that is not as described is told', () => {
    const operation = description.operations.find(({ id }) => id === 'getCategoryById') as Operation
    const headers = { 'content-type': 'application/json; charset=utf-8', 'x-correlation-id': 'c' }
    const answer = (status: number, body: unknown, more: Answer['headers'] = headers): Answer => {
      const text = body === null ? '' : JSON.stringify(body)
      return { status, headers: more, text, json: body ?? undefined }
    }
    const refusal = { ErrorCode: 'CategoryNotFound', Message: 'm', Details: [], CorrelationId: 'c' }
    const said = (given: Answer): string | undefined => judged(operation, given)?.kind
    expect(said(answer(400, refusal))).toBe(undefined)
    expect(said(answer(401, null))).toBe(undefined)
    expect(said(answer(503, { ...refusal, ErrorCode: 'NotReady' }))).toBe(undefined)
    expect(said(answer(500, refusal))).toBe('500')
    expect(said(answer(503, refusal))).toBe('503')
    expect(said(answer(404, refusal))).toBe('404 CategoryNotFound is not documented')
    expect(said(answer(400, { ...refusal, ErrorCode: 'CaseNotFound' }))).toMatch(/CaseNotFound is not documented/)
    expect(said(answer(400, { ...refusal, Message: 'at f (/home/x/a.ts:1)' }))).toMatch(/too much/)
    expect(said(answer(400, refusal, { ...headers, 'x-correlation-id': '' }))).toMatch(/no X-Correlation-Id/)
    expect(said(answer(400, refusal, { ...headers, 'content-type': 'text/html' }))).toMatch(/comes as "text\/html"/)
    expect(said(answer(401, { ...refusal, ErrorCode: 'Unauthorized' }))).toBe('401 has a body')
    expect(said(answer(200, { CategoryId: '1' }))).toMatch(/does not keep to its schema/)
    expect(said({ ...answer(200, null), text: '<html>' })).toBe('200 is no JSON')
  })

  it('names no operation as left out that is not there', () => {
    const ids = new Set(description.operations.map(({ id }) => id))
    expect(Object.keys(SKIPPED).filter((id) => !ids.has(id))).toEqual([])
  })
})
