import { openRaw, type RawDatabase } from './raw.ts'

/**
 * Opens a scratch database in which the ledger can be tampered with, to show that this is found: the triggers that refuse it are dropped.
 * @throws Error for the database of a station, which has an origin; nothing in it was changed then
 */
export function openScratchLedger(file: string): RawDatabase {
  const db = openRaw(file)
  try {
    if (db.prepare("SELECT count(*) FROM station WHERE name = 'origin'").pluck().get() !== 0)
      throw new Error(`${file} is the database of a station.`)
    const triggers = "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'ledger'"
    for (const name of db.prepare(triggers).pluck().all() as string[])
      db.exec(`DROP TRIGGER "${name.replaceAll('"', '""')}"`)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}
