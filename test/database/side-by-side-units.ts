/** The units of work of a station, and some that units-side-by-side.test.ts needs; each writer loads this module. */
import { sql } from 'kysely'
import { createUnits as createUnitsOfStation } from '../../server/app/units.ts'
import type { Tx } from '../../server/kernel/database/database.ts'
import { does, type RowLocks, unit, type UnitBody, type UnitList } from '../../server/kernel/database/units.ts'
import type { Clock } from '../../server/platform/clock/clock.ts'
import type { PreparedEntry } from '../../server/kernel/ledger/format.ts'
import type { Appended } from '../../server/kernel/ledger/ledger-writer.ts'
import { recordEntries } from '../../server/kernel/ledger/ledger.units.ts'

interface Named {
  readonly caseId: number
  readonly name: string
  /** Milliseconds between reading and writing. */
  readonly pause?: number
  readonly refuses?: true
}

const theCase = ({ caseId }: { readonly caseId: number }): RowLocks => [
  { table: 'cases', key: 'case_id', values: [caseId] },
]

/** Reads the description of a case, and writes it with one more name: two at the same time would lose one. */
export const addNameUnit = unit<Named, null>('test.addName', theCase)
/** The same, as a unit that declares nothing. */
export const addNameAloneUnit = unit<Named, null>('test.addNameAlone')
/** Waits in the database. */
export const pauseUnit = unit<number, null>('test.pause', () => [])
/** Changes rows that it does not lock, in this order, with a pause between them. */
export const touchUnit = unit<readonly string[], null>('test.touch', () => [])
/** Fails each time as one that PostgreSQL could not serialize, and counts. */
export const conflictUnit = unit<null, null>('test.conflict', () => [])
/** Adds a name, then changes a right. */
export const changeRightUnit = unit<Named & { readonly next: 'fails' | 'goes on' }, null>('test.changeRight', theCase)
/** What it learns of the number of its own entry. */
export const readNumberUnit = unit<readonly PreparedEntry[], string>('test.readNumber', () => [])
/** Whether an account is enabled, asked twice. */
export const askTwiceUnit = unit<null, readonly [number, number]>('test.askTwice', () => [])

const sleep = (tx: Tx, milliseconds: number): Promise<unknown> =>
  sql`SELECT pg_sleep(${milliseconds / 1000})`.execute(tx)

export async function addName(tx: Tx, { caseId, name, pause = 0, refuses }: Named): Promise<null> {
  const { description } = await tx
    .selectFrom('cases')
    .select('description')
    .where('case_id', '=', caseId)
    .executeTakeFirstOrThrow()
  if (pause > 0) await sleep(tx, pause)
  const names = [...JSON.parse(description ?? '[]'), name]
  await tx
    .updateTable('cases')
    .set({ description: JSON.stringify(names) })
    .where('case_id', '=', caseId)
    .execute()
  if (refuses) throw new Error('The test refuses')
  return null
}

const isEnabled = async (tx: Tx): Promise<number> =>
  (await tx.selectFrom('principals').select('enabled').where('name', '=', 'other').executeTakeFirstOrThrow()).enabled

export function createUnits(clock: Clock): UnitList {
  const list = createUnitsOfStation(clock)
  const more = [
    does(addNameUnit, addName),
    does(addNameAloneUnit, addName),
    does(pauseUnit, async (tx, milliseconds) => {
      await sleep(tx, milliseconds)
      return null
    }),
    does(touchUnit, async (tx, names) => {
      for (const [at, name] of names.entries()) {
        if (at > 0) await sleep(tx, 150)
        await sql`UPDATE station SET value = value || '.' WHERE name = ${name}`.execute(tx)
      }
      return null
    }),
    does(conflictUnit, async (tx) => {
      await sql`SELECT nextval('tries')`.execute(tx)
      await sql`DO $$ BEGIN RAISE EXCEPTION 'conflict' USING ERRCODE = '40001'; END $$`.execute(tx)
      return null
    }),
    does(changeRightUnit, async (tx, { next, ...named }) => {
      await addName(tx, named)
      const changing = tx.updateTable('principals').set({ enabled: 0 }).where('name', '=', 'other').execute()
      await (next === 'goes on' ? changing.catch(() => {}) : changing)
      return null
    }),
    does(readNumberUnit, async (tx, entries) => {
      const record = list.bodies.get(recordEntries.name) as UnitBody
      const [at] = (await record(tx, entries as never)) as Appended[]
      try {
        return String(at?.seq)
      } catch (error) {
        return (error as Error).message
      }
    }),
    does(askTwiceUnit, async (tx) => {
      const first = await isEnabled(tx)
      await sleep(tx, 20)
      return [first, await isEnabled(tx)] as const
    }),
  ]
  return { ...list, bodies: new Map([...list.bodies, ...more.map(([{ name }, body]) => [name, body] as const)]) }
}
