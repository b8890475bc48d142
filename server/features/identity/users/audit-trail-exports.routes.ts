import type { z } from 'zod'
import * as contract from '../../../../shared/kernel/exports.contract.ts'
import type { SuspiciousEntry } from '../../../../shared/identity/audit-trail.contract.ts'
import { checked, queryMembers } from '../../../http/checked-answer.ts'
import type { Column, Export } from '../../../http/exports.ts'
import { type BoundRoute, bytes } from '../../../http/handlers.ts'
import type { Trail } from './audit-trail.service.ts'

interface Deps {
  readonly trail: Pick<Trail, 'suspicious'>
  readonly exporting: Export
}

type Entry = z.input<typeof SuspiciousEntry>
const PAGE = 500

/** Exports suspicious activity as a file. */
export function trailExportRoutes({ trail, exporting }: Deps): BoundRoute[] {
  async function* pages(filter: Parameters<Trail['suspicious']>[0]): AsyncGenerator<readonly Entry[]> {
    for (let before: string | null | undefined; before !== null; ) {
      const page: Awaited<ReturnType<Trail['suspicious']>> = await trail.suspicious(filter, { before, count: PAGE })
      yield page.Entries
      before = page.Cursor
    }
  }
  return [
    bytes(contract.exportSuspiciousActivity, async (request, call) => {
      const { format, days, kind } = checked(contract.exportSuspiciousActivity.query, queryMembers(request.url))
      const name = call.tenant
      return exporting(request, call, format, {
        name: 'suspicious activity',
        columns: COLUMNS,
        pages: pages({ days, kind }),
        object: { type: 'tenant', id: name, name },
        detail: { days, ...(kind === undefined ? {} : { kind }) },
      })
    }),
  ]
}

const COLUMNS: readonly Column<Entry>[] = [
  ['Seq', (entry) => entry.Seq],
  ['TimeUtc', (entry) => entry.TimeUtc],
  ['Kind', (entry) => entry.Kind],
  ['Times', (entry) => entry.Times],
  ['Action', (entry) => entry.Action],
  ['Meaning', (entry) => entry.Meaning],
  ['ActorKind', (entry) => entry.Actor.Kind],
  ['ActorId', (entry) => entry.Actor.Id],
  ['ActorName', (entry) => entry.Actor.Name],
  ['Source', (entry) => entry.Source],
  ['ObjectType', (entry) => entry.Object.Type],
  ['ObjectId', (entry) => entry.Object.Id],
  ['ObjectName', (entry) => entry.Object.Name],
  ['Outcome', (entry) => entry.Outcome],
  ['Reason', (entry) => entry.Reason],
  ['CorrelationId', (entry) => entry.CorrelationId],
  ['Detail', (entry) => (entry.Detail === null ? null : JSON.stringify(entry.Detail))],
]
