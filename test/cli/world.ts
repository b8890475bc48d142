/** The command line as a person or a script meets it: a process with words, standard input, two outputs and an exit code. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { storedEntry } from '../../server/kernel/ledger/format.ts'
import { openRaw } from '../../server/kernel/database/sqlite/raw.ts'
import { programOf } from '../support/program.ts'
import { COMPILED, type CommandResult, NODE, type Station, startStation } from '../support/station.ts'
import { patience } from '../support/scale.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PROGRAM = programOf('server/bin/sallyport.ts')
/** The program of a checkout, which also has simulated cameras. */
const WITH_CAMERAS = programOf('test/simulators/sallyport.ts')

/** No floor and a small reserve: the disk of these tests is nobody's station. */
export const SMALL: Readonly<Record<string, string>> = {
  SALLYPORT_MIN_FREE_BYTES: '0',
  SALLYPORT_RESERVE_BYTES: '1048576',
}
export const PASSWORD = 'seven lamps by the harbour'

export interface Saying extends CommandResult {
  readonly signal: NodeJS.Signals | null
}

export interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<Saying>
  stdout(): string
  stderr(): string
  /** Resolves when what it said on either output matches. @throws when it ends first. */
  says(pattern: RegExp): Promise<void>
}

export interface SayOptions {
  /** SALLYPORT_DATA, unless the words hold --data. */
  readonly data?: string
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string | Buffer
  readonly cwd?: string
  /** Put before the program. */
  readonly under?: readonly string[]
}

/** Starts one command and leaves it running. */
export function start(words: readonly string[], options: SayOptions = {}): Running {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(SALLYPORT_|VITEST|NODE_)/.test(name))
  const [program = NODE, ...args] = [
    ...(options.under ?? []),
    NODE,
    words[0] === 'camera' ? WITH_CAMERAS : PROGRAM,
    ...words,
  ]
  const child = spawn(program, args, {
    cwd: options.cwd ?? ROOT,
    env: {
      ...Object.fromEntries(inherited),
      NODE_COMPILE_CACHE: COMPILED,
      ...SMALL,
      ...(options.data === undefined ? {} : { SALLYPORT_DATA: options.data }),
      ...options.env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const said = { stdout: '', stderr: '' }
  const listeners = new Set<() => void>()
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      said[name] += chunk
      for (const listener of listeners) listener()
    })
  }
  child.stdin.on('error', () => {})
  child.stdin.end(options.input ?? '')
  const timer = setTimeout(() => child.kill('SIGKILL'), patience(55_000))
  const atExit = (): boolean => child.kill('SIGKILL')
  process.on('exit', atExit)
  const ended = new Promise<Saying>((resolve) =>
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      process.off('exit', atExit)
      resolve({ code, signal, ...said })
    }),
  )
  return {
    child,
    ended,
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!pattern.test(said.stdout) && !pattern.test(said.stderr)) return
          listeners.delete(look)
          resolve()
        }
        listeners.add(look)
        look()
        void ended.then(({ code, signal }) =>
          reject(new Error(`It ended (${code ?? signal}) and never said ${pattern}:\n${said.stdout}\n${said.stderr}`)),
        )
      }),
  }
}

/** One command, run to its end. */
export const say = (words: readonly string[], options: SayOptions = {}): Promise<Saying> => start(words, options).ended

/** As `say`. @returns what it printed as JSON. @throws unless it exits 0. */
export async function sayJson<T>(words: readonly string[], options: SayOptions = {}): Promise<T> {
  const { code, stdout, stderr } = await say([...words, '--json'], options)
  if (code !== 0) throw new Error(`sallyport ${words.join(' ')} ended with ${code}\n${stdout}\n${stderr}`)
  return JSON.parse(stdout) as T
}

/** @throws with what it said unless it exits 0 */
export async function succeedIn(data: string, words: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await say(words, { data })
  if (code !== 0) throw new Error(`sallyport ${words.join(' ')} ended with ${code}\n${stdout}\n${stderr}`)
}

export interface Place {
  /** The test's own. */
  readonly dir: string
  /** A station's folder: none is there yet. */
  readonly data: string
  /** A new folder or path in `dir`. */
  path(name: string): string
  folder(name: string): string
  remove(): void
}

export function makePlace(label: string): Place {
  const dir = mkdtempSync(join(tmpdir(), `sallyport-cli-${label}-`))
  const path = (name: string): string => join(dir, name)
  return {
    dir,
    data: path('data'),
    path,
    folder: (name) => {
      mkdirSync(path(name), { recursive: true })
      return path(name)
    },
    remove: () => rmSync(dir, { recursive: true, force: true, maxRetries: 3 }),
  }
}

/** A station with the settings of these tests. */
export const running = (data: string, env: Readonly<Record<string, string>> = {}): Promise<Station> =>
  startStation({ data, env: { ...SMALL, ...env } })

export interface Entry {
  readonly action: string
  readonly actor: { readonly kind: string; readonly id: string; readonly name: string }
  readonly source: string
  readonly outcome: string
  readonly object: { readonly type: string; readonly id: string; readonly name: string }
  readonly detail?: Record<string, unknown>
}

/** Reads the database as it lies, beside whoever has it open. */
export function rows<T = Record<string, unknown>>(data: string, sql: string): T[] {
  const db = openRaw(join(data, 'sallyport.db'), { readOnly: true })
  try {
    return db.prepare(sql).all() as T[]
  } finally {
    db.close()
  }
}

export const ledger = (data: string): Entry[] =>
  rows<{ body: Uint8Array }>(data, 'SELECT body FROM ledger ORDER BY seq').map(({ body }) => storedEntry(body) as Entry)

/** Files below a folder, as paths from it. */
export const filesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
        .toSorted()
    : []

/** What a copy that was cut off would leave: temporaries and intents. */
export const leftovers = (data: string): string[] => [
  ...filesIn(join(data, 'blobs/.staging')),
  ...filesIn(join(data, 'blobs/.intents')),
]
