/** A copy of the product in which each of many things, such as guards, can be taken out by the environment, and the suites run on it (S19, I1). */
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { copyProduct, NoReport, type Outcome, ROOT, runSuites } from './product-copy.ts'

/** What some suites read beside the sources of the server. */
const ALSO_READ = ['docs', 'renderer', 'main', 'package-lock.json']
/** With something out a run that takes longer, and five times as long as with all in, loops. */
const LONGEST_MUTANT_MS = 240_000
/** Runs before each file of every project: begins with a look at which test runs. */
const SETUP = 'test/support/cost.ts'
const SWITCH = 'switch.ts'
const RUNNING = 'switch-running.ts'
/** Before each test: tells the threads and processes of stations which one runs. In one piece: it may be read at any moment. */
const RUNNING_TEST = `import { renameSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach } from 'vitest'
const file = process.env.SWITCH_RUNNING
function tell(name) {
  if (file === undefined) return
  writeFileSync(file + '.next', name)
  renameSync(file + '.next', file)
}
beforeEach(({ task }) => tell(task.fullTestName))
afterEach(() => tell(''))
`
/** `isIn(id)`, and `note(id)` which writes down an id with the test that runs; before, between and beside tests with none. */
const ON_OFF = `import { appendFileSync, readFileSync } from 'node:fs'
const out = new Set((process.env.SWITCH_OUT ?? '').split(' '))
const notes = process.env.SWITCH_NOTES
const known = new Set()
function runningTest() {
  // In the process of the suite itself.
  const worker = globalThis.__vitest_worker__
  if (worker !== undefined) return worker.current?.type === 'test' ? worker.current.fullTestName : ''
  try {
    return readFileSync(process.env.SWITCH_RUNNING, 'utf8')
  } catch {
    return ''
  }
}
const isIn = (id) => !out.has(id)
function note(id) {
  if (notes === undefined) return
  const line = JSON.stringify([id, runningTest()]) + '\\n'
  if (known.has(line)) return
  known.add(line)
  appendFileSync(notes, line)
}
`
/** Of a test that waited for what never came, or that had a slow machine. */
const OUT_OF_TIME = /: Error: (?:Test|Hook) timed out in /
/** A pattern of so many names still is a short argument; of more tests the whole file runs. */
const MOST_NAMED = 60

/** Something in a source file that can be taken out. */
export interface Place {
  /** Says which one is meant in lists, with `at` where several of a file have the same. */
  readonly text: string
  readonly at: number
  readonly line: number
}

/** What is taken out, and how. */
export interface Switching<Found extends Place> {
  /** Of JavaScript: exports what switched sources import, and is made of `isIn(id)` and `note(id)`. */
  readonly module: string
  /** What `note` may have been told of one of them, best first; the tests in which it was are those that may miss it. */
  readonly notes: readonly ((id: string) => string)[]
  /** Names of tests that speak of what is taken out: they are asked first. */
  readonly told: RegExp
  /** Whether a run may never end with one out: then that is how it was noticed. Otherwise the machine was too slow, and nothing was. */
  readonly mayLoop: boolean
  find(file: string, source: string): Found[]
  /** The source with each that was found behind a switch. @param ids of what was found, in this order @param importFrom where the source finds the module */
  rewrite(file: string, source: string, ids: readonly string[], importFrom: string): string
}

export type Switched<Found extends Place> = Found & { readonly id: string; readonly file: string }

export interface SuiteRun extends Outcome {
  readonly suite: string
  /** Of the whole run: with what was begun before the first test. */
  readonly took: number
  /** What was noted, each with the tests in which it was; '' stands for before, between and beside tests. */
  readonly notes: ReadonlyMap<string, ReadonlySet<string>>
}

export interface Asked {
  /** Ids of what is out. Then the first failure ends the run, unless all of them are wanted. */
  readonly out?: readonly string[]
  /** Only these, by their full names. */
  readonly tests?: readonly string[]
  readonly allFailures?: boolean
  readonly longestMs?: number
}

