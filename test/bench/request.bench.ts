/**
 * What one PATCH of a case's title runs through: the product's own files in which a function is called, and the SQL statements. The unit of
 * work runs on the database's thread, where no inspector of this thread looks: its files are those of the same unit, run here afterwards
 * on the same database. Files that background work calls meanwhile are left out: only those of every one of five requests count.
 *   npm run bench -- request
 * Prints one line of JSON: {"files": […], "statements": […]}
 */
import { subscribe } from 'node:diagnostics_channel'
import { Session } from 'node:inspector/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as unitsModule from '../../server/app/units.ts'
import { patchCaseUnit } from '../../server/features/cases/case-changes.ts'
import { watchRows } from '../../server/kernel/database/sqlite/row-changes.ts'
import { openRaw } from '../../server/kernel/database/sqlite/raw.ts'
import { createUnitRunner, statementRunner } from '../../server/kernel/database/sqlite/statements.ts'
import { type Given, givenStation } from '../support/given.ts'
import { signIn } from '../support/integrator.ts'

const ROUNDS = 5
const root = fileURLToPath(new URL('../..', import.meta.url))
const CASES = '/api/v1/case/station'

interface Round {
  readonly files: readonly string[]
  readonly statements: readonly string[]
}

/** The product's own files in which `work` calls a function. */
async function filesOf<T>(session: Session, work: () => Promise<T>): Promise<{ files: string[]; result: T }> {
  await session.post('Profiler.takePreciseCoverage')
  const result = await work()
  const coverage = await session.post('Profiler.takePreciseCoverage')
  const files = coverage.result
    .filter(
      ({ url, functions }) => url.startsWith('file:') && functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0),
    )
    .map(({ url }) => relative(root, fileURLToPath(url)))
    .filter((file) => /^(server|shared)\//.test(file))
  return { files, result }
}

/** Runs `work` so often that caches are filled, and tells of the other rounds. */
async function roundsOf(session: Session, work: (round: number) => Promise<readonly string[]>): Promise<Round[]> {
  const rounds: Round[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const { files, result } = await filesOf(session, () => work(round))
    if (round > 0) rounds.push({ files, statements: result })
  }
  return rounds
}

const inEvery = (rounds: readonly Round[]): string[] =>
  (rounds[0]?.files ?? []).filter((file) => rounds.every(({ files }) => files.includes(file)))

async function overHttp(given: Given, session: Session, token: string): Promise<{ rounds: Round[]; id: string }> {
  let statements: string[] = []
  subscribe('sallyport:statement', (sql) => void statements.push(sql as string))
  const made = await given.expecting(201, given.call('POST', CASES, { token, body: { Title: 'Burglary' } }))
  let { ConcurrencyId } = made
  const rounds = await roundsOf(session, async (round) => {
    statements = []
    const body = { Title: `Burglary ${round}`, ConcurrencyId }
    const patched = given.call('PATCH', `${CASES}/${made.CaseId}`, { token, body })
    ConcurrencyId = (await given.expecting(200, patched)).ConcurrencyId
    return statements
  })
  return { rounds, id: made.CaseId as string }
}

/** The unit of work alone, in this thread. */
async function unitHere(file: string, session: Session, principalId: string, id: string): Promise<Round[]> {
  const db = openRaw(file)
  try {
    const run = statementRunner(db)
    await watchRows({ run: async (sql, parameters) => run(sql, parameters), close: async () => {} })
    const runGroup = createUnitRunner(db, run, unitsModule)
    const principal = { kind: 'service' as const, id: principalId, name: 'bench', kId: 'k' }
    const call = { actor: principal, principal, source: '127.0.0.1', correlationId: 'bench', answerKey: null }
    return await roundsOf(session, async (round) => {
      const input = { tenant: 'station', id, input: { Title: `Theft ${round}` }, wantedEvidence: null }
      const units = [{ name: patchCaseUnit.name, input: { call, input }, now: Date.now() }]
      const { results, statements } = await runGroup({ units, trace: true })
      if (results[0] === undefined || 'error' in results[0]) throw new Error(JSON.stringify(results))
      return statements
    })
  } finally {
    db.close()
  }
}

const given = await givenStation()
const connection = await given.integration('bench', ['CreateCases'])
const session = new Session()
session.connect()
try {
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const { rounds, id } = await overHttp(given, session, await signIn(connection, given.url))
  await given.stop()
  const alone = await unitHere(given.file, session, connection.ServicePrincipalId, id)
  const fewest = rounds.toSorted((a, b) => a.statements.length - b.statements.length)[0]?.statements ?? []
  const files = [...new Set([...inEvery(rounds), ...inEvery(alone)])].toSorted()
  process.stdout.write(`${JSON.stringify({ files, statements: fewest })}\n`)
} finally {
  session.disconnect()
  await given.close()
}
