/** Changing evidence (interfaces.md 4.3, decisions 3 and 6; promise S5). */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../support/given.ts'
import { type ChangeWorld, changeWorld, refused } from './change-world.ts'

let world: ChangeWorld
beforeAll(async () => {
  world = await changeWorld()
})
afterAll(() => world?.given.close())

describe('the writable members', () => {
  it.each<{ member: string; sent: unknown; given?: unknown }>([
    { member: 'Name', sent: 'Interview room 3' },
    { member: 'Description', sent: 'First line\nsecond line' },
    { member: 'Tags', sent: ['night', 'Žižkov', 'night'] },
    { member: 'StartTimeUtc', sent: '2026-11-20T02:47:31.2400000Z' },
    { member: 'EndTimeUtc', sent: '2026-11-20T04:00:00+01:00', given: '2026-11-20T03:00:00Z' },
    { member: 'LocationText', sent: 'Dock 4' },
    { member: 'LocationWKT', sent: 'POINT (16.3738 48.2082)' },
    { member: 'CustomFields', sent: { Weather: 'fog', 'case no.': '', constructor: 'x' } },
  ])('$member', async ({ member, sent, given = sent }) => {
    const before = await world.evidence({ Description: 'd', Tags: ['day'], CustomFields: { Old: 'x' } })
    const reply = await world.patch(before.EvidenceId, { [member]: sent })
    const after = reply.json
    expect([reply.status, after]).toEqual([
      200,
      {
        ...before,
        [member]: given,
        // It is shown under its name.
        ...(member === 'Name' ? { DisplayName: given } : {}),
        // A time that somebody gives is the corrected one, and says so.
        ...(member === 'StartTimeUtc' ? { Clock: { ...before.Clock, CorrectedTimeUtc: given, Source: 'person' } } : {}),
        ConcurrencyId: expect.stringMatching(/^[0-9a-f]{40}$/),
      },
    ])
    expect(after.ConcurrencyId).not.toBe(before.ConcurrencyId)
    expect(await world.read(before.EvidenceId)).toEqual(after)
    expect(world.entriesOf(reply).map(({ action, object, detail }) => [action, object.id, detail])).toEqual([
      [
        'evidence.changed',
        before.EvidenceId,
        {
          concurrencyId: after.ConcurrencyId,
          changed: [member],
          // Of a time the entry says what it was.
          ...(member.endsWith('TimeUtc') ? { times: { [member]: { was: null, is: given } } } : {}),
        },
      ],
    ])
    const version = `${world.place(before.EvidenceId)}?concurrencyId=${before.ConcurrencyId}`
    expect((await world.send('GET', version, undefined, { as: world.owner })).json).toEqual(before)
  })

  it('a category', async () => {
    const { CategoryId } = await world.given.expecting(
      201,
      world.send('POST', '/api/v1/category/station', { Name: 'Burglary' }, { as: world.owner }),
    )
    const { EvidenceId } = await world.evidence()
    expect((await world.changed(EvidenceId, { CategoryId: Number(CategoryId) })).CategoryId).toBe(CategoryId)
  })

  it('custom fields are replaced: added, edited and taken away by sending the record back', async () => {
    const record = await world.evidence({ CustomFields: { Weather: 'fog', Unit: '7' } })
    const { Unit: _unit, ...rest } = record.CustomFields
    const after = await world.changed(record.EvidenceId, {
      ...record,
      CustomFields: { ...rest, Weather: 'rain', New: 'n' },
    })
    expect(after.CustomFields).toEqual({ Weather: 'rain', New: 'n' })
    expect((await world.changed(record.EvidenceId, { CustomFields: {} })).CustomFields).toEqual({})
    const odd = await world.given.expecting(
      200,
      world.send('PATCH', world.place(record.EvidenceId), undefined, {
        as: world.owner,
        raw: '{"CustomFields":{"__proto__":"p"}}',
      }),
    )
    expect(Object.entries(odd.CustomFields)).toEqual([['__proto__', 'p']])
  })

  it('under every path and media type of the service', async () => {
    const { EvidenceId } = await world.evidence()
    const places = [
      `${world.place(EvidenceId)}/`,
      `/api/v1/tenant/station/evidence/${EvidenceId}`,
      world.place(EvidenceId),
    ]
    const types = ['text/json', 'application/json-patch+json', 'application/json']
    for (const [at, address] of places.entries()) {
      const headers = { 'content-type': types[at] as string }
      const reply = await world.send('PATCH', address, { Name: `n${at}` }, { as: world.owner, headers })
      expect([reply.status, reply.json.Name]).toEqual([200, `n${at}`])
    }
  })

  it('the list finds it by what it is called now', async () => {
    const { EvidenceId } = await world.evidence({ Name: 'Beforehand', Tags: ['oldtag'] })
    await world.changed(EvidenceId, { Name: 'Thereupon', Tags: ['newtag'] })
    const found = async (text: string): Promise<string[]> =>
      (
        await world.send('GET', `${world.documents}/evidence?text=${text}`, undefined, { as: world.owner })
      ).json.Items.map((one: Json) => one.EvidenceId)
    expect([await found('thereupon'), await found('newtag'), await found('beforehand'), await found('oldtag')]).toEqual(
      [[EvidenceId], [EvidenceId], [], []],
    )
  })
})

