/** Evidence and file of jobs, only for callers who may view them, because they contain a name. */
import type { z } from 'zod'
import type { JobModel } from '../../../shared/jobs/contract.ts'
import { includes } from '../../../shared/kernel/permissions.ts'
import type { Database } from '../../kernel/database/database.ts'
import type { Access } from '../../kernel/access/access.ts'
import { evidenceRows, resourceRows } from '../../kernel/evidence/list-rows.store.ts'
import type { JobView } from '../../kernel/jobs/types.ts'
import type { HttpCall } from '../../http/handlers.ts'

export type JobSubject = NonNullable<z.input<typeof JobModel>['Evidence']>

/** The number after `evidence:` or `resource:`; null for other subjects. */
const idIn = (kind: 'evidence' | 'resource', subject: string): number | null => {
  const [, id] = new RegExp(`^${kind}:(\\d{1,15})(?!\\d)`).exec(subject) ?? []
  return id === undefined ? null : Number(id)
}

const idsIn = (kind: 'evidence' | 'resource', jobs: readonly JobView[]): number[] => [
  ...new Set(jobs.flatMap(({ subject }) => idIn(kind, subject) ?? [])),
]

/** @returns subjects by job id, without jobs that have no evidence or evidence that the caller cannot view */
export async function subjectsOfJobs(
  { db, access }: { readonly db: Database; readonly access: Pick<Access, 'onEvidences'> },
  principal: HttpCall['principal'],
  jobs: readonly JobView[],
): Promise<Map<string, JobSubject>> {
  const files = new Map((await resourceRows(db.read, idsIn('resource', jobs))).map((row) => [row.resource_id, row]))
  const ids = [...new Set([...idsIn('evidence', jobs), ...[...files.values()].map((row) => row.evidence_id)])]
  const records = new Map((await evidenceRows(db.read, ids)).map((row) => [row.evidence_id, row]))
  const levels = await access.onEvidences(db.read, principal, [...records.keys()])
  const found = new Map<string, JobSubject>()
  for (const { id, subject } of jobs) {
    const file = files.get(idIn('resource', subject) ?? 0)
    const record = records.get(file?.evidence_id ?? idIn('evidence', subject) ?? 0)
    if (record === undefined) continue
    const level = levels.get(record.evidence_id) ?? 'None'
    // Names of evidence in the recycle bin are not given out.
    if (!includes(level, 'View') || record.lifecycle_state === 'Deleted') continue
    found.set(id, {
      EvidenceId: String(record.evidence_id),
      Name: record.name,
      FileName: file?.name ?? null,
      MayChange: includes(level, 'Edit'),
    })
  }
  return found
}
