import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Given, givenStation, type Json } from '../../support/given.ts'
import { scale } from '../../support/scale.ts'

/** The list of evidence (an extension, decisions 6): every filter, and paging while others add. */
let given: Given
const ids: Record<string, string> = {}
beforeAll(async () => {
  given = await givenStation()
  const make = async (key: string, body: Record<string, unknown>): Promise<void> => {
    ids[key] = (await given.evidence(body)).EvidenceId
  }
  await make('plain', { Name: 'Řeznická 100% a_b', Description: 'with a WITNESS', Tags: ['Night', 'Žižkov'] })
  await make('morning', { Name: 'morning', StartTimeUtc: '2026-11-20T06:00:00Z', EndTimeUtc: '2026-11-20T07:00:00Z' })
  await make('noon', {
    Name: 'noon',
    StartTimeUtc: '2026-11-20T12:00:00.0000001Z',
    EndTimeUtc: '2026-11-20T12:30:00Z',
    Tags: ['night'],
  })
  await make('done', { Name: 'done' })
  await given.expecting(200, given.call('POST', `${given.documents}/evidence/${ids['done']}/complete`))
  const { evidenceId } = await given.completed(Buffer.from('%PDF-1.4\n%%EOF\n'), { name: 'report_final.pdf' })
  ids['pdf'] = evidenceId
  await given.settled(evidenceId)
})
afterAll(() => given.close())

const list = (query: string): Promise<Json> =>
  given.expecting(200, given.call('GET', `${given.documents}/evidence?${query}`))
const found = async (query: string): Promise<string[]> => {
  const names = new Map(Object.entries(ids).map(([key, id]) => [id, key]))
  return (await list(query)).Items.map((item: Json) => names.get(item.EvidenceId) ?? item.EvidenceId)
}
const q = (members: Record<string, string>): string => new URLSearchParams(members).toString()

