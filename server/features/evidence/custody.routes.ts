import * as contract from '../../../shared/evidence/custody.contract.ts'
import { type CustodyEntry, readCustody } from '../../kernel/ledger/custody-history.ts'
import { importedCustody } from '../../kernel/ledger/imported-entries.store.ts'
import type { VerifyEvidence } from '../../kernel/ledger/evidence-verification.ts'
import type { ReachRows } from '../../kernel/evidence/reach.ts'
import type { Database } from '../../kernel/database/database.ts'
import { type BoundRoute, json } from '../../http/handlers.ts'
import { type CustodyPageOut, custodyEntryModel, importedModel } from './custody.models.ts'
import { namesOfUsers } from '../../kernel/access/people.store.ts'

interface Deps {
  db: Database
  reachRows: ReachRows
  verify: VerifyEvidence
}

export function custodyRoutes({ db, reachRows, verify }: Deps): BoundRoute[] {
  return [
    json(contract.getCustody, async ({ params, query, call }) => {
      const { evidence } = await reachRows(call, 'View', {
        tenant: call.tenant,
        evidenceId: params.evidenceId,
      })
      const { entries, counts, next } = await readCustody(db, evidence.evidence_id, {
        kind: query.kind,
        count: query.count,
        ...(query.before === undefined ? {} : { before: Number(query.before) }),
      })
      const before = query.before === undefined ? {} : { before: query.before }
      call.describeRead({
        id: params.evidenceId,
        name: evidence.name,
        detail: { kind: query.kind, ...before, count: query.count, returned: entries.length },
      })
      return {
        Entries: entries.map(custodyEntryModel),
        Counts: { All: counts.all, Changes: counts.changes, Views: counts.views, Acts: counts.acts },
        People: await peopleAmong(db, entries),
        Cursor: next === null ? null : String(next),
        Imported:
          query.before === undefined ? (await importedCustody(db.read, evidence.evidence_id)).map(importedModel) : [],
      }
    }),
    json(contract.verifyCustody, async ({ params, call, signal }) => {
      const { evidence } = await reachRows(call, 'View', {
        tenant: call.tenant,
        evidenceId: params.evidenceId,
      })
      const found = await verify(evidence.evidence_id, signal)
      const { checkpoint, firstBad } = found
      call.describeRead({
        id: params.evidenceId,
        name: evidence.name,
        outcome: found.intact ? 'ok' : 'failed',
        detail: { fromSeq: found.fromSeq, toSeq: found.toSeq, checked: found.checked, firstBad: firstBad?.seq ?? null },
      })
      return {
        Intact: found.intact,
        Entries: found.entries,
        FromSeq: found.fromSeq,
        ToSeq: found.toSeq,
        Checked: found.checked,
        Bounded: found.bounded,
        HeadSeq: found.toSeq,
        HeadHash: found.headHash,
        Checkpoint:
          checkpoint === null
            ? null
            : {
                Size: checkpoint.size,
                TimeUtc: checkpoint.timeUtc,
                Root: checkpoint.root,
                KeyId: checkpoint.keyId,
                Valid: checkpoint.valid,
              },
        VerifiedUtc: found.verifiedUtc,
        FirstBad: firstBad === null ? null : { Seq: firstBad.seq, Problem: firstBad.problem },
      }
    }),
  ]
}

/** Of those who acted as users. One who was removed has no name beside the one that the ledger keeps. */
async function peopleAmong(db: Database, entries: readonly CustodyEntry[]): Promise<CustodyPageOut['People']> {
  const users = entries.flatMap(({ entry }) => (entry?.actor.kind === 'user' ? [entry.actor.id] : []))
  const named = await namesOfUsers(db.read, users)
  return named.map(({ PrincipalId, FirstName, LastName }) => ({ Id: PrincipalId, FirstName, LastName }))
}
