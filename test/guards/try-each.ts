/** Takes out what is switched in a copy of the product, one after the other, and says which test missed it. */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Place, Switched, SwitchedCopy, SuiteRun } from './switched-copy.ts'

/** On a machine that does other work beside a long run. */
const LONGEST_SUITE_MS = 1_800_000

export interface Tried extends Place {
  readonly file: string
  /** Suites in which it was noted. */
  readonly suites: readonly string[]
  /** The test that missed it; empty where none did. */
  readonly by: string
}

interface Results<Found extends Place> {
  /** What no test missed. */
  readonly unnoticed: readonly Switched<Found>[]
  /** Failures with all in. Their suites are not asked. */
  readonly failed: readonly string[]
}

interface Options {
  /** Where results are kept, one a line of JSON, in NAME.jsonl and NAME.suites.jsonl: what was missed is not tried again. */
  readonly keep?: { readonly folder: string; readonly name: string }
  readonly lanes?: number
  readonly say?: (line: string) => void
}

/** Runs each suite once with all in, which says where each is noted; then takes out one after the other. */
export async function tryEach<Found extends Place>(
  copy: SwitchedCopy<Found>,
  suites: readonly string[],
  { keep, lanes = 1, say = () => undefined }: Options = {},
): Promise<Results<Found>> {
  if (keep !== undefined) mkdirSync(keep.folder, { recursive: true })
  const file = (kind: string): string | null => (keep === undefined ? null : path.join(keep.folder, keep.name + kind))
  const { runs, failed } = await runAll(copy, suites, file('.suites.jsonl'), say)
  const results = file('.jsonl')
  // The last line about one counts. Its line in the file says nothing once the file has changed.
  const before = new Map(linesOf<Tried>(results).map((tried) => [keyOf(tried), tried.by]))
  const missedBy = new Map(copy.found.map((one) => [one, before.get(keyOf(one)) ?? '']))
  const queue = copy.found.filter((one) => missedBy.get(one) === '')
  const lane = async (): Promise<void> => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
      const { id } = one
      const noted = runs.filter(({ notes }) => notes.has(id)).map(({ suite }) => suite)
      const by = (await copy.noticed(id, runs)) ?? ''
      missedBy.set(one, by)
      add(results, { ...one, suites: noted, by } satisfies Tried)
      const outcome = by === '' ? (noted.length === 0 ? 'NOT TRIED ' : 'UNNOTICED ') : 'noticed   '
      say(`${outcome} ${one.file}:${one.line} ${one.text.slice(0, 100)}  ${by.slice(0, 160)}`)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return { unnoticed: copy.found.filter((one) => missedBy.get(one) === ''), failed }
}

type KeptRun = Omit<SuiteRun, 'seconds' | 'notes'> & {
  readonly stamp: string
  readonly seconds: readonly (readonly [string, number])[]
  readonly notes: readonly (readonly [string, readonly string[]])[]
}

/** Those that passed; what was kept is true as long as nothing has changed. */
async function runAll(
  { run, stamp }: Pick<SwitchedCopy<Place>, 'run' | 'stamp'>,
  suites: readonly string[],
  kept: string | null,
  say: (line: string) => void,
): Promise<{ runs: SuiteRun[]; failed: string[] }> {
  const known = new Map(
    linesOf<KeptRun>(kept)
      .filter((one) => one.stamp === stamp)
      .map((one) => [one.suite, fromKept(one)]),
  )
  const runs: SuiteRun[] = []
  const failed: string[] = []
  for (const suite of suites) {
    const before = known.get(suite)
    const one = before ?? (await run(suite, { longestMs: LONGEST_SUITE_MS }))
    say(
      `${suite}: ${one.passed} passed, ${one.failed.length} failed, ${one.notes.size} noted, ${one.took.toFixed(1)} s${before === undefined ? '' : ', before'}`,
    )
    for (const failure of one.failed) say(`   ${failure}`)
    failed.push(...one.failed.map((failure) => `${suite}: ${failure}`))
    if (one.failed.length > 0) continue
    runs.push(one)
    if (before === undefined)
      add(kept, {
        ...one,
        stamp,
        seconds: [...one.seconds],
        notes: [...one.notes].map(([id, tests]) => [id, [...tests]] as const),
      } satisfies KeptRun)
  }
  return { runs, failed }
}

const fromKept = ({ suite, took, passed, failed, seconds, notes }: KeptRun): SuiteRun => ({
  suite,
  took,
  passed,
  failed,
  seconds: new Map(seconds),
  notes: new Map(notes.map(([id, tests]) => [id, new Set(tests)])),
})

function linesOf<Line>(file: string | null): Line[] {
  if (file === null || !existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line)
}

function add(file: string | null, line: unknown): void {
  if (file !== null) appendFileSync(file, `${JSON.stringify(line)}\n`)
}

const keyOf = ({ file, text, at }: Pick<Tried, 'file' | 'text' | 'at'>): string => JSON.stringify([file, text, at])
