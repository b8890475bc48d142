/** Before each test file: measures what it costs the processors, so that `npm test` can name the dearest. */
import { readFileSync } from 'node:fs'
import { afterAll } from 'vitest'

/** Of all processors together: of the file's own process and of its children that ended. */
export type ProcessorSeconds = number

declare module 'vitest' {
  interface TaskMeta {
    processorSeconds?: ProcessorSeconds
  }
}

/** Where files share a process, each begins where the one before it ended. */
const last = globalThis as { processorSecondsBefore?: number }
/** Of Linux, in hundredths of a second. */
const TICKS = 100

/** Own and children's, with their time in the kernel; without children where the system does not tell. */
function processorSeconds(): ProcessorSeconds {
  const { user, system } = process.cpuUsage()
  const own = (user + system) / 1e6
  if (process.platform !== 'linux') return own
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return own + (Number(fields[13]) + Number(fields[14])) / TICKS
}

// The runner wants a pattern in the first place, be it an empty one.
// oxlint-disable-next-line no-empty-pattern
afterAll(({}, { file }) => {
  const now = processorSeconds()
  file.meta.processorSeconds = now - (last.processorSecondsBefore ?? 0)
  last.processorSecondsBefore = now
})
