/**
 * How much runs when. `npm test` is quick: what shows soon that a change broke something. `npm run test:rest` goes on with the files of which
 * that left something, and with test/scale; both together are what a change must pass. `npm run test:merge` is all of every suite in one run.
 * `npm run test:long` is all of it with the long counts of docs/guarantees.md.
 */
import { globSync, readFileSync } from 'node:fs'

export type Tier = 'quick' | 'merge' | 'long'

/** Names the tier of a run to its reporter and its tests. Without it, as where somebody runs one file, everything counts. */
export const TIER = 'SALLYPORT_TEST_TIER'

/** In a test's options, or for a whole file as `@module-tag` in a comment. */
export const TAGS = [
  { name: 'screen', description: 'What a person sees, in Chromium; of it `npm test` runs the journeys.' },
  { name: 'journey', description: 'A person’s way through screens, or a promise that only a screen shows.' },
  { name: 'merge', description: 'Many cases of what `npm test` shows by some, or one that takes minutes.' },
  { name: 'counted', description: 'Tries a few times in `npm test`, and in the rest as often as is promised.' },
]

export const QUICK_FILTER = '!merge and (!screen or journey)'

/** As QUICK_FILTER has it. */
export const isQuick = (tags: readonly string[]): boolean =>
  !tags.includes('merge') && (!tags.includes('screen') || tags.includes('journey'))

/** Of test/scale `npm test` loads nothing either; the rest and `npm run test:scale` run it. */
const FILES = ['{shared,server,renderer,main}/**/*.test.ts', 'test/!(scale)/**/*.test.ts']

/**
 * Files whose tests are all left to the rest, by the tags of the file. `npm test` does not load them: to import them only to count
 * them took 66 s of processor time.
 * @returns paths from the repository
 */
export const filesLeftWhole = (): string[] => globSync(FILES).filter((file) => isLeftWhole(readFileSync(file, 'utf8')))

/** @param text of a test file. A test of a screen that is a journey says so in its options. */
export function isLeftWhole(text: string): boolean {
  const tags = [...text.matchAll(/^\/\/ @module-tag (\w+)$/gm)].map(([, tag]) => tag as string)
  return !isQuick(tags) && (tags.includes('merge') || !text.includes("'journey'"))
}
