import { createHash } from 'node:crypto'
import * as contract from '../../../shared/disclosure/contract.ts'
import type { BytesAnswer, BytesRequest } from '../../http/bytes.ts'
import { recordBeforeSending } from '../../http/bytes.ts'
import { checked, queryMembers } from '../../http/checked-answer.ts'
import { type BoundRoute, bytes, type HttpCall, json } from '../../http/handlers.ts'
import type { RecipientRole } from '../../../shared/disclosure/kinds.ts'
import type { CaseRow } from '../../kernel/cases/cases.store.ts'
import type { Database } from '../../kernel/database/database.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Disclosures } from './disclosure.service.ts'
import { disclosureModel, ordinalOf } from './disclosure.models.ts'
import type { Proposals } from './proposals.service.ts'
import type { Requests } from './requests.service.ts'
import type { Papers } from './papers/papers.service.ts'
import type { Restrictions } from './restrictions.service.ts'
import type { Asked, AskedRecord, Rights } from './rights.ts'

interface Deps {
  readonly db: Pick<Database, 'read'>
  readonly disclosures: Disclosures
  readonly proposals: Proposals
  readonly requests: Requests
  /** Recipients to whom nothing is given before a second person approved it. */
  readonly approvalFor: readonly RecipientRole[]
  readonly restrictions: Restrictions
  readonly papers: Papers
  readonly ledger: Pick<Ledger, 'record'>
  readonly rightsOf: (call: HttpCall) => Rights
}

export function disclosureRoutes(deps: Deps): BoundRoute[] {
  const { db, disclosures, proposals, requests, restrictions, rightsOf } = deps
  const asked = (call: HttpCall, caseId: string): Asked => ({ tenant: call.tenant, caseId, rights: rightsOf(call) })
  const askedRecord = (call: HttpCall, { caseId, no }: { caseId: string; no: string }): AskedRecord => ({
    ...asked(call, caseId),
    no,
  })
  /** A paper waits for those that others asked for before: whoever lost the right meanwhile does not get it. */
  const stillMay = (call: HttpCall, caseId: string): Promise<void> => disclosures.judge(asked(call, caseId))
  return [
    json(contract.listDisclosures, async ({ params, call }) => {
      const { row, items, due, restricted } = await disclosures.list(asked(call, params.caseId))
      call.describeRead({ name: row.title, detail: { returned: items.length, due: due.length } })
      return {
        Items: items,
        Due: due,
        Restricted: restricted,
        Proposals: await proposals.of(db.read, call, row),
        Requests: await requests.of(db.read, row),
        ApprovalFor: [...deps.approvalFor],
      }
    }),
    json(
      contract.createDisclosure,
      async ({ params, body, call }) =>
        disclosures.create(call, asked(call, params.caseId), body, (tx, out) => call.rememberAnswer(tx, out)),
      { judge: ({ params, call }) => disclosures.judge(asked(call, params.caseId)) },
    ),
    json(contract.getDisclosure, async ({ params, call }) => {
      const { row, record } = await disclosures.get(askedRecord(call, params))
      call.describeRead({ name: row.title, detail: { no: record.row.no } })
      return disclosureModel(record)
    }),
    json(
      contract.supersedeDisclosure,
      async ({ params, body, call }) =>
        disclosures.supersede(call, askedRecord(call, params), body, (tx, out) => call.rememberAnswer(tx, out)),
      { judge: ({ params, call }) => disclosures.judge(asked(call, params.caseId)) },
    ),
    json(contract.acknowledgeDisclosure, async ({ params, body, call }) =>
      disclosures.acknowledge(call, askedRecord(call, params), body),
    ),
    json(contract.endGround, async ({ params, body, call }) =>
      disclosures.endGround(call, askedRecord(call, params), body),
    ),
    json(contract.listSupplementsDue, async ({ call }) => {
      const { due, unacknowledged, cases } = await disclosures.due(call, call.tenant)
      call.describeRead({ detail: { due: true, returned: due.length } })
      return { Items: due, Unacknowledged: unacknowledged, ...(await openIn(deps, call, cases)) }
    }),
    ...proposalRoutes(deps),
    bytes(contract.printDisclosureReceipt, async (request, call) => {
      const params = checked(contract.printDisclosureReceipt.params, request.params)
      const { language } = checked(contract.printDisclosureReceipt.query, queryMembers(request.url))
      const of = await disclosures.get(askedRecord(call, params))
      const content = await deps.papers.receipt(of, language, request.signal)
      await stillMay(call, params.caseId)
      return sent(deps, request, call, of, {
        content,
        format: 'pdf',
        name: 'receipt',
        detail: { paper: 'receipt', language },
      })
    }),
    bytes(contract.printSchedule, async (request, call) => {
      const params = checked(contract.printSchedule.params, request.params)
      const query = checked(contract.printSchedule.query, queryMembers(request.url))
      const of = await disclosures.get(askedRecord(call, params))
      const content = await deps.papers.schedule(of, query, request.signal)
      await stillMay(call, params.caseId)
      const { schedule, format, language } = query
      return sent(deps, request, call, of, {
        content,
        format,
        name: `schedule ${schedule}`,
        detail: { paper: 'schedule', schedule, format, language },
      })
    }),
    bytes(contract.printRecordSheet, async (request, call) => {
      const { caseId } = checked(contract.printRecordSheet.params, request.params)
      const { format, language } = checked(contract.printRecordSheet.query, queryMembers(request.url))
      const { rights } = asked(call, caseId)
      const row = await rights.reach(db.read, caseId)
      const content = await deps.papers.recordSheet(row, { format, language }, request.signal)
      await stillMay(call, caseId)
      return printed(deps, request, call, {
        content,
        format,
        fileName: `Disclosure record sheet ${ordinalOf(row)}.${format}`,
        object: { type: 'case', id: caseId, name: row.title },
        detail: { caseId, paper: 'record-sheet', format, language },
      })
    }),
    json(contract.listRestrictions, async ({ params, call }) => {
      const { evidence, items } = await restrictions.list(call, params.evidenceId)
      call.describeRead({ name: evidence.name, detail: { returned: items.length } })
      return { Items: items }
    }),
    json(contract.setRestriction, async ({ params, body, call }) => restrictions.set(call, params.evidenceId, body), {
      judge: ({ params, body, call }) => restrictions.judge(call, params.evidenceId, body.Kind),
    }),
    json(contract.liftRestriction, async ({ params, body, call }) => restrictions.lift(call, params.evidenceId, body)),
  ]
}

