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
import { switchedCopy, type SuiteRun } from './switched-copy.ts'

const [folder = '', name = '', ...given] = process.argv.slice(2)
const area = AREAS.find((one) => one.name === name)
if (folder === '' || area === undefined)
  throw new Error(`node test/guards/run.ts FOLDER ${AREAS.map((one) => one.name).join('|')}`)
mkdirSync(folder, { recursive: true })
const results = path.join(folder, `${name}.jsonl`)
const known = new Set(
  existsSync(results)
    ? readFileSync(results, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as { id: string; by: string })
        .filter(({ by }) => by !== '')
        .map(({ id }) => id)
    : [],
)
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
const queue = copy.guards.filter(({ id }) => !known.has(id))
const lane = async (): Promise<void> => {
  for (let guard = queue.shift(); guard !== undefined; guard = queue.shift()) {
    const { id, file, line, text, sort } = guard
    const refusing = runs.filter(({ refusals }) => refusals.has(id)).map(({ suite }) => suite)
    const by = (await copy.noticed(id, runs)) ?? ''
    const outcome = { id, file, line, sort, text, refusing, by }
    appendFileSync(results, `${JSON.stringify(outcome)}\n`)
    console.log(
      `${by === '' ? (refusing.length === 0 ? 'NOT TRIED  ' : 'SURVIVED   ') : 'killed     '} ${file}:${line} ${text.slice(0, 100)}`,
    )
  }
}
await Promise.all([lane(), ...(process.env['GUARD_LANES'] === '1' ? [] : [lane()])])
copy.dispose()
