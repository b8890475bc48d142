import { randomBytes } from 'node:crypto'
import type { Database } from '../db/database.ts'

/** Name under which this station signs its checkpoints; made once, kept in the database. No spaces, no plus (C2SP signed-note). */
export async function stationOrigin(db: Database): Promise<string> {
  const found = await db.read.selectFrom('station').select('value').where('name', '=', 'origin').executeTakeFirst()
  if (found !== undefined) return found.value
  const value = `sallyport.local/${randomBytes(8).toString('hex')}`
  await db.transaction((tx) => tx.insertInto('station').values({ name: 'origin', value }).execute())
  return value
}

/** Answers when the database does. */
export async function databaseAnswers(db: Database): Promise<void> {
  await db.read.selectFrom('station').select('name').limit(1).execute()
}
