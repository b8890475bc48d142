/** Cases by direct SQL: as many as a station of some years has, each with a policy for one principal. */
import { openRaw } from '../../server/kernel/database/sqlite/raw.ts'

/**
 * Into the file of a station that does not run and has its tenant and the principal.
 * @param after how many were written so before
 */
export function writeCases(file: string, count: number, principalId: number, after: number): void {
  const db = openRaw(file)
  const one = db.prepare(
    `INSERT INTO cases (tenant_id, ordinal_year, ordinal_number, title, state, lifecycle_state, tags, custom_fields, source_type,
       concurrency_id, created_utc, created_ticks, created_by, modified_utc, modified_by)
     VALUES ('station', 2020, ?, ?, ?, 'Normal', '["night"]', '{"Weather":"rain"}', 'Manual', ?, ?, ?, ?, ?, ?) RETURNING case_id`,
  )
  const policy = db.prepare(`INSERT INTO case_policies (case_id, principal_id, level) VALUES (?, ?, 'Manage')`)
  const who = JSON.stringify({
    PrincipalId: String(principalId),
    KId: 'k',
    Name: 'bench',
    Username: 'bench',
    PrincipalType: 'service',
  })
  const first = Date.parse('2020-01-01T00:00:00Z')
  db.exec('BEGIN')
  for (let at = after + 1; at <= after + count; at++) {
    const time = first + at * 60_000
    const text = new Date(time).toISOString()
    const row = one.get(
      at,
      `Burglary, house ${at}`,
      at % 4 === 0 ? 'Closed' : 'Open',
      at.toString(16).padStart(40, '0'),
      text,
      BigInt(time) * 10_000n,
      who,
      text,
      who,
    ) as { case_id: number | bigint }
    policy.run(Number(row.case_id), principalId)
  }
  db.exec('COMMIT')
  db.close()
}
