/** How often a promise is tried: `gate` in `npm test`, `long` in `npm run test:long` (promises.md). */
export const isLong = process.env['SALLYPORT_TEST_LONG'] === '1'

export const scale = (gate: number, long: number): number => (isLong ? long : gate)
