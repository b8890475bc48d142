/** The search over HTTP (decisions 7): what is found by what, in which order, exactly up to where, and searches that are kept. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasWords } from '../../../server/kernel/database/expressions.ts'
import { matchOf, parseSearch } from '../../../shared/search/search-query.ts'
import { scale } from '../../support/scale.ts'
import { type Given, givenStation, type Json } from '../../support/given.ts'
import { signIn } from '../../support/integrator.ts'
import { openTestDatabase } from '../../support/rows.ts'

const SEARCH = '/searchservice/api/v1/search/station'
const SAVED = '/searchservice/api/v1/saved/station'
const CASES = '/api/v1/case/station'
let given: Given
/** An account administrator, who sees nothing but what is their own. */
let chief: string
beforeAll(async () => {
  given = await givenStation()
  const { connection } = await given.command('integration.create', {
    name: 'chief',
    policies: [],
    group: 'Account Administrators',
    baseUrl: given.url,
  })
  chief = await signIn(connection, given.url)
})
afterAll(() => given?.close())

const search = async (question: Record<string, unknown>, token = given.token): Promise<Json> =>
  given.expecting(200, given.call('POST', SEARCH, { body: question, token }))
const titles = async (question: Record<string, unknown>, token = given.token): Promise<string[]> =>
  (await search(question, token)).Hits.map(({ Title }: Json) => Title)
const madeCase = (body: Record<string, unknown>): Promise<Json> =>
  given.expecting(201, given.call('POST', CASES, { token: chief, body }))

