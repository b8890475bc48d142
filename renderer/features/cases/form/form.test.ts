import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CreateCaseModel, UpdateCaseModel } from '../../../../shared/cases/contract.ts'
import { positionText, positionWkt } from '../../../client/position.ts'
import type { Case } from '../queries.ts'
import { firstChoice } from '../../../ui/conflict/choice.ts'
import { differences, resolved } from './conflict.ts'
import { type Draft, draftOf, EMPTY, isChanged, membersOf } from '../fields.ts'
import { mostOf, wrongIn } from './wrong.ts'

const record = (members: Partial<Case> = {}): Case =>
  ({
    Title: 'Burglary',
    Description: null,
    CategoryId: null,
    DepartmentId: null,
    OccurredOn: null,
    EndedOn: null,
    ExternalReferenceId1: null,
    ExternalReferenceId2: null,
    LocationText: null,
    LocationWKT: null,
    Location: null,
    Tags: [],
    CustomFields: {},
    ...members,
  }) as Case

const draft = (members: Partial<Draft> = {}): Draft => ({ ...EMPTY, Title: 'Burglary', ...members })

describe('positions', () => {
  it.each([
    ['54.3127, 4.0891', 'POINT (4.0891 54.3127)'],
    ['-33.9 151.2', 'POINT (151.2 -33.9)'],
    [' 0;0 ', 'POINT (0 0)'],
    ['LINESTRING (1 2, 3 4)', 'LINESTRING (1 2, 3 4)'],
    ['91, 4', null],
    ['54.3, 181', null],
    ['by the bridge', null],
    ['54.3127', null],
  ])('%s', (text, wkt) => expect(positionWkt(text)).toBe(wkt))

  it('are written latitude first; what is no point stays as it is', () => {
    expect(positionText('POINT (4.0891 54.3127)')).toBe('54.3127, 4.0891')
    expect(positionText('POLYGON ((0 0, 1 0, 1 1, 0 0))')).toBe('POLYGON ((0 0, 1 0, 1 1, 0 0))')
    expect(positionText(null)).toBe('')
  })

  it('have at most five decimals', () => {
    expect(positionText('POINT (-0.11399999999999999 51.616)')).toBe('51.616, -0.114')
    expect(positionText('POINT (-0.0000001 -0.000001)')).toBe('0, 0')
  })

  it('come back as the place that was typed', () => {
    const degrees = (most: number) => fc.integer({ min: -most * 1e5, max: most * 1e5 }).map((value) => value / 1e5)
    fc.assert(
      fc.property(degrees(90), degrees(180), (latitude, longitude) => {
        expect(positionText(positionWkt(`${latitude}, ${longitude}`))).toBe(`${latitude}, ${longitude}`)
      }),
    )
  })
})

describe('what is sent', () => {
  it('is what the station takes, with none for what is empty', () => {
    const typed = draft({ Tags: ['night'], Position: '1, 2', CustomFields: { Weather: 'Rain', Armed: '' } })
    const body = CreateCaseModel.parse(membersOf(typed, null))
    expect(body).toMatchObject({ Title: 'Burglary', Description: null, LocationWKT: 'POINT (2 1)', Tags: ['night'] })
    expect(body.CustomFields).toEqual({ Weather: 'Rain' })
  })

  it('leaves a place that nobody touched as it came, whatever its writing', () => {
    const before = record({
      LocationWKT: 'point( 4.08910  54.3127 )',
      Location: { Latitude: 54.3127, Longitude: 4.0891, Address: 'Tanner’s Row', Notes: 'rear' },
    })
    const body = membersOf({ ...draftOf(before), Title: 'Robbery' }, before)
    expect(body).toMatchObject({ LocationWKT: before.LocationWKT, Location: before.Location })
    expect(() => UpdateCaseModel.parse({ ...body, ConcurrencyId: 'x' })).not.toThrow()
  })

  it('keeps address and notes where the place is moved, and never names two places', () => {
    const before = record({
      LocationWKT: 'POINT (4 54)',
      Location: { Latitude: 54, Longitude: 4, Address: 'Tanner’s Row', Notes: null },
    })
    const { LocationWKT, Location } = membersOf({ ...draftOf(before), Position: '55, 5' }, before)
    expect(LocationWKT).toBe('POINT (5 55)')
    expect(Location).toEqual({ Address: 'Tanner’s Row', Notes: null })
    expect(membersOf({ ...draftOf(before), Position: '' }, before).LocationWKT).toBeNull()
  })

  it('names a department only where it is another one', () => {
    const before = record({ DepartmentId: 'd1' })
    expect(membersOf(draftOf(before), before)).not.toHaveProperty('DepartmentId')
    expect(membersOf({ ...draftOf(before), DepartmentId: 'd2' }, before)).toMatchObject({ DepartmentId: 'd2' })
  })
})

