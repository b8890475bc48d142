/**
 * Copies a PostgreSQL database into a file of SQLite with the same schema version: one consistent state, row by row. `verify` and custody
 * checks read the copy with the same code as a station's own file, and so does a person with SQLite's tools.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { makeFolderIn, removeTree } from '../../../platform/files/trees.ts'
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

/** Folder in a node's data folder with such copies, while they are read. What an earlier run left there is removed at the start. */
export const COPIES = 'copies-of-database'

/** The same in a folder of its own below a node's data folder. */
export async function withCopyInData<T>(
  url: string,
  data: string,
  work: (file: string) => T | Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const folder = join(data, COPIES, randomUUID())
  await makeFolderIn(join(data, COPIES))
  await makeFolderIn(folder)
  return withCopyInSqlite(url, folder, work, signal)
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
