/** Writes what became of each test file for `npm test`: every test counted, each skip with its reason, and files that crashed. */
import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'
import type { ProcessorSeconds } from './processor-seconds.ts'
import { isQuick, TIER } from './tiers.ts'

export interface RunResult {
  readonly files: readonly FileResult[]
  /** Errors that belong to no file. */
  readonly outside: readonly string[]
}

export interface Failure {
  /** Of the test, with the path. */
  readonly name: string
  /** The beginning of the error's message, on one line; empty where the name says it. */
  readonly reason: string
}

export interface FileResult {
  readonly path: string
  readonly passed: number
  readonly failed: readonly Failure[]
  readonly skipped: readonly { readonly name: string; readonly reason: string }[]
  /** Tests that are not of this tier (build/scripts/tiers.ts), and did not run. */
  readonly left: number
  /** No test of this file is of this tier, and it was not loaded: how many it has is not known. */
  readonly leftWhole: boolean
  /** Tests that ran fewer times than is promised. */
  readonly triedLess: number
  /** Why the file ended before its tests did; null where it did not. */
  readonly crashed: string | null
  /** From its first line to its last hook. */
  readonly seconds: number
  /** Null where the file crashed. */
  readonly processorSeconds: ProcessorSeconds | null
}

/** Names the file that the reporter writes a RunResult to; without it nothing is written. */
export const RESULT_FILE = 'SALLYPORT_TEST_RESULT'

export default class ResultReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const file = process.env[RESULT_FILE]
    if (file === undefined) return
    const result: RunResult = {
      files: modules.map(resultOf),
      outside: unhandled.map((error) => `outside every test: ${causes(error).join(': ')}`),
    }
    writeFileSync(file, JSON.stringify(result))
  }
}

/** Of a file that was left whole. */
export const resultOfLeft = (path: string): FileResult => ({
  path,
  passed: 0,
  failed: [],
  skipped: [],
  left: 0,
  leftWhole: true,
  triedLess: 0,
  crashed: null,
  seconds: 0,
  processorSeconds: null,
})

function resultOf(module: TestModule): FileResult {
  const path = relative(process.cwd(), module.moduleId)
  const { duration, setupDuration, collectDuration } = module.diagnostic()
  const failed: Failure[] = []
  const skipped: { name: string; reason: string }[] = []
  const onlyQuick = process.env[TIER] === 'quick'
  let passed = 0
  let left = 0
  let triedLess = 0
  for (const test of module.children.allTests()) {
    const result = test.result()
    const name = `${path} > ${test.fullName}`
    if (onlyQuick && test.tags.includes('counted') && isQuick(test.tags)) triedLess += 1
    if (result.state === 'passed') passed += 1
    else if (result.state === 'skipped' && onlyQuick && !isQuick(test.tags)) left += 1
    else if (result.state === 'skipped') skipped.push({ name, reason: result.note ?? reasonIn(name) })
    // `pending`: the run ended and nobody knows how this one would have.
    else if (result.state === 'failed') failed.push({ name, reason: beginningOf(result.errors[0]?.message) })
    else failed.push({ name: `${name} (never ended)`, reason: '' })
  }
  return {
    path,
    passed,
    failed,
    skipped,
    left,
    leftWhole: false,
    triedLess,
    crashed: crashOf(module, passed + skipped.length + left, failed.length),
    seconds: (duration + setupDuration + collectDuration) / 1000,
    processorSeconds: module.meta().processorSeconds ?? null,
  }
}

function crashOf(module: TestModule, well: number, failed: number): string | null {
  const path = relative(process.cwd(), module.moduleId)
  const [error] = module.errors()
  if (error !== undefined) return `${path}: ${firstLine(error.message)}`
  if (well + failed === 0) return `${path}: no test ran`
  return failed === 0 && !module.ok() ? `${path}: it failed outside its tests` : null
}

/** Suites that skip as a whole say why in their title. */
const reasonIn = (name: string): string => /\(skipped: (.*?)\)/.exec(name)?.[1] ?? 'no reason given'

/** What went wrong and, each after it, why: a process that died says its signal only in the cause. */
function causes({ message, cause }: SerializedError): string[] {
  const why = typeof cause === 'object' && cause !== null ? causes(cause as SerializedError) : []
  return [firstLine(message), ...why]
}

/** Most characters of a reason. It is printed at the end of a run, of which CI keeps no more. */
const REASON_CHARACTERS = 600
const beginningOf = (message = ''): string =>
  stripVTControlCharacters(message).replace(/\s+/g, ' ').trim().slice(0, REASON_CHARACTERS)

const firstLine = (message: string | undefined): string => message?.split('\n')[0] || 'it failed outside its tests'
