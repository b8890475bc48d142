import type { Tx } from '../../kernel/database/database.ts'

/** Evidence that jobs are about, by the jobs' subjects: `resource:7` and `evidence:7`. What is about nothing that is there has none. */
export async function evidenceOfSubjects(from: Tx, subjects: readonly string[]): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  const resources = new Map<number, string>()
  for (const subject of new Set(subjects)) {
    const [, kind, id] = /^(resource|evidence):(\d{1,15})$/.exec(subject) ?? []
    if (kind === 'evidence') found.set(subject, Number(id))
    if (kind === 'resource') resources.set(Number(id), subject)
  }
  if (resources.size === 0) return found
  const rows = await from
    .selectFrom('resources')
    .select(['resource_id', 'evidence_id'])
    .where('resource_id', 'in', [...resources.keys()])
    .execute()
  for (const row of rows) found.set(resources.get(row.resource_id) as string, row.evidence_id)
  return found
}

/** Who made a package, and of which case it is. */
export interface JobPackage {
  readonly makerId: string
  /** null: of a selection. */
  readonly caseId: number | null
}

/** Packages that jobs make, by the jobs' subjects: `package:7`. */
export async function packagesOfSubjects(from: Tx, subjects: readonly string[]): Promise<Map<string, JobPackage>> {
  const found = new Map<string, JobPackage>()
  const ids = new Set(subjects.flatMap((subject) => /^package:(\d{1,15})$/.exec(subject)?.[1] ?? []).map(Number))
  if (ids.size === 0) return found
  const rows = await from
    .selectFrom('packages')
    .select(['package_id', 'case_id', 'created_by'])
    .where('package_id', 'in', [...ids])
    .execute()
  for (const { package_id, case_id, created_by } of rows) {
    const { PrincipalId } = JSON.parse(created_by) as { readonly PrincipalId: string }
    found.set(`package:${package_id}`, { makerId: PrincipalId, caseId: case_id })
  }
  return found
}
