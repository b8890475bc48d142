import * as folding from './0011/folding.ts'

/** What the external review of November 2026 asked of the schema. One step, one part for each subject. */
interface Part {
  readonly sql: string
}

const PARTS: readonly Part[] = [folding]

export const version = 11
export const name = 'review'
export const sql = PARTS.map((part) => part.sql).join('\n')
