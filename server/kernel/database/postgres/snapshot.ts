/**
 * Copies a PostgreSQL database into a file of SQLite with the same schema version: one consistent state, row by row. `verify` and custody
 * checks read the copy with the same code as a station's own file, and so does a person with SQLite's tools.
 */
import { join } from 'node:path'
import { removeTree } from '../../../platform/files/trees.ts'
import { openCopyTarget } from '../sqlite/copy-target.ts'
import { openPostgresSource } from './copy-source.ts'

/** Works on a copy in a folder, which is removed with it afterwards, also where it fails. @param folder is there, and empty */
export async function withCopyInSqlite<T>(
  url: string,
  folder: string,
  work: (file: string) => T | Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  try {
    const file = join(folder, 'sallyport.db')
    await copyToSqlite(url, file, signal)
    return await work(file)
  } finally {
    await removeTree(folder)
  }
}

/** Indexes of words are left empty. @param file must not exist @returns the number of rows of each table */
export async function copyToSqlite(url: string, file: string, signal?: AbortSignal): Promise<Map<string, number>> {
  const source = await openPostgresSource({ kind: 'postgres', url })
  try {
    const target = openCopyTarget(file, source.version)
    try {
      const copied = new Map<string, number>()
      for (const table of source.tables.filter((name) => target.tables.includes(name))) {
        const columns = await source.columns(table)
        let count = 0
        target.empty(table)
        for await (const rows of source.rows(table, columns)) {
          signal?.throwIfAborted()
          target.insert(table, columns, rows)
          count += rows.length
        }
        copied.set(table, count)
      }
      target.finish(await source.counters())
      return copied
    } finally {
      target.close()
    }
  } finally {
    await source.close()
  }
}