export interface SwitchedCopy<Found extends Place> {
  readonly found: readonly Switched<Found>[]
  /** Of everything that was copied: what a run showed is true of this one only. */
  readonly stamp: string
  /** Runs one test file. @throws NoReport */
  run(suite: string, asked?: Asked): Promise<SuiteRun>
  /**
   * Takes one out and runs the tests in which it was noted: where it never was, nothing can be noticed. First those that speak of it, and of
   * these what takes least time.
   * @param runs of whole suites with all in @returns what noticed it, null where nothing did
   */
  noticed(id: string, runs: readonly SuiteRun[]): Promise<string | null>
  dispose(): void
}

/** @param patterns of the files that are switched, relative to the product's folder */
export function switchedCopy<Found extends Place>(
  dir: string,
  switching: Switching<Found>,
  patterns: readonly string[],
): SwitchedCopy<Found> {
  copyProduct(dir, ALSO_READ)
  mkdirSync(path.join(dir, 'runs'))
  writeFileSync(path.join(dir, SWITCH), ON_OFF + switching.module)
  writeFileSync(path.join(dir, RUNNING), RUNNING_TEST)
  writeFileSync(
    path.join(dir, SETUP),
    `import '${path.relative(path.dirname(SETUP), RUNNING)}'; ${readFileSync(path.join(ROOT, SETUP), 'utf8')}`,
  )
  const found = filesOf(patterns, ROOT).flatMap((file) => {
    const source = readFileSync(path.join(ROOT, file), 'utf8')
    const places = switching.find(file, source).map((place, at) => ({ ...place, id: `${file}#${at}`, file }))
    if (places.length === 0) return []
    const ids = places.map(({ id }) => id)
    const up = path.relative(path.dirname(file), SWITCH)
    writeFileSync(path.join(dir, file), switching.rewrite(file, source, ids, up))
    return places
  })
  let count = 0
  const run: SwitchedCopy<Found>['run'] = async (suite, { out = [], tests, allFailures, longestMs } = {}) => {
    const name = `runs/${++count}`
    const notes = path.join(dir, `${name}.notes`)
    const running = path.join(dir, `${name}.running`)
    const began = performance.now()
    const bail = out.length === 0 || allFailures === true ? [] : ['--bail=1']
    const outcome = await runSuites(dir, ['--maxWorkers=1', ...bail, suite, ...only(tests)], {
      name,
      env: { SWITCH_NOTES: notes, SWITCH_RUNNING: running, SWITCH_OUT: out.join(' ') },
      ...(longestMs === undefined ? {} : { longestMs }),
    })
    const took = (performance.now() - began) / 1000
    const lines = existsSync(notes) ? readFileSync(notes, 'utf8').split('\n').filter(Boolean) : []
    for (const file of [notes, running]) rmSync(file, { force: true })
    // Otherwise one that is out would pass for one that nothing missed.
    if (outcome.passed + outcome.failed.length === 0)
      throw new Error(`${suite} ran none of ${JSON.stringify(tests ?? 'its tests')}`)
    return { suite, took, ...outcome, notes: byId(lines) }
  }
  return {
    found,
    stamp: stampOf(dir),
    run,
    noticed: noticing(switching, run),
    dispose: () => rmSync(dir, { recursive: true, force: true, maxRetries: 3 }),
  }
}

/** @returns the source files of patterns, relative to the product's folder, without tests */
export function filesOf(patterns: readonly string[], cwd = process.cwd()): string[] {
  return [...new Set(patterns.flatMap((pattern) => globSync(pattern, { cwd })))]
    .filter((file) => !file.endsWith('.test.ts'))
    .toSorted()
}

/** Tests of a suite that may miss what is out. */
interface Attempt {
  readonly run: SuiteRun
  /** Null: the whole file. */
  readonly tests: readonly string[] | null
  /** That it is expected to take. */
  readonly seconds: number
  /** 0: tests that speak of it. 1: others. 2: what comes before and between tests. */
  readonly rank: 0 | 1 | 2
}

