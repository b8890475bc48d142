import type { Database } from '../../../kernel/database/database.ts'
import { checkpointsAfter, lastCheckpoint } from './checkpoints.store.ts'
import type { Problem } from './verify.types.ts'

const AT_ONCE = 1000

const sizeOf = (note: string): number => Number(note.split('\n')[1])

/**
 * Compares signed checkpoints in the database with their copies in the folder beside it: each must be in both.
 * @param liesElsewhere whether another node signed the checkpoint of this size, and has the copy
 */
export async function checkpointsBesideRows(
  db: Database,
  beside: readonly string[],
  liesElsewhere: (size: number) => Promise<boolean> = async () => false,
): Promise<Problem[]> {
  const files = new Map(beside.map((note) => [sizeOf(note), note]))
  const problems: Problem[] = []
  const add = (size: number, message: string): void =>
    void problems.push({ kind: 'ledger.checkpoint', what: `checkpoint ${size}`, message })
  let missing: number[] = []
  let newest = 0
  for (let after = 0; ; ) {
    const page = await checkpointsAfter(db.read, after, AT_ONCE)
    for (const { size, note } of page) {
      const file = files.get(size)
      files.delete(size)
      if (file === undefined) missing.push(size)
      else if (file !== note) add(size, 'Its copy beside the database is another one.')
      newest = size
    }
    if (page.length < AT_ONCE) break
    after = newest
  }
  // The file is written after the row. After a crash in between it is written with the next checkpoint.
  missing = missing.filter((size) => size !== newest)
  for (const size of missing) if (!(await liesElsewhere(size))) add(size, 'Its copy beside the database is missing.')
  for (const size of files.keys()) add(size, 'It lies beside the database, and the database does not have it.')
  return problems
}

/** Size of the newest signed checkpoint in the database; 0 when nothing is signed yet. */
export const newestSigned = async (db: Database): Promise<number> => (await lastCheckpoint(db.read))?.size ?? 0

/** The newest checkpoint among copies from outside, with its time if the database has it. */
export async function newestOutside(
  db: Database,
  outside: readonly string[],
): Promise<{ size: number; timeUtc: string | null } | null> {
  const sizes = outside.map(sizeOf).filter((size) => Number.isSafeInteger(size) && size > 0)
  if (sizes.length === 0) return null
  const size = sizes.reduce((most, one) => Math.max(most, one))
  const [row] = await checkpointsAfter(db.read, size - 1, 1)
  return { size, timeUtc: row?.size === size ? row.created_utc : null }
}
