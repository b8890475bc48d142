import { expect, it } from 'vitest'
import { ageOf } from './columns.tsx'
import type { Words } from '../people-labels.ts'
import type { Format } from '../../../ui/format/use-format.tsx'

const t = ((key: string, { shown }: { shown?: string } = {}) =>
  shown === undefined ? key : `${key} ${shown}`) as Words
const format = { count: String } as unknown as Format
const NOW = Date.parse('2026-11-20T12:00:00Z')
const age = (CreatedUtcTime: string, ClosedOn: string | null = null) =>
  ageOf({ CreatedUtcTime, ClosedOn }, t, format, NOW)

it('a case is as old as the time it is open, or was until it was closed', () => {
  expect(age('2026-11-20T11:00:01Z')).toBe('ageUnderHour')
  expect(age('2026-11-20T11:00:00Z')).toBe('ageHours 1')
  expect(age('2026-11-19T12:00:01Z')).toBe('ageHours 23')
  expect(age('2026-11-19T12:00:00Z')).toBe('ageDays 1')
  expect(age('2025-11-20T12:00:00Z')).toBe('ageDays 365')
  expect(age('2026-11-01T00:00:00Z', '2026-11-03T05:00:00Z')).toBe('ageDays 2')
})
