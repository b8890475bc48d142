// @module-tag merge
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ClientThread, type Received, startClient } from '../../support/client-thread.ts'
import type { Json } from '../../support/given.ts'
import { watchLoop, watchWriter } from '../../support/loop-watch.ts'
import { scale } from '../../support/scale.ts'
import { CASES, type CasesWorld, casesWorld } from './world.ts'

/** Lists of evidence as long as a body can hold (promise S17; decisions 13, Bodies). */
let world: CasesWorld
let client: ClientThread
beforeAll(async () => {
  world = await casesWorld()
  client = startClient()
})
afterAll(async () => {
  await client.close()
  await world.given.close()
})

const MANY = 100_000
/** Milliseconds of the processor (promise S17): the gate finds what blocks, the long count on a quiet machine judges the promise. */
const LOOP = scale(100, 50)
const WRITER = 250

interface Load {
  readonly received: Received
  readonly loop: number
  readonly writer: number
}

async function load(method: string, place: string, body: unknown): Promise<Load> {
  const sent = new TextEncoder().encode(JSON.stringify(body))
  const loop = watchLoop()
  const writer = watchWriter()
  const received = await client.send({
    method,
    url: `${world.given.url}${place}`,
    headers: { authorization: `Bearer ${world.maker.token}`, 'content-type': 'application/json' },
    body: sent,
  })
  const { cpu, wall } = await loop()
  const held = writer()
  console.log(
    `${method} ${(sent.byteLength / 1e6).toFixed(1)} MB: ${received.status}, loop ${cpu.toFixed(0)} ms CPU (${wall.toFixed(0)} ms), writer ${held.toFixed(0)} ms, answered in ${received.millis.toFixed(0)} ms`,
  )
  return { received, loop: cpu, writer: held }
}

function expectUnblocked({ loop, writer }: Load): void {
  expect(loop).toBeLessThan(LOOP)
  expect(writer).toBeLessThan(WRITER)
}

const codeOf = ({ received }: Load): unknown => [received.status, (JSON.parse(received.text) as Json).ErrorCode]
const TOO_MANY = [400, 'TooManyAddedOrRemovedEvidencesAtOnce']
const numbered = (count: number): string[] => Array.from({ length: count }, (_, at) => String(1_000_000_000 + at))

describe('S17: a list of 100,000 ids', () => {
  test('of different evidence is refused before any is looked up, by POST, PUT and PATCH', async () => {
    const made = await world.made()
    const EvidenceIds = numbered(MANY)
    const change = { Title: 'Burglary', ConcurrencyId: made.ConcurrencyId, EvidenceIds }
    for (const [method, place, body] of [
      ['PATCH', `${CASES}/${made.CaseId}`, { EvidenceIds }],
      ['PUT', `${CASES}/${made.CaseId}`, change],
      ['POST', CASES, { Title: 'Burglary', EvidenceIds }],
    ] as const) {
      const one = await load(method, place, body)
      expect(codeOf(one)).toEqual(TOO_MANY)
      expectUnblocked(one)
    }
  })

  test('is refused by the call that links', async () => {
    const made = await world.made()
    const Evidences = numbered(60_000).map((EvidenceId) => ({ EvidenceId }))
    const one = await load('POST', `${CASES}/${made.CaseId}/link-evidences`, { Evidences })
    expect(codeOf(one)).toEqual(TOO_MANY)
    expectUnblocked(one)
  })

  test('that names one evidence again and again links it once', async () => {
    const made = await world.made()
    const evidence = await world.given.expecting(
      201,
      world.given.call('POST', `${world.given.documents}/evidence`, {
        token: world.maker.token,
        body: { Name: 'Clip' },
      }),
    )
    const one = await load('PATCH', `${CASES}/${made.CaseId}`, {
      EvidenceIds: Array.from({ length: MANY }, () => evidence.EvidenceId),
    })
    expect(one.received.status).toBe(200)
    expect((JSON.parse(one.received.text) as Json).EvidenceIds).toEqual([evidence.EvidenceId])
    expectUnblocked(one)
  })

  test('that is no list of ids is told what is wrong without telling it 100,000 times', async () => {
    const made = await world.made()
    const one = await load('PATCH', `${CASES}/${made.CaseId}`, { EvidenceIds: Array.from({ length: MANY }, () => 'x') })
    expect(codeOf(one)).toEqual([400, 'InvalidModel'])
    expect(one.received.bytes).toBeLessThan(200_000)
    expectUnblocked(one)
  })
})

describe('differences from the stored list', () => {
  test('500 may come at once and 501 may not; those that stand already are not counted', async () => {
    const made = await world.made()
    const ids: string[] = []
    for (let at = 0; at < 501; at++) {
      const evidence = await world.given.expecting(
        201,
        world.given.call('POST', `${world.given.documents}/evidence`, {
          token: world.maker.token,
          body: { Name: 'Clip' },
        }),
      )
      ids.push(evidence.EvidenceId)
    }
    expect(codeOf(await load('PATCH', `${CASES}/${made.CaseId}`, { EvidenceIds: ids }))).toEqual(TOO_MANY)
    const linked = await load('PATCH', `${CASES}/${made.CaseId}`, {
      EvidenceIds: [...ids.slice(0, 500), ...ids.slice(0, 500)],
    })
    expect(linked.received.status).toBe(200)
    const whole = await load('PATCH', `${CASES}/${made.CaseId}`, { EvidenceIds: ids })
    expect(whole.received.status).toBe(200)
    expect(codeOf(await load('PATCH', `${CASES}/${made.CaseId}`, { EvidenceIds: [] }))).toEqual(TOO_MANY)
    const { json } = await world.send('GET', `${CASES}/${made.CaseId}`)
    expect(json.EvidenceIds).toHaveLength(501)
  })
})
