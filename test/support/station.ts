/**
 * A real station as a process of its own: started in a folder, waited for, killed. What is judged in test/crash and elsewhere is
 * always this, the program with its command line, and never a server inside the test's process.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { programOf } from './program.ts'
import { patience } from './scale.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PROGRAM = programOf('server/bin/sallyport.ts')
const READY_LINE = /^listening (http:\/\/\S+)$/m
const KEPT_LOG_CHARACTERS = 400_000

/** The Node of this checkout: another one on the PATH may be too old for the database binding. */
export const NODE = existsSync(path.join(ROOT, 'node_modules/node/bin/node'))
  ? path.join(ROOT, 'node_modules/node/bin/node')
  : process.execPath

export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
}

export interface Station {
  readonly url: string
  readonly pid: number
  readonly data: string
  readonly ended: Promise<Ended>
  /** All that it said on stdout and stderr (the last 400,000 characters). */
  logs(): string
  signal(name: NodeJS.Signals): void
  /** SIGKILL, and waits until the process is gone. */
  kill(): Promise<void>
  /** SIGTERM; @throws when it does not end with 0 within 20 s. */
  stop(): Promise<void>
}

export interface StationOptions {
  data: string
  /** Added to the environment: SALLYPORT_* settings, LD_PRELOAD … */
  env?: Readonly<Record<string, string>>
  /** Milliseconds until `listening` must have been said. */
  readyWithin?: number
  /** A free one where it is left out. */
  port?: number
  /** Another one than this checkout's: the file that Node runs. */
  program?: string
}

/** A station that ended, or said nothing in time, before it was ready. */
export class NotReady extends Error {
  override readonly name = 'NotReady'
  readonly ended: Ended | null
  constructor(message: string, ended: Ended | null) {
    super(message)
    this.ended = ended
  }
}

// A test that throws must not leave a station behind: whatever runs is killed with the test's own process.
const running = new Set<ChildProcess>()
let watching = false

function remember(child: ChildProcess): void {
  if (!watching) {
    watching = true
    process.on('exit', () => {
      for (const one of running) one.kill('SIGKILL')
    })
  }
  running.add(child)
  child.once('exit', () => running.delete(child))
}

/** A station that starts anew need not be compiled anew: a third of what a start costs. */
export const COMPILED = path.join(ROOT, 'node_modules/.cache/compiled')

function environment(added: Readonly<Record<string, string>> | undefined): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('SALLYPORT_') && !name.startsWith('VITEST'),
  )
  return {
    ...Object.fromEntries(inherited),
    NODE_ENV: 'production',
    NODE_COMPILE_CACHE: COMPILED,
    SALLYPORT_LOG_LEVEL: 'warn',
    ...added,
  }
}

/** Starts `serve` on loopback and waits until it is ready. @throws NotReady */
export async function startStation({
  data,
  env,
  readyWithin = patience(60_000),
  port = 0,
  program = PROGRAM,
}: StationOptions): Promise<Station> {
  const child = spawn(NODE, [program, 'serve', '--data', data, '--port', String(port)], {
    cwd: ROOT,
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  remember(child)
  let log = ''
  const ended = new Promise<Ended>((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })))
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new NotReady(`The station was not ready within ${readyWithin} ms:\n${log}`, null))
    }, readyWithin)
    const read = (chunk: Buffer): void => {
      log = (log + chunk.toString('utf8')).slice(-KEPT_LOG_CHARACTERS)
      const found = READY_LINE.exec(log)
      if (found === null) return
      clearTimeout(timer)
      resolve(found[1] as string)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    ended.then((how) => {
      clearTimeout(timer)
      reject(new NotReady(`The station ended (${how.code ?? how.signal}) before it was ready:\n${log}`, how))
    })
  })
  const signal = (name: NodeJS.Signals): void => {
    child.kill(name)
  }
  return {
    url,
    pid: child.pid as number,
    data,
    ended,
    logs: () => log,
    signal,
    kill: async () => {
      signal('SIGKILL')
      await ended
    },
    stop: async () => {
      signal('SIGTERM')
      const timer = setTimeout(() => signal('SIGKILL'), 20_000)
      const how = await ended
      clearTimeout(timer)
      if (how.code !== 0) throw new Error(`The station ended with ${how.code ?? how.signal} on SIGTERM:\n${log}`)
    },
  }
}

export interface CommandResult {
  code: number | null
  stdout: string
  stderr: string
}

export interface CommandOptions {
  data: string
  env?: Readonly<Record<string, string>>
  input?: string
  /** Milliseconds; then SIGKILL. */
  within?: number
  /** Put before the program: `strace …`. */
  under?: readonly string[]
}

/** One command of the command line, run to its end. Never throws for an exit code. */
export async function command(words: readonly string[], options: CommandOptions): Promise<CommandResult> {
  const line = [...(options.under ?? []), NODE, PROGRAM, ...words, '--data', options.data]
  const child = spawn(line[0] as string, line.slice(1), {
    cwd: ROOT,
    env: environment(options.env),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  remember(child)
  const said = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => {
    said.stdout += chunk.toString('utf8')
  })
  child.stderr.on('data', (chunk: Buffer) => {
    said.stderr += chunk.toString('utf8')
  })
  child.stdin.on('error', () => {})
  child.stdin.end(options.input ?? '')
  const timer = setTimeout(() => child.kill('SIGKILL'), options.within ?? patience(120_000))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  clearTimeout(timer)
  return { code, ...said }
}

/** As `command`; @throws with what it said unless it exits 0. */
export async function succeed(words: readonly string[], options: CommandOptions): Promise<string> {
  const { code, stdout, stderr } = await command(words, options)
  if (code !== 0) throw new Error(`sallyport ${words.join(' ')} ended with ${code}\n${stdout}\n${stderr}`)
  return stdout
}

/** A private folder for one test; `dispose` removes it with everything in it. */
export async function temporaryFolder(
  label: string,
  parent: string = tmpdir(),
): Promise<{ dir: string; dispose(): Promise<void> }> {
  const dir = await mkdtemp(path.join(parent, `sallyport-${label}-`))
  return { dir, dispose: () => rm(dir, { recursive: true, force: true, maxRetries: 3 }) }
}
