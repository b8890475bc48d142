/** A copy of the product in which any one guard can be taken out by the environment, and the suites run on it (S19). */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { copyProduct } from '../house/appends.ts'
import { NODE } from '../support/station.ts'
import { filesOf, type Guard, guardsOf, withSwitches } from './guard-mutants.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** What some suites read beside the sources of the server. */
const ALSO_READ = ['docs', 'renderer', 'main', 'package-lock.json']
/** A run takes seconds; one that takes longer loops. */
const LONGEST_RUN_MS = 120_000
const SWITCH = `import { appendFileSync } from 'node:fs'
const out = process.env.GUARD_OUT
const reached = process.env.GUARDS_REACHED
const told = new Set()
export function guardIn(id) {
  if (reached !== undefined && !told.has(id)) {
    told.add(id)
    appendFileSync(reached, id + '\\n')
  }
  return id !== out
}
`

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
  /** Ids of the guards that its processes came by. */
  readonly reached: ReadonlySet<string>
}

export interface SwitchedCopy {
  readonly guards: readonly FoundGuard[]
  /** Runs one test file with all guards in, or with one out; then its first failure ends it. */
  run(suite: string, out?: string): Promise<SuiteRun>
  dispose(): void
}

/** @param patterns of the files whose guards are switched, relative to the product's folder */
export function switchedCopy(dir: string, patterns: readonly string[]): SwitchedCopy {
  copyProduct(dir, ALSO_READ)
  mkdirSync(path.join(dir, 'reached'))
  writeFileSync(path.join(dir, 'guard-switch.ts'), SWITCH)
  const guards = filesOf(patterns, ROOT).flatMap((file) => {
    const source = readFileSync(path.join(ROOT, file), 'utf8')
    const up = path.relative(path.dirname(file), 'guard-switch.ts')
    writeFileSync(path.join(dir, file), withSwitches(file, source, up))
    return guardsOf(file, source).map((guard, at) => ({ ...guard, id: `${file}#${at}`, file }))
  })
  let runs = 0
  return {
    guards,
    run: async (suite, out) => {
      const reached = path.join(dir, 'reached', String(++runs))
      const report = `${reached}.json`
      const began = performance.now()
      const code = await vitest(dir, suite, report, {
        GUARDS_REACHED: reached,
        ...(out === undefined ? {} : { GUARD_OUT: out }),
      })
      const seconds = (performance.now() - began) / 1000
      const ids = existsSync(reached) ? readFileSync(reached, 'utf8').split('\n').filter(Boolean) : []
      const { passed, failed } = outcome(report, code)
      rmSync(reached, { force: true })
      rmSync(report, { force: true })
      return { suite, passed, failed, seconds, reached: new Set(ids) }
    },
    dispose: () => rmSync(dir, { recursive: true, force: true, maxRetries: 3 }),
  }
}

function vitest(dir: string, suite: string, report: string, extra: Record<string, string>): Promise<number | null> {
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
        suite,
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
    const limit = setTimeout(end, LONGEST_RUN_MS)
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
