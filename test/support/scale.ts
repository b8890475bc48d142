import { TIER } from '../../build/scripts/tiers.ts'

/** As often as docs/guarantees.md says of the long run. */
export const isLong = process.env['SALLYPORT_TEST_LONG'] === '1'
/** In `npm test`. */
const inQuickRun = process.env[TIER] === 'quick'

/** Long runs go on beside other work, for hours: what only tells a hanging station from a slow one waits longer there. */
export const patience = (milliseconds: number): number => (isLong ? 10 * milliseconds : milliseconds)

/**
 * How often a promise is tried (docs/guarantees.md): `gate` before a change lands, `long` in `npm run test:long`. @param quick fewer, in
 * `npm test`; a test that gives it has the tag `counted`
 */
export function scale(gate: number, long: number, quick: number = gate): number {
  if (isLong) return long
  return inQuickRun ? quick : gate
}

/**
 * Cases of a table, of which `npm test` tries every so many: for (const { some, tags } of sampled(CASES, 4)) it.each(some)('…', { tags }, …)
 */
export function sampled<Case>(cases: readonly Case[], every: number): readonly Sample<Case>[] {
  const isSample = (_one: Case, at: number): boolean => at % every === 0
  return [
    { some: cases.filter(isSample), tags: [] },
    { some: cases.filter((one, at) => !isSample(one, at)), tags: ['merge'] },
  ]
}

interface Sample<Case> {
  readonly some: readonly Case[]
  readonly tags: ('merge' | 'counted')[]
}
