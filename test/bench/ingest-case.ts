/** One case of ingest.bench.ts in a process of its own, so that its memory is its own. Prints one line of JSON. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type OpenTarget, openStore, openWithoutReadBack } from './ingest-target.ts'

export interface CaseOptions {
  readonly root: string
  readonly source: string
  /** `store`, `no-read-back`, or a module that exports `open`. */
  readonly target: string
  readonly lanes: number
  readonly workers: number
  readonly slices: number
  readonly reads: number
}

export interface CaseResult {
  readonly seconds: number
  readonly rssMiB: number
  readonly loopP99Ms: number
  readonly loopMaxMs: number
  readonly cpuSeconds: number
}

const options = JSON.parse(process.argv[2] as string) as CaseOptions
const open: OpenTarget =
  options.target === 'store'
    ? openStore
    : options.target === 'no-read-back'
      ? openWithoutReadBack
      : ((await import(options.target)) as { open: OpenTarget }).open

const target = await open(options.root, options)
// Threads start when they are first needed; a station has them long before a camera docks.
await Promise.all(Array.from({ length: options.workers }, () => target.ingest(process.argv[1] as string)))
const files = readdirSync(options.source, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))
  .sort()
  .values()
const delay = monitorEventLoopDelay({ resolution: 5 })
delay.enable()
const used = process.cpuUsage()
const since = performance.now()
const lane = async (): Promise<void> => {
  for (const file of files) await target.ingest(file)
}
await Promise.all(Array.from({ length: options.lanes }, lane))
const seconds = (performance.now() - since) / 1000
const { user, system } = process.cpuUsage(used)
delay.disable()
await target.close()
const result: CaseResult = {
  seconds,
  rssMiB: process.resourceUsage().maxRSS / 1024,
  loopP99Ms: delay.percentile(99) / 1e6,
  loopMaxMs: delay.max / 1e6,
  cpuSeconds: (user + system) / 1e6,
}
process.stdout.write(`${JSON.stringify(result)}\n`)
process.exit(0)
