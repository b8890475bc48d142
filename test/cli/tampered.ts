/** What somebody with the files in hand can do to a station, and what it says of it at its next start. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { openRaw, type RawDatabase } from '../../server/kernel/database/sqlite/raw.ts'
import { intrude } from '../custody/world.ts'

export const fileOf = (data: string): string => path.join(data, 'sallyport.db')
export const notes = (data: string): string[] =>
  readdirSync(path.join(data, 'checkpoints'))
    .filter((name) => name.endsWith('.txt'))
    .sort()
export function change(data: string, sql: string): void {
  const db = openRaw(fileOf(data))
  db.exec(sql)
  db.close()
}
/** The last checkpoint and everything after the one before it taken away. */
export const cut = (data: string): void =>
  intrude(fileOf(data), (db: RawDatabase) => {
    const size = db.prepare('SELECT size FROM checkpoints ORDER BY size DESC LIMIT 1 OFFSET 1').pluck().get() as number
    db.exec(`DELETE FROM checkpoints WHERE size > ${size}; DELETE FROM ledger WHERE seq > ${size} + 1`)
  })
export interface Tampering {
  readonly name: string
  readonly spoil: (data: string) => void
  readonly says: RegExp
}
export const TAMPERINGS: readonly Tampering[] = [
  {
    name: 'a planted trigger',
    spoil: (data) =>
      change(data, 'CREATE TRIGGER implant AFTER INSERT ON ledger BEGIN UPDATE principals SET enabled = 1; END'),
    says: /The trigger implant of the table ledger is not the station’s/,
  },
  {
    name: 'a guard of the ledger taken away',
    spoil: (data) => change(data, 'DROP TRIGGER ledger_no_delete'),
    says: /The trigger ledger_no_delete of the table ledger is missing/,
  },
  {
    name: 'the end of the ledger cut off',
    spoil: cut,
    says: /entries were signed, and the ledger has \d+: its end was cut off, or the database is an older copy/,
  },
  {
    name: 'the signed part of the ledger rewritten',
    spoil: (data) => intrude(fileOf(data), (db) => db.exec('UPDATE ledger SET hash = zeroblob(32)')),
    says: /its first \d+ entries are not those that were signed/,
  },
  {
    name: 'the folder of checkpoints emptied',
    spoil: (data) => {
      for (const name of notes(data)) rmSync(path.join(data, 'checkpoints', name))
    },
    says: /The folder "checkpoints" is empty, although the ledger has checkpoints/,
  },
  {
    name: 'the checkpoints taken out of the database and the folder',
    spoil: (data) => {
      for (const name of notes(data)) rmSync(path.join(data, 'checkpoints', name))
      intrude(fileOf(data), (db) => db.exec('DELETE FROM checkpoints'))
    },
    says: /The ledger says that a checkpoint over \d+ entries was signed last, and the database has another one/,
  },
  {
    name: 'the newest note changed',
    spoil: (data) => {
      const file = path.join(data, 'checkpoints', notes(data).at(-1) as string)
      writeFileSync(file, readFileSync(file, 'utf8').replace(/\n(\d+)\n/, '\n7\n'))
    },
    says: /it is not as this station signed it/,
  },
]
