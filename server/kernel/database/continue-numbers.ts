import { dialectOf, runCompiled, type Tx } from './kysely.ts'
import { CONTINUE_NUMBERS, NUMBERED } from './postgres/continue-numbers.ts'

/** To be called after rows were inserted under numbers that another database gave them. @param tables in which this was done */
export async function continueNumbers(tx: Tx, tables: ReadonlySet<string>): Promise<void> {
  if (dialectOf(tx) === 'sqlite') return
  const numbered = (await runCompiled(tx, NUMBERED, [])) as { table: string; column: string }[]
  for (const { table, column } of numbered)
    if (tables.has(table)) await runCompiled(tx, CONTINUE_NUMBERS(table, column), [])
}
