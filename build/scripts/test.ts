/**
 * `npm test`: the checks, then the quick tests of every suite, each test counted. Other runs:
 * - `--rest` goes on where that ended: with the files of which it left something, each whole since its tests follow from each other, and with
 *   test/scale. `--seconds=N` lets no further part begin after so long.
 * - `--merge` runs all of every suite, `--long` the same with the long counts of docs/guarantees.md (build/scripts/tiers.ts).
 * - `--postgres` runs the suites about rows, with stations whose rows lie in PostgreSQL (build/scripts/on-postgres.ts). So does `--long`, in the end.
 * Further arguments go to vitest; with one of them, such as a place, all tests there run. With CI=true, files that failed run once more, alone;
 * what passes only there is named. The last line is `N passed, N failed, N skipped` over all suites, after `--rest` those of `npm test`
 * included; every skip is named with its reason before it.
 */
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { budgetOf, unknownBudgets } from './budgets.ts'
import { ON_POSTGRES } from './on-postgres.ts'
import { type FileResult, resultOfLeft } from './reporter.ts'
import { faultsOf, type Outcome, run, runSuites } from './suites.ts'
import { filesLeftWhole, type Tier } from './tiers.ts'
import { ensureTools, STATION_TOOLS, TEST_TOOLS } from './tools.ts'

const OWN = /^--(long|merge|rest|postgres|seconds=\d+)$/
const rest = process.argv.slice(2).filter((argument) => !OWN.test(argument))
const onPostgres = process.argv.includes('--postgres')
const tier = tierAsked()

/** So many files are named at the end. */
const SLOWEST = 20
/** What became of each file of the last whole run. */
const ALL_FILES = 'node_modules/.cache/test-files.json'
/** What the last `npm test` counted, and what it left: `--rest` goes on from there. */
const QUICK = 'node_modules/.cache/test-quick.json'
/** Files that run together in the rest: several at a time use both processors, and time may end after each part. */
const OTHERS_AT_A_TIME = 12
const SCREENS_AT_A_TIME = 8
/** So many files of test/scale, each by itself, between two parts with screens. */
const SCALE_IN_A_TURN = 3

interface Counts {
  readonly passed: number
  readonly faults: readonly string[]
  readonly skipped: FileResult['skipped']
  readonly again: readonly string[]
}
/** Of `npm test`. */
interface Quick {
  readonly checks: Counts
  readonly outcome: Outcome
}

const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}
const seconds = (since: number): string => ((performance.now() - since) / 1000).toFixed(0)

function tierAsked(): Tier {
  if (process.argv.includes('--long')) return 'long'
  return process.argv.includes('--merge') || onPostgres || rest.length > 0 ? 'merge' : 'quick'
}

/** The checks count as one test, and so do the tools where they could have been installed: a suite must not be skipped for them. */
async function runChecks(): Promise<Counts> {
  const started = performance.now()
  const missing = ensureTools([...STATION_TOOLS, ...TEST_TOOLS]).map(({ program }) => program)
  if (missing.length > 0) print(`not on this machine: ${missing.join(', ')}`)
  const checked = (await run(process.execPath, ['build/scripts/check.ts'])) === 0
  print(`checks: ${seconds(started)} s`)
  const tools = missing.length > 0 && process.getuid?.() === 0 ? [`tools: ${missing.join(', ')}`] : []
  return { passed: checked ? 1 : 0, faults: [...(checked ? [] : ['the checks']), ...tools], skipped: [], again: [] }
}

const countsOf = ({ files, outside, again }: Outcome): Counts => ({
  passed: files.reduce((sum, file) => sum + file.passed, 0),
  faults: [...files.flatMap(faultsOf), ...outside],
  skipped: files.flatMap((file) => file.skipped),
  again,
})

const added = (all: readonly Counts[]): Counts => ({
  passed: all.reduce((sum, { passed }) => sum + passed, 0),
  faults: all.flatMap(({ faults }) => faults),
  skipped: all.flatMap(({ skipped }) => skipped),
  again: all.flatMap(({ again }) => again),
})

const joined = (all: readonly Outcome[]): Outcome => ({
  files: all.flatMap(({ files }) => files),
  outside: all.flatMap(({ outside }) => outside),
  again: all.flatMap(({ again }) => again),
})

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

