/**
 * What one PATCH of a case's title runs through: the product's own files in which a function is called on the main thread, and the SQL
 * statements. Files that background work calls meanwhile are left out: only those of every one of five requests count.
 *   npm run bench -- request
 * Prints one line of JSON: {"files": […], "statements": […]}
 */
import { subscribe } from 'node:diagnostics_channel'
import { Session } from 'node:inspector/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { givenStation } from '../support/given.ts'
import { signIn } from '../support/integrator.ts'

const ROUNDS = 5
const root = fileURLToPath(new URL('../..', import.meta.url))
const CASES = '/api/v1/case/station'

const given = await givenStation()
const token = await signIn(await given.integration('bench', ['CreateCases']), given.url)
const session = new Session()
session.connect()
let statements: string[] = []
subscribe('sallyport:statement', (sql) => void statements.push(sql as string))
const rounds: { files: string[]; statements: string[] }[] = []
try {
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const made = await given.expecting(201, given.call('POST', CASES, { token, body: { Title: 'Burglary' } }))
  let { ConcurrencyId } = made
  const place = `${CASES}/${made.CaseId}`
  for (let round = 0; round <= ROUNDS; round++) {
    await session.post('Profiler.takePreciseCoverage')
    statements = []
    const patched = given.call('PATCH', place, { token, body: { Title: `Burglary ${round}`, ConcurrencyId } })
    ConcurrencyId = (await given.expecting(200, patched)).ConcurrencyId
    const ran = statements
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const files = result
      .filter(
        ({ url, functions }) => url.startsWith('file:') && functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0),
      )
      .map(({ url }) => relative(root, fileURLToPath(url)))
      .filter((file) => /^(server|shared)\//.test(file))
    // The first fills caches.
    if (round > 0) rounds.push({ files, statements: ran })
  }
} finally {
  session.disconnect()
  await given.close()
}
const fewest = rounds.toSorted((a, b) => a.statements.length - b.statements.length)[0]?.statements ?? []
const always = (rounds[0]?.files ?? []).filter((file) => rounds.every(({ files }) => files.includes(file))).toSorted()
process.stdout.write(`${JSON.stringify({ files: always, statements: fewest })}\n`)
