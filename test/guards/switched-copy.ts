/** A copy of the product in which any one guard can be taken out by the environment, and the suites run on it (S19). */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { copyProduct } from '../repository/appends.ts'
import { NODE } from '../support/station.ts'
import { filesOf, type Guard, guardsOf, withSwitches } from './guard-mutants.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** What some suites read beside the sources of the server. */
const ALSO_READ = ['docs', 'renderer', 'main', 'package-lock.json']
/** With all guards in the longest files take two minutes on a busy machine. */
const LONGEST_RUN_MS = 600_000
/** Without a guard a run that takes longer loops. */
const LONGEST_MUTANT_MS = 240_000
/** Stands behind the id of a guard that was called, whether it refused or not. */
const CALLED = ' called'
/** Where a guard refused something is written down with the test that ran then; outside of tests, and in other processes, with none. */
const SWITCH = `import { appendFileSync } from 'node:fs'
const out = process.env.GUARD_OUT
const refusals = process.env.GUARDS_REFUSED
const known = new Set()
function runningTest() {
  const test = globalThis.__vitest_worker__?.current
  if (test?.type !== 'test') return ''
  return test.fullTestName
}
export const guardIn = (id) => id !== out
export function guardRefused(id) {
  if (refusals === undefined) return
  const line = JSON.stringify([id, runningTest()]) + '\\n'
  if (known.has(line)) return
  known.add(line)
  appendFileSync(refusals, line)
}
export const guardCalled = (id) => guardRefused(id + '${CALLED}')
export function guardTold(id, refusing, value) {
  if (Boolean(value) === refusing) guardRefused(id)
  return value
}
`
/** A pattern of so many names still is a short argument; of more tests the whole file runs. */
const MOST_NAMED = 60

export interface FoundGuard extends Guard {
  readonly id: string
  readonly file: string
}

export interface SuiteRun {
  readonly suite: string
  readonly passed: number
  /** Names of tests, each with the first line of what it said: a test that only ran out of time is told from one that noticed. */
  readonly failed: readonly string[]
  readonly seconds: number
  /** Ids of the guards that refused something, each with the tests in which they did; '' stands for before, between and beside tests. */
  readonly refusals: ReadonlyMap<string, ReadonlySet<string>>
}

export interface SwitchedCopy {
  readonly guards: readonly FoundGuard[]
  /** Runs one test file with all guards in, or with one out; then its first failure ends it. @param tests their full names; absent: all */
  run(suite: string, out?: string, tests?: readonly string[]): Promise<SuiteRun>
  /**
   * Takes a guard out and runs the tests in which it refused something, files that took least time first: where it never refused
   * anything, nothing can be noticed. A call that never threw may refuse in another way, such as by moving a file away: it is taken out
   * wherever it is called. @returns what noticed it, null where nothing did
   */
  noticed(id: string, runs: readonly SuiteRun[]): Promise<string | null>
  dispose(): void
}

