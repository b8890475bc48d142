/** Counts every test for `npm test`, with the reason of each skip, and notices what never became a test: files that crashed. */
import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'
import type { ProcessorSeconds } from '../../test/support/cost.ts'

export interface Counts {
  readonly passed: number
  readonly failed: readonly string[]
  readonly skipped: readonly { readonly name: string; readonly reason: string }[]
  /** Passed, but not at the first try: each is looked into, whatever the count says. */
  readonly again: readonly string[]
  /** Every file, the longest first. */
  readonly files: readonly FileCost[]
  /** Files that ended before their tests did, and errors that belong to no test. */
  readonly crashed: readonly string[]
}

export interface FileCost {
  readonly path: string
  /** From its first line to its last hook. */
  readonly seconds: number
  /** Null where the file crashed. */
  readonly processorSeconds: ProcessorSeconds | null
}

/** Where `npm test` reads the counts; without it nothing is written. */
export const COUNTS_FILE = 'SALLYPORT_TEST_COUNTS'

export default class CountingReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const file = process.env[COUNTS_FILE]
    if (file !== undefined) writeFileSync(file, JSON.stringify(countsOf(modules, unhandled)))
  }
}

function countsOf(modules: readonly TestModule[], unhandled: readonly SerializedError[]): Counts {
  const counts = {
    passed: 0,
    failed: [] as string[],
    skipped: [] as { name: string; reason: string }[],
    again: [] as string[],
    files: modules.map(costOf).toSorted((a, b) => b.seconds - a.seconds),
    crashed: [] as string[],
  }
  for (const module of modules) {
    const path = relative(process.cwd(), module.moduleId)
    let failed = false
    let seen = 0
    for (const test of module.children.allTests()) {
      const result = test.result()
      const name = `${path} > ${test.fullName}`
      seen += 1
      if (test.diagnostic()?.flaky === true) counts.again.push(name)
      if (result.state === 'passed') counts.passed += 1
      else if (result.state === 'skipped') counts.skipped.push({ name, reason: result.note ?? reasonIn(name) })
      else {
        failed = true
        // `pending`: the run ended and nobody knows how this one would have.
        counts.failed.push(result.state === 'failed' ? name : `${name} (never ended)`)
      }
    }
    const errors = module.errors()
    if (errors.length > 0) counts.crashed.push(`${path}: ${firstLine(errors[0]?.message)}`)
    else if (seen === 0) counts.crashed.push(`${path}: no test ran`)
    else if (!failed && !module.ok()) counts.crashed.push(`${path}: it failed outside its tests`)
  }
  for (const error of unhandled) counts.crashed.push(`outside every test: ${firstLine(error.message)}`)
  return counts
}

function costOf(module: TestModule): FileCost {
  const { duration, setupDuration, collectDuration } = module.diagnostic()
  return {
    path: relative(process.cwd(), module.moduleId),
    seconds: (duration + setupDuration + collectDuration) / 1000,
    processorSeconds: module.meta().processorSeconds ?? null,
  }
}

/** Suites that skip as a whole say why in their title. */
const reasonIn = (name: string): string => /\(skipped: (.*?)\)/.exec(name)?.[1] ?? 'no reason given'

const firstLine = (message: string | undefined): string => message?.split('\n')[0] || 'it failed outside its tests'
