/**
 * Takes every append to the ledger out, one at a time, and says which test misses it (I1).
 *
 *     node test/repository/appends-run.ts FOLDER [SUITE …]
 *
 * Writes a line of JSON for each append to FOLDER/appends.jsonl, and for each suite with all of them in to FOLDER/appends.suites.jsonl. What
 * a test missed is not asked again, and no suite while nothing has changed.
 */
import path from 'node:path'
import { switchedCopy } from '../guards/switched-copy.ts'
import { tryEach } from '../guards/try-each.ts'
import { APPENDS, SERVER, SUITES } from './appends.ts'

const [folder = '', ...given] = process.argv.slice(2)
if (folder === '') throw new Error('node test/repository/appends-run.ts FOLDER [SUITE …]')
const copy = switchedCopy(path.join(folder, `appends-${process.pid}`), APPENDS, SERVER)
const { unnoticed, failed } = await tryEach(copy, given.length > 0 ? given : SUITES, {
  keep: { folder, name: 'appends' },
  say: console.log,
})
copy.dispose()
for (const { file, line, text } of unnoticed) console.log(`unnoticed  ${file}:${line} ${text}`)
console.log(
  `${copy.found.length} appends, ${unnoticed.length} unnoticed; ${failed.length} failures with all of them in place`,
)
if (unnoticed.length + failed.length > 0) process.exitCode = 1