describe('what is found by what', () => {
  it('evidence by its texts, tags, device, file name, Exif, place and number', async () => {
    const file = path.join(given.dir, 'latch.jpg')
    execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', 'testsrc=s=64x48:d=1', '-frames:v', '1', file])
    execFileSync('exiftool', [
      '-q',
      '-overwrite_original',
      '-Make=Nikonette',
      '-Artist=Åsa Öberg',
      '-FNumber=2.8',
      file,
    ])
    const { EvidenceId } = await given.evidence({
      Name: 'Fenêtre',
      Description: 'Broken latch at the back',
      Tags: ['Night shift'],
      LocationText: 'Quay Road 9',
      LocationWKT: 'POINT (16.3 48.2)',
      SourceId: 'CAM/0042-b',
      Device: { DeviceType: 'None', Manufacturer: 'Axonite', SerialNumber: 'SN77', Model: 'B3' },
      CustomFields: { Weather: 'hailstorm' },
    })
    await given.completed(readFileSync(file), { name: 'latch_0042.jpg', evidenceId: EvidenceId })
    await given.settled(EvidenceId)
    for (const Query of [
      'fenetre',
      'FENÊTRE',
      'broken latch',
      '"broken latch"',
      'brok* back',
      'back brok',
      'tag:"night shift"',
      'tag:nig',
      'quay',
      'cam/0042-b',
      'device:axon',
      'sn77',
      'hailst',
      'nikonette',
      'oberg asa',
      'latch_0042',
      'officer:uploader',
      EvidenceId,
      `00${EvidenceId}`,
      'fenetre -zebra',
    ])
      expect([Query, await titles({ Query })]).toEqual([Query, ['Fenêtre']])
    for (const Query of [
      'brokk',
      '"latch broken"',
      'tag:broken',
      'device:quay',
      'name:latch',
      'fenetre -broken',
      '2.8',
      'x!!',
      'xi',
      '\ue000',
      '!!!',
    ])
      expect([Query, await titles({ Query })]).toEqual([Query, []])
    const { Hits } = await search({ Query: 'latch' })
    expect(Hits[0]).toMatchObject({
      Type: 'Evidence',
      Id: EvidenceId,
      Exact: false,
      State: 'None',
      MediaType: 'image',
      Snippet: 'Broken latch at the back',
      LocationText: 'Quay Road 9',
      Thumbnail: expect.stringContaining(`/evidence/${EvidenceId}/thumbnail`),
    })
    expect((await search({ Query: 'cam/0042-B' })).Hits[0].Exact).toBe(true)
    // What changes is found as it is now, at once.
    await given.expecting(
      200,
      given.call('PATCH', `${given.documents}/evidence/${EvidenceId}`, {
        body: { Description: 'Shutter', Tags: ['Day'], LocationWKT: 'POINT (2 3)' },
      }),
    )
    expect(await titles({ Query: 'latch back' })).toEqual([])
    expect(await titles({ Query: 'tag:night' })).toEqual([])
    expect(await titles({ Query: 'shutter tag:day nikonette' })).toEqual(['Fenêtre'])
    expect(await titles({ Query: 'fenetre', BoundingBox: [16, 48, 17, 49] })).toEqual([])
    expect(await titles({ Query: 'fenetre', BoundingBox: [1, 2, 3, 4] })).toEqual(['Fenêtre'])
  })

  it('S4: evidence and cases by what their notes and marks say, as long as it is said, and by a plate however it is written', async () => {
    const file = path.join(given.dir, 'passage.wav')
    execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', 'sine=d=4', file])
    const { EvidenceId } = await given.evidence({ Name: 'Passage' })
    const { resourceId: ResourceId } = await given.completed(readFileSync(file), {
      name: 'passage.wav',
      evidenceId: EvidenceId,
    })
    await given.settled(EvidenceId)
    const place = `${given.documents}/evidence/${EvidenceId}`
    const post = (where: string, body: Json, token = given.token) =>
      given.expecting(201, given.call('POST', where, { body, token }))
    const mark = await post(`${place}/bookmark`, {
      ResourceId,
      StartSeconds: 2.5,
      Title: 'Blue van',
      Text: 'Plate B-HX 4411, two people',
    })
    const note = await post(`${place}/note`, { Text: 'Seen again at the lighthouse' })
    for (const Query of ['bhx4411', 'B HX 4411', 'b-hx4411', 'BHX 4411', '"b-hx 4411"', 'b-hx 44', 'lighthouse van'])
      expect([Query, await titles({ Query })]).toEqual([Query, ['Passage']])
    expect(await titles({ Query: 'bhx4412' })).toEqual([])
    const { connection } = await given.command('integration.create', {
      name: 'stranger',
      policies: [],
      group: null,
      baseUrl: given.url,
    })
    expect(await titles({ Query: 'bhx4411' }, await signIn(connection, given.url))).toEqual([])
    const first = async (Query: string): Promise<Json> => (await search({ Query })).Hits[0]
    expect(await first('bhx4411')).toMatchObject({
      Snippet: 'Blue van: Plate B-HX 4411, two people',
      FoundIn: { Kind: 'Bookmark', ResourceId, StartSeconds: 2.5 },
    })
    expect(await first('lighthouse')).toMatchObject({
      Snippet: 'Seen again at the lighthouse',
      FoundIn: { Kind: 'Note', ResourceId: null, StartSeconds: null },
    })
    expect((await first('passage')).FoundIn).toBeNull()
    await given.expecting(
      200,
      given.call('PUT', `${place}/note/${note.NoteId}`, {
        body: { Text: 'Seen again at the viaduct', ConcurrencyId: note.ConcurrencyId },
      }),
    )
    expect(await titles({ Query: 'lighthouse' })).toEqual([])
    expect(await titles({ Query: 'viaduct' })).toEqual(['Passage'])
    await given.expecting(
      200,
      given.call('DELETE', `${place}/bookmark/${mark.BookmarkId}?concurrencyId=${mark.ConcurrencyId}`),
    )
    expect(await titles({ Query: 'bhx4411' })).toEqual([])
    const { CaseId } = await madeCase({ Title: 'Passage of a van' })
    await post(`${CASES}/${CaseId}/note`, { Text: 'Owner of HH·AB123 rang back' }, chief)
    expect((await search({ Query: 'hh-ab 123' }, chief)).Hits).toMatchObject([
      { Type: 'Case', Id: CaseId, FoundIn: { Kind: 'Note' }, Snippet: 'Owner of HH·AB123 rang back' },
    ])
  })

  it('cases by their numbers first, by people and by what is in them', async () => {
    const inside = await given.expecting(
      201,
      given.call('POST', `${given.documents}/evidence`, { token: chief, body: { Name: 'Harbour clip' } }),
    )
    const one = await madeCase({ Title: 'Harbour theft', ExternalReferenceId1: 'RN-2026/77', Description: 'harbour' })
    const other = await madeCase({
      Title: 'Noted',
      Description: `See ${one.Ordinal} and RN-2026/77`,
      Tags: ['harbour'],
    })
    await given.expecting(
      204,
      given.call('POST', `${CASES}/${one.CaseId}/link-evidences`, {
        token: chief,
        body: { Evidences: [{ EvidenceId: inside.EvidenceId }] },
      }),
    )
    for (const Query of [one.Ordinal, 'rn-2026/77']) {
      const { Hits } = await search({ Query }, chief)
      expect([Query, Hits.map(({ Title, Exact }: Json) => [Title, Exact])]).toEqual([
        Query,
        [
          ['Harbour theft', true],
          ['Noted', false],
        ],
      ])
    }
    // In the title before elsewhere, each newest first; a name of a person who made it.
    expect(await titles({ Query: 'harbour' }, chief)).toEqual(['Harbour theft', 'Harbour clip', 'Noted'])
    expect(await titles({ Query: 'harbour', Sort: 'oldest' }, chief)).toEqual([
      'Harbour clip',
      'Harbour theft',
      'Noted',
    ])
    expect(await titles({ Query: 'harbour', Sort: 'name' }, chief)).toEqual(['Harbour clip', 'Harbour theft', 'Noted'])
    expect(await titles({ Query: `case:${one.Ordinal}` }, chief)).toEqual(['Harbour theft', 'Harbour clip'])
    expect(await titles({ CaseId: one.CaseId }, chief)).toEqual(['Harbour clip'])
    expect(await titles({ Query: 'harbour', Unassociated: true }, chief)).toEqual([])
    expect(await titles({ Query: 'officer:chief harbour', Types: ['Case'] }, chief)).toEqual(['Harbour theft', 'Noted'])
    // Nobody else finds any of it, nor what is in it.
    for (const question of [
      { Query: 'harbour' },
      { Query: one.Ordinal },
      { CaseId: one.CaseId },
      { Query: `case:${one.Ordinal}` },
    ])
      expect((await search(question)).Total).toBe(0)
    expect(other.Title).toBe('Noted')
  })

  it('what is in the recycle bin only when asked, by who may restore it', async () => {
    const one = await madeCase({ Title: 'Discarded lorry' })
    for (const [method, place] of [
      ['POST', '/close'],
      ['DELETE', ''],
    ] as const)
      await given.expecting(200, given.call(method, `${CASES}/${one.CaseId}${place}`, { token: chief }))
    expect((await search({ Query: 'lorry' }, chief)).Total).toBe(0)
    const found = await search({ Query: 'lorry', States: ['Deleted', 'Open'] }, chief)
    expect([found.Total, found.Hits[0].State]).toEqual([1, 'Deleted'])
    expect(found.Facets.States).toEqual([{ Value: 'Deleted', Count: 1 }])
    expect((await search({ Query: 'lorry', States: ['Deleted'] })).Total).toBe(0)
  })

  it('people and groups by their names, devices by theirs for whoever manages them or had them', async () => {
    const found = await search({ Query: 'account adm', Types: ['User', 'Group'] })
    expect(found.Hits.map(({ Type, Title }: Json) => [Type, Title])).toEqual([['Group', 'Account Administrators']])
    expect(await titles({ Query: 'sergeant' })).toEqual(['sergeant'])
    await given.meddle((db) =>
      db
        .prepare(
          `INSERT INTO devices (device_id, tenant_id, serial_number, manufacturer, model, common_name, device_type, active, search_key, created_utc)
          SELECT 'd0', tenant_id, 'SN-4711', 'Axonite', 'B9', NULL, 'BodyWornCamera', 1, '', '2026-11-20T08:00:00Z' FROM tenants LIMIT 1`,
        )
        .run(),
    )
    expect((await search({ Query: 'SN-4711' })).Total).toBe(0)
    const { connection } = await given.command('integration.create', {
      name: 'quartermaster',
      policies: ['ManageDevices'],
      group: null,
      baseUrl: given.url,
    })
    const keeper = await signIn(connection, given.url)
    const [device] = (await search({ Query: 'sn-4711' }, keeper)).Hits
    expect(device).toMatchObject({ Type: 'Device', Id: 'd0', Title: 'SN-4711', Exact: true, State: 'Enabled' })
    await given.meddle((db) => db.prepare("UPDATE devices SET common_name = 'Gate camera', active = 0").run())
    const [named] = (await search({ Query: 'device:gate', Types: ['Device'] }, keeper)).Hits
    expect(named).toMatchObject({ Title: 'Gate camera', Number: 'SN-4711', State: 'Disabled' })
    await given.command('user.create', {
      username: 'visitor',
      password: 'a long enough pass phrase',
      group: null,
      policies: [],
      guest: true,
    })
    const guest = await given.integration('guest program')
    await given.meddle((db) =>
      db.prepare('UPDATE principals SET guest = 1 WHERE principal_id = ?').run(Number(guest.ServicePrincipalId)),
    )
    const token = await signIn(guest, given.url)
    const none = await search({ Query: 'sergeant', Types: ['User', 'Group', 'Case'] }, token)
    expect([none.Total, none.Facets.Types]).toEqual([0, []])
    expect((await search({}, token)).Total).toBe(0)
  })
})

