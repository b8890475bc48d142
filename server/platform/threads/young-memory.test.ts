import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'

/** As requests do: much is made, some of it lives for a while, and the event loop goes on. Prints the largest space for new objects, in MiB. */
const traffic = (limited: boolean): string => `
import { getHeapSpaceStatistics } from 'node:v8'
import { limitYoungMemory } from '${new URL('young-memory.ts', import.meta.url)}'
const release = ${limited} ? limitYoungMemory() : () => {}
let most = 0
let kept = []
for (let turn = 0; turn < 1_500; turn++) {
  for (let at = 0; at < 10_000; at++) kept.push({ turn, at: [at] })
  if (kept.length > 200_000) kept = kept.slice(150_000)
  await new Promise((resolve) => setImmediate(resolve))
  most = Math.max(most, getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space').space_size / 2 ** 20)
}
release()
console.log(most)
`

/** In a process of its own: other tests may have made the space of this one large before. */
const mostOf = (limited: boolean): number =>
  Number(execFileSync(process.execPath, ['--input-type=module', '-e', traffic(limited)], { encoding: 'utf8' }))

it('V5: keeps the space for new objects small under steady traffic, where V8 alone would let it grow', () => {
  expect(mostOf(true)).toBeLessThanOrEqual(64)
  expect(mostOf(false)).toBeGreaterThan(64)
}, 60_000)
