/** Before each test file: measures what it costs the processors, so that `npm test` can name the dearest. */
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll } from 'vitest'
import type { ProcessorSeconds } from '../../build/scripts/processor-seconds.ts'

/** Where files share a process, each begins where the one before it ended. */
const last = globalThis as { processorSecondsBefore?: number }
/** Of Linux, in hundredths of a second. */
const TICKS = 100

/** Own and children's, with their time in the kernel; without children where the system does not tell. */
function processorSeconds(): ProcessorSeconds {
  const { user, system } = process.cpuUsage()
  const own = (user + system) / 1e6
  if (process.platform !== 'linux') return own
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? timesOf(name) : []))
  return own + ofChildren(all, process.pid)
}

interface Times {
  readonly pid: number
  readonly parent: number
  readonly own: number
  /** Of its children that ended. */
  readonly ended: number
}

/** Nothing of a process that ended meanwhile. */
function timesOf(pid: string): Times[] {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ').map(Number) ?? []
    const [, parent = 0] = fields
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15)
    return [{ pid: Number(pid), parent, own: (user + system) / TICKS, ended: (endedUser + endedSystem) / TICKS }]
  } catch {
    return []
  }
}

/** A browser lives longer than a file of tests. */
function ofChildren(all: readonly Times[], pid: number): ProcessorSeconds {
  const ended = all.find((one) => one.pid === pid)?.ended ?? 0
  return all
    .filter(({ parent }) => parent === pid)
    .reduce((sum, one) => sum + one.own + ofChildren(all, one.pid), ended)
}

// The runner wants a pattern in the first place, be it an empty one.
// oxlint-disable-next-line no-empty-pattern
afterAll(({}, { file }) => {
  const now = processorSeconds()
  file.meta.processorSeconds = now - (last.processorSecondsBefore ?? 0)
  last.processorSecondsBefore = now
})
