import Sqlite from 'better-sqlite3'
import { join } from 'node:path'

/**
 * Allows one process in a station's folder. The lock is an SQLite lock on a file beside the database. The operating system releases it
 * when the process ends in any way, on every platform, so that no stale file blocks a station.
 */
export interface StationLock {
  release(): void
}

export class StationBusy extends Error {
  override readonly name = 'StationBusy'
  readonly code = 'StationBusy'
}

/** @throws StationBusy when another process holds the lock */
export function lockStation(dataFolder: string): StationLock {
  const file = join(dataFolder, 'station.lock')
  let db: Sqlite.Database
  try {
    db = new Sqlite(file, { timeout: 0 })
  } catch (error) {
    throw new Error(`The station's folder cannot be written: ${file}: ${(error as Error).message}.`, { cause: error })
  }
  try {
    db.pragma('journal_mode = memory')
    db.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    db.close()
    const code = (error as { code?: string }).code
    if (code === 'SQLITE_BUSY') {
      throw new StationBusy(
        `A station or another command is at work in ${dataFolder}, and only one ever writes there. Try again when it has ended.`,
      )
    }
    throw new Error(`The station's folder cannot be locked: ${file}: ${(error as Error).message}.`, { cause: error })
  }
  return { release: () => db.close() }
}
