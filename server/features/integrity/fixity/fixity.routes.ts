import { fault } from '../../../../shared/kernel/errors.ts'
import * as contract from '../../../../shared/integrity/fixity.contract.ts'
import type { Database } from '../../../kernel/database/database.ts'
import type { Fixity } from './fixity.ts'
import { forwardedTo, refuseForwarded } from '../../../kernel/evidence/forwarded.store.ts'
import type { ReachRows } from '../../../kernel/evidence/reach.ts'
import { type ResourceRow, resourcesOf } from '../../../kernel/evidence/records.store.ts'
import { answer, type BoundRoute, json } from '../../../http/handlers.ts'

interface Deps {
  db: Database
  reachRows: ReachRows
  fixity: Fixity
}

export function fixityRoutes({ db, reachRows, fixity }: Deps): BoundRoute[] {
  return [
    json(contract.checkResource, async ({ params, call }) => {
      const { resource } = await reachRows(call, 'View', {
        tenant: call.tenant,
        evidenceId: params.evidenceId,
        resourceId: params.resourceId,
      })
      const row = resource as ResourceRow
      if (row.sha256 === null) throw fault('ResourceNotCompleted', 'This resource has no bytes yet.')
      await refuseForwarded(db.read, row.sha256)
      const [id = ''] = await fixity.request(call, row, [row])
      return answer(202, { JobId: id })
    }),
    json(contract.checkEvidence, async ({ params, call }) => {
      const { evidence } = await reachRows(call, 'View', {
        tenant: call.tenant,
        evidenceId: params.evidenceId,
      })
      const rows: ResourceRow[] = []
      for (const row of await resourcesOf(db.read, evidence.evidence_id))
        if (row.sha256 !== null && (await forwardedTo(db.read, row.sha256)) === null) rows.push(row)
      return answer(202, { JobIds: await fixity.request(call, evidence, rows) })
    }),
  ]
}