describe('S4 whatever is sent', () => {
  it('any text at all is a search, and never an error of the index', { timeout: 60_000 }, async () => {
    const db = await openTestDatabase({ file: given.file })
    const ask = (match: string) =>
      sql`SELECT count(*) AS n FROM search_words WHERE ${hasWords('search_words', match)}`.execute(db.read)
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.constantFrom(
        '"',
        '*',
        '-',
        ':',
        '(',
        ')',
        '^',
        '{',
        '}',
        '+',
        'AND',
        'OR',
        'NOT',
        'NEAR(',
        'tag:',
        'case:',
        'name:"',
        '\u0000',
        ' ',
        'rowid',
        '12',
        "'",
        '\\',
        '\ud800',
      ),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        const { all, named, without } = matchOf(parseSearch(pieces.join('')))
        for (const match of [all, named, without]) if (match !== null) await ask(match)
      }),
      { numRuns: scale(3_000, 60_000) },
    )
    await db.close()
  })

  it('bodies that say nothing that can be are refused, each problem listed', async () => {
    for (const [body, place] of [
      [{ Query: 7 }, 'Query'],
      [{ Types: ['Nothing'] }, 'Types.0'],
      [{ FromUtc: 'yesterday' }, 'FromUtc'],
      [{ FromUtc: '2026-02-01T00:00:00Z', ToUtc: '2026-01-01T00:00:00Z' }, 'ToUtc'],
      [{ BoundingBox: [0, 10, 1, 5] }, 'BoundingBox'],
      [{ BoundingBox: [0, 0, 1] }, 'BoundingBox'],
      [{ BoundingBox: [0, 0, 181, 1] }, 'BoundingBox.2'],
      [{ CategoryIds: ['x'] }, 'CategoryIds.0'],
      [{ Count: 0 }, 'Count'],
      [{ Count: 1001 }, 'Count'],
      [{ Sort: 'best' }, 'Sort'],
      [{ DeviceId: 'x' }, 'DeviceId'],
      [{ CustomFields: [{ Name: 'Weather' }] }, 'CustomFields.0'],
      [{ CustomFields: [{ Name: 'Weather', From: '1' }] }, 'CustomFields.0'],
      [{ Cursor: 'x' }, 'Cursor'],
      [{ Cursor: Buffer.from('["name",0,1]').toString('base64url') }, 'Cursor'],
    ] as const) {
      const { status, json } = await given.call('POST', SEARCH, { body })
      expect([body, status, json?.ErrorCode, json?.Details[0].Path]).toEqual([body, 400, 'InvalidModel', place])
    }
    expect((await given.call('POST', SEARCH.replace('station', 'elsewhere'), { body: {} })).status).toBe(404)
  })

  it('is exact up to 10,000 and then at least that', { timeout: 60_000 }, async () => {
    const fill = (count: number, word: string) =>
      given.meddle((db) => {
        const row = db.prepare(
          `INSERT INTO evidence (tenant_id, name, created_utc, created_ticks, created_by, concurrency_id) VALUES ('station', ?, '2026-01-01T00:00:00Z', 1, '{}', '')`,
        )
        const policy = db.prepare(`INSERT INTO evidence_policies VALUES (?, ?, 'View', NULL, NULL)`)
        for (let index = 0; index < count; index++)
          policy.run(row.run(`Bulk ${word} ${index}`).lastInsertRowid, Number(given.principalId))
      })
    await fill(10_000, 'tenk')
    const exact = await search({ Query: 'tenk', Count: 1 })
    expect([exact.Total, exact.TotalIsAtLeast, exact.Facets.AreAtLeast]).toEqual([10_000, false, false])
    await fill(1, 'tenk')
    const least = await search({ Query: 'tenk', Count: 1 })
    expect([least.Total, least.TotalIsAtLeast, least.Facets.AreAtLeast]).toEqual([10_000, true, true])
    expect((await search({ Query: 'tenk', Facets: false })).Facets).toBeNull()
    // A member of the question narrows what is counted, however many there would be without it.
    const few = await search({ Query: 'name:"tenk 7"', Types: ['Evidence'], Sort: 'name', Count: 5 })
    expect(few.Hits[0].Title).toBe('Bulk tenk 7')
    for (const Sort of ['name', 'newest', 'oldest', 'relevance']) {
      const seen = new Set<string>()
      let Cursor: string | null = null
      for (let page = 0; page < 3; page++) {
        const answer: Json = await search({ Query: 'bulk', Sort, Count: 1000, Cursor, Facets: false })
        for (const { Id } of answer.Hits) seen.add(Id)
        Cursor = answer.Cursor
      }
      expect([Sort, seen.size]).toEqual([Sort, 3000])
    }
  })
})

