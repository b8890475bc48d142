/** How often a promise is tried: `gate` in `npm test`, `long` in `npm run test:long` (docs/guarantees.md). */
export const isLong = process.env['SALLYPORT_TEST_LONG'] === '1'

/** Long runs go on beside other work, for hours: what only tells a hanging station from a slow one waits longer there. */
export const patience = (milliseconds: number): number => (isLong ? 10 * milliseconds : milliseconds)

export const scale = (gate: number, long: number): number => (isLong ? long : gate)
