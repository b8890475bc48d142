/** C3: the heap stays near what is alive while much garbage is made. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const MODULE = fileURLToPath(new URL('heap-growth.ts', import.meta.url))

/** Keeps 60 MB alive and makes 500 MB of objects that live a while. @returns the largest heap, in bytes */
const largestHeap = (before: string): number =>
  Number(
    execFileSync(process.execPath, [
      '--input-type=module',
      '--eval',
      `import { limitHeapGrowth } from ${JSON.stringify(MODULE)}
       ${before}
       const alive = Array.from({ length: 600_000 }, (_, at) => ({ at, text: 'x' + at }))
       let largest = 0
       let some = []
       for (let at = 0; at < 5_000_000; at++) {
         some.push({ at, text: 'y' + at })
         if (some.length === 300_000) some = []
         if (at % 100_000 === 0) largest = Math.max(largest, process.memoryUsage().heapTotal)
       }
       process.stdout.write(String(largest + 0 * alive.length))`,
    ]).toString(),
  )

it('C3: a heap whose growth is limited stays smaller, and as it was where the limit ended', { timeout: 60_000 }, () => {
  const usual = largestHeap('')
  expect(largestHeap('limitHeapGrowth()')).toBeLessThan(0.85 * usual)
  expect(largestHeap('limitHeapGrowth()()')).toBeGreaterThan(0.9 * usual)
  expect(largestHeap('limitHeapGrowth(); const end = limitHeapGrowth(); end(); end()')).toBeLessThan(0.85 * usual)
})