describe('what stays', () => {
  const WHOLE = {
    Description: 'd',
    Tags: ['a', 'b'],
    StartTimeUtc: '2026-11-20T02:47:31.24Z',
    EndTimeUtc: '2026-11-20T03:00:00Z',
    LocationText: 'Dock 4',
    LocationWKT: 'POINT (1 2)',
    CustomFields: { b: '1', a: '2' },
    Device: { Manufacturer: 'Acme', SerialNumber: 'X-1' },
    SourceId: 'card 7',
  }

  it('null and absent members, and everything when the record comes back as it was', async () => {
    const before = await world.evidence(WHOLE)
    const nothing = Object.fromEntries(Object.keys(before).map((member) => [member, null]))
    for (const body of [{}, nothing, before, { ...before, ConcurrencyId: null }, { Unknown: 1, name: 'small' }]) {
      const reply = await world.patch(before.EvidenceId, body)
      expect([reply.status, reply.json]).toEqual([200, before])
      expect(world.entriesOf(reply).map(({ action, object }) => [action, object.id])).toEqual([
        ['evidence.read', before.EvidenceId],
      ])
    }
    const history = await world.send('GET', `${world.place(before.EvidenceId)}/history`, undefined, { as: world.owner })
    expect(history.json.Entries).toHaveLength(1)
  })

  it('S5 whatever is sent for the members of the server, none of them changes', async () => {
    const WRITABLE = ['Name', 'Description', 'Tags', 'LocationText', 'CustomFields']
    const first = await world.evidence(WHOLE)
    const id = first.EvidenceId
    const owned = Object.keys(first).filter(
      (member) =>
        ![
          ...WRITABLE,
          // Follows from the name.
          'DisplayName',
          'CategoryId',
          'StartTimeUtc',
          'EndTimeUtc',
          'LocationWKT',
          'AccessPolicies',
          'ConcurrencyId',
        ].includes(member),
    )
    expect(owned.length).toBeGreaterThan(12)
    const text = fc.stringMatching(/^[a-z]{1,8}$/)
    const writable = fc.record(
      {
        Name: text,
        Description: text,
        LocationText: text,
        Tags: fc.array(text, { maxLength: 3 }),
        CustomFields: fc.dictionary(text, text),
      },
      { requiredKeys: [] },
    )
    const foreign = fc.record(Object.fromEntries(owned.map((member) => [member, fc.jsonValue()])))
    const inherited = fc.array(
      fc.record({
        PermissionSource: fc.record({ Reason: fc.constantFrom('Case', 'Department', 'Policy', 'None') }),
        Permissions: fc.constantFrom('Manage', 'Nonsense'),
        PrincipalId: fc.constantFrom(world.officer.id, world.owner.id, 'x'),
        KId: text,
      }),
      { maxLength: 3 },
    )
    await fc.assert(
      fc.asyncProperty(writable, foreign, inherited, fc.boolean(), async (changes, others, policies, guarded) => {
        const before = await world.read(id)
        const AccessPolicies = [
          ...policies,
          ...before.AccessPolicies.map((own: Json) => ({ ...own, Username: 'mallory' })),
        ]
        const body = { ...before, ...others, ...changes, AccessPolicies }
        if (!guarded) delete body.ConcurrencyId
        const reply = await world.patch(id, body)
        expect(reply.status).toBe(200)
        const { ConcurrencyId: _now, ...after } = reply.json
        const { ConcurrencyId: _then, ...expected } = { ...before, ...changes }
        expected.DisplayName = expected.Name
        expect(after).toEqual(expected)
        expect(await world.read(id)).toEqual(reply.json)
      }),
      { numRuns: 60 },
    )
  })

  it('a name that nobody could type comes back with its record; another one is judged', async () => {
    const folder = path.join(world.given.dir, 'card')
    mkdirSync(folder)
    writeFileSync(path.join(folder, 'a\nb\u202e.bin'), 'bytes of a card')
    const receipt = await world.given.command('ingest', { paths: [folder], case: null })
    const finder = await world.person('finder', ['AccessUnassociatedFiles:Edit'])
    const id = String(receipt.ingested[0].evidenceId)
    const record = await world.read(id, finder)
    expect(record.Name).toBe('a\nb\u202e.bin')
    expect((await world.changed(id, { ...record, Description: 'found' }, finder)).Description).toBe('found')
    expect(await refused(world.patch(id, { Name: 'c\nd' }, finder), 400, 'InvalidModel')).toEqual(['Name'])
    expect((await world.changed(id, { Name: 'card.bin' }, finder)).Name).toBe('card.bin')
  })
})