describe('saved searches', () => {
  const Question = { Query: 'mill', States: ['Open'], FromUtc: '2026-01-01T00:00:00Z', BoundingBox: [1, 2, 3, 4] }
  const send = (method: string, place: string, body?: unknown, token = given.token) =>
    given.call(method, `${SAVED}${place}`, { token, ...(body === undefined ? {} : { body }) })

  it('are kept as they were, renamed, replaced, deleted, and nobody else’s', async () => {
    const made = await given.expecting(201, send('POST', '', { Name: ' Open mills ', Question }))
    expect(made).toMatchObject({ Name: 'Open mills', Question })
    const place = `/${made.SavedSearchId}`
    expect((await send('GET', '')).json).toEqual([made])
    expect((await send('GET', '', undefined, chief)).json).toEqual([])
    for (const [method, body] of [
      ['PATCH', { Name: 'Mine now' }],
      ['DELETE', undefined],
    ] as const) {
      const { status, json } = await send(method, place, body, chief)
      expect([status, json.ErrorCode]).toEqual([404, 'SavedSearchNotFound'])
    }
    const second = await given.expecting(201, send('POST', '', { Name: 'Another', Question: {} }))
    expect((await send('PATCH', `/${second.SavedSearchId}`, { Name: 'OPEN MILLS' })).json.ErrorCode).toBe('NameTaken')
    expect((await send('POST', '', { Name: 'open mills', Question })).json.ErrorCode).toBe('NameTaken')
    const renamed = await given.expecting(
      200,
      send('PATCH', place, { Name: 'OPEN MILLS', Question: { Query: 'quay' } }),
    )
    expect(renamed).toMatchObject({ Name: 'OPEN MILLS', Question: { Query: 'quay' } })
    await given.expecting(200, send('DELETE', place))
    expect((await send('DELETE', place)).status).toBe(404)
    expect((await send('GET', '')).json).toEqual([second])
  })

  it('hold nothing that could not be searched for', async () => {
    for (const [body, place] of [
      [{ Name: '', Question }, 'Name'],
      [{ Name: 'a\nb', Question }, 'Name'],
      [{ Name: 'x', Question: { Sort: 'best' } }, 'Question.Sort'],
      [{ Name: 'x', Question: { FromUtc: 'never' } }, 'Question.FromUtc'],
      [{ Name: 'x' }, 'Question'],
    ] as const) {
      const { status, json } = await send('POST', '', body)
      expect([body, status, json?.Details[0].Path]).toEqual([body, 400, place])
    }
    for (const id of ['x', '-1', '1'.repeat(16)]) expect((await send('DELETE', `/${id}`)).status).toBe(400)
  })
})
