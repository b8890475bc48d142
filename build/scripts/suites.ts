/** Runs suites by vitest, and what failed once more where that is allowed. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Failure, type FileResult, RESULT_FILE, type RunResult } from './reporter.ts'
import { QUICK_FILTER, TIER, type Tier } from './tiers.ts'

/** More failing files than this are no busy machine; they do not run once more. */
const MOST_AGAIN = 8
/** These never run once more: what a crash lost once is lost. */
const CRASHES = 'test/crash/'

/** @returns the program's exit code */
export function run(program: string, args: readonly string[], env: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...env } })
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? 1))
  })
}

export interface Suites {
  readonly tier: Tier
  /** For vitest: places, or its own options. */
  readonly args: readonly string[]
  /** With stations whose rows lie in PostgreSQL. */
  readonly onPostgres?: boolean
}

/** @returns what became of each file; a run that failed and names no failure is one outside every test */
async function runOnce({ tier, args, onPostgres = false }: Suites): Promise<RunResult> {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-result-'))
  const file = join(folder, 'result.json')
  const reporters = ['--reporter=default', '--reporter=./build/scripts/reporter.ts']
  try {
    const filters = tier === 'quick' ? [`--tags-filter=${QUICK_FILTER}`] : []
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...filters, ...args]
    const code = await run(process.execPath, vitest, {
      ...(onPostgres && { SALLYPORT_TEST_DATABASE: 'postgres' }),
      [TIER]: tier,
      SALLYPORT_TEST_LONG: tier === 'long' ? '1' : '0',
      [RESULT_FILE]: file,
    })
    const result = JSON.parse(readFileSync(file, 'utf8')) as RunResult
    if (code === 0 || result.outside.length > 0 || result.files.some(hasFailed)) return result
    return { ...result, outside: [`the suites ended with ${code} and named no failure`] }
  } catch (error) {
    return { files: [], outside: [`the suites ended without a result: ${(error as Error).message}`] }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const hasFailed = ({ failed, crashed }: FileResult): boolean => failed.length > 0 || crashed !== null
/** What is the same in two runs. */
const namesOf = ({ failed, crashed }: FileResult): readonly string[] => [
  ...failed.map(({ name }) => name),
  ...(crashed === null ? [] : [crashed]),
]
export const faultsOf = ({ failed, crashed }: FileResult): readonly string[] => [
  ...failed.map(told),
  ...(crashed === null ? [] : [crashed]),
]
const told = ({ name, reason }: Failure): string => (reason === '' ? name : `${name}: ${reason}`)

/** What became of suites, and the faults of a first try that a second did not have. */
export interface Outcome extends RunResult {
  readonly again: readonly string[]
}

/** With CI=true files that failed run once more, each alone and in a new process: two browsers on a busy machine starve each other. */
export async function runSuites(suites: Suites): Promise<Outcome> {
  const first = await runOnce(suites)
  const failed = first.files.filter((file) => hasFailed(file) && !file.path.startsWith(CRASHES))
  if (process.env['CI'] !== 'true' || failed.length === 0 || failed.length > MOST_AGAIN) return { ...first, again: [] }
  const paths = failed.map(({ path }) => path)
  process.stdout.write(`once more, alone: ${paths.join(', ')}\n`)
  const second = await runOnce({ ...suites, args: ['--no-file-parallelism', ...paths] })
  const files = first.files.map((file) =>
    paths.includes(file.path) ? (second.files.find(({ path }) => path === file.path) ?? file) : file,
  )
  // A process that died names the file that it was running, which ran once more.
  const died = first.outside.filter((fault) => paths.some((path) => fault.includes(path)))
  const outside = [...first.outside.filter((fault) => !died.includes(fault)), ...second.outside]
  const still = new Set(files.flatMap(namesOf))
  const passedThen = failed.map((file) => ({ ...file, failed: file.failed.filter(({ name }) => !still.has(name)) }))
  const again = [...passedThen.flatMap(faultsOf).filter((fault) => !still.has(fault)), ...died]
  return { files, outside, again }
}
