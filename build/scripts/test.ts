/**
 * `npm test`: the checks, then every suite, each test counted. `--long` runs the long counts of promises.md. Further arguments go to
 * vitest. The last line is `N passed, N failed, N skipped` over all suites; every skip is named with its reason before it.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { COUNTS_FILE, type Counts } from './reporter.ts'
import { ensureTools, STATION_TOOLS, TEST_TOOLS } from './tools.ts'

const long = process.argv.includes('--long')
const rest = process.argv.slice(2).filter((argument) => argument !== '--long')

function run(program: string, args: readonly string[], env: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...env } })
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? 1))
  })
}

/** So many files are named at the end. */
const SLOWEST = 20
/** What each file of the last whole run cost. */
const ALL_FILES = 'node_modules/.cache/test-files.json'

const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}
const seconds = (since: number): string => ((performance.now() - since) / 1000).toFixed(0)

async function suites(): Promise<{ code: number; counts: Counts }> {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-counts-'))
  const file = join(folder, 'counts.json')
  const reporters = ['--reporter=default', '--reporter=./build/scripts/reporter.ts']
  try {
    const code = await run(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...rest], {
      SALLYPORT_TEST_LONG: long ? '1' : '0',
      [COUNTS_FILE]: file,
    })
    return { code, counts: JSON.parse(readFileSync(file, 'utf8')) as Counts }
  } catch (error) {
    const crashed = [`the suites ended without a count: ${(error as Error).message}`]
    return { code: 1, counts: { passed: 0, failed: [], skipped: [], again: [], files: [], crashed } }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const missing = ensureTools([...STATION_TOOLS, ...TEST_TOOLS])
let started = performance.now()
const checked = (await run(process.execPath, ['build/scripts/check.ts'])) === 0
print(`checks: ${seconds(started)} s`)
started = performance.now()
const { code, counts } = await suites()
print(`suites: ${seconds(started)} s${long ? ', long counts' : ''}`)

// The checks count as one test, and so do the tools where they could have been installed: a suite must not be skipped for them.
const faults = [
  ...(checked ? [] : ['the checks']),
  ...(missing.length > 0 && process.getuid?.() === 0
    ? [`tools: ${missing.map(({ program }) => program).join(', ')}`]
    : []),
  ...counts.failed,
  ...counts.crashed,
]
if (code !== 0 && faults.length === 0) faults.push(`the suites ended with ${code} and named no failure`)
if (counts.files.length > SLOWEST) {
  mkdirSync(dirname(ALL_FILES), { recursive: true })
  writeFileSync(ALL_FILES, JSON.stringify(counts.files, null, 1))
  const cost = counts.files.reduce((sum, { processorSeconds }) => sum + (processorSeconds ?? 0), 0)
  print(
    `the ${SLOWEST} slowest of ${counts.files.length} files (processors: ${(cost / 60).toFixed(1)} minutes in all):`,
  )
  for (const file of counts.files.slice(0, SLOWEST))
    print(
      `${file.seconds.toFixed(0).padStart(6)} s, ${file.processorSeconds?.toFixed(0).padStart(4) ?? '   ?'} s of processors  ${file.path}`,
    )
}
for (const { name, reason } of counts.skipped) print(`skipped: ${name}: ${reason}`)
for (const name of counts.again) print(`not at the first try: ${name}`)
for (const fault of faults) print(`failed: ${fault}`)
if (missing.length > 0) print(`not on this machine: ${missing.map(({ program }) => program).join(', ')}`)
print(`${counts.passed + (checked ? 1 : 0)} passed, ${faults.length} failed, ${counts.skipped.length} skipped`)
process.exitCode = faults.length === 0 ? 0 : 1
