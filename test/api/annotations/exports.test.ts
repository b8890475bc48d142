// @module-tag merge
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Json, sha256Of } from '../../support/given.ts'
import { CASES, type CasesWorld, casesWorld } from '../cases/world.ts'

/** Lists as files: all that the caller may see under the caller's filter, as CSV and as JSON, written down with count and hash. */
let world: CasesWorld
let evidence: string
const COUNT = 520
beforeAll(async () => {
  world = await casesWorld()
  evidence = `${world.given.documents}/evidence`
  for (let at = 0; at < COUNT; at += 20)
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        world.given.evidence({ Name: `Clip ${String(at + n).padStart(4, '0')}`, Tags: ['many'] }),
      ),
    )
})
afterAll(() => world?.given.close())

const rowsOf = (csv: string): string[][] =>
  csv
    .replace(/^\uFEFF/, '')
    .split('\r\n')
    .slice(0, -1)
    .map((line) => line.slice(1, -1).split('","'))
const entriesOf = (id: string): Json[] => world.given.ledger().filter(({ correlationId }) => correlationId === id)

describe('a list as a file', () => {
  it('holds every page, once, in order; the ledger has its count and hash', async () => {
    const reply = await world.given.call('GET', `${evidence}/export?tag=many&sort=name&direction=asc`)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
    expect(reply.headers.get('content-disposition')).toMatch(
      /^attachment; filename="evidence \d{4}-\d\d-\d\dT\d{6}Z\.csv"/,
    )
    expect([...reply.bytes].slice(0, 3)).toEqual([0xef, 0xbb, 0xbf])
    const [head = [], ...rows] = rowsOf(reply.text)
    const name = head.indexOf('Name')
    expect(rows.map((row) => row[name])).toEqual(
      Array.from({ length: COUNT }, (_, at) => `Clip ${String(at).padStart(4, '0')}`),
    )
    expect(
      entriesOf(reply.correlationId).map(({ action, bytes, sha256, detail }) => [action, bytes, sha256, detail]),
    ).toEqual([
      ['list.exportStarted', null, null, { tag: ['many'], sort: 'name', direction: 'asc', format: 'csv' }],
      [
        'list.exported',
        reply.bytes.length,
        sha256Of(reply.bytes),
        { tag: ['many'], sort: 'name', direction: 'asc', format: 'csv', rows: COUNT },
      ],
    ])
  })

  it('as JSON is what the list answers, to the letter', async () => {
    const { EvidenceId } = await world.given.evidence({ Name: '=HYPERLINK("http://x")', Tags: ['odd', 'a;=1'] })
    const listed = (await world.given.call('GET', `${evidence}?tag=odd`)).json.Items
    const asked = await world.given.call('GET', `${evidence}/export?tag=odd`, {
      headers: { accept: 'application/json' },
    })
    expect(asked.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(asked.json).toEqual(listed)
    const csv = await world.given.call('GET', `${evidence}/export?tag=odd&format=csv`, {
      headers: { accept: 'application/json' },
    })
    const [head = [], row = []] = rowsOf(csv.text)
    const cell = (name: string) => row[head.indexOf(name)]
    expect([cell('EvidenceId'), cell('Name'), cell('Tags')]).toEqual([
      EvidenceId,
      '\'=HYPERLINK(""http://x"")',
      "odd, a;'=1",
    ])
    const none = await world.given.call('GET', `${evidence}/export?text=nobodycallsitso&format=json`)
    expect(none.json).toEqual([])
    expect((await world.given.call('GET', `${evidence}/export?text=nobodycallsitso`)).text.split('\r\n')).toHaveLength(
      2,
    )
  })

  it('holds only what the caller can view', async () => {
    const theirs = await world.send('GET', `${evidence}/export?format=json`, undefined, { as: world.other })
    expect(theirs.json).toEqual([])
  })

  it('of cases is filtered as their list is', async () => {
    for (let at = 0; at < 3; at++) await world.made({ Title: `Export ${at}`, Tags: ['x'] })
    const { CaseId } = await world.made({ Title: '@SUM(A1)' })
    await world.given.expecting(200, world.send('POST', `${CASES}/${CaseId}/close`))
    const open = await world.send('GET', `${CASES}/export?state=Open&text=Export&format=json`)
    expect(open.json).toEqual((await world.send('GET', `${CASES}?state=Open&text=Export`)).json.Items)
    expect(open.json).toHaveLength(3)
    const closed = await world.send('GET', `${CASES}/export?state=Closed`)
    expect(rowsOf(closed.text).map((row) => row[2])).toEqual(['Title', "'@SUM(A1)"])
    expect((await world.send('GET', `${CASES}/export?state=Ajar`)).json.ErrorCode).toBe('InvalidModel')
  })

  it('of custody and of histories is what their pages say', async () => {
    const { EvidenceId } = await world.given.evidence({ Name: 'Watched' })
    const place = `${evidence}/${EvidenceId}`
    for (const Name of ['Watched 2', 'Watched 3']) await world.given.call('PATCH', place, { body: { Name } })
    const custody = await world.given.call('GET', `${place}/custody/export?kind=changes&format=json`)
    const { Entries } = (await world.given.call('GET', `${place}/custody?kind=changes`)).json
    expect(custody.json).toEqual(Entries)
    expect(entriesOf(custody.correlationId).map(({ object }) => object)).toEqual(
      Array.from({ length: 2 }, () => ({ type: 'evidence', id: EvidenceId, name: 'Watched 3' })),
    )
    const { CaseId } = await world.made({ Title: 'Versions' })
    await world.given.expecting(200, world.send('PATCH', `${CASES}/${CaseId}`, { Title: 'Versions 2' }))
    const history = await world.send('GET', `${CASES}/${CaseId}/history/export?format=json`)
    expect(history.json).toEqual((await world.send('GET', `${CASES}/${CaseId}/history`)).json.Entries)
    const [head = [], ...rows] = rowsOf((await world.send('GET', `${CASES}/${CaseId}/history/export`)).text)
    expect([head[1], ...rows.map((row) => row[1])]).toEqual(['Action', 'case.changed', 'case.created'])
    const refused = await world.send('GET', `${CASES}/${CaseId}/history/export`, undefined, { as: world.other })
    expect([refused.status, refused.text]).toEqual([403, ''])
  })

  it('HEAD hands out nothing, and says so', async () => {
    const head = await world.given.call('HEAD', `${evidence}/export`)
    expect([head.status, head.headers.get('content-type'), head.bytes.length]).toEqual([
      200,
      'text/csv; charset=utf-8; header=present',
      0,
    ])
    expect(entriesOf(head.correlationId).map(({ action }) => action)).toEqual(['list.read'])
  })

  it('a reader who goes away leaves an entry of what was handed out', async () => {
    const { url, token } = world.given
    const correlationId = await new Promise<string>((resolve, reject) => {
      const asked = request(
        `${url}${evidence}/export?tag=many&format=json`,
        { headers: { authorization: `Bearer ${token}` } },
        (reply) => {
          reply.once('data', () => {
            reply.destroy()
            resolve(String(reply.headers['x-correlation-id']))
          })
        },
      )
      asked.on('error', reject)
      asked.end()
    })
    let ended: Json
    for (let tries = 0; tries < 100 && ended === undefined; tries++) {
      ended = entriesOf(correlationId).find(({ action }) => action === 'list.exported')
      await new Promise((resolve) => setTimeout(resolve, 30))
    }
    // It may have been whole before the reader was gone.
    expect(ended).toMatchObject({ sha256: expect.stringMatching(/^[0-9a-f]{64}$/), bytes: expect.any(Number) })
    if (ended.outcome === 'failed') expect(ended.reason).toBe('It was not sent to its end.')
  })
})
