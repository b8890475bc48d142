import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CASE_FIELD_NAMES, fieldOf } from '../../../../shared/cases/fields.ts'
import { patchBetween } from '../../../../shared/kernel/json-patch.ts'
import type { Case, CaseEvidence } from '../queries.ts'
import { NOBODY } from '../../../client/people.ts'
import { listsWith, membersIn } from './access.ts'
import { changesBetween, type HistoryEntry, patched, told } from './changes.ts'
import { lengthWords, metresBetween } from './distance.ts'
import { timelineOf } from './scale.ts'
import { textChange } from './text-change.ts'

const policy = (id: string, level: string, until: string | null = null) => ({
  Permissions: level,
  PrincipalId: id,
  KId: `urn:${id}`,
  PrincipalType: 'user',
  Username: `name-${id}`,
  ExpirationDateUtc: until,
})

const state = (members: Record<string, unknown> = {}): Record<string, unknown> => ({
  Title: 'Burglary',
  Description: null,
  LocationWKT: null,
  Location: null,
  Tags: [],
  EvidenceIds: [],
  CustomFields: {},
  AccessPolicies: [policy('1', 'Manage')],
  PersonnelRelations: [],
  ...members,
})

/** As the station gives it: newest first, each against its parent. */
const historyOf = (states: readonly Record<string, unknown>[]): HistoryEntry[] =>
  states
    .map((now, at) => ({
      Author: { PrincipalId: '1', KId: 'k', Name: 'sergeant', Username: 'sergeant' },
      ConcurrencyId: String(at),
      ParentReferenceId: String(at - 1),
      DateUtc: '2026-11-20T01:00:00Z',
      Action: 'case.changed',
      Changes: patchBetween(states[at - 1] ?? {}, now) as HistoryEntry['Changes'],
    }))
    .reverse()

describe('a history in words', () => {
  it('gives each version what stood there before and stands there now', () => {
    const lines = told(
      historyOf([
        state(),
        state({ Description: 'Window forced.', Tags: ['night'] }),
        state({ Description: 'Window forced.', Tags: ['day'], CustomFields: { Weather: 'Rain' } }),
      ]),
      true,
    )
    expect(lines.map(({ changes }) => changes)).toEqual([
      [
        { of: { field: 'Tags' }, kind: 'list', added: ['day'], gone: ['night'] },
        { of: { custom: 'Weather' }, kind: 'value', was: '', now: 'Rain' },
      ],
      [
        { of: { field: 'Description' }, kind: 'value', was: '', now: 'Window forced.' },
        { of: { field: 'Tags' }, kind: 'list', added: ['night'], gone: [] },
      ],
      [],
    ])
  })

  it.each(CASE_FIELD_NAMES)('tells a change of %s', (field) => {
    const now = fieldOf(field).kind === 'tags' ? ['new'] : 'new'
    expect(changesBetween(state({ [field]: null }), state({ [field]: now }))).toMatchObject([{ of: { field } }])
  })

  it('tells people by what they may, and places once', () => {
    const was = state({ LocationWKT: 'POINT (4 54)', Location: { Latitude: 54, Longitude: 4, Address: null } })
    const now = state({
      LocationWKT: 'POINT (5 54)',
      Location: { Latitude: 54, Longitude: 5, Address: 'Mill Lane' },
      AccessPolicies: [policy('2', 'Edit', '2026-12-04T17:00:00Z')],
      PersonnelRelations: [{ PrincipalId: '2', Name: 'Mia Lindqvist', Role: 'Assigned' }],
    })
    expect(changesBetween(was, now)).toEqual([
      { of: { field: 'Position' }, kind: 'value', was: '54, 4', now: '54, 5' },
      { of: { fact: 'address' }, kind: 'value', was: '', now: 'Mill Lane' },
      {
        of: { fact: 'people' },
        kind: 'person',
        id: '1',
        who: 'name-1',
        was: { level: 'Manage', until: null, role: null },
        now: { level: null, until: null, role: null },
      },
      {
        of: { fact: 'people' },
        kind: 'person',
        id: '2',
        who: 'Mia Lindqvist',
        was: { level: null, until: null, role: null },
        now: { level: 'Edit', until: '2026-12-04T17:00:00Z', role: 'Assigned' },
      },
    ])
  })

  it('says nothing where it is not told, or where what was before is not here', () => {
    const entries = historyOf([state(), state({ Title: 'Robbery' })])
    expect(told(entries, false).map(({ changes }) => changes)).toEqual([null, null])
    const silent = entries.map((entry) => ({ ...entry, Changes: null }))
    expect(told(silent, true).map(({ changes }) => changes)).toEqual([null, null])
  })

  it('plays any patch of the station back to the state it was made from', () => {
    const value = fc.oneof(fc.string(), fc.constant(null), fc.array(fc.string(), { maxLength: 3 }))
    const names = fc.oneof(fc.string(), fc.constantFrom('a/b', 'a~b', '__proto__', 'constructor', ''))
    const members = fc.dictionary(names, fc.oneof(value, fc.dictionary(names, value)))
    fc.assert(
      fc.property(members, members, (one, other) => {
        const plain = (from: unknown): unknown => JSON.parse(JSON.stringify(from))
        const replayed = patched(one, patchBetween(one, other))
        expect(patchBetween(plain(replayed), plain(other))).toEqual([])
      }),
    )
  })
})

