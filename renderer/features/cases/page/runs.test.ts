import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Told } from './changes.ts'
import { evidenceMoved, runsOf } from './runs.ts'

const version = (Action: string, who: string, DateUtc: string, added: readonly string[] = []): Told => ({
  entry: {
    Action,
    Author: { PrincipalId: who, KId: null, Name: who, Username: who },
    ConcurrencyId: `${Action}${DateUtc}`,
    ParentReferenceId: '',
    DateUtc,
    Changes: [],
  },
  changes: [{ of: { fact: 'evidence' }, kind: 'list', added, gone: [] }],
})
const dayOf = (utc: string): string => utc.slice(0, 10)

it('puts three and more of one act, one person and one day into one line, and never across another', () => {
  const lines = [
    version('case.linked', 'okafor', '2026-11-02T14:03:00Z', ['1']),
    version('case.linked', 'okafor', '2026-11-02T14:02:00Z', ['2', '3']),
    version('case.linked', 'okafor', '2026-11-02T14:01:00Z'),
    version('case.linked', 'okafor', '2026-11-01T14:00:00Z'),
    version('case.shared', 'okafor', '2026-11-01T13:00:00Z'),
    version('case.linked', 'reyes', '2026-11-01T12:00:00Z'),
    version('case.linked', 'reyes', '2026-11-01T11:00:00Z'),
  ]
  expect(runsOf(lines, dayOf).map((run) => run.length)).toEqual([3, 1, 1, 1, 1])
  expect(evidenceMoved(lines.slice(0, 3))).toEqual({ added: 3, gone: 0 })
  expect(evidenceMoved([{ ...(lines[0] as Told), changes: null }])).toBeNull()
})

it('keeps every version, in its order', () => {
  const any = fc.record({
    action: fc.constantFrom('case.linked', 'case.changed', 'case.shared'),
    who: fc.constantFrom('okafor', 'reyes'),
    day: fc.constantFrom('2026-11-01', '2026-11-02'),
  })
  fc.assert(
    fc.property(fc.array(any, { maxLength: 40 }), (made) => {
      const lines = made.map(({ action, who, day }, at) => version(action, who, `${day}T00:00:${at}Z`))
      expect(runsOf(lines, dayOf).flat()).toEqual(lines)
    }),
  )
})