describe('what is refused', () => {
  it.each([
    ['no body', undefined, ['']],
    ['a list', [], ['']],
    ['an empty name', { Name: '' }, ['Name']],
    ['a name of 1,025', { Name: 'n'.repeat(1025) }, ['Name']],
    ['a name that is no text', { Name: 7 }, ['Name']],
    ['tags that are none', { Tags: ['', ' a', 't'.repeat(65)] }, ['Tags.0', 'Tags.1', 'Tags.2']],
    ['101 tags', { Tags: Array.from({ length: 101 }, (_, at) => `t${at}`) }, ['Tags']],
    [
      'times that are none',
      { StartTimeUtc: 'today', EndTimeUtc: '2026-02-30T00:00:00Z' },
      ['EndTimeUtc', 'StartTimeUtc'],
    ],
    ['a place that is none', { LocationWKT: 'POINT (200 0)' }, ['LocationWKT']],
    ['custom values that are no text', { CustomFields: { a: 1 } }, ['CustomFields.a']],
    ['a category that is not there', { CategoryId: '424242' }, ['CategoryId']],
    ['a category beyond all numbers', { CategoryId: '9007199254740993' }, ['CategoryId']],
    ['a category that is no id', { CategoryId: 'x' }, ['CategoryId']],
    ['several', { Name: ' \u0000', CategoryId: '424242' }, ['CategoryId', 'Name']],
    ['policies that are no list', { AccessPolicies: {} }, ['AccessPolicies']],
    [
      'policies that are none',
      { AccessPolicies: [7, { Permissions: 'Own', PrincipalId: 'x' }, {}] },
      [
        'AccessPolicies.0',
        'AccessPolicies.1.Permissions',
        'AccessPolicies.1.PrincipalId',
        'AccessPolicies.2.Permissions',
        'AccessPolicies.2.PrincipalId',
      ],
    ],
  ])('%s', async (_title, body, paths) => {
    const before = await world.evidence()
    const reply = world.patch(before.EvidenceId, body)
    expect(await refused(reply, 400, 'InvalidModel')).toEqual(paths)
    expect(world.entriesOf(await reply)).toEqual([])
    expect(await world.read(before.EvidenceId)).toEqual(before)
  })

  it('an end before the start, also where only one of them is sent', async () => {
    const { EvidenceId: id } = await world.evidence({
      StartTimeUtc: '2026-11-20T10:00:00Z',
      EndTimeUtc: '2026-11-20T11:00:00Z',
    })
    for (const body of [
      { StartTimeUtc: '2026-11-20T11:00:00.0000001Z' },
      { EndTimeUtc: '2026-11-20T09:59:59Z' },
      { StartTimeUtc: '2026-11-21T00:00:00Z', EndTimeUtc: '2026-11-20T00:00:00Z' },
    ])
      expect(await refused(world.patch(id, body), 400, 'InvalidDateTimeRange')).toEqual(['EndTimeUtc'])
    const moved = { StartTimeUtc: '2026-11-21T00:00:00Z', EndTimeUtc: '2026-11-21T00:00:00Z' }
    expect(await world.changed(id, moved)).toMatchObject(moved)
  })

  it('a disabled category, unless it is the one it has', async () => {
    const categories = '/api/v1/category/station'
    const category = await world.given.expecting(
      201,
      world.send('POST', categories, { Name: 'Traffic' }, { as: world.owner }),
    )
    const { CategoryId, ConcurrencyId } = category
    const [inside, outside] = [await world.evidence({ CategoryId }), await world.evidence()]
    const body = { Name: 'Traffic', Enabled: false, ConcurrencyId }
    await world.given.expecting(200, world.send('PUT', `${categories}/${CategoryId}`, body, { as: world.owner }))
    expect(await refused(world.patch(outside.EvidenceId, { CategoryId }), 400, 'InvalidModel')).toEqual(['CategoryId'])
    expect((await world.changed(inside.EvidenceId, { ...inside, Name: 'Renamed' })).CategoryId).toBe(CategoryId)
  })

  it('what is not there: 404; an id that is none: 400', async () => {
    for (const id of ['999999', '9007199254740993', '9223372036854775807'])
      await refused(world.patch(id, { Name: 'x' }), 404, 'EvidenceNotFound')
    for (const id of ['0', 'abc', '9223372036854775808'])
      await refused(world.patch(id, { Name: 'x' }), 400, 'InvalidModel')
    const elsewhere = world.send(
      'PATCH',
      world.place('1').replace('/station/', '/elsewhere/'),
      { Name: 'x' },
      { as: world.owner },
    )
    expect((await elsewhere).status).toBe(404)
  })
})

