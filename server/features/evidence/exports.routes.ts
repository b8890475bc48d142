import { type EvidenceFieldName, namesIn } from '../../../shared/evidence/fields.ts'
import * as contract from '../../../shared/kernel/exports.contract.ts'
import { type CustodyEntry, type CustodyQuery, readCustody } from '../../kernel/ledger/custody-history.ts'
import type { ReachRows } from '../../kernel/evidence/reach.ts'
import type { Database } from '../../kernel/database/database.ts'
import { evidenceObject } from '../../kernel/evidence/records.ts'
import { checked, queryMembers } from '../../http/checked-answer.ts'
import type { Column, Export } from '../../http/exports.ts'
import { type BoundRoute, bytes } from '../../http/handlers.ts'
import { HISTORY_COLUMNS, historyPages } from '../../kernel/versions/history-export.ts'
import type { EvidenceHistory } from './change.history.ts'
import { custodyEntryModel, type CustodyEntryOut } from './custody.models.ts'
import { asFiltered, filterAt } from './list.filter.ts'
import type { SpanOf } from './list.periods.ts'
import type { ListItem } from './list.items.ts'
import type { ListService } from './list.service.ts'

interface Deps {
  readonly db: Database
  readonly reachRows: ReachRows
  readonly list: Pick<ListService, 'pages'>
  readonly history: EvidenceHistory
  readonly spanOf: SpanOf
  readonly exporting: Export
}

/** Lists of the document service as files. */
export function documentExportRoutes({ db, reachRows, list, history, spanOf, exporting }: Deps): BoundRoute[] {
  return [
    bytes(contract.exportEvidenceList, async (request, call) => {
      const { format, ...query } = checked(contract.exportEvidenceList.query, queryMembers(request.url))
      const { sort, direction } = query
      const filter = await filterAt(query, call.tenant, spanOf)
      return exporting(request, call, format, {
        name: 'evidence',
        columns: EVIDENCE_COLUMNS,
        pages: list.pages(call, call.tenant, filter, { sort, direction }),
        object: { type: 'evidence', id: '', name: '' },
        detail: asFiltered(query),
      })
    }),
    bytes(contract.exportCustody, async (request, call) => {
      const { evidenceId } = checked(contract.exportCustody.params, request.params)
      const { format, kind } = checked(contract.exportCustody.query, queryMembers(request.url))
      const { evidence } = await reachRows(call, 'View', { tenant: call.tenant, evidenceId })
      return exporting(request, call, format, {
        name: `custody of evidence ${evidence.evidence_id}`,
        columns: CUSTODY_COLUMNS,
        pages: custodyPages(db, evidence.evidence_id, kind),
        object: evidenceObject(evidence),
        detail: { list: 'custody', kind },
      })
    }),
    bytes(contract.exportEvidenceHistory, async (request, call) => {
      const { evidenceId } = checked(contract.exportEvidenceHistory.params, request.params)
      const { format } = checked(contract.exportEvidenceHistory.query, queryMembers(request.url))
      // Who asks is judged before anything is said of it, also that it lies in the recycle bin.
      await history.read(call, call.tenant, evidenceId, { count: 1 })
      const { evidence } = await reachRows(call, 'View', { tenant: call.tenant, evidenceId })
      return exporting(request, call, format, {
        name: `history of evidence ${evidence.evidence_id}`,
        columns: HISTORY_COLUMNS,
        pages: historyPages((page) => history.read(call, evidence.tenant_id, evidenceId, page)),
        object: evidenceObject(evidence),
        detail: { list: 'history' },
      })
    }),
  ]
}

const PAGE = 500

async function* custodyPages(
  db: Database,
  evidenceId: number,
  kind: CustodyQuery['kind'],
): AsyncGenerator<readonly CustodyEntryOut[]> {
  for (let before: number | null = Number.MAX_SAFE_INTEGER; before !== null; ) {
    const page: { entries: readonly CustodyEntry[]; next: number | null } = await readCustody(db, evidenceId, {
      kind,
      before,
      count: PAGE,
    })
    yield page.entries.map(custodyEntryModel)
    before = page.next
  }
}

const CUSTODY_COLUMNS: readonly Column<CustodyEntryOut>[] = [
  ['Seq', (entry) => entry.Seq],
  ['TimeUtc', (entry) => entry.TimeUtc],
  ['ActorKind', (entry) => entry.Actor.Kind],
  ['ActorId', (entry) => entry.Actor.Id],
  ['ActorName', (entry) => entry.Actor.Name],
  ['ActorRole', (entry) => entry.Actor.Role],
  ['Source', (entry) => entry.Source],
  ['Action', (entry) => entry.Action],
  ['Kind', (entry) => entry.Kind],
  ['ObjectType', (entry) => entry.Object.Type],
  ['ObjectId', (entry) => entry.Object.Id],
  ['ObjectName', (entry) => entry.Object.Name],
  ['Outcome', (entry) => entry.Outcome],
  ['Reason', (entry) => entry.Reason],
  ['Bytes', (entry) => entry.Bytes],
  ['Sha256', (entry) => entry.Sha256],
  ['CorrelationId', (entry) => entry.CorrelationId],
  ['Detail', (entry) => (entry.Detail === null ? null : JSON.stringify(entry.Detail))],
  ['Hash', (entry) => entry.Hash],
  ['PreviousHash', (entry) => entry.PreviousHash],
]

const fieldColumns = (names: readonly EvidenceFieldName[]): Column<ListItem>[] =>
  names.map((name) => [name, (item) => item[name]])

const EVIDENCE_COLUMNS: readonly Column<ListItem>[] = [
  ['EvidenceId', (item) => item.EvidenceId],
  ...fieldColumns(namesIn('name', 'about')),
  ['Tags', (item) => item.Tags.join(', ')],
  ['Type', (item) => item.Summary.Type],
  ['Status', (item) => item.Summary.Status],
  ['RecordedTimeUtc', (item) => item.Summary.RecordedTimeUtc],
  ['DeviceTimeUtc', (item) => item.Clock.DeviceTimeUtc],
  ['ClockOffset', (item) => item.Summary.ClockOffset],
  ['ClockSource', (item) => item.Summary.ClockSource],
  ['ClockUncertaintySeconds', (item) => item.Summary.ClockUncertaintySeconds],
  ['ZoneUnknown', (item) => (item.Clock.ZoneUnknown ? 'true' : null)],
  ['LocalTime', (item) => item.Clock.LocalTime ?? null],
  ...fieldColumns(namesIn('times')),
  ['DurationSeconds', (item) => item.Summary.DurationSeconds],
  ['LengthInBytes', (item) => item.Summary.LengthInBytes],
  ['ResourceCount', (item) => item.Summary.ResourceCount],
  ['FileName', (item) => item.Summary.FileName],
  ...fieldColumns(namesIn('category', 'source', 'place')),
  ['DeviceManufacturer', (item) => item.Device?.Manufacturer],
  ['DeviceModel', (item) => item.Device?.Model],
  ['DeviceSerialNumber', (item) => item.Device?.SerialNumber],
  ['State', (item) => item.State],
  ['LifecycleState', (item) => item.LifecycleState],
  ['AssociationState', (item) => item.AssociationState],
  ['CreatedTimeUtc', (item) => item.CreatedTimeUtc],
  ['CreatedBy', (item) => item.CreatedBy.Username],
  ['CustomFields', (item) => (Object.keys(item.CustomFields).length === 0 ? null : JSON.stringify(item.CustomFields))],
  ['ConcurrencyId', (item) => item.ConcurrencyId],
]