describe('people', () => {
  const record = {
    AccessPolicies: [policy('1', 'Manage'), policy('2', 'View', '2026-12-04T17:00:00Z'), policy('3', 'Edit')],
    PersonnelRelations: [{ PrincipalId: '3', KId: 'urn:3', Name: 'Mia Lindqvist', Username: 'm', Role: 'Assigned' }],
  } as Case

  it('assigned first, then by level', () => {
    expect(membersIn(record, NOBODY).map(({ id, level, role }) => [id, level, role])).toEqual([
      ['3', 'Edit', 'Assigned'],
      ['1', 'Manage', null],
      ['2', 'View', null],
    ])
  })

  it('a change of one leaves all others as they are', () => {
    const [mia] = membersIn(record, NOBODY)
    if (mia === undefined) throw new Error('nobody')
    const raised = listsWith(record, mia, { level: 'Manage', until: null, role: 'Assigned' })
    expect(raised.AccessPolicies.map(({ PrincipalId, Permissions }) => [PrincipalId, Permissions])).toEqual([
      ['1', 'Manage'],
      ['2', 'View'],
      ['3', 'Manage'],
    ])
    expect(raised).not.toHaveProperty('AccessPolicyExpirations')
    expect(raised, 'the assignment did not change').not.toHaveProperty('PersonnelRelations')
    const gone = listsWith(record, mia, { level: null, until: null, role: null })
    expect(gone.AccessPolicies.map(({ PrincipalId }) => PrincipalId)).toEqual(['1', '2'])
    expect(gone.PersonnelRelations).toEqual([])
  })
})