describe('what is wrong', () => {
  it.each([
    [{ Title: '  ' }, { Title: 'titleMissing' }],
    [{ Title: 'x'.repeat(257) }, { Title: 'titleLong' }],
    [{ OccurredOn: '2026-11-20T02:00:00Z', EndedOn: '2026-11-20T01:59:00Z' }, { EndedOn: 'endBefore' }],
    [{ OccurredOn: '2026-11-20T02:00:00Z', EndedOn: '2026-11-20T02:00:00Z' }, {}],
    [{ Position: 'here' }, { Position: 'positionWrong' }],
    [{ ExternalReferenceId1: 'x'.repeat(257) }, { ExternalReferenceId1: 'tooLong' }],
    [{ Description: 'x'.repeat(65_537) }, { Description: 'tooLong' }],
    [{ LocationText: 'Tanner’s\u0007 Row' }, { LocationText: 'notStorable' }],
    [{ Tags: Array.from({ length: 101 }, (_, at) => `tag ${at}`) }, { Tags: 'tagsMany' }],
    [{ Tags: ['x'.repeat(65)] }, { Tags: 'tagLong' }],
  ])('%o', (members, wrong) => expect(wrongIn(draft(members))).toEqual(wrong))

  it('is what the contract refuses, and nothing else', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.string({ unit: 'grapheme-ascii', maxLength: 300 }),
      fc.string({ unit: fc.constantFrom('\u0007', '\n', '\t', '\u2028', '\ud800', 'a', ' '), maxLength: 6 }),
    )
    const time = fc.oneof(
      text,
      fc.constant(''),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    )
    const typed = fc.record({
      Title: text,
      Description: text,
      LocationText: text,
      ExternalReferenceId1: text,
      ExternalReferenceId2: text,
      OccurredOn: time,
      EndedOn: time,
      Tags: fc.array(fc.oneof(text, fc.constantFrom('night', 'x'.repeat(65))), { maxLength: 4 }),
    })
    fc.assert(
      fc.property(typed, (members) => {
        const issues = CreateCaseModel.safeParse(membersOf(draft(members), null)).error?.issues ?? []
        const refused = new Set(issues.map(({ path }) => String(path[0])))
        const wrong = Object.entries(wrongIn(draft(members))).filter(([, problem]) => problem !== 'endBefore')
        expect(new Set(wrong.map(([name]) => name))).toEqual(refused)
      }),
      { numRuns: 2_000 },
    )
  })

  it('is named in the order of the form, so that the first of it gets the focus', () => {
    const wrong = wrongIn(
      draft({
        ExternalReferenceId1: 'x'.repeat(257),
        ExternalReferenceId2: 'x'.repeat(257),
        Position: 'here',
        Description: 'x'.repeat(65_537),
      }),
    )
    expect(Object.keys(wrong)).toEqual(['Description', 'Position', 'ExternalReferenceId2', 'ExternalReferenceId1'])
  })

  it('names the limit of the contract', () => {
    expect(mostOf('Description', 'tooLong')).toBe(65_536)
    expect(mostOf('Title', 'titleLong')).toBe(256)
    expect(mostOf('Tags', 'tagsMany')).toBe(100)
    expect(mostOf('Tags', 'tagLong')).toBe(64)
  })
})

describe('a conflict', () => {
  const was = draft({ Description: 'Rear window.', EndedOn: '2026-11-20T01:50:00Z', CustomFields: { Weather: 'Dry' } })

  it('shows what differs: theirs first where you changed nothing, else yours', () => {
    const theirs = { ...was, Description: 'Rear window. One stopped.', EndedOn: '2026-11-20T01:58:00Z' }
    const yours = { ...was, Description: 'Rear window forced.', Tags: ['night'], CustomFields: { Weather: 'Rain' } }
    const found = differences(was, theirs, yours)
    expect(found.map((one) => [one.key, firstChoice(one)])).toEqual([
      ['Description', 'yours'],
      ['EndedOn', 'theirs'],
      ['Tags', 'yours'],
      ['custom Weather', 'yours'],
    ])
    expect(resolved(theirs, found, new Map())).toEqual({ ...yours, EndedOn: theirs.EndedOn })
    expect(resolved(theirs, found, new Map([['Description', 'theirs']])).Description).toBe(theirs.Description)
  })

  it('is none where both did the same', () => {
    const same = { ...was, Description: 'One stopped.' }
    expect(differences(was, same, { ...same })).toEqual([])
  })

  it('never loses a word: choosing yours everywhere is what you typed, theirs everywhere what they saved', () => {
    const anyDraft = fc.record({
      Title: fc.constantFrom('A', 'B'),
      Description: fc.constantFrom('', 'x', 'y'),
      Tags: fc.constantFrom<readonly string[]>([], ['a'], ['a', 'b']),
      CustomFields: fc.constantFrom<Record<string, string>>({}, { W: '1' }, { W: '2', V: '3' }),
    })
    fc.assert(
      fc.property(anyDraft, anyDraft, anyDraft, (one, two, three) => {
        const [before, their, your] = [one, two, three].map((members) => draft(members)) as [Draft, Draft, Draft]
        const found = differences(before, their, your)
        const all = (whose: 'yours' | 'theirs') => new Map(found.map(({ key }) => [key, whose] as const))
        expect(isChanged(resolved(their, found, all('yours')), your)).toBe(false)
        expect(isChanged(resolved(their, found, all('theirs')), their)).toBe(false)
      }),
    )
  })
})
