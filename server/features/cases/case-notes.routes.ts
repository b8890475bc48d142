import * as contract from '../../../shared/evidence/notes.contract.ts'
import { fault } from '../../../shared/kernel/errors.ts'
import { includes } from '../../../shared/kernel/permissions.ts'
import type { Database } from '../../kernel/database/database.ts'
import type { Notes, Reach } from '../../kernel/annotations/notes.ts'
import { type BoundRoute, type HttpCall, json } from '../../http/handlers.ts'
import { requireLevel } from './cases.access.ts'
import { type CaseCore, caseObject } from './case-aggregate.ts'
import type { CaseRow } from './cases.store.ts'
import { levelBesideSharing } from '../../kernel/access/guests.ts'

interface Deps {
  readonly db: Database
  readonly core: Pick<CaseCore, 'live' | 'levelOf'>
  readonly notes: Notes
}

const onCase = ({ case_id: id }: CaseRow) => ({ column: 'case_id', id }) as const

interface Place {
  readonly tenantId: string
  readonly caseId: string
}

/** Notes on a case, in the same form as notes on evidence. Notes on a closed case are read-only (decisions 4, transitions). */
export function caseNoteRoutes({ db, core, notes }: Deps): BoundRoute[] {
  const findViewableCase = async (call: HttpCall, { caseId }: Place): Promise<CaseRow> => {
    const row = await core.live(db.read, call, call.tenant, caseId)
    requireLevel(await core.levelOf(db.read, call, row), 'View')
    return row
  }
  const writeAccess =
    (call: HttpCall, { caseId }: Place): Reach =>
    async (tx) => {
      const row = await core.live(tx, call, call.tenant, caseId)
      const level = await core.levelOf(tx, call, row)
      requireLevel(level, 'Edit')
      if (row.state === 'Closed')
        throw fault('CannotUpdateClosedCase', 'The case is closed. Reopen it to write notes on it.')
      const manages = includes(await levelBesideSharing(tx, call.principal, level), 'Manage')
      return { on: onCase(row), object: caseObject(row), manages, reason: 'PrincipalCannotManageCase' }
    }
  return [
    json(contract.listCaseNotes, async ({ params, query, call }) => {
      const row = await findViewableCase(call, params)
      const out = await notes.list(onCase(row), query)
      call.describeRead({ id: params.caseId, name: row.title, detail: { returned: out.Items.length } })
      return out
    }),
    json(
      contract.createCaseNote,
      async ({ params, body, call }) => notes.add(call, writeAccess(call, params), body.Text),
      {
        judge: ({ params, call }) => writeAccess(call, params)(db.read),
      },
    ),
    json(contract.updateCaseNote, async ({ params, body, call }) =>
      notes.change(call, writeAccess(call, params), params.noteId, body),
    ),
    json(contract.deleteCaseNote, async ({ params, query, call }) =>
      notes.remove(call, writeAccess(call, params), params.noteId, query.concurrencyId ?? null),
    ),
    json(contract.listCaseNoteVersions, async ({ params, call }) => {
      const row = await findViewableCase(call, params)
      const out = await notes.versions(onCase(row), params.noteId)
      call.describeRead({ id: params.caseId, name: row.title, detail: { noteId: params.noteId, returned: out.length } })
      return out
    }),
  ]
}
