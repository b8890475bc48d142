/** A copy of the product in a folder of its own, in which something is taken out and suites run. */
import { spawn } from 'node:child_process'
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { NODE } from '../support/station.ts'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const COPIED = [
  'server',
  'shared',
  'test',
  'build',
  'package.json',
  'vitest.config.ts',
  'tsconfig.json',
  'tsconfig.base.json',
]
/** The longest files take two minutes on a busy machine. */
const LONGEST_RUN_MS = 600_000

/** Text of the product that is replaced. */
export interface Mutation {
  /** Relative to the product's folder. */
  readonly file: string
  readonly start: number
  readonly end: number
  readonly instead: string
}

/** A check given by its text. */
export interface Check {
  readonly name: string
  readonly file: string
  /** Stands once in the file, or `at` says which one is meant, from 1. */
  readonly text: string
  readonly at?: number
  readonly instead: string
}

/** @param root of the product that is mutated: the one it was copied from may have gone on */
export function mutationOf({ file, text, at = 1, instead }: Check, root: string): Mutation {
  const whole = readFileSync(path.join(root, file), 'utf8')
  const places: number[] = []
  for (let from = whole.indexOf(text); from !== -1; from = whole.indexOf(text, from + 1)) {
    // Whole lines are meant with what stands before them.
    if (!text.startsWith(' ') || whole[from - 1] === '\n') places.push(from)
  }
  const place = places[at - 1]
  if (place === undefined) throw new Error(`${file} holds no ${at === 1 ? '' : `${at}nd `}${text}`)
  return { file, start: place, end: place + text.length, instead }
}

/** Replaces parts of a text that do not overlap. Of two at the same place the first one ends up behind. */
export function replaceParts(text: string, parts: readonly Pick<Mutation, 'start' | 'end' | 'instead'>[]): string {
  let changed = text
  // From the end, so that places before it stay where they are.
  for (const { start, end, instead } of parts.toSorted((a, b) => b.start - a.start))
    changed = changed.slice(0, start) + instead + changed.slice(end)
  return changed
}

export interface Copy {
  /** Runs the test files with these mutations, or with none. `bail`: the first failure is enough. */
  run(files: readonly string[], mutations?: readonly Mutation[], bail?: 'bail'): Promise<Outcome>
  dispose(): void
}

/** Copies the product without its golden databases into a folder, on the same `node_modules`. @param more files and folders beside those that every copy has */
export function copyProduct(dir: string, more: readonly string[] = []): void {
  mkdirSync(dir, { recursive: true })
  for (const name of [...COPIED, ...more])
    cpSync(path.join(ROOT, name), path.join(dir, name), {
      recursive: true,
      filter: (from) => !from.includes('/fixtures/golden/'),
    })
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(dir, 'node_modules'))
}

export function copyOfProduct(dir: string): Copy {
  copyProduct(dir)
  return {
    run: async (files, mutations = [], bail) => {
      const before = new Map(mutations.map(({ file }) => [file, readFileSync(path.join(dir, file), 'utf8')] as const))
      for (const [file, text] of before) {
        const parts = mutations.filter((one) => one.file === file)
        writeFileSync(path.join(dir, file), replaceParts(text, parts))
      }
      try {
        return await runSuites(dir, bail === undefined ? files : ['--bail=1', ...files])
      } finally {
        for (const [file, text] of before) writeFileSync(path.join(dir, file), text)
      }
    },
    dispose: () => rmSync(dir, { recursive: true, force: true, maxRetries: 3 }),
  }
}

export interface Outcome {
  readonly passed: number
  /** Names of tests, each with the first line of what it said: a test that only ran out of time is told from one that noticed. */
  readonly failed: readonly string[]
  /** How long each test took, by its name, in the order of the file. */
  readonly seconds: ReadonlyMap<string, number>
}

/** A run that was ended, or ended by itself before it could say which tests failed. */
export class NoReport extends Error {
  override readonly name = 'NoReport'
}

interface RunOptions {
  /** Names the files of this run: several may run on one copy. */
  readonly name?: string
  readonly env?: Readonly<Record<string, string>>
  readonly longestMs?: number
}

/** Runs vitest in a copy. @param asked test files and options of its command line @throws NoReport */
export async function runSuites(dir: string, asked: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const { name = 'run', env = {}, longestMs = LONGEST_RUN_MS } = options
  const report = path.join(dir, `${name}.json`)
  const log = path.join(dir, `${name}.log`)
  rmSync(report, { force: true })
  const inherited = Object.entries(process.env).filter(
    ([member]) => !member.startsWith('VITEST') && !member.startsWith('SALLYPORT_') && member !== 'CI',
  )
  const said = openSync(log, 'w')
  const code = await new Promise<number | null>((resolve, reject) => {
    const child = spawn(
      NODE,
      ['node_modules/vitest/vitest.mjs', 'run', '--reporter=json', `--outputFile=${report}`, ...asked],
      {
        cwd: dir,
        env: { ...Object.fromEntries(inherited), NODE_OPTIONS: '--max-old-space-size=2048', ...env },
        stdio: ['ignore', said, said],
        detached: true,
      },
    )
    // Without a guard a loop may never end, and may fill the memory; what the run started ends with it.
    const end = (): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      } catch {
        // All of it has ended by itself.
      }
    }
    const limit = setTimeout(end, longestMs)
    child.on('error', reject)
    child.on('close', (ended) => {
      clearTimeout(limit)
      end()
      resolve(ended)
    })
  })
  closeSync(said)
  if (!existsSync(report)) {
    const last = readFileSync(log, 'utf8').slice(-4000)
    throw new NoReport(`${asked.join(' ')} ended with ${code ?? 'a signal'} and wrote no report:\n${last}`)
  }
  const outcome = outcomeOf(JSON.parse(readFileSync(report, 'utf8')) as Report)
  for (const file of [report, log]) rmSync(file)
  return outcome
}

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message?: string
    readonly assertionResults: readonly {
      readonly status: string
      readonly fullName: string
      readonly duration?: number | null
      readonly failureMessages?: readonly string[] | null
    }[]
  }[]
}

function outcomeOf({ testResults }: Report): Outcome {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  const failed = tests
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages?.[0]?.split('\n')[0] ?? ''}`)
  // A file whose preparations fail, or that cannot be loaded, has no failed test.
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  )
  return {
    passed: tests.filter(({ status }) => status === 'passed').length,
    failed: [
      ...failed,
      ...broken.map(
        ({ name, message }) => `${path.basename(name)}: ${(message ?? 'could not be loaded').slice(0, 200)}`,
      ),
    ],
    seconds: new Map(tests.map(({ fullName, duration }) => [fullName, (duration ?? 0) / 1000])),
  }
}
