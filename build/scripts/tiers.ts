/**
 * How much runs when. `npm test` is the gate: what a change must pass, short enough to be run. `npm run test:merge` is everything with the
 * counts of the gate, before a change is merged. `npm run test:long` is everything with the long counts of docs/guarantees.md.
 */
export type Tier = 'gate' | 'merge' | 'long'

/** Names the tier of a run to its reporter. Without it, as where somebody runs one file, everything counts. */
export const TIER = 'SALLYPORT_TEST_TIER'

/** In a test's options, or for a whole file as `@module-tag` in a comment. */
export const TAGS = [
  { name: 'screen', description: 'What a person sees, in Chromium; of it the gate runs the journeys.' },
  { name: 'journey', description: 'A person’s way through screens, or a promise that only a screen shows.' },
  { name: 'merge', description: 'Many cases of what the gate shows by some.' },
]

export const GATE_FILTER = '!merge and (!screen or journey)'

/** As GATE_FILTER has it. */
export const isInGate = (tags: readonly string[]): boolean =>
  !tags.includes('merge') && (!tags.includes('screen') || tags.includes('journey'))