function proposalRoutes({ disclosures, proposals, requests, rightsOf }: Deps): BoundRoute[] {
  const asked = (call: HttpCall, caseId: string): Asked => ({ tenant: call.tenant, caseId, rights: rightsOf(call) })
  const askedAs = (call: HttpCall, { caseId, no }: { caseId: string; no: string }): AskedRecord => ({
    ...asked(call, caseId),
    no,
  })
  const judge = ({ params, call }: { params: { caseId: string }; call: HttpCall }): Promise<void> =>
    disclosures.judge(asked(call, params.caseId))
  return [
    json(
      contract.proposeDisclosure,
      async ({ params, body, call }) => proposals.propose(call, asked(call, params.caseId), body),
      { judge },
    ),
    json(contract.getProposal, async ({ params, call }) => {
      const { row, out } = await proposals.get(call, askedAs(call, params))
      call.describeRead({ name: row.title, detail: { proposal: out.No } })
      return out
    }),
    json(contract.decideProposal, async ({ params, body, call }) =>
      proposals.decide(call, askedAs(call, params), body),
    ),
    json(contract.withdrawProposal, async ({ params, call }) => proposals.withdraw(call, askedAs(call, params))),
    json(contract.giveProposed, async ({ params, body, call }) => proposals.give(call, askedAs(call, params), body), {
      judge,
    }),
    json(
      contract.recordRequest,
      async ({ params, body, call }) => requests.record(call, asked(call, params.caseId), body),
      { judge },
    ),
    json(contract.closeRequest, async ({ params, body, call }) =>
      requests.close(call, askedAs(call, params), body.Reason),
    ),
  ]
}

/** What is open in these cases: proposals, the oldest first, and requests by their day. */
async function openIn({ db, proposals, requests }: Deps, call: HttpCall, cases: readonly CaseRow[]) {
  const of = <T>(row: CaseRow, all: readonly T[]) =>
    all.map((one) => ({ ...one, Ordinal: ordinalOf(row), Title: row.title }))
  const proposed = []
  const asked = []
  for (const row of cases) {
    proposed.push(...of(row, await proposals.of(db.read, call, row, 'open')))
    asked.push(...of(row, await requests.of(db.read, row, 'open')))
  }
  const day = (due: string | null): string => due ?? '9999'
  return {
    Proposals: proposed.toSorted((a, b) => a.ProposedTimeUtc.localeCompare(b.ProposedTimeUtc)),
    Requests: asked.toSorted((a, b) => day(a.Due).localeCompare(day(b.Due))),
  }
}

interface Sent {
  readonly content: Buffer
  readonly format: 'csv' | 'pdf'
  readonly name: string
  readonly detail: Readonly<Record<string, unknown>>
}

const sent = (
  deps: Deps,
  request: BytesRequest,
  call: HttpCall,
  { row, record }: Awaited<ReturnType<Disclosures['get']>>,
  { content, format, name, detail }: Sent,
): Promise<BytesAnswer> =>
  printed(deps, request, call, {
    content,
    format,
    fileName: `Disclosure ${ordinalOf(row)} ${record.row.no} ${name}.${format}`,
    object: {
      type: 'disclosure',
      id: String(record.row.disclosure_id),
      name: `${ordinalOf(row)} / ${record.row.no}`,
    },
    detail: { caseId: String(row.case_id), no: record.row.no, ...detail },
  })

interface Printed extends Pick<Sent, 'content' | 'format' | 'detail'> {
  readonly fileName: string
  readonly object: { readonly type: string; readonly id: string; readonly name: string }
}

/** The entry with the hash is written before the bytes go out. */
function printed(
  { ledger }: Deps,
  request: BytesRequest,
  call: HttpCall,
  { content, format, fileName, object, detail }: Printed,
): Promise<BytesAnswer> {
  const answer = {
    status: 200,
    headers: {
      'Content-Type': format === 'pdf' ? 'application/pdf' : 'text/csv; charset=utf-8; header=present',
      'Content-Disposition': `attachment; filename="${fileName}"`,
      'Cache-Control': 'private, no-store',
    },
    ...(request.method === 'HEAD' ? {} : { body: content }),
  }
  return recordBeforeSending(answer, () =>
    ledger.record(call, {
      action: 'disclosure.printed',
      object,
      ...(request.method === 'HEAD'
        ? {}
        : { bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') }),
      detail,
    }),
  )
}
