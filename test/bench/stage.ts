/** What the upload benchmarks share: a real station process, an integration, a source file, and the measuring. */
import { execFileSync, spawn } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connectIntegrator, type Integrator, readConnectionFile } from '../support/integrator.ts'
import { type Station, startStation, succeed } from '../support/station.ts'

export interface Stage {
  readonly folder: string
  readonly source: string
  readonly sha256: string
  /** Starts the station again after it was killed; the same data. */
  start(): Promise<{ station: Station; integrator: Integrator }>
  dispose(): void
}

const ENV = { SALLYPORT_MIN_FREE_BYTES: '0', SALLYPORT_RESERVE_BYTES: '1048576', SALLYPORT_LOG_LEVEL: 'warn' }

export async function setStage(gib: number, where = tmpdir()): Promise<Stage> {
  const folder = mkdtempSync(join(where, 'sallyport-bench-'))
  const source = join(folder, 'source')
  writeSource(source, gib * 2 ** 30)
  execFileSync('sync', ['-d', source])
  const sha256 = execFileSync('sha256sum', [source], { encoding: 'utf8' }).slice(0, 64)
  const data = join(folder, 'data')
  const connection = join(folder, 'config.json')
  const start = async () => {
    // Of a station whose folder was removed.
    if (!existsSync(data)) rmSync(connection, { force: true })
    const station = await startStation({ data, env: ENV })
    await succeed(['integration', 'create', 'bench', '--base-url', 'http://127.0.0.1:7460', '--out', connection], {
      data,
      env: ENV,
    }).catch((error: unknown) => {
      if (!String(error).includes('is there already')) throw error
    })
    return { station, integrator: await connectIntegrator(readConnectionFile(connection), station.url) }
  }
  return { folder, source, sha256, start, dispose: () => rmSync(folder, { recursive: true, force: true }) }
}

function writeSource(path: string, bytes: number): void {
  const fd = openSync(path, 'w')
  const block = randomBytes(16 * 2 ** 20)
  for (let at = 0; at < bytes; at += block.length) {
    block.writeDoubleLE(at, 0)
    writeSync(fd, block, 0, Math.min(block.length, bytes - at))
  }
  closeSync(fd)
}

export async function seconds(work: () => Promise<unknown> | unknown): Promise<number> {
  const since = performance.now()
  await work()
  return (performance.now() - since) / 1000
}

/** Root only; else the caches stay as they are and the figures say so. */
export function dropCaches(): boolean {
  try {
    execFileSync('sync')
    writeFileSync('/proc/sys/vm/drop_caches', '3')
    return true
  } catch {
    return false
  }
}

/** `cp` and `sha256sum` of the same bytes: what the ratio is against. */
export function plainSeconds(source: string): { cp: Promise<number>; sha256sum: Promise<number> } {
  const copy = `${source}.copy`
  const cp = seconds(() => execFileSync('cp', ['--reflink=never', source, copy]))
  const sha256sum = cp.then(() => seconds(() => execFileSync('sha256sum', [copy])))
  return { cp, sha256sum: sha256sum.finally(() => rmSync(copy, { force: true })) }
}

/** Watches the memory of a process. @returns the most it grew, in MiB, when stopped. */
export function watchMemory(pid: number): () => number {
  const read = (): number =>
    Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  const before = read()
  let most = before
  const timer = setInterval(() => {
    try {
      most = Math.max(most, read())
    } catch {
      // The process is gone; what was seen is what counts.
    }
  }, 50)
  return () => {
    clearInterval(timer)
    return Math.round(most - before)
  }
}

export interface Sender {
  /** Resolves with all it said when it ended by itself. @throws when it failed */
  readonly done: Promise<string>
  /** Acknowledged blocks so far. */
  blocks(): number
  kill(): void
}

export function send(args: readonly string[]): Sender {
  const child = spawn(process.execPath, [join(dirname(fileURLToPath(import.meta.url)), 'upload-client.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8')
  })
  const done = new Promise<string>((resolve, reject) => {
    child.once('close', (code, signal) =>
      code === 0 ? resolve(said) : reject(new Error(`The sender ended with ${code ?? signal}`)),
    )
  })
  done.catch(() => {})
  return {
    done,
    blocks: () => said.split('\n').filter((line) => line.startsWith('block ')).length,
    kill: () => void child.kill('SIGKILL'),
  }
}

/** The station's own reading of its event loop, from /metrics. */
export async function loopDelay(url: string): Promise<{ p99Ms: number; maxMs: number }> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const value = (name: string): number =>
    Math.round(Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN) * 1e4) / 10
  return { p99Ms: value('nodejs_eventloop_lag_p99_seconds'), maxMs: value('nodejs_eventloop_lag_max_seconds') }
}
