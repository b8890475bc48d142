/**
 * `npm test`: the checks, then every suite, each test counted. `--long` runs the long counts of promises.md. Further arguments go to
 * vitest. The last line is `N passed, N failed, N skipped` over all suites; every skip is named with its reason before it.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureTools, STATION_TOOLS, TEST_TOOLS } from './tools.ts'

interface TestResult {
  readonly fullName: string
  readonly status: 'passed' | 'failed' | 'skipped' | 'pending' | 'todo' | 'disabled'
}

interface Report {
  readonly testResults: readonly { readonly name: string; readonly status: string; readonly message?: string; readonly assertionResults: readonly TestResult[] }[]
}

const long = process.argv.includes('--long')
const rest = process.argv.slice(2).filter((argument) => argument !== '--long')

function run(program: string, args: readonly string[], env: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...env } })
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? 1))
  })
}

const seconds = (since: number): string => ((performance.now() - since) / 1000).toFixed(0)

const missing = ensureTools([...STATION_TOOLS, ...TEST_TOOLS])
const started = performance.now()
const checked = await run(process.execPath, ['build/scripts/check.ts'])
process.stdout.write(`checks: ${seconds(started)} s\n`)

const folder = mkdtempSync(join(tmpdir(), 'sallyport-report-'))
const file = join(folder, 'report.json')
const suites = performance.now()
const code = await run(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...rest],
  { SALLYPORT_TEST_LONG: long ? '1' : '0' },
)
let report: Report = { testResults: [] }
try {
  report = JSON.parse(readFileSync(file, 'utf8')) as Report
} catch {
  process.stdout.write('The suites ended without a report.\n')
}
rmSync(folder, { recursive: true, force: true })

const tests = report.testResults.flatMap((suite) => suite.assertionResults)
const count = (...statuses: readonly TestResult['status'][]): number => tests.filter((test) => statuses.includes(test.status)).length
// A file that fails before its tests are known counts as one failure; so does a failed check, and a run that ended without a word.
const brokenFiles = report.testResults.filter((suite) => suite.status === 'failed' && suite.assertionResults.every((test) => test.status !== 'failed')).length
const passed = count('passed') + (checked === 0 ? 1 : 0)
const failed = count('failed') + brokenFiles + (checked === 0 ? 0 : 1)
const silent = code !== 0 && failed === 0 ? 1 : 0
const skipped = tests.filter((test) => !['passed', 'failed'].includes(test.status))

if (missing.length > 0) process.stdout.write(`Not on this machine: ${missing.map((tool) => tool.program).join(', ')}\n`)
for (const test of skipped) process.stdout.write(`skipped: ${test.fullName}\n`)
process.stdout.write(`suites: ${seconds(suites)} s${long ? ', long counts' : ''}\n`)
process.stdout.write(`${passed} passed, ${failed + silent} failed, ${skipped.length} skipped\n`)
process.exitCode = failed + silent === 0 ? 0 : 1