/** @param patterns of the files whose guards are switched, relative to the product's folder */
export function switchedCopy(dir: string, patterns: readonly string[]): SwitchedCopy {
  copyProduct(dir, ALSO_READ)
  mkdirSync(path.join(dir, 'refusals'))
  writeFileSync(path.join(dir, 'guard-switch.ts'), SWITCH)
  const guards = filesOf(patterns, ROOT).flatMap((file) => {
    const source = readFileSync(path.join(ROOT, file), 'utf8')
    const up = path.relative(path.dirname(file), 'guard-switch.ts')
    writeFileSync(path.join(dir, file), withSwitches(file, source, up))
    return guardsOf(file, source).map((guard, at) => ({ ...guard, id: `${file}#${at}`, file }))
  })
  let count = 0
  const run: SwitchedCopy['run'] = async (suite, out, tests) => {
    const refusals = path.join(dir, 'refusals', String(++count))
    const report = `${refusals}.json`
    const began = performance.now()
    const code = await vitest(dir, [suite, ...only(tests)], report, {
      GUARDS_REFUSED: refusals,
      ...(out === undefined ? {} : { GUARD_OUT: out }),
    })
    const seconds = (performance.now() - began) / 1000
    const lines = existsSync(refusals) ? readFileSync(refusals, 'utf8').split('\n').filter(Boolean) : []
    const { passed, failed } = outcome(report, code)
    rmSync(refusals, { force: true })
    rmSync(report, { force: true })
    // Otherwise a guard would pass for one that nothing missed.
    if (passed + failed.length === 0) throw new Error(`${suite} ran none of ${JSON.stringify(tests ?? 'its tests')}`)
    return { suite, passed, failed, seconds, refusals: byGuard(lines) }
  }
  /** Whether these tests pass by themselves with all guards in: some need what an earlier one left. */
  const passes = new Map<string, Promise<boolean>>()
  const passByThemselves = (suite: string, tests: readonly string[]): Promise<boolean> => {
    const key = JSON.stringify([suite, tests])
    const known = passes.get(key) ?? run(suite, undefined, tests).then(({ failed }) => failed.length === 0)
    passes.set(key, known)
    return known
  }
  const noticedBy = async (suite: string, id: string, tests: readonly string[]): Promise<string | null> => {
    if (!tests.includes('') && tests.length <= MOST_NAMED) {
      const [failure] = (await run(suite, id, tests)).failed
      if (failure !== undefined && (await passByThemselves(suite, tests))) return failure
    }
    // A test may need what an earlier one left before its guard refuses anything: only the whole file shows that nothing notices.
    return (await run(suite, id)).failed[0] ?? null
  }
  return {
    guards,
    run,
    noticed: async (id, runs) => {
      const event = runs.some(({ refusals }) => refusals.has(id)) ? id : `${id}${CALLED}`
      for (const { suite, refusals } of runs.toSorted((a, b) => a.seconds - b.seconds)) {
        const tests = refusals.get(event)
        const failure = tests === undefined ? null : await noticedBy(suite, id, [...tests])
        if (failure !== null) return `${suite}: ${failure}`
      }
      return null
    },
    dispose: () => rmSync(dir, { recursive: true, force: true, maxRetries: 3 }),
  }
}

function only(tests: readonly string[] | undefined): string[] {
  if (tests === undefined) return []
  return ['-t', `^(${tests.map((name) => name.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)).join('|')})$`]
}

function byGuard(lines: readonly string[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const line of lines) {
    const [id, test] = JSON.parse(line) as [string, string]
    const tests = found.get(id) ?? new Set()
    found.set(id, tests.add(test))
  }
  return found
}

function vitest(
  dir: string,
  asked: readonly string[],
  report: string,
  extra: Record<string, string>,
): Promise<number | null> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !name.startsWith('VITEST') && !name.startsWith('SALLYPORT_') && name !== 'NODE_OPTIONS' && name !== 'CI',
    ),
  )
  const bail = extra['GUARD_OUT'] === undefined ? [] : ['--bail=1']
  return new Promise((resolve, reject) => {
    const child = spawn(
      NODE,
      [
        'node_modules/vitest/vitest.mjs',
        'run',
        '--reporter=json',
        `--outputFile=${report}`,
        '--maxWorkers=1',
        ...bail,
        ...asked,
      ],
      {
        cwd: dir,
        env: { ...env, NODE_OPTIONS: '--max-old-space-size=2048', ...extra },
        stdio: 'ignore',
        detached: true,
      },
    )
    // Without its guard a loop may never end, and may fill the memory; what the run started ends with it.
    const end = (): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      } catch {
        // All of it has ended by itself.
      }
    }
    const limit = setTimeout(end, extra['GUARD_OUT'] === undefined ? LONGEST_RUN_MS : LONGEST_MUTANT_MS)
    child.on('error', reject)
    child.on('close', (code) => {
      clearTimeout(limit)
      end()
      resolve(code)
    })
  })
}

interface Report {
  readonly testResults: readonly {
    readonly status: string
    readonly message?: string
    readonly assertionResults: readonly {
      readonly status: string
      readonly fullName: string
      readonly failureMessages?: readonly string[]
    }[]
  }[]
}

/** A run that ended without a report, or a file that could not be loaded, failed as well. */
function outcome(report: string, code: number | null): { passed: number; failed: string[] } {
  if (!existsSync(report)) return { passed: 0, failed: [`ended with ${code ?? 'a signal'} and wrote no report`] }
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  const failed = tests
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages: [message = ''] = [] }) => `${fullName}: ${message.split('\n')[0]}`)
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  )
  return {
    passed: tests.filter(({ status }) => status === 'passed').length,
    failed: [...failed, ...broken.map(({ message }) => (message ?? 'could not be loaded').slice(0, 200))],
  }
}
