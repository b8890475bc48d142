import { LISTED } from '../../../shared/cases/case-list.contract.ts'
import * as contract from '../../../shared/kernel/exports.contract.ts'
import { checked, queryMembers } from '../../http/checked-answer.ts'
import type { Column, Export } from '../../http/exports.ts'
import { type BoundRoute, bytes, type HttpCall } from '../../http/handlers.ts'
import { HISTORY_COLUMNS, historyPages } from '../../kernel/versions/history-export.ts'
import type { CaseList, CaseListItemOut } from './case-list.service.ts'
import type { Cases } from './cases.service.ts'

interface Deps {
  readonly list: CaseList
  readonly service: Pick<Cases, 'history'>
  readonly exporting: Export
}

const PAGE = 500

/** Exports of the case service: its lists as files. */
export function caseExportRoutes({ list, service, exporting }: Deps): BoundRoute[] {
  async function* pages(
    call: HttpCall,
    name: string,
    query: Omit<Parameters<CaseList['list']>[2], 'count' | 'cursor'>,
  ) {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page: Awaited<ReturnType<CaseList['list']>> = await list.list(call, name, { ...query, cursor, count: PAGE })
      yield page.Items
      cursor = page.Cursor
    }
  }
  return [
    bytes(contract.exportCaseList, async (request, call) => {
      const { format, ...query } = checked(contract.exportCaseList.query, queryMembers(request.url))
      const { from, to, ...rest } = query
      const times = { ...(from === undefined ? {} : { from: from.text }), ...(to === undefined ? {} : { to: to.text }) }
      return exporting(request, call, format, {
        name: 'cases',
        columns: CASE_COLUMNS,
        pages: pages(call, call.tenant, query),
        object: { type: 'case', id: '', name: '' },
        detail: { ...rest, ...times },
      })
    }),
    bytes(contract.exportCaseHistory, async (request, call) => {
      const { caseId } = checked(contract.exportCaseHistory.params, request.params)
      const { format } = checked(contract.exportCaseHistory.query, queryMembers(request.url))
      const name = call.tenant
      // An extra read, for the name in the ledger entry. It also refuses callers without the right, before the export begins.
      const { Name } = await service.history(call, name, caseId, { count: 1 })
      return exporting(request, call, format, {
        name: `history of case ${caseId}`,
        columns: HISTORY_COLUMNS,
        pages: historyPages((page) => service.history(call, name, caseId, page)),
        object: { type: 'case', id: caseId, name: Name },
        detail: { list: 'history' },
      })
    }),
  ]
}

const CASE_COLUMNS: readonly Column<CaseListItemOut>[] = [
  ['CaseId', (item) => item.CaseId],
  ['Ordinal', (item) => item.Ordinal],
  ['Title', (item) => item.Title],
  ['State', (item) => item.State],
  ['LifecycleState', (item) => item.LifecycleState],
  ...LISTED.map((name): Column<CaseListItemOut> => [name, (item) => item[name]]),
  ['LocationWKT', (item) => item.LocationWKT],
  ['Tags', (item) => item.Tags.join(', ')],
  ['EvidenceCount', (item) => item.EvidenceCount],
  ['Creator', (item) => item.Creator.Username],
  ['CreatedUtcTime', (item) => item.CreatedUtcTime],
  ['LastModifiedUtcTime', (item) => item.LastModifiedUtcTime],
  ['LastModifiedBy', (item) => item.LastModifiedBy.Username],
  ['ClosedOn', (item) => item.ClosedOn],
  ['ProtectedUntil', (item) => item.ProtectedUntil],
  ['ScheduledDeletionUtc', (item) => item.ScheduledDeletionUtc],
  ['ConcurrencyId', (item) => item.ConcurrencyId],
]