describe('concurrency ids', () => {
  it('one that is not the current one is 409, whatever its form; without one the last writer wins', async () => {
    const first = await world.evidence()
    const second = await world.changed(first.EvidenceId, { Name: 'second' })
    for (const ConcurrencyId of [first.ConcurrencyId, '0'.repeat(40), '', 'x', second.ConcurrencyId.toUpperCase()])
      expect(
        await refused(world.patch(first.EvidenceId, { Name: 'third', ConcurrencyId }), 409, 'EvidenceNotUpToDate'),
      ).toEqual(['ConcurrencyId'])
    expect((await world.changed(first.EvidenceId, { ...first, ConcurrencyId: null, Name: 'third' })).Name).toBe('third')
    const { ConcurrencyId } = await world.read(first.EvidenceId)
    expect((await world.changed(first.EvidenceId, { Name: 'fourth', ConcurrencyId })).Name).toBe('fourth')
  })

  it('S6 of many writers at one version exactly one wins', async () => {
    const { EvidenceId, ConcurrencyId } = await world.evidence()
    const replies = await Promise.all(
      Array.from({ length: 16 }, (_, at) => world.patch(EvidenceId, { Name: `writer ${at}`, ConcurrencyId })),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(15)
  })
})

describe('who may', () => {
  it('Edit and Manage; with less it is 403, with nothing it is not there', async () => {
    for (const level of ['Edit', 'Write', 'Manage'])
      expect((await world.patch((await world.shared(level)).EvidenceId, { Name: 'x' }, world.officer)).status).toBe(200)
    for (const level of ['View', 'Read', 'Download']) {
      const { EvidenceId, Name } = await world.shared(level)
      const reply = await world.patch(EvidenceId, { Name: 'x' }, world.officer)
      expect([reply.status, reply.json.ErrorCode]).toEqual([403, 'Forbidden'])
      expect(world.entriesOf(reply).map(({ action, outcome, reason }) => [action, outcome, reason])).toEqual([
        ['access.denied', 'denied', 'PrincipalCannotEditEvidence'],
      ])
      expect((await world.read(EvidenceId)).Name).toBe(Name)
    }
    const { EvidenceId } = await world.evidence()
    await refused(world.patch(EvidenceId, { Name: 'x' }, world.officer), 404, 'EvidenceNotFound')
    expect((await world.send('PATCH', world.place(EvidenceId), { Name: 'x' }, { token: null })).status).toBe(401)
  })

  it('a case that it was linked to gives Edit, and no policy of the evidence itself', async () => {
    const { CaseId } = await world.made({ AccessPolicies: [world.policy(world.officer, 'Edit')] }, world.owner)
    const record = await world.evidence({ CaseIds: [CaseId] })
    const mine = await world.read(record.EvidenceId, world.officer)
    const after = await world.changed(record.EvidenceId, { ...mine, Name: 'through the case' }, world.officer)
    expect([after.Name, after.AccessPolicies]).toEqual(['through the case', mine.AccessPolicies])
  })
})

describe('typed custom fields', () => {
  const TEMPLATES = '/customfieldservice/api/v1/template/station'
  const template = (type: string, customFields: Json[]) =>
    world.given.expecting(200, world.send('PUT', TEMPLATES, { type, customFields }, { as: world.owner }))
  const TYPED = [
    { name: 'Age', type: 'Number' },
    { name: 'Seen on', type: 'Date' },
    { name: 'Armed', type: 'Boolean' },
    { name: 'Weather', type: 'Choice', choices: ['fog', 'rain'] },
    { name: 'Remarks', type: 'Text' },
  ]

  it('what changed must fit, all of it; what the template does not know is free text', async () => {
    await template('Evidence', TYPED)
    const { EvidenceId } = await world.evidence()
    const wrong = { Age: 'old', 'Seen on': 'today', Armed: 'yes', Weather: 'snow', Remarks: 'r', Other: 'x' }
    expect(await refused(world.patch(EvidenceId, { CustomFields: wrong }), 400, 'InvalidModel')).toEqual([
      'CustomFields.Age',
      'CustomFields.Armed',
      'CustomFields.Seen on',
      'CustomFields.Weather',
    ])
    const right = { Age: '42.5', 'Seen on': '2026-11-20', Armed: 'true', Weather: 'fog', Remarks: 'r', Other: 'x' }
    expect((await world.changed(EvidenceId, { CustomFields: right })).CustomFields).toEqual(right)
  })

  it('what stays is not judged by a template that came later, nor is what a removed field left behind', async () => {
    await template('Evidence', [])
    const record = await world.evidence({ CustomFields: { Age: 'about 40', Weather: 'snow' } })
    await template('Evidence', TYPED)
    const { EvidenceId: id } = record
    const more = { ...record.CustomFields, Note: 'n' }
    expect((await world.changed(id, { ...record, CustomFields: more, ConcurrencyId: null })).CustomFields).toEqual(more)
    expect(await refused(world.patch(id, { CustomFields: { ...more, Age: 'about 41' } }), 400, 'InvalidModel')).toEqual(
      ['CustomFields.Age'],
    )
    await template('Evidence', [])
    expect((await world.read(id)).CustomFields).toEqual(more)
    const free = { ...more, Age: 'about 41' }
    expect((await world.changed(id, { CustomFields: free })).CustomFields).toEqual(free)
  })

  it('the template for cases says nothing of evidence', async () => {
    await template('Evidence', [])
    await template('Case', TYPED)
    const { EvidenceId } = await world.evidence()
    expect((await world.patch(EvidenceId, { CustomFields: { Age: 'old' } })).status).toBe(200)
  })
})

describe('emptying by name', () => {
  const FULL = {
    Description: 'd',
    StartTimeUtc: '2026-11-20T10:00:00Z',
    EndTimeUtc: '2026-11-20T11:00:00Z',
    LocationText: 'Dock 4',
    LocationWKT: 'POINT (16.3738 48.2082)',
  }
  const MEMBERS = ['Description', 'EndTimeUtc', 'LocationText', 'LocationWKT']

  it.each(MEMBERS)('%s, and what is emptied already is no change', async (member) => {
    const before = await world.evidence(FULL)
    const after = await world.changed(before.EvidenceId, { Clear: [member] })
    expect(after).toEqual({ ...before, [member]: null, ConcurrencyId: after.ConcurrencyId })
    const again = await world.patch(before.EvidenceId, { Clear: [member] })
    expect(again.json).toEqual(after)
    expect(world.entriesOf(again).map(({ action }) => action)).toEqual(['evidence.read'])
  })

  it('a category; a value that is sent too counts', async () => {
    const { CategoryId } = await world.given.expecting(
      201,
      world.send('POST', '/api/v1/category/station', { Name: 'Emptied' }, { as: world.owner }),
    )
    const { EvidenceId: id } = await world.evidence({ CategoryId })
    expect((await world.changed(id, { CategoryId, Clear: ['CategoryId'] })).CategoryId).toBe(CategoryId)
    expect((await world.changed(id, { Clear: ['CategoryId'] })).CategoryId).toBeNull()
  })

  it('an evidence whose place is taken away is not found there any more', async () => {
    const { EvidenceId: id } = await world.evidence({ Name: 'Placed once', LocationWKT: 'POINT (16.3738 48.2082)' })
    const found = async (): Promise<number> =>
      (
        await world.send(
          'POST',
          '/searchservice/api/v1/search/station',
          { Query: 'name:placed', Types: ['Evidence'], BoundingBox: [16, 48, 17, 49] },
          { as: world.owner },
        )
      ).json.Total
    expect(await found()).toBe(1)
    await world.changed(id, { Clear: ['LocationWKT'] })
    expect(await found()).toBe(0)
  })

  it('names that are none, the name itself and a range turned around are refused', async () => {
    const { EvidenceId: id } = await world.evidence(FULL)
    expect(await refused(world.patch(id, { Clear: ['Name'] }), 400, 'InvalidModel')).toEqual(['Clear.0'])
    expect(await refused(world.patch(id, { Clear: {} }), 400, 'InvalidModel')).toEqual(['Clear'])
    const late = { StartTimeUtc: '2026-11-21T10:00:00Z' }
    expect(await refused(world.patch(id, late), 400, 'InvalidDateTimeRange')).toEqual(['EndTimeUtc'])
    expect((await world.changed(id, { ...late, Clear: ['EndTimeUtc'] })).EndTimeUtc).toBeNull()
  })
})

describe('I12 a time that a person puts right', () => {
  const CAMERA = '2026-11-20T10:00:00Z'
  const TRUE = '2026-11-20T10:04:00Z'

  it('the entry says what it was, what it is and why; what the evidence said before stays beside it', async () => {
    const before = await world.evidence({ StartTimeUtc: CAMERA })
    const reply = await world.patch(before.EvidenceId, {
      StartTimeUtc: TRUE,
      Reason: ' The clock of the shop is slow ',
    })
    expect(reply.json.Clock).toMatchObject({
      CorrectedTimeUtc: TRUE,
      DeviceTimeUtc: CAMERA,
      Offset: 'PT240S',
      Source: 'person',
    })
    expect(world.entriesOf(reply).map(({ reason, detail }) => [reason, detail])).toEqual([
      [
        'The clock of the shop is slow',
        {
          concurrencyId: reply.json.ConcurrencyId,
          changed: ['StartTimeUtc'],
          times: { StartTimeUtc: { was: CAMERA, is: TRUE } },
        },
      ],
    ])
    // Put right once more: what was recorded is still the first one.
    const twice = await world.changed(before.EvidenceId, { StartTimeUtc: '1899-12-31T23:59:59Z' })
    expect(twice.Clock).toMatchObject({ CorrectedTimeUtc: '1899-12-31T23:59:59Z', DeviceTimeUtc: CAMERA })
    const version = `${world.place(before.EvidenceId)}?concurrencyId=${reply.json.ConcurrencyId}`
    expect((await world.send('GET', version, undefined, { as: world.owner })).json).toEqual(reply.json)
  })

  it.each<[string, Record<string, unknown>]>([
    ['said again', { StartTimeUtc: CAMERA }],
    ['emptied', { Clear: ['StartTimeUtc'] }],
  ])('%s, it is the recorded one as it was', async (_how, back) => {
    const before = await world.evidence({ StartTimeUtc: CAMERA })
    await world.changed(before.EvidenceId, { StartTimeUtc: '2150-01-01T00:00:00Z' })
    const after = await world.changed(before.EvidenceId, back)
    expect(after).toEqual({ ...before, ConcurrencyId: after.ConcurrencyId })
  })

  it('goes back to what its file says, with the offset of the camera', async () => {
    const before = await world.evidence()
    const place = world.place(before.EvidenceId)
    await world.given.expecting(
      201,
      world.send(
        'POST',
        `${place}/resource`,
        { Name: 'a.mp4', StartTimeUtc: CAMERA, TimeOffset: 'PT1M' },
        { as: world.owner },
      ),
    )
    const said = await world.changed(before.EvidenceId, { StartTimeUtc: TRUE })
    expect(said.Clock).toMatchObject({ DeviceTimeUtc: CAMERA, Offset: 'PT240S', Source: 'person' })
    const after = await world.changed(before.EvidenceId, { Clear: ['StartTimeUtc'] })
    expect(after.StartTimeUtc).toBe('2026-11-20T10:01:00Z')
    expect(after.Clock).toMatchObject({
      CorrectedTimeUtc: '2026-11-20T10:01:00Z',
      DeviceTimeUtc: CAMERA,
      Offset: 'PT1M',
      Source: 'device',
    })
  })

  it('none before is none again', async () => {
    const before = await world.evidence()
    await world.changed(before.EvidenceId, { StartTimeUtc: TRUE })
    const after = await world.changed(before.EvidenceId, { Clear: ['StartTimeUtc'] })
    expect(after).toEqual({ ...before, ConcurrencyId: after.ConcurrencyId })
  })
})
