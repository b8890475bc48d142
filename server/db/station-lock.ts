import Sqlite from 'better-sqlite3'
import { join } from 'node:path'

/**
 * One process, ever, in a station's folder. The lock is SQLite's own on a file beside the database: the operating system drops it
 * when the process ends, however it ends, on every platform, and no stale file keeps a station shut.
 */
export interface StationLock {
  release(): void
}

export class StationBusy extends Error {
  override readonly name = 'StationBusy'
  readonly code = 'StationBusy'
}

/** @throws StationBusy when another process holds it. */
export function lockStation(dataFolder: string): StationLock {
  const db = new Sqlite(join(dataFolder, 'station.lock'), { timeout: 0 })
  try {
    db.pragma('journal_mode = memory')
    db.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    db.close()
    if ((error as { code?: string }).code === 'SQLITE_BUSY') {
      throw new StationBusy(
        'Another Sallyport process works in this folder and does not answer commands: it is starting, stopping, or another command runs. Try again when it has ended.',
      )
    }
    throw error
  }
  return { release: () => db.close() }
}
