import type { Kysely } from 'kysely'
import type { Tables } from '../../kernel/database/tables.ts'

type Db = Kysely<Tables>

/** What was chosen, and what the ledger knows of. */
export interface LanChoice {
  readonly enabled: boolean
  /** Null: the usual one. */
  readonly port: number | null
  readonly names: readonly string[]
  readonly allowed: readonly string[]
}

export interface LanRow extends LanChoice {
  readonly authority: string | null
  readonly certificate: string | null
  readonly replaced: { readonly fingerprint: string; readonly at: number } | null
}

export async function lanRow(db: Db): Promise<LanRow> {
  const row = await db.selectFrom('lan').selectAll().where('lan_id', '=', 1).executeTakeFirstOrThrow()
  return {
    enabled: row.enabled === 1,
    port: row.port,
    names: JSON.parse(row.names) as string[],
    allowed: JSON.parse(row.allowed) as string[],
    authority: row.authority_sha256,
    certificate: row.certificate_sha256,
    replaced:
      row.replaced_sha256 === null || row.replaced_at === null
        ? null
        : { fingerprint: row.replaced_sha256, at: row.replaced_at },
  }
}

export async function updateLan(db: Db, row: LanRow): Promise<void> {
  await db
    .updateTable('lan')
    .set({
      enabled: row.enabled ? 1 : 0,
      port: row.port,
      names: JSON.stringify(row.names),
      allowed: JSON.stringify(row.allowed),
      authority_sha256: row.authority,
      certificate_sha256: row.certificate,
      replaced_sha256: row.replaced?.fingerprint ?? null,
      replaced_at: row.replaced?.at ?? null,
    })
    .where('lan_id', '=', 1)
    .execute()
}
