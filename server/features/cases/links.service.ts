import type { z } from 'zod'
import type { EvidenceRelationsModel, LinkEvidencesRequestModel } from '../../../shared/cases/case-links.contract.ts'
import { Fault, fault } from '../../../shared/kernel/errors.ts'
import { includes, type SecurityPolicy } from '../../../shared/kernel/permissions.ts'
import type { Principal } from '../../../shared/kernel/principal.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { Versions } from '../../kernel/versions/versions.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import type { Access } from '../../kernel/access/access.ts'
import type { StartUnit } from '../../kernel/unit-calls.ts'
import { type LinkRow, linksOfEvidence } from '../../kernel/evidence/links.store.ts'
import type { EvidenceRow } from '../../kernel/evidence/records.store.ts'
import type { HttpCall } from '../../http/handlers.ts'
import { type CaseLinking, confirmLinkUnit, deleted, findEvidence, linkEvidencesUnit } from './case-linking.ts'
import { liveCasesById } from '../../kernel/cases/cases.store.ts'

type LinkRequest = z.output<typeof LinkEvidencesRequestModel>
export type RelationsOut = z.input<typeof EvidenceRelationsModel>

/** Requests about links between cases and evidence (decisions 2 to 4). */
export interface Links {
  link(call: HttpCall, tenant: string, caseId: string, request: LinkRequest): Promise<void>
  confirm(call: HttpCall, tenant: string, caseId: string, evidenceId: string): Promise<RelationsOut>
  relations(call: HttpCall, tenant: string, evidenceId: string, concurrencyId?: string): Promise<RelationsOut>
  /**
   * Checks that a case takes evidence now, for the station's command line. @returns the function that links it, in a transaction
   * @throws Fault CaseNotFound, CaseDeleted, CaseClosed
   */
  placeInto(tenant: string, caseId: string): Promise<(tx: Tx, call: Call, evidence: EvidenceRow) => Promise<void>>
}

interface Deps {
  readonly db: Database
  readonly start: StartUnit
  readonly linking: Pick<CaseLinking, 'openCase' | 'place'>
  readonly versions: Versions
  readonly access: Access
  readonly isInPolicy: (principalId: string, policy: SecurityPolicy) => Promise<boolean>
}

export function createLinks({ db, start, linking, versions, access, isInPolicy }: Deps): Links {
  const relationsModel = async (
    from: Tx,
    principal: Principal | null,
    evidence: EvidenceRow,
    concurrencyId: string,
    links: RelationsOut['Relations'],
  ): Promise<RelationsOut> => {
    const ids = [...new Set(links.map(({ CaseId }) => Number(CaseId)))]
    const cases = new Map((await liveCasesById(from, ids)).map((row) => [String(row.case_id), row.title]))
    const levels = await access.onCases(from, principal, ids)
    const shown = links.filter(
      ({ CaseId }) => cases.has(CaseId) && includes(levels.get(Number(CaseId)) ?? 'None', 'View'),
    )
    const audits =
      principal !== null &&
      includes(await access.onEvidence(from, principal, evidence.evidence_id), 'Manage') &&
      (await isInPolicy(principal.id, 'AccessAuditTrail'))
    const visible = new Set(shown.map(({ CaseId }) => CaseId))
    return {
      EvidenceId: String(evidence.evidence_id),
      ConcurrencyId: concurrencyId,
      Relations: shown.map((link) => ({ ...link, Title: cases.get(link.CaseId) as string })),
      HiddenCount: audits ? ids.filter((id) => !visible.has(String(id))).length : null,
    }
  }
  const relationsNow = async (from: Tx, call: HttpCall, evidence: EvidenceRow): Promise<RelationsOut> => {
    const links = await linksOfEvidence(from, evidence.evidence_id)
    return relationsModel(from, call.principal, evidence, evidence.concurrency_id, links.map(relationOf))
  }

  return {
    link: (call, tenant, caseId, request) => start(linkEvidencesUnit, call, { tenant, caseId, request }),

    confirm: async (call, tenant, caseId, evidenceId) =>
      relationsNow(db.read, call, await start(confirmLinkUnit, call, { tenant, caseId, evidenceId })),

    placeInto: async (tenant, caseId) => {
      await linking.openCase(db.read, tenant, caseId)
      return (tx, call, evidence) => linking.place(tx, call, tenant, caseId, evidence)
    },

    relations: async (call, tenant, evidenceId, concurrencyId) => {
      const evidence = await findEvidence(db.read, tenant, evidenceId)
      if (evidence === undefined) throw fault('EvidenceRelationsNotFound', `There is no evidence ${evidenceId}.`)
      const held = await access.onEvidence(db.read, call.principal, evidence.evidence_id)
      call.reportDecision({ on: 'evidence', id: String(evidence.evidence_id), held })
      if (!includes(held, 'View'))
        throw new Fault('Forbidden', 'This needs View on the evidence.', { reason: 'PrincipalCannotReadEvidence' })
      if (evidence.lifecycle_state === 'Deleted') throw deleted(evidenceId, 'evidenceId')
      if (concurrencyId === undefined || concurrencyId === evidence.concurrency_id)
        return relationsNow(db.read, call, evidence)
      const version = await versions.find('evidence', evidence.evidence_id, concurrencyId)
      if (version === null) throw fault('InvalidConcurrencyId', 'concurrencyId names no version of this evidence.')
      // Versions made before the station had cases hold no relations.
      const then = (version.state['Relations'] ?? []) as RelationsOut['Relations']
      return relationsModel(db.read, call.principal, evidence, concurrencyId, then)
    },
  }
}

const relationOf = (link: LinkRow): RelationsOut['Relations'][number] => ({
  CaseId: String(link.case_id),
  Title: '',
  Kind: link.kind,
  Confirmed: link.confirmed === 1,
  Rule: link.rule,
  LinkedOn: link.linked_on,
  LinkedBy: JSON.parse(link.linked_by) as RelationsOut['Relations'][number]['LinkedBy'],
})
