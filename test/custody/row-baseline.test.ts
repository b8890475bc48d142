// @module-tag merge
import { copyFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { createLedger } from '../../server/kernel/ledger/ledger.ts'
import { recordRows } from '../../server/features/integrity/verification/row-baseline.ts'
import { noteRowsInDoubt, readRowsInDoubt } from '../../server/features/integrity/verification/rows-in-doubt.ts'
import { verifyDatabase } from '../../server/features/integrity/verification/verify.ts'
import { verifyRows } from '../../server/features/integrity/verification/verify-rows.ts'
import { openDatabase } from '../../server/kernel/database/database.ts'
import { MIGRATIONS, newestSchema } from '../../server/kernel/database/migrate.ts'
import { openRaw } from '../../server/kernel/database/sqlite/raw.ts'
import { manualClock } from '../../server/platform/clock/manual-clock.ts'
import { createLog } from '../../server/platform/log/log.ts'
import { loadSettings } from '../../server/config/settings.ts'
import { startServer } from '../../server/index.ts'
import { givenStation } from '../support/given.ts'
import { temporaryFolder } from '../support/station.ts'
import { officer } from './world.ts'

const GOLDEN = fileURLToPath(new URL('../fixtures/golden/', import.meta.url))
const RELEASED = readdirSync(GOLDEN).filter((name) => /^schema-([6-9]|10)\.db$/.test(name))

it.each(RELEASED)(
  'I3+: %s is brought up to date without a false alarm, and its rows are covered from then on',
  async (name) => {
    const { dir, dispose } = await temporaryFolder('baseline')
    onTestFinished(dispose)
    const file = path.join(dir, 'a.db')
    copyFileSync(path.join(GOLDEN, name), file)
    const db = await openDatabase({ file })
    const before = await verifyDatabase(file, true)
    expect(before).toMatchObject({ problems: [], rows: 0, coveredSince: null })
    expect(before.notCovered).toContainEqual({
      what: 'evidence',
      why: expect.stringContaining('not in the ledger yet'),
    })
    const ledger = createLedger({ db, clock: manualClock(), log: createLog('silent') })
    await recordRows(db, ledger, officer())
    await db.transaction((tx) => tx.updateTable('station').set({ value: 'x' }).where('name', '=', 'origin').execute())
    await ledger.stop()
    await db.close()
    const after = await verifyDatabase(file, true)
    expect(after).toMatchObject({ problems: [], coveredSince: expect.stringMatching(/^\d{4}-/) })
    expect(after.rows).toBeGreaterThan(5)
    expect(after.notCovered.map(({ why }) => why)).not.toContainEqual(expect.stringContaining('not in the ledger yet'))
  },
)

/** Names of the rows that are not what the ledger says. The verifying thread does not know a migration of this test. */
function rowsFound(file: string): string[] {
  const db = openRaw(file, { readOnly: true })
  try {
    return verifyRows(db)
      .problems.map(({ what }) => what)
      .sort()
  } finally {
    db.close()
  }
}

/** As the first start of a program with another schema: it compares, migrates and states every row anew. */
async function updated(file: string, doubts: string, { cutOff = false } = {}): Promise<void> {
  await noteRowsInDoubt(file, doubts)
  const db = await openDatabase({ file })
  const ledger = createLedger({ db, clock: manualClock(), log: createLog('silent') })
  if (!cutOff) await recordRows(db, ledger, officer(), await readRowsInDoubt(doubts))
  await ledger.stop()
  await db.close()
}

/** A golden database whose rows are in the ledger, with a write-ahead log as a station leaves it. */
async function recordedStation(): Promise<{ file: string; doubts: string }> {
  const { dir, dispose } = await temporaryFolder('baseline')
  onTestFinished(dispose)
  const file = path.join(dir, 'a.db')
  const doubts = path.join(dir, 'rows-in-doubt')
  copyFileSync(path.join(GOLDEN, 'schema-11.db'), file)
  openRaw(file).close()
  await updated(file, doubts)
  return { file, doubts }
}

/** Until the test ends there is a migration more: it changes the values of all rows of a table, and another table has a column more. */
function migrateFurther(): void {
  const migrations = MIGRATIONS as { version: number; name: string; sql: string }[]
  migrations.push({
    version: newestSchema() + 1,
    name: 'of a later program',
    sql: "ALTER TABLE cases ADD COLUMN later TEXT;\nUPDATE evidence SET name = name || ' '",
  })
  onTestFinished(() => void migrations.pop())
}

it.each([
  ['at its first start', false],
  ['when that start was cut off after the migration', true],
])('I3+: a row that was changed before an update is found after it, %s', async (_, cutOff) => {
  const { file, doubts } = await recordedStation()
  expect(rowsFound(file)).toEqual([])
  const raw = openRaw(file)
  raw.prepare("UPDATE evidence SET description = 'It was somebody else' WHERE evidence_id = 1").run()
  raw
    .prepare("UPDATE principals SET name = 'nobody' WHERE principal_id = (SELECT max(principal_id) FROM principals)")
    .run()
  raw.prepare("INSERT INTO policy_members VALUES ('CreateCases', 3, NULL, 0)").run()
  raw.close()
  const found = rowsFound(file)
  expect(found).toHaveLength(3)

  migrateFurther()
  if (cutOff) await updated(file, doubts, { cutOff })
  await updated(file, doubts)
  expect(rowsFound(file)).toEqual(found)
  // A later start notes and states nothing more.
  await updated(file, doubts)
  expect(rowsFound(file)).toEqual(found)
})

it('I3+: an update that was cut off after the migration puts no honest row in doubt', async () => {
  const { file, doubts } = await recordedStation()
  migrateFurther()
  await updated(file, doubts, { cutOff: true })
  await updated(file, doubts)
  expect(rowsFound(file)).toEqual([])
})

it('I3+: a station that is started by a later program compares its rows before it migrates', async () => {
  const given = await givenStation()
  onTestFinished(given.close)
  const { EvidenceId } = await given.evidence({ Description: 'The gate was open' })
  await given.stop()
  const raw = openRaw(given.file)
  raw.prepare("UPDATE evidence SET description = 'The gate was shut' WHERE evidence_id = ?").run(EvidenceId)
  raw.close()
  migrateFurther()
  const data = path.dirname(given.file)
  const station = await startServer(
    loadSettings({}, { data, port: 0, reserveBytes: 65_536, minFreeBytes: 0, logLevel: 'silent' }),
  )
  await station.close()
  expect(rowsFound(given.file)).toEqual([`evidence ${EvidenceId}`])
})

it('B9: after steps that only add, only rows of tables with a new column are stated anew; an older program states nothing', async () => {
  const { dir, dispose } = await temporaryFolder('baseline')
  onTestFinished(dispose)
  const file = path.join(dir, 'a.db')
  copyFileSync(path.join(GOLDEN, 'schema-11.db'), file)
  /** @returns the tables of the entries, and `all` for the one that ends a recording */
  const recorded = async (opened = (): void => {}): Promise<string[]> => {
    const db = await openDatabase({ file })
    const ledger = createLedger({ db, clock: manualClock(), log: createLog('silent') })
    const entries = () => db.read.selectFrom('ledger').select('body').orderBy('seq').execute()
    const before = (await entries()).length
    opened()
    await recordRows(db, ledger, officer())
    const made = (await entries()).slice(before)
    await ledger.stop()
    await db.close()
    return made.map(({ body }) => JSON.parse(Buffer.from(body).toString()).detail.table ?? 'all')
  }
  expect(await recorded()).toEqual(expect.arrayContaining(['evidence', 'principals', 'all']))
  const migrations = MIGRATIONS as (typeof MIGRATIONS)[number][]
  const [before, known] = [newestSchema(), migrations.length]
  onTestFinished(() => void migrations.splice(known))
  const sql = 'ALTER TABLE evidence ADD COLUMN later TEXT'
  migrations.push({ version: before + 1, name: 'adds', sql, oldestProgram: before })
  expect(await recorded()).toEqual(['evidence', 'all'])
  expect(rowsFound(file)).toEqual([])
  expect(await recorded()).toEqual([])
  const [step] = migrations.slice(known)
  expect(await recorded(() => void migrations.splice(known))).toEqual([])
  if (step !== undefined) migrations.push(step)
  migrations.push({ version: before + 2, name: 'changes', sql: "UPDATE evidence SET name = name || ' '" })
  expect(await recorded()).toEqual(expect.arrayContaining(['evidence', 'principals', 'all']))
})
