import * as contract from '../../../../shared/reports/documents.contract.ts'
import { fault } from '../../../../shared/kernel/errors.ts'
import { includes } from '../../../../shared/kernel/permissions.ts'
import { evidenceAddress, MOST_LABELS } from '../../../../shared/reports/labels.ts'
import { timeOf } from '../../../../shared/kernel/time.ts'
import type { BytesAnswer, BytesRequest } from '../../../http/bytes.ts'
import { checked, queryMembers } from '../../../http/checked-answer.ts'
import { type BoundRoute, bytes, type HttpCall } from '../../../http/handlers.ts'
import type { Access } from '../../../kernel/access/access.ts'
import type { ReachCase } from '../../../kernel/cases/reach-case.ts'
import type { CaseRow } from '../../../kernel/cases/cases.store.ts'
import type { Database } from '../../../kernel/database/database.ts'
import { lastChecksOf } from '../../../kernel/evidence/last-check.ts'
import { evidenceAsOf } from '../../../kernel/evidence/lifecycle.ts'
import { evidenceObject, resourceObject } from '../../../kernel/evidence/objects.ts'
import type { ReachRows } from '../../../kernel/evidence/reach.ts'
import { evidencesById, resourcesOf, tagsOf } from '../../../kernel/evidence/records.store.ts'
import { type CustodyEntry, type CustodyPage, readCustody } from '../../../kernel/ledger/custody-history.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import { type Clock, isoMillis } from '../../../platform/clock/clock.ts'
import type { Language } from '../../../platform/pdf/paper-words.ts'
import type { BlobStore } from '../../../storage/store.ts'
import { drawCaseSummary } from './case-summary.ts'
import { drawCustodyReport } from './custody-report.ts'
import { categoryNames, departmentName, evidenceOfCase, peopleById } from './documents.store.ts'
import { drawEvidenceSheet, MOST_ACTS } from './evidence-sheet.ts'
import { type EvidenceFacts, factsOf, ordinalOf } from './facts.ts'
import { drawLabels, labelPaper } from './labels.ts'
import { type ActorNames, documentWords, isUser, type Letterhead, nameOf } from './paper.ts'
import type { Print } from './printing.ts'

export interface DocumentDeps {
  readonly db: Database
  readonly access: Access
  readonly clock: Clock
  readonly ledger: Pick<Ledger, 'record'>
  readonly store: Pick<BlobStore, 'open'>
  readonly reachRows: ReachRows
  readonly reachCase: ReachCase
  readonly print: Print
  readonly station: { readonly name: string; readonly timeZone: string; readonly origin: string }
  /** Raw, 32 bytes. */
  readonly publicKey: () => Uint8Array
}

/** Evidence on a contact sheet. */
const MOST_PICTURES = 500
/** Evidence whose facts and pictures are in memory at once. */
const BATCH = 30
const ENTRIES = 500
/** The largest thumbnail that is read into a document; larger ones are none of the station's. */
const MOST_PICTURE_BYTES = 4 * 1024 * 1024

export function documentRoutes(deps: DocumentDeps): BoundRoute[] {
  return [
    bytes(contract.printEvidenceSheet, (request, call) => evidenceSheet(deps, request, call)),
    bytes(contract.printCustody, (request, call) => custodyReport(deps, request, call)),
    bytes(contract.printCaseSummary, (request, call) => caseSummary(deps, request, call)),
    bytes(contract.printLabels, async (request, call) => {
      const { id, ...asked } = checked(contract.printLabels.query, queryMembers(request.url))
      const ids = await viewableIds(deps, call, [...new Set(id)])
      const object = { type: 'evidence', id: '', name: '' }
      return labels(deps, request, call, {
        ...asked,
        ids,
        ordinal: null,
        object,
        detail: { evidence: ids.map(String) },
      })
    }),
    bytes(contract.printCaseLabels, async (request, call) => {
      const { caseId } = checked(contract.printCaseLabels.params, request.params)
      const asked = checked(contract.printCaseLabels.query, queryMembers(request.url))
      const row = await deps.reachCase(deps.db.read, call, call.tenant, caseId, 'View')
      const { ids } = await idsOfCase(deps, call, row, MOST_LABELS, request.signal)
      return labels(deps, request, call, {
        ...asked,
        ids,
        ordinal: ordinalOf(row),
        object: caseObject(row),
        detail: {},
      })
    }),
  ]
}

const caseObject = (row: CaseRow) => ({ type: 'case', id: String(row.case_id), name: row.title })

function letterhead({ station, publicKey, clock }: DocumentDeps, call: HttpCall): Letterhead {
  return {
    stationName: station.name,
    origin: station.origin,
    publicKey: publicKey(),
    by: call.actor.name,
    at: isoMillis(clock.now()),
  }
}