function printCounts({ passed, faults, skipped, again }: Counts): void {
  for (const { name, reason } of skipped) print(`skipped: ${name}: ${reason}`)
  for (const name of again) print(`not at the first try: ${name}`)
  for (const fault of faults) print(`failed: ${fault}`)
  print(`${passed} passed, ${faults.length} failed, ${skipped.length} skipped`)
  process.exitCode = faults.length === 0 ? 0 : 1
}

/** The suites that were asked for; whole long runs go over those about rows on either database. */
async function runAsked(): Promise<Outcome> {
  const rows = { tier, args: rest.length > 0 ? rest : ON_POSTGRES, onPostgres: true }
  if (onPostgres) return await runSuites(rows)
  const outcome = await runSuites({ tier, args: rest })
  if (tier === 'quick') return { ...outcome, files: [...outcome.files, ...filesLeftWhole().map(resultOfLeft)] }
  if (tier !== 'long' || rest.length > 0) return outcome
  return joined([outcome, await runSuites(rows)])
}

/** One run of the checks and of all suites that the tier has. */
async function runTier(): Promise<void> {
  rmSync(QUICK, { force: true })
  const checks = await runChecks()
  const started = performance.now()
  const outcome = await runAsked()
  print(`suites: ${seconds(started)} s, ${tier}${onPostgres ? ', on PostgreSQL' : ''}`)
  printSlowest(outcome.files)
  // Budgets are of stations on SQLite.
  if (tier !== 'long' && !onPostgres) printOverBudget(outcome.files)
  const counts = added([checks, countsOf(outcome)])
  if (tier === 'quick') {
    const quick: Quick = { checks, outcome }
    mkdirSync(dirname(QUICK), { recursive: true })
    writeFileSync(QUICK, JSON.stringify(quick))
    const sum = (of: 'left' | 'triedLess'): number => outcome.files.reduce((all, file) => all + file[of], 0)
    const whole = outcome.files.filter(({ leftWhole }) => leftWhole).length
    print(
      `left to npm run test:rest: ${sum('left')} tests, ${whole} files whole, and the promised counts of ${sum('triedLess')}`,
    )
  }
  printCounts(counts)
}

/**
 * Files that run together: first what shows that nothing is lost, then what is no screen, then screens and what is beyond one machine in turn,
 * so that a slow machine runs some of both.
 */
function partsLeft(left: readonly string[]): readonly (readonly string[])[] {
  const isOf = (place: string) => (file: string) => file.startsWith(place)
  const [crashes, screens] = [left.filter(isOf('test/crash/')), left.filter(isOf('test/ui/'))]
  const others = left.filter((file) => !crashes.includes(file) && !screens.includes(file))
  const scale = batches(globSync('test/scale/**/*.test.ts').toSorted(), 1)
  const inTurn = batches(screens, SCREENS_AT_A_TIME).flatMap((some) => [some, ...scale.splice(0, SCALE_IN_A_TURN)])
  return [...batches(crashes, crashes.length), ...batches(others, OTHERS_AT_A_TIME), ...inTurn, ...scale]
}

const batches = (files: readonly string[], most: number): string[][] =>
  Array.from({ length: Math.ceil(files.length / most) }, (_, at) => files.slice(at * most, (at + 1) * most))

/** Goes on after `npm test`, part by part. No part begins when the time that was given is over; what did not run is named. */
async function runRest(): Promise<void> {
  if (!existsSync(QUICK)) throw new Error('npm run test:rest goes on where npm test ended; run that first.')
  const { checks, outcome } = JSON.parse(readFileSync(QUICK, 'utf8')) as Quick
  const given = Number(
    process.argv.map((argument) => /^--seconds=(\d+)$/.exec(argument)?.[1]).find(Boolean) ?? Infinity,
  )
  const started = performance.now()
  const left = outcome.files.filter((file) => file.leftWhole || file.left + file.triedLess > 0).map(({ path }) => path)
  const parts: Outcome[] = []
  const notRun: string[] = []
  for (const part of partsLeft(left)) {
    if ((performance.now() - started) / 1000 > given) notRun.push(...part)
    else parts.push(await runSuites({ tier: 'merge', args: part }))
  }
  print(`the rest: ${seconds(started)} s`)
  if (notRun.length > 0) print(`not run, for lack of time (npm run test:merge, test:scale): ${notRun.join(', ')}`)
  const all = joined([outcome, ...parts])
  // A file that ran again, and whole, counts as it did then.
  const files = [...new Map(all.files.map((file) => [file.path, file])).values()]
  printCounts(added([checks, countsOf({ ...all, files })]))
}

await (process.argv.includes('--rest') ? runRest() : runTier())
