/** Table of migrations/first-release/lan.ts. */
import type { Generated } from 'kysely'

export interface LanTable {
  /** There is one row. */
  lan_id: number
  enabled: Generated<number>
  port: number | null
  /** JSON arrays of texts, as the next. */
  names: Generated<string>
  allowed: Generated<string>
  authority_sha256: string | null
  certificate_sha256: string | null
  /** The CA before this one. */
  replaced_sha256: string | null
  replaced_at: number | null
}
