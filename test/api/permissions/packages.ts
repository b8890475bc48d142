import type { Database } from '../../../server/kernel/database/database.ts'

/** A package of each case, made by one who is not asked about. @returns their numbers, in the order of the cases */
export async function writePackages(db: Database, cases: readonly string[], by: string): Promise<string[]> {
  const ids: string[] = []
  await db.transaction(async (tx) => {
    for (const id of cases) {
      const row = await tx
        .insertInto('packages')
        .values({
          tenant_id: 'station',
          name: `Package of ${id}`,
          title: `Package of ${id}`,
          case_id: Number(id),
          variant: 'court',
          form: 'zip',
          parts: '[]',
          papers: '[]',
          language: 'en',
          target: '/nowhere',
          supplements: null,
          state: 'Made',
          items: 0,
          bytes: 0,
          signed_sha256: '0'.repeat(64),
          ledger_size: 1,
          created_utc: new Date().toISOString(),
          created_by: JSON.stringify({ PrincipalId: by, Username: 'x', KId: '', PrincipalType: 'service' }),
          finished_utc: new Date().toISOString(),
        })
        .returning('package_id')
        .executeTakeFirstOrThrow()
      ids.push(String(row.package_id))
    }
  })
  return ids
}
