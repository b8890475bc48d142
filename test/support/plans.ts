/** How SQLite reads a statement, in a database without rows; and a search that leaves nothing out. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { CompiledQuery } from 'kysely'
import type { SearchFilter } from '../../server/features/search/search.store.ts'
import { type Database, openDatabase } from '../../server/kernel/database/database.ts'
import { openRaw } from '../../server/kernel/database/sqlite/raw.ts'

export interface Plans {
  readonly db: Database
  /** The lines of EXPLAIN QUERY PLAN. */
  planOf(query: CompiledQuery): string
  close(): Promise<void>
}

export async function openPlans(): Promise<Plans> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sallyport-plans-'))
  const file = path.join(folder, 'a.db')
  const db = await openDatabase({ file })
  return {
    db,
    planOf: ({ sql, parameters }) => {
      const raw = openRaw(file, { readOnly: true })
      try {
        const rows = raw.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...(parameters as never[])) as { detail: string }[]
        return rows.map(({ detail }) => detail).join('\n')
      } finally {
        raw.close()
      }
    },
    close: async () => {
      await db.close()
      rmSync(folder, { recursive: true })
    },
  }
}

export const NO_FILTER: SearchFilter = {
  match: { all: null, named: null, without: null },
  fromTicks: null,
  toTicks: null,
  deviceId: null,
  inCases: [],
  unassociated: false,
  inCategories: [],
  fields: null,
  box: null,
  near: null,
  apart: [],
  rows: null,
}
