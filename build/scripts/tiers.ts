/**
 * How much runs when. `npm test` is quick: what shows soon that a change broke something. `npm run test:rest` goes on with what that left and
 * with test/scale; both together are what a change must pass. `npm run test:merge` is all of every suite in one run, with the same counts.
 * `npm run test:long` is all of it with the long counts of docs/guarantees.md.
 */
export type Tier = 'quick' | 'rest' | 'merge' | 'long'

/** Names the tier of a run to its reporter and its tests. Without it, as where somebody runs one file, everything counts. */
export const TIER = 'SALLYPORT_TEST_TIER'

/** In a test's options, or for a whole file as `@module-tag` in a comment. */
export const TAGS = [
  { name: 'screen', description: 'What a person sees, in Chromium; of it `npm test` runs the journeys.' },
  { name: 'journey', description: 'A person’s way through screens, or a promise that only a screen shows.' },
  { name: 'merge', description: 'Many cases of what `npm test` shows by some, or one that takes minutes.' },
  { name: 'counted', description: 'Tries a few times in `npm test`, and in the rest as often as is promised.' },
]

/** What vitest runs of a tier, by tags; null is everything. */
export const FILTERS: Readonly<Record<Tier, string | null>> = {
  quick: '!merge and (!screen or journey)',
  rest: 'merge or counted or (screen and !journey)',
  merge: null,
  long: null,
}

/** As FILTERS have it. */
export function isInTier(tier: Tier, tags: readonly string[]): boolean {
  const isQuick = !tags.includes('merge') && (!tags.includes('screen') || tags.includes('journey'))
  if (tier === 'quick') return isQuick
  return tier === 'rest' ? !isQuick || tags.includes('counted') : true
}
