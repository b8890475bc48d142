import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EvidenceName, PatchEvidenceModel } from '../../../../shared/evidence/change.contract.ts'
import type { Evidence } from '../page/queries.ts'
import { type Beside, customPart, movedEnd, type Part, patchOf, restoringPatch, valueOf, wrongIn } from './parts.ts'

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: 'grapheme-ascii', maxLength: 1_100 }),
  fc.string({ unit: fc.constantFrom('\u0007', '\n', '\t', '\u2028', '\ud800', 'a', ' '), maxLength: 6 }),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
)
/** What the contract says of what would be sent. A name is judged as that of a new evidence. */
const isTaken = (part: Part, typed: string, beside: Beside): boolean =>
  part === 'Name'
    ? EvidenceName.safeParse(typed.trim()).success
    : PatchEvidenceModel.safeParse(patchOf(record(), part, typed, beside)).success

const record = (members: Partial<Evidence> = {}): Evidence =>
  ({
    Name: 'R1',
    Description: null,
    CategoryId: null,
    StartTimeUtc: null,
    EndTimeUtc: null,
    LocationText: null,
    LocationWKT: null,
    Tags: [],
    CustomFields: {},
    Clock: { CorrectedTimeUtc: null, DeviceTimeUtc: null },
    ...members,
  }) as Evidence

describe('what is sent', () => {
  it('empties by name, since null leaves a member as it was', () => {
    const full = record({ Description: 'd', CategoryId: '7', LocationWKT: 'POINT (1 2)' })
    expect(patchOf(full, 'Description', '')).toEqual({ Clear: ['Description'] })
    expect(patchOf(full, 'CategoryId', '')).toEqual({ Clear: ['CategoryId'] })
    expect(patchOf(full, 'Position', ' ')).toEqual({ Clear: ['LocationWKT'] })
    expect(patchOf(full, 'Name', '  R2 ')).toEqual({ Name: 'R2' })
  })

  it('has the fields of others in it, whatever their names', () => {
    const full = record({ CustomFields: JSON.parse('{"__proto__":"p","Unit":"7"}') as Record<string, string> })
    const sent = patchOf(full, customPart('Exhibit number'), 'EX-1').CustomFields ?? {}
    expect(Object.entries(sent)).toEqual([
      ['__proto__', 'p'],
      ['Unit', '7'],
      ['Exhibit number', 'EX-1'],
    ])
    expect(patchOf(full, customPart('Unit'), '').CustomFields).not.toHaveProperty('Unit')
    expect(valueOf(full, customPart('constructor'))).toBe('')
  })

  it('moves the end by as much as the start', () => {
    const timed = record({ StartTimeUtc: '2026-11-20T10:00:00Z', EndTimeUtc: '2026-11-20T10:20:00Z' })
    expect(movedEnd(timed, '2026-11-20T09:00:00Z')).toEqual({ EndTimeUtc: '2026-11-20T09:20:00.000Z' })
    expect(movedEnd(timed, '')).toEqual({})
    expect(movedEnd(record(), '2026-11-20T09:00:00Z')).toEqual({})
  })

  it('and what takes it back, fit the contract and lead back to where it was', () => {
    const before = record({ Description: 'd', StartTimeUtc: null, LocationWKT: 'POINT (-0.11399999999999999 51.6)' })
    for (const part of ['Name', 'Description', 'StartTimeUtc', 'LocationText', 'Position', customPart('A')] as const) {
      const back = restoringPatch(record({ Description: 'other', StartTimeUtc: '2026-11-20T10:00:00Z' }), part, before)
      expect(() => PatchEvidenceModel.parse(back)).not.toThrow()
    }
    expect(restoringPatch(before, 'StartTimeUtc', before)).toEqual({ Clear: ['StartTimeUtc'] })
    // Not the five decimals that are shown.
    expect(restoringPatch(before, 'Position', before)).toEqual({ LocationWKT: before.LocationWKT })
  })
})

describe('what is wrong', () => {
  const timed = record({ StartTimeUtc: '2026-11-20T10:00:00Z', EndTimeUtc: '2026-11-20T10:20:00Z' })
  it.each([
    ['Name', '  ', 'nameMissing'],
    ['Name', 'x'.repeat(5000), 'tooLong'],
    ['Name', 'a\u0007b', 'notStorable'],
    ['Description', 'x'.repeat(65_537), 'tooLong'],
    ['Description', 'a\tb\nc\td', undefined],
    ['LocationText', '\ud800', 'notStorable'],
    ['Position', 'here', 'positionWrong'],
    ['Position', '91, 4', 'positionWrong'],
    ['StartTimeUtc', '2026-11-20T11:00:00Z', 'endBeforeStart'],
    ['EndTimeUtc', '2026-11-20T09:00:00Z', 'endBeforeStart'],
    ['StartTimeUtc', '1899-01-01T00:00:00Z', 'reasonMissing'],
  ] as const)('%s %j', (part, typed, problem) => {
    expect(wrongIn(timed, part, typed, [])?.problem).toBe(problem)
  })

  it('a first time needs no reason, one that was recorded does', () => {
    const said = '2026-11-20T10:00:00Z'
    expect(wrongIn(record(), 'StartTimeUtc', said, [])).toBeNull()
    expect(wrongIn(timed, 'StartTimeUtc', said, [], { reason: 'slow clock', moveEnd: true })).toBeNull()
  })

  it.each(['Name', 'Description', 'LocationText', 'StartTimeUtc', 'EndTimeUtc', customPart('Exhibit')] as const)(
    'of %s is what the contract refuses, and nothing else',
    (part) => {
      fc.assert(
        fc.property(anyText, anyText, (typed, reason) => {
          const beside = part === 'StartTimeUtc' ? { reason } : {}
          expect(wrongIn(record(), part, typed, [], beside) === null).toBe(isTaken(part, typed, beside))
        }),
        { numRuns: 500 },
      )
    },
  )

  it('a field is judged by its type', () => {
    const custom = [
      { name: 'Weight', type: 'Number' as const },
      { name: 'Seized', type: 'Date' as const },
    ]
    expect(wrongIn(record(), customPart('Weight'), 'heavy', custom)?.problem).toBe('numberWrong')
    expect(wrongIn(record(), customPart('Seized'), 'today', custom)?.problem).toBe('dateWrong')
    expect(wrongIn(record(), customPart('Other'), 'heavy', custom)).toBeNull()
  })
})