const footOf =
  (deps: DocumentDeps, language: Language, title: string) =>
  (page: number): string =>
    documentWords(language, deps.station.timeZone).say('page', { title, station: deps.station.name, page })

async function evidenceSheet(deps: DocumentDeps, request: BytesRequest, call: HttpCall): Promise<BytesAnswer> {
  const { db, station } = deps
  const { evidenceId } = checked(contract.printEvidenceSheet.params, request.params)
  const { language, paper } = checked(contract.printEvidenceSheet.query, queryMembers(request.url))
  const { evidence } = await deps.reachRows(call, 'View', { tenant: call.tenant, evidenceId })
  const id = evidence.evidence_id
  const words = documentWords(language, station.timeZone)
  const title = words.say('evidenceSheetOf', { id })
  return deps.print(request, call, {
    title,
    fileName: `Evidence sheet ${id}`,
    language,
    paper,
    object: evidenceObject(evidence),
    detail: { document: 'evidenceSheet', language },
    foot: footOf(deps, language, title),
    draw: async (sheet, begun) => {
      const [facts] = await factsOf(deps, call, [id])
      if (facts === undefined) throw fault('EvidenceNotFound', `There is no evidence ${id}.`)
      const resources = await resourcesOf(db.read, id)
      const custody = await readCustody(db, id, { kind: 'acts', before: begun.seq + 1, count: MOST_ACTS })
      await drawEvidenceSheet(
        sheet,
        words,
        {
          facts: { ...facts, row: evidence },
          tags: (await tagsOf(db.read, [id])).get(id) ?? [],
          resources,
          checks: await lastChecksOf(db.read, resources),
          custody,
          people: await actorNames(db, custody.entries),
          head: letterhead(deps, call),
          address: evidenceAddress(request.origin, evidenceId),
        },
        begun,
      )
      return { acts: custody.entries.length }
    },
  })
}

async function custodyReport(deps: DocumentDeps, request: BytesRequest, call: HttpCall): Promise<BytesAnswer> {
  const { db, station } = deps
  const { evidenceId } = checked(contract.printCustody.params, request.params)
  const { language, paper, kind } = checked(contract.printCustody.query, queryMembers(request.url))
  const { evidence } = await deps.reachRows(call, 'View', { tenant: call.tenant, evidenceId })
  const id = evidence.evidence_id
  const words = documentWords(language, station.timeZone)
  const title = words.say('custodyReportOf', { id })
  return deps.print(request, call, {
    title,
    fileName: `Custody report ${id}`,
    language,
    paper,
    object: evidenceObject(evidence),
    detail: { document: 'custodyReport', kind, language },
    foot: footOf(deps, language, title),
    draw: async (sheet, begun) => {
      const first = await readCustody(db, id, { kind, before: begun.seq + 1, count: ENTRIES })
      const entries = await drawCustodyReport(
        sheet,
        words,
        {
          evidence,
          kind,
          counts: first.counts,
          pages: custodyPages(db, id, kind, first),
          head: letterhead(deps, call),
          address: evidenceAddress(request.origin, evidenceId),
        },
        begun,
      )
      return { entries }
    },
  })
}

async function* custodyPages(db: Database, id: number, kind: 'acts' | 'all', first: CustodyPage) {
  for (let page = first; ; ) {
    yield { entries: page.entries, people: await actorNames(db, page.entries) }
    if (page.next === null) return
    page = await readCustody(db, id, { kind, before: page.next, count: ENTRIES })
  }
}

async function actorNames(db: Database, entries: readonly CustodyEntry[]): Promise<ActorNames> {
  const ids = new Set(entries.flatMap(({ entry }) => (entry !== null && isUser(entry) ? [Number(entry.actor.id)] : [])))
  const people = await peopleById(db.read, ids)
  return new Map([...people].map(([id, person]) => [String(id), nameOf(person)]))
}

async function idsOfCase(
  { db, access }: DocumentDeps,
  call: HttpCall,
  row: CaseRow,
  most: number,
  signal: AbortSignal,
): Promise<{ readonly ids: number[]; readonly more: boolean }> {
  const viewer = await access.viewer(db.read, call.principal)
  const found = await db.longRead(evidenceOfCase(db.read, row.case_id, viewer, most + 1), signal)
  return { ids: found.slice(0, most).map(({ id }) => id), more: found.length > most }
}

