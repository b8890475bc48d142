/** A new file of SQLite that takes the rows of another database. Without its end the file is no database of a station. */
import { syncFile } from '../../../platform/files/trees.ts'
import { newestSchema } from '../migrate.ts'
import type { DatabasePlace, RowTarget } from '../row-copy.ts'
import { openCopyTarget } from './copy-target.ts'

/** @param mark kept in the table `station` under `arriving` */
export function openSqliteTarget({ file }: Extract<DatabasePlace, { kind: 'sqlite' }>, mark: string): RowTarget {
  const target = openCopyTarget(file, newestSchema(), { withWords: true })
  const tables = target.tables.filter((name) => !name.startsWith('sqlite_'))
  for (const table of tables) target.empty(table)
  return {
    tables,
    columns: async (table) => target.columns(table),
    insert: async (table, columns, rows) => target.insert(table, columns, rows),
    finish: async (last) => {
      target.insert('station', ['name', 'value'], [['arriving', mark]])
      target.finish(last)
      target.close()
      await syncFile(file)
    },
    close: async () => target.close(),
  }
}