describe('filters', () => {
  it('none: newest first, each as its own record', async () => {
    expect(await found('')).toEqual(['pdf', 'done', 'noon', 'morning', 'plain'])
    const [{ Summary: summary, ...item }] = (await list(`text=${ids['noon']}`)).Items
    expect(summary).toMatchObject({ Type: 'none', Status: 'open', RecordedTimeUtc: '2026-11-20T12:00:00.0000001Z' })
    expect(item).toEqual(await given.expecting(200, given.call('GET', `${given.documents}/evidence/${ids['noon']}`)))
  })

  it.each([
    [{ text: 'Řeznická' }, ['plain']],
    [{ text: 'witness' }, ['plain']],
    [{ text: '100%' }, ['plain']],
    [{ text: 'a_b' }, ['plain']],
    [{ text: '%' }, []],
    [{ text: '_' }, []],
    [{ text: 'a_' }, ['plain']],
    [{ text: 'final' }, ['pdf']],
    [{ text: 'reznicka 100' }, ['plain']],
    [{ text: 'ŘEZ wit' }, ['plain']],
    [{ text: 'zizkov' }, ['plain']],
    [{ text: 'report_final' }, ['pdf']],
    [{ text: 'IGH' }, []],
    [{ text: 'NIGH' }, ['noon', 'plain']],
    [{ text: "' or 1=1 --" }, []],
    [{ tag: 'night' }, ['noon', 'plain']],
    [{ tag: 'NIGHT' }, ['noon', 'plain']],
    [{ tag: 'nigh' }, []],
    [{ tag: 'žižkov' }, ['plain']],
    [{ tag: 'z\u030ciz\u030ckov' }, ['plain']],
    [{ state: 'UserCompleted' }, ['done']],
    [{ state: 'None', tag: 'night' }, ['noon', 'plain']],
    [{ type: 'document' }, ['pdf']],
    [{ type: 'video' }, []],
    [{ from: '2026-11-20T07:00:00Z', to: '2026-11-20T12:00:00Z' }, ['morning']],
    [{ from: '2026-11-20T07:00:00.0000001Z', to: '2026-11-20T12:00:00.0000001Z' }, ['noon']],
    [{ from: '2026-11-20T07:30:00+01:00', to: '2026-11-20T07:30:00+01:00' }, ['morning']],
    [{ to: '2026-11-20T23:00:00+14:00', text: 'm' }, ['morning']],
    [
      { text: '', tag: '', state: '', type: '', from: '', to: '', cursor: '', count: '' },
      ['pdf', 'done', 'noon', 'morning', 'plain'],
    ],
  ])('%j', async (query, expected) => {
    expect(await found(q(query as Record<string, string>))).toEqual(expected)
  })

  it.each([
    ['count=0', 'count'],
    ['count=1001', 'count'],
    ['count=-1', 'count'],
    ['count=x', 'count'],
    ['count=1&count=2', 'count'],
    ['state=Open', 'state'],
    ['type=font', 'type'],
    ['from=yesterday', 'from'],
    ['cursor=x', 'cursor'],
    ['cursor=1.', 'cursor'],
    [`cursor=${'9'.repeat(2049)}`, 'cursor'],
    [`text=${'x'.repeat(257)}`, 'text'],
    [`tag=${'x'.repeat(65)}`, 'tag'],
  ])('%s is 400', async (query, member) => {
    const { status, json } = await given.call('GET', `${given.documents}/evidence?${query}`)
    expect([status, json.ErrorCode, json.Details[0].Path]).toEqual([400, 'InvalidModel', member])
  })

  it('its reading is an entry that says how it was filtered and how many came back', async () => {
    const reply = await given.call(
      'GET',
      `${given.documents}/evidence?${q({ tag: 'night', from: '2026-11-20T00:00:00Z', count: '7' })}`,
    )
    const mine = given.ledger().filter(({ correlationId }) => correlationId === reply.correlationId)
    expect(mine.map(({ action, detail }) => [action, detail])).toEqual([
      [
        'list.read',
        {
          tag: ['night'],
          from: '2026-11-20T00:00:00Z',
          sort: 'created',
          direction: 'desc',
          count: 7,
          returned: reply.json.Items.length,
          total: reply.json.Total,
        },
      ],
    ])
  })
})

describe('paging', () => {
  const ROWS = scale(250, 2500)
  it(`over ${ROWS} rows without gap or double, while rows are added`, async () => {
    const made = new Set<string>()
    const add = async (name: string, count: number): Promise<void> => {
      for (let at = 0; at < count; at += 25)
        await Promise.all(
          Array.from({ length: Math.min(25, count - at) }, async () =>
            made.add((await given.evidence({ Name: name })).EvidenceId),
          ),
        )
    }
    await add('paged', ROWS)
    const before = new Set(made)
    const seen: string[] = []
    let cursor: string | null = ''
    let pages = 0
    while (cursor !== null) {
      const page: Json = await list(q({ text: 'paged', count: '17', cursor }))
      seen.push(...page.Items.map((item: Json) => item.EvidenceId as string))
      cursor = page.Cursor
      pages += 1
      if (pages % 3 === 0) await add('paged', 5)
    }
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.filter((id) => before.has(id))).toHaveLength(before.size)
    // What came later is not in the pages that come later.
    expect(seen).toHaveLength(before.size)
    const order = seen.map(Number)
    expect(order).toEqual(order.toSorted((a, b) => b - a))
    const whole = await list(q({ text: 'paged', count: '1000' }))
    expect(whole.Items).toHaveLength(Math.min(1000, made.size))
  })

  it('the page that ends exactly with the list has no cursor', async () => {
    const page = await list(q({ tag: 'night', count: '2' }))
    expect([page.Items.length, page.Cursor]).toEqual([2, null])
    const first = await list(q({ tag: 'night', count: '1' }))
    expect(first.Cursor).toEqual(expect.any(String))
    const second = await list(q({ tag: 'night', count: '1', cursor: first.Cursor }))
    expect([second.Items.length, second.Cursor]).toEqual([1, null])
  })
})