async function caseSummary(deps: DocumentDeps, request: BytesRequest, call: HttpCall): Promise<BytesAnswer> {
  const { db, station } = deps
  const { caseId } = checked(contract.printCaseSummary.params, request.params)
  const { language, paper } = checked(contract.printCaseSummary.query, queryMembers(request.url))
  const row = await deps.reachCase(db.read, call, call.tenant, caseId, 'View')
  const { ids, more } = await idsOfCase(deps, call, row, MOST_PICTURES, request.signal)
  const words = documentWords(language, station.timeZone)
  const title = words.say('caseSummaryOf', { ordinal: ordinalOf(row) })
  return deps.print(request, call, {
    title,
    fileName: `Case summary ${ordinalOf(row)}`,
    language,
    paper,
    object: caseObject(row),
    detail: { document: 'caseSummary', language },
    foot: footOf(deps, language, title),
    draw: async (sheet, begun) => {
      const category = row.category_id === null ? null : String(row.category_id)
      const evidence = await drawCaseSummary(
        sheet,
        words,
        {
          row,
          category: category === null ? null : ((await categoryNames(db.read, [category])).get(category) ?? null),
          department: row.department_id === null ? null : await departmentName(db.read, String(row.department_id)),
          count: ids.length,
          more,
          batches: pictures(deps, call, ids),
          head: letterhead(deps, call),
          address: `${request.origin}/cases/${caseId}`,
        },
        begun,
      )
      return { evidence, more }
    },
  })
}

/** Rights are asked again for each batch: a long document takes its time. */
async function* pictures(deps: DocumentDeps, call: HttpCall, ids: readonly number[]) {
  for (let at = 0; at < ids.length; at += BATCH) {
    const some = ids.slice(at, at + BATCH)
    const levels = await deps.access.onEvidences(deps.db.read, call.principal, some)
    const facts = await factsOf(
      deps,
      call,
      some.filter((id) => includes(levels.get(id) ?? 'None', 'View')),
    )
    yield await Promise.all(facts.map(async (one) => [one, await pictureOf(deps, call, one)] as const))
  }
}

/** The thumbnail, with the entry that it was handed out. */
async function pictureOf(
  { store, ledger }: DocumentDeps,
  call: HttpCall,
  facts: EvidenceFacts,
): Promise<Buffer | null> {
  const resource = facts.pictured
  if (resource === null || resource.thumbnail_sha256 === null) return null
  const chunks: Buffer[] = []
  try {
    const blob = await store.open(resource.thumbnail_sha256)
    if (blob.size === 0 || blob.size > MOST_PICTURE_BYTES) return null
    for await (const chunk of blob.stream(0, blob.size - 1)) chunks.push(chunk as Buffer)
  } catch {
    // What is missing on the disk is said on its page and by the station's checks.
    return null
  }
  await ledger.record(call, {
    action: 'resource.thumbnail',
    object: resourceObject(resource),
    sha256: resource.thumbnail_sha256,
    detail: { evidenceId: String(facts.row.evidence_id), document: 'caseSummary' },
  })
  return Buffer.concat(chunks)
}

/** @throws Fault EvidenceNotFound, EvidenceDeleted: of the first that the caller cannot view */
async function viewableIds(
  { db, access, clock }: DocumentDeps,
  call: HttpCall,
  ids: readonly string[],
): Promise<number[]> {
  const numbers = ids.map(Number)
  const levels = await access.onEvidences(db.read, call.principal, numbers)
  const now = timeOf(clock.now()).ticks
  const rows = new Map(
    (await evidencesById(db.read, call.tenant, numbers)).map((row) => [
      String(row.evidence_id),
      evidenceAsOf(row, now),
    ]),
  )
  for (const id of ids) {
    const held = levels.get(Number(id)) ?? 'None'
    call.reportDecision({ on: 'evidence', id, held })
    const row = rows.get(id)
    if (row === undefined || !includes(held, 'View')) throw fault('EvidenceNotFound', `There is no evidence ${id}.`)
    if (row.lifecycle_state === 'Deleted') throw fault('EvidenceDeleted', `Evidence ${id} is in the recycle bin.`)
  }
  return numbers
}

interface LabelsAsked {
  readonly language: Language
  readonly size: Parameters<typeof labelPaper>[0]
  readonly skip: number
  readonly ids: readonly number[]
  readonly ordinal: string | null
  readonly object: { readonly type: string; readonly id: string; readonly name: string }
  readonly detail: Readonly<Record<string, unknown>>
}

async function labels(
  deps: DocumentDeps,
  request: BytesRequest,
  call: HttpCall,
  asked: LabelsAsked,
): Promise<BytesAnswer> {
  const { language, size, skip, ids, ordinal, object, detail } = asked
  const words = documentWords(language, deps.station.timeZone)
  return deps.print(request, call, {
    title: words.say('labels'),
    fileName: 'Evidence labels',
    language,
    paper: 'a4',
    size: labelPaper(size),
    object,
    detail: { document: 'labels', size, ...detail },
    foot: null,
    draw: async (sheet) => {
      const items = await factsOf(deps, call, ids)
      await drawLabels(sheet, words, { size, skip, items, ordinal, origin: request.origin })
      return { labels: items.length }
    },
  })
}