/** How a copy finds what notices one that is out. */
export function noticing(
  { notes, told, mayLoop }: Pick<Switching<Place>, 'notes' | 'told' | 'mayLoop'>,
  run: SwitchedCopy<Place>['run'],
): SwitchedCopy<Place>['noticed'] {
  /** Whether these tests pass by themselves with all in: some need what an earlier one left. */
  const passes = new Map<string, Promise<boolean>>()
  const passByThemselves = (suite: string, tests: readonly string[]): Promise<boolean> => {
    const key = JSON.stringify([suite, tests])
    const known = passes.get(key) ?? run(suite, { tests }).then(({ failed }) => failed.length === 0)
    passes.set(key, known)
    return known
  }
  const failureIn = async (id: string, { run: { suite, took }, tests }: Attempt): Promise<string | null> => {
    const longestMs = Math.max(LONGEST_MUTANT_MS, 5000 * took)
    try {
      const asked = { out: [id], longestMs }
      const { failed } = await run(suite, tests === null ? asked : { ...asked, tests })
      const failure = failed.find((one) => mayLoop || !OUT_OF_TIME.test(one))
      if (failure === undefined || (tests !== null && !(await passByThemselves(suite, tests)))) return null
      return `${suite}: ${failure}`
    } catch (error) {
      if (!(error instanceof NoReport)) throw error
      return mayLoop ? (error.message.split('\n')[0] ?? '') : null
    }
  }
  return async (id, runs) => {
    const note = notes.map((of) => of(id)).find((one) => runs.some((run) => run.notes.has(one)))
    if (note === undefined) return null
    const attempts = runs
      .flatMap((run) => (run.notes.has(note) ? [attemptOf(run, [...(run.notes.get(note) ?? [])], told)] : []))
      .toSorted((a, b) => a.rank - b.rank || a.seconds - b.seconds)
    // A test may need what an earlier one left before what is out is reached: only the whole file shows that nothing notices.
    const wholes = attempts.flatMap((one) => (one.tests === null ? [] : [{ ...one, tests: null }]))
    for (const attempt of [...attempts, ...wholes]) {
      const failure = await failureIn(id, attempt)
      if (failure !== null) return failure
    }
    return null
  }
}

/** Tests by their names run twice, with one out and with all in; a whole file has passed already. */
function attemptOf(run: SuiteRun, noted: readonly string[], told: RegExp): Attempt {
  const speaking = noted.filter((name) => told.test(name))
  const tests = speaking.length > 0 ? speaking : noted
  const rank = speaking.length > 0 ? 0 : tests.every((name) => name === '') ? 2 : 1
  // A report names the suites around a test without what stands between them elsewhere.
  const own = (names: Iterable<string>): number =>
    [...names].reduce((sum, name) => sum + (run.seconds.get(name.replaceAll(' > ', ' ')) ?? 0), 0)
  const named = 2 * (run.took - own(run.seconds.keys()) + own(tests))
  return tests.includes('') || tests.length > MOST_NAMED || run.took < named
    ? { run, tests: null, seconds: run.took, rank }
    : { run, tests, seconds: named, rank }
}

function only(tests: readonly string[] | undefined): string[] {
  if (tests === undefined) return []
  return ['-t', `^(${tests.map((name) => name.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)).join('|')})$`]
}

function byId(lines: readonly string[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const line of lines) {
    const [id, test] = JSON.parse(line) as [string, string]
    const tests = found.get(id) ?? new Set()
    found.set(id, tests.add(test))
  }
  return found
}

function stampOf(dir: string): string {
  const hash = createHash('sha256')
  for (const name of globSync('{server,shared,test,build}/**/*.ts', { cwd: dir }).toSorted())
    hash.update(`\0${name}\0`).update(readFileSync(path.join(dir, name)))
  return hash.digest('hex')
}
