/**
 * Takes every guard of an area out, one at a time, and says which test misses it (S19).
 *
 *     node test/guards/run.ts FOLDER AREA [SUITE …]
 *
 * Writes a line of JSON for each guard to FOLDER/AREA.jsonl; guards that a test missed are not asked again.
 */
import { appendFileSync, existsSync, globSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { AREAS } from './areas.ts'
import { type GuardText, reckon, reckoningLine } from './survivor.ts'
import { SURVIVORS } from './survivors.ts'
import { switchedCopy, type SuiteRun } from './switched-copy.ts'

interface Asked extends GuardText {
  /** The test that missed it; empty where none did. */
  readonly by: string
}

const [folder = '', name = '', ...given] = process.argv.slice(2)
const area = AREAS.find((one) => one.name === name)
if (folder === '' || area === undefined)
  throw new Error(`node test/guards/run.ts FOLDER ${AREAS.map((one) => one.name).join('|')}`)
mkdirSync(folder, { recursive: true })
const results = path.join(folder, `${name}.jsonl`)
const copy = switchedCopy(path.join(folder, `${name}-${process.pid}`), area.files)
const suites = given.length > 0 ? given : area.suites.flatMap((pattern) => globSync(pattern).toSorted())
const runs: SuiteRun[] = []
for (const suite of suites) {
  const run = await copy.run(suite)
  console.log(
    `${suite}: ${run.passed} passed, ${run.failed.length} failed, ${run.refusals.size} guards, ${run.seconds.toFixed(1)} s`,
  )
  for (const failure of run.failed) console.log(`   ${failure}`)
  if (run.failed.length === 0) runs.push(run)
}
const before = outcomesIn(results)
const outcomes = new Map(copy.guards.map((guard) => [guard, before.get(keyOf(guard)) ?? '']))
const queue = copy.guards.filter((guard) => outcomes.get(guard) === '')
const lane = async (): Promise<void> => {
  for (let guard = queue.shift(); guard !== undefined; guard = queue.shift()) {
    const { id, file, line, text, at, sort } = guard
    const refusing = runs.filter(({ refusals }) => refusals.has(id)).map(({ suite }) => suite)
    const by = (await copy.noticed(id, runs)) ?? ''
    outcomes.set(guard, by)
    const outcome = { id, file, line, sort, text, at, refusing, by }
    appendFileSync(results, `${JSON.stringify(outcome)}\n`)
    console.log(
      `${by === '' ? (refusing.length === 0 ? 'NOT TRIED  ' : 'SURVIVED   ') : 'killed     '} ${file}:${line} ${text.slice(0, 100)}`,
    )
  }
}
await Promise.all([lane(), ...(process.env['GUARD_LANES'] === '1' ? [] : [lane()])])
copy.dispose()
const survivors = copy.guards.filter((guard) => outcomes.get(guard) === '')
const reckoning = reckon(copy.guards.length, survivors, SURVIVORS)
for (const { file, line, text } of reckoning.unlisted) console.log(`not listed  ${file}:${line} ${text}`)
console.log(reckoningLine(name, reckoning))

/** What was written down before: the last line about a guard counts. Its place in the file says nothing once the file has changed. */
function outcomesIn(written: string): Map<string, string> {
  if (!existsSync(written)) return new Map()
  const lines = readFileSync(written, 'utf8').split('\n').filter(Boolean)
  return new Map(lines.map((line) => JSON.parse(line) as Asked).map((asked) => [keyOf(asked), asked.by]))
}

function keyOf({ file, text, at }: GuardText): string {
  return JSON.stringify([file, text, at ?? 1])
}