describe('the timeline', () => {
  const one = (id: string, from: string | null, to: string | null, camera: string | null = null) =>
    ({
      EvidenceId: id,
      DisplayName: `item ${id}`,
      Camera: camera,
      StartTimeUtc: from,
      EndTimeUtc: to,
      Clock: { CorrectedTimeUtc: from },
    }) as CaseEvidence
  const at = (minute: string): string => `2026-11-20T01:${minute}:00Z`
  const none = { OccurredOn: null, EndedOn: null }

  it('has no axis where nothing has a time', () => {
    expect(timelineOf([one('1', null, null)], { OccurredOn: at('00'), EndedOn: null })).toBeNull()
  })

  it('lays all of it between its edges, in order, the incident with it', () => {
    const found = timelineOf([one('2', at('41'), at('59')), one('1', at('36'), null), one('3', null, null)], {
      OccurredOn: at('30'),
      EndedOn: at('50'),
    })
    expect(found?.lanes.map(({ source }) => source)).toEqual(['single', 'files'])
    expect(found?.lanes[1]?.points[0]?.[0]?.evidence.EvidenceId).toBe('1')
    expect(found?.timeless).toBe(1)
    const lane = found?.lanes[0]?.rows[0]?.[0]
    const { from, to } = found?.incident ?? { from: -1, to: -1 }
    expect(0 < from && from < (lane?.from ?? 0)).toBe(true)
    expect((to ?? 0) > (lane?.from ?? 1) && (to ?? 1) < (lane?.to ?? 0)).toBe(true)
  })

  it('has one lane per camera, one per recording without one, and one for files without one', () => {
    const found = timelineOf(
      [
        one('1', at('10'), at('20'), 'Camera 0417'),
        one('2', at('30'), at('40'), 'Camera 0417'),
        one('3', at('31'), null, 'Camera 0417'),
        one('4', at('12'), at('22'), 'Camera 0388'),
        one('5', at('00'), at('05')),
        one('6', at('01'), null),
        one('7', at('44'), null),
      ],
      none,
    )
    expect(found?.lanes.map(({ name, count }) => [name, count])).toEqual([
      ['item 5', 1],
      ['Camera 0417', 3],
      ['Camera 0388', 1],
      [null, 2],
    ])
    expect(found?.lanes[1]).toMatchObject({ starts: Date.parse(at('10')), ends: Date.parse(at('40')) })
  })

  it('draws no bar over another and no point over another, and leaves none out', () => {
    const minute = fc.integer({ min: 0, max: 59 })
    const made = fc.record({
      from: minute,
      long: fc.integer({ min: 0, max: 30 }),
      camera: fc.constantFrom('A', 'B', null),
    })
    fc.assert(
      fc.property(fc.array(made, { minLength: 1, maxLength: 40 }), (all) => {
        const evidences = all.map(({ from, long, camera }, index) => {
          const start = Date.parse(at('00')) + from * 60_000
          const end = new Date(start + long * 60_000).toISOString()
          return one(String(index), new Date(start).toISOString(), long === 0 ? null : end, camera)
        })
        const { lanes } = timelineOf(evidences, none) ?? { lanes: [] }
        const shown = lanes.flatMap(({ rows, points }) => [...rows, ...points].flat())
        expect(shown.map(({ evidence }) => Number(evidence.EvidenceId)).sort((x, y) => x - y)).toEqual(
          all.map((_, i) => i),
        )
        for (const row of lanes.flatMap(({ rows }) => rows))
          for (const [index, bar] of row.entries()) expect(bar.from).toBeGreaterThanOrEqual(row[index - 1]?.to ?? 0)
        for (const { points } of lanes)
          for (const [index, [first]] of points.entries())
            expect((first?.from ?? 0) - (points[index - 1]?.[0]?.from ?? -1)).toBeGreaterThanOrEqual(0.06)
      }),
    )
  })

  it('has a few round ticks, however long it is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40 * 365 * 24 * 60 }), (minutes) => {
        const end = new Date(Date.parse(at('00')) + minutes * 60_000).toISOString()
        const found = timelineOf([one('1', at('00'), end)], none)
        expect(found?.ticks.length).toBeLessThanOrEqual(9)
        for (const { share } of found?.ticks ?? []) expect(share >= 0 && share <= 1.0001).toBe(true)
        expect((found?.ticks ?? []).every(({ at: tick }) => tick % 60_000 === 0) || minutes > 525_600).toBe(true)
      }),
    )
  })
})

describe('distances', () => {
  it.each([
    ['POINT (13.405 52.52)', 'POINT (13.4149 52.53)', '1.3_km'],
    ['POINT (0 0)', 'POINT (0 0)', '0_m'],
    ['POINT (2.3522 48.8566)', 'POINT (-0.1276 51.5072)', '344_km'],
    ['POINT (179.999 0)', 'POINT (-179.999 0)', '220_m'],
  ])('%s to %s', (one, other, words) => {
    expect(lengthWords(metresBetween(one, other) ?? Number.NaN, 'en').replaceAll('\u00a0', '_')).toBe(words)
  })

  it('is none of what is no point', () => {
    expect(metresBetween('POINT (1 2)', 'LINESTRING (1 2, 3 4)')).toBeNull()
  })
})

describe('a long text', () => {
  const text = 'Rear window forced at a terraced house. Two people seen leaving towards Ferry Street.'

  it('is told by what changed in it, with a few words around', () => {
    expect(textChange(text, `${text} One stopped.`)).toEqual({
      before: ' leaving towards Ferry Street.',
      was: '',
      now: ' One stopped.',
      after: '',
      cutBefore: true,
      cutAfter: false,
    })
    expect(textChange(text, text.replace('Two', 'Three'))).toMatchObject({ was: ' Two', now: ' Three', cutAfter: true })
    expect(textChange(text, 'Something else.'), 'little stayed').toBeNull()
    expect(textChange('Short.', 'Short. And more.'), 'short').toBeNull()
  })

  it('loses no word: what stayed and what changed make both texts again', () => {
    const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd\n', ' '), { minLength: 40, maxLength: 60 })
    fc.assert(
      fc.property(words, words, fc.nat(20), (one, other, at) => {
        const was = one.join(' ')
        const now = [...one.slice(0, at), ...other.slice(0, 3), ...one.slice(at + 1)].join(' ')
        const found = textChange(was, now)
        if (found === null) return
        expect(was).toContain(found.before + found.was + found.after)
        expect(now).toContain(found.before + found.now + found.after)
        expect(was.length - found.was.length, 'what stayed').toBe(now.length - found.now.length)
      }),
      { numRuns: 500 },
    )
  })
})
