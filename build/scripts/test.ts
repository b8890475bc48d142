/**
 * `npm test`: the checks, then the gate of every suite, each test counted. `--merge` runs all of every suite, `--long` the same with the long
 * counts of docs/guarantees.md (build/scripts/tiers.ts). Further arguments go to vitest; with one of them, such as a place, all tests there
 * run. With CI=true, files that failed run once more, alone; what passes only there is named. The last line is
 * `N passed, N failed, N skipped` over all suites; every skip is named with its reason before it.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { budgetOf, unknownBudgets } from './budgets.ts'
import { type FileResult, RESULT_FILE, type RunResult } from './reporter.ts'
import { GATE_FILTER, TIER, type Tier } from './tiers.ts'
import { ensureTools, STATION_TOOLS, TEST_TOOLS } from './tools.ts'

const long = process.argv.includes('--long')
const rest = process.argv.slice(2).filter((argument) => !['--long', '--merge'].includes(argument))
const tier: Tier = long ? 'long' : process.argv.includes('--merge') || rest.length > 0 ? 'merge' : 'gate'

/** So many files are named at the end. */
const SLOWEST = 20
/** What became of each file of the last whole run. */
const ALL_FILES = 'node_modules/.cache/test-files.json'
/** More failing files than this are no busy machine; they do not run once more. */
const MOST_AGAIN = 8
/** These never run once more: what a crash lost once is lost. */
const CRASHES = 'test/crash/'

const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}
const seconds = (since: number): string => ((performance.now() - since) / 1000).toFixed(0)

function run(program: string, args: readonly string[], env: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...env } })
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? 1))
  })
}

/** @returns what became of each file; a run that failed and names no failure is one outside every test */
async function suites(args: readonly string[]): Promise<RunResult> {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-result-'))
  const file = join(folder, 'result.json')
  const reporters = ['--reporter=default', '--reporter=./build/scripts/reporter.ts']
  try {
    const filter = tier === 'gate' ? [`--tags-filter=${GATE_FILTER}`] : []
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...filter, ...args]
    const code = await run(process.execPath, vitest, {
      [TIER]: tier,
      SALLYPORT_TEST_LONG: long ? '1' : '0',
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
const faultsOf = ({ failed, crashed }: FileResult): readonly string[] =>
  crashed === null ? failed : [...failed, crashed]

/**
 * Runs files that failed once more, each alone and in a new process: two browsers on a busy machine starve each other.
 * @returns the results with those of the second run in their place, and the faults that it did not have
 */
async function failedAgain(first: RunResult): Promise<{ result: RunResult; again: readonly string[] }> {
  const failed = first.files.filter((file) => hasFailed(file) && !file.path.startsWith(CRASHES))
  if (process.env['CI'] !== 'true' || failed.length === 0 || failed.length > MOST_AGAIN)
    return { result: first, again: [] }
  const paths = failed.map(({ path }) => path)
  print(`once more, alone: ${paths.join(', ')}`)
  const second = await suites(['--no-file-parallelism', ...paths])
  const files = first.files.map((file) =>
    paths.includes(file.path) ? (second.files.find(({ path }) => path === file.path) ?? file) : file,
  )
  // A process that died names the file that it was running, which ran once more.
  const died = first.outside.filter((fault) => paths.some((path) => fault.includes(path)))
  const outside = [...first.outside.filter((fault) => !died.includes(fault)), ...second.outside]
  const still = new Set(files.flatMap(faultsOf))
  const again = [...failed.flatMap(faultsOf).filter((fault) => !still.has(fault)), ...died]
  return { result: { files, outside }, again }
}

function printSlowest(files: readonly FileResult[]): void {
  if (files.length <= SLOWEST) return
  mkdirSync(dirname(ALL_FILES), { recursive: true })
  writeFileSync(ALL_FILES, JSON.stringify(files, null, 1))
  const cost = files.reduce((sum, { processorSeconds }) => sum + (processorSeconds ?? 0), 0)
  print(`the ${SLOWEST} slowest of ${files.length} files (processors: ${(cost / 60).toFixed(1)} minutes in all):`)
  for (const file of files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST))
    print(
      `${file.seconds.toFixed(0).padStart(6)} s, ${file.processorSeconds?.toFixed(0).padStart(4) ?? '   ?'} s of processors  ${file.path}`,
    )
}

function printOverBudget(files: readonly FileResult[]): void {
  for (const { path, processorSeconds } of files) {
    const { seconds, reason } = budgetOf(path)
    if ((processorSeconds ?? 0) > seconds)
      print(
        `over its budget: ${path}: ${processorSeconds?.toFixed(0)} s of processors, ${seconds} s allowed (${reason})`,
      )
  }
  for (const path of unknownBudgets(existsSync)) print(`has a budget and is not there any more: ${path}`)
}

const missing = ensureTools([...STATION_TOOLS, ...TEST_TOOLS])
let started = performance.now()
const checked = (await run(process.execPath, ['build/scripts/check.ts'])) === 0
print(`checks: ${seconds(started)} s`)
started = performance.now()
const { result, again } = await failedAgain(await suites(rest))
print(`suites: ${seconds(started)} s, ${tier}`)
printSlowest(result.files)
if (!long) printOverBudget(result.files)

// The checks count as one test, and so do the tools where they could have been installed: a suite must not be skipped for them.
const faults = [
  ...(checked ? [] : ['the checks']),
  ...(missing.length > 0 && process.getuid?.() === 0
    ? [`tools: ${missing.map(({ program }) => program).join(', ')}`]
    : []),
  ...result.files.flatMap(faultsOf),
  ...result.outside,
]
const skipped = result.files.flatMap((file) => file.skipped)
const passed = result.files.reduce((sum, file) => sum + file.passed, checked ? 1 : 0)
const left = result.files.reduce((sum, file) => sum + file.left, 0)
if (left > 0) print(`left to npm run test:merge: ${left}`)
for (const { name, reason } of skipped) print(`skipped: ${name}: ${reason}`)
for (const name of again) print(`not at the first try: ${name}`)
for (const fault of faults) print(`failed: ${fault}`)
if (missing.length > 0) print(`not on this machine: ${missing.map(({ program }) => program).join(', ')}`)
print(`${passed} passed, ${faults.length} failed, ${skipped.length} skipped`)
process.exitCode = faults.length === 0 ? 0 : 1
