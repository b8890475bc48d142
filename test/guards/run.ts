/**
 * Takes every guard of an area out, one at a time, and says which test misses it (S19).
 *
 *     node test/guards/run.ts FOLDER AREA [SUITE …]
 *
 * Writes a line of JSON for each guard to FOLDER/AREA.jsonl; guards that a test missed are not asked again.
 */
import { globSync } from 'node:fs'
import path from 'node:path'
import { AREAS } from './areas.ts'
import { GUARDS } from './guard-mutants.ts'
import { reckon, reckoningLine } from './survivor.ts'
import { SURVIVORS } from './survivors.ts'
import { switchedCopy } from './switched-copy.ts'
import { tryEach } from './try-each.ts'

const [folder = '', name = '', ...given] = process.argv.slice(2)
const area = AREAS.find((one) => one.name === name)
if (folder === '' || area === undefined)
  throw new Error(`node test/guards/run.ts FOLDER ${AREAS.map((one) => one.name).join('|')}`)
const copy = switchedCopy(path.join(folder, `${name}-${process.pid}`), GUARDS, area.files)
const suites = given.length > 0 ? given : area.suites.flatMap((pattern) => globSync(pattern).toSorted())
const { unnoticed } = await tryEach(copy, suites, {
  keep: { folder, name },
  lanes: process.env['GUARD_LANES'] === '1' ? 1 : 2,
  say: console.log,
})
copy.dispose()
const reckoning = reckon(copy.found.length, unnoticed, SURVIVORS)
for (const { file, line, text } of reckoning.unlisted) console.log(`not listed  ${file}:${line} ${text}`)
console.log(reckoningLine(name, reckoning))
