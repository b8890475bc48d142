import type { z } from 'zod'
import { fault } from '../../../shared/kernel/errors.ts'
import type { DuplicateModel } from '../../../shared/evidence/acts.contract.ts'
import type { ReachRows } from '../../kernel/evidence/reach.ts'
import type { Database } from '../../kernel/database/database.ts'
import type { Access } from '../../kernel/access/access.ts'
import { duplicatesOf } from '../../kernel/evidence/duplicates.store.ts'
import type { HttpCall } from '../../http/handlers.ts'

type DuplicateOut = z.input<typeof DuplicateModel>

/** Where the same bytes are once more (shown, never dropped). */
export interface Duplicates {
  /** @throws Fault EvidenceNotFound, EvidenceDeleted; InvalidModel for a cursor that is not one of this list */
  list(
    call: HttpCall,
    tenant: string,
    id: string,
    page: { readonly cursor?: string | undefined; readonly count: number },
  ): Promise<{ readonly name: string; readonly page: { Items: DuplicateOut[]; Cursor: string | null } }>
}

interface Deps {
  readonly db: Database
  readonly access: Pick<Access, 'asker'>
  readonly reachRows: ReachRows
}

export function createDuplicates({ db, access, reachRows }: Deps): Duplicates {
  return {
    list: async (call, tenant, id, { cursor, count }) => {
      const { evidence } = await reachRows(call, 'View', { tenant, evidenceId: id })
      const after = cursor === undefined ? null : readCursor(cursor)
      const seen = await access.asker(db.read, call.principal)
      const found = await db.longRead(
        duplicatesOf(
          db.read,
          { evidenceId: evidence.evidence_id, tenant: evidence.tenant_id, after, count: count + 1 },
          seen,
        ),
      )
      const shown = found.slice(0, count)
      const last = shown.at(-1)
      return {
        name: evidence.name,
        page: {
          Items: shown.map((row) => ({
            ResourceId: String(row.own_id),
            Sha256: row.sha256,
            EvidenceId: String(row.evidence_id),
            EvidenceName: row.evidence_name,
            OtherResourceId: String(row.other_id),
            Name: row.name,
            LengthInBytes: row.length,
            UploadedTimeUtc: row.uploaded_utc,
          })),
          Cursor: found.length > count && last !== undefined ? writeCursor(last.other_id, last.own_id) : null,
        },
      }
    },
  }
}

const writeCursor = (other: number, own: number): string =>
  Buffer.from(JSON.stringify(['duplicate', other, own])).toString('base64url')

function readCursor(cursor: string): { readonly other: number; readonly own: number } {
  const match = /^\["duplicate",(\d{1,15}),(\d{1,15})\]$/.exec(Buffer.from(cursor, 'base64url').toString('utf8'))
  if (match === null)
    throw fault('InvalidModel', 'The cursor is not one that this list gave.', [
      { Path: 'cursor', Message: 'is not one that this list gave' },
    ])
  return { other: Number(match[1]), own: Number(match[2]) }
}
