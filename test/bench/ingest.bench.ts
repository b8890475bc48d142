/**
 * Ingest beside `cp` + `sync` + `sha256sum` of the same bytes in the same run (docs/guarantees.md, L1; issue: ratio ≥ 1.0 before read-back).
 *   npm run bench -- ingest [--files 26] [--mib 64] [--small 400] [--small-kib 100] [--lanes 1,8,26] [--rounds 1] [--target store,no-read-back]
 *                           [--workers 2] [--slices 8] [--reads 1] [--dir FOLDER] [--json]
 * A target may also be the path of a module that exports `open` (see ingest-target.ts). Caches are dropped before each step where the system allows it.
 * Needs twice the bytes free under --dir.
 */
import { execFileSync, spawn } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { CaseOptions, CaseResult } from './ingest-case.ts'

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '26' },
    mib: { type: 'string', default: '64' },
    small: { type: 'string', default: '400' },
    'small-kib': { type: 'string', default: '100' },
    lanes: { type: 'string', default: '1,8,26' },
    rounds: { type: 'string', default: '1' },
    target: { type: 'string', default: 'no-read-back,store' },
    workers: { type: 'string', default: '2' },
    slices: { type: 'string', default: '8' },
    reads: { type: 'string', default: '1' },
    dir: { type: 'string', default: tmpdir() },
    json: { type: 'boolean', default: false },
  },
})

const MIB = 2 ** 20
const folder = mkdtempSync(join(resolve(values.dir), 'sallyport-bench-'))
const source = join(folder, 'source')
const seconds = (work: () => void): number => {
  const since = performance.now()
  work()
  return (performance.now() - since) / 1000
}
const run = (program: string, args: string[]): void =>
  void execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'], maxBuffer: 2 ** 26 })

let cachesDropped = true
function dropCaches(): void {
  run('sync', ['-f', folder])
  try {
    writeFileSync('/proc/sys/vm/drop_caches', '3')
  } catch {
    cachesDropped = false
  }
}

/** @returns bytes made */
function makeSource(): number {
  mkdirSync(source)
  const block = Buffer.alloc(MIB)
  let bytes = 0
  const make = (name: string, size: number): void => {
    const fd = openSync(join(source, name), 'w')
    for (let at = 0; at < size; at += block.length) {
      randomFillSync(block, 0, Math.min(4096, block.length))
      writeSync(fd, block, 0, Math.min(block.length, size - at))
    }
    closeSync(fd)
    bytes += size
  }
  randomFillSync(block)
  for (let i = 0; i < Number(values.files); i++) make(`large-${i}`, Number(values.mib) * MIB)
  for (let i = 0; i < Number(values.small); i++) make(`small-${i}`, Number(values['small-kib']) * 1024)
  return bytes
}

interface Yardstick {
  readonly cp: number
  readonly sync: number
  readonly sha256sum: number
}

function yardstick(): Yardstick {
  const copy = join(folder, 'copy')
  dropCaches()
  const cp = seconds(() => run('cp', ['-r', '--reflink=never', source, copy]))
  const sync = seconds(() => run('sync', ['-f', folder]))
  dropCaches()
  const names = readdirSync(copy).map((name) => join(copy, name))
  const sha256sum = seconds(() => run('sha256sum', names))
  rmSync(copy, { recursive: true })
  return { cp, sync, sha256sum }
}

async function oneCase(target: string, lanes: number): Promise<CaseResult> {
  const root = join(folder, 'blobs')
  const options: CaseOptions = {
    root,
    source,
    target: target === 'store' || target === 'no-read-back' ? target : resolve(target),
    lanes,
    workers: Number(values.workers),
    slices: Number(values.slices),
    reads: Number(values.reads),
  }
  dropCaches()
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('./ingest-case.ts', import.meta.url)), JSON.stringify(options)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  let text = ''
  for await (const part of child.stdout) text += String(part)
  rmSync(root, { recursive: true, force: true })
  return JSON.parse(text) as CaseResult
}

const median = (numbers: number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] as number
const rounded = (value: number): number => Math.round(value * 100) / 100

interface Line {
  target: string
  lanes: number
  'MB/s': number
  ratio: number
  'ratio without sync': number
  'RSS MiB': number
  'loop p99 ms': number
  'loop max ms': number
  'CPU s': number
}

try {
  const bytes = makeSource()
  const plain: Yardstick[] = []
  const results = new Map<string, { target: string; lanes: number; found: CaseResult[] }>()
  for (let round = 0; round < Number(values.rounds); round++) {
    plain.push(yardstick())
    for (const target of values.target.split(','))
      for (const lanes of values.lanes.split(',').map(Number)) {
        const key = `${target} ${lanes}`
        const entry = results.get(key) ?? { target, lanes, found: [] }
        entry.found.push(await oneCase(target, lanes))
        results.set(key, entry)
      }
  }
  const whole = median(plain.map(({ cp, sync, sha256sum }) => cp + sync + sha256sum))
  const unsynced = median(plain.map(({ cp, sha256sum }) => cp + sha256sum))
  const lines: Line[] = [...results.values()].map(({ target, lanes, found }) => {
    const of = (pick: (result: CaseResult) => number): number => median(found.map(pick))
    const time = of((result) => result.seconds)
    return {
      target,
      lanes,
      'MB/s': Math.round(bytes / 1e6 / time),
      ratio: rounded(whole / time),
      'ratio without sync': rounded(unsynced / time),
      'RSS MiB': Math.round(of((result) => result.rssMiB)),
      'loop p99 ms': rounded(of((result) => result.loopP99Ms)),
      'loop max ms': rounded(Math.max(...found.map((result) => result.loopMaxMs))),
      'CPU s': rounded(of((result) => result.cpuSeconds)),
    }
  })
  const about = {
    files: Number(values.files) + Number(values.small),
    MB: Math.round(bytes / 1e6),
    rounds: Number(values.rounds),
    cachesDropped,
    'cp s': rounded(median(plain.map(({ cp }) => cp))),
    'sync s': rounded(median(plain.map(({ sync }) => sync))),
    'sha256sum s': rounded(median(plain.map(({ sha256sum }) => sha256sum))),
    'together MB/s': Math.round(bytes / 1e6 / whole),
  }
  if (values.json) process.stdout.write(`${JSON.stringify({ about, lines })}\n`)
  else {
    console.table([about])
    console.table(lines)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
