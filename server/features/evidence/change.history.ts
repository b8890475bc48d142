import type { z } from 'zod'
import type { HistoryModel } from '../../../shared/cases/contract.ts'
import { Fault, fault } from '../../../shared/kernel/errors.ts'
import { includes, type Level, type SecurityPolicy } from '../../../shared/kernel/permissions.ts'
import type { Principal } from '../../../shared/kernel/principal.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Version, Versions } from '../../kernel/versions/versions.ts'
import type { Database } from '../../kernel/database/database.ts'
import type { Access } from '../../kernel/access/access.ts'
import { evidenceById } from '../../kernel/evidence/records.store.ts'
import type { HttpCall } from '../../http/handlers.ts'

type HistoryOut = z.input<typeof HistoryModel>

interface HistoryPage {
  readonly startingConcurrencyId?: string
  readonly count: number
}

/** The history of an evidence, in the style of cases (decisions 4). */
export interface EvidenceHistory {
  /** @throws Fault EvidenceNotFound, Forbidden, InvalidConcurrencyId */
  read(call: HttpCall, tenant: string, id: string, page: HistoryPage): Promise<HistoryOut>
}

interface Deps {
  readonly db: Database
  readonly ledger: Pick<Ledger, 'record'>
  readonly access: Pick<Access, 'onEvidence' | 'onCases'>
  readonly people: {
    readonly isInPolicy: (principalId: string, policy: SecurityPolicy) => Promise<boolean>
    readonly isAdministrator: (principalId: string) => Promise<boolean>
  }
  readonly versions: Pick<Versions, 'history'>
  /**
   * A page of versions as every history has them; `changes`: whether who asks is told what changed.
   * @throws Fault InvalidConcurrencyId
   */
  readonly readHistory: (
    versions: Pick<Versions, 'history'>,
    of: { readonly entity: 'evidence'; readonly id: number; readonly name: string },
    page: HistoryPage,
    changes: boolean,
  ) => Promise<HistoryOut>
}

const REASON = 'PrincipalCannotAccessAuditTrail'

export function createEvidenceHistory(deps: Deps): EvidenceHistory {
  const { db, ledger, access, people, versions } = deps
  /** Of the cases that an evidence was in only those are told that the caller can view, as in its relations (decisions 4). */
  const told = async (principal: Principal | null, found: readonly Version[]): Promise<Version[]> => {
    const ids = new Set(found.flatMap(({ state }) => relationsOf(state).map(({ CaseId }) => Number(CaseId))))
    const levels = await access.onCases(db.read, principal, [...ids])
    const isTold = ({ CaseId }: Relation): boolean => includes(levels.get(Number(CaseId)) ?? 'None', 'View')
    return found.map((version) => ({
      ...version,
      state: { ...version.state, Relations: relationsOf(version.state).filter(isTold) },
    }))
  }
  /** What somebody cannot view is not there for them; the ledger says what it was (decisions 2), also of what is not there (decisions 13). */
  const refuse = async (call: HttpCall, id: string, held: Level): Promise<never> => {
    if (held !== 'None')
      throw new Fault('Forbidden', 'The history needs Manage on the evidence and AccessAuditTrail.', { reason: REASON })
    await ledger.record(call, {
      action: 'access.denied',
      object: { type: 'evidence', id, name: '' },
      outcome: 'denied',
      reason: REASON,
      detail: { operation: 'getEvidenceHistory' },
    })
    throw fault('EvidenceNotFound', `There is no evidence ${id}.`)
  }

  return {
    read: async (call, tenant, id, page) => {
      const row = await evidenceById(db.read, tenant, Number(id))
      // Ids beyond 2⁵³ cannot exist here; a rounded one must not find its neighbour.
      const there = row !== undefined && String(row.evidence_id) === id
      const who = call.principal?.id ?? '0'
      const held = await access.onEvidence(db.read, call.principal, Number(id))
      call.reportDecision({ on: 'evidence', id, held })
      const inBin = there && row.lifecycle_state === 'Deleted'
      if (inBin && held !== 'None') throw fault('EvidenceDeleted', `Evidence ${id} is in the recycle bin.`)
      const manages = includes(held, 'Manage')
      const audits = await people.isInPolicy(who, 'AccessAuditTrail')
      const may = audits && (manages || (await people.isAdministrator(who)))
      if (!there || inBin || !may) return refuse(call, id, held)
      const visible: Pick<Versions, 'history'> = {
        history: async (...asked) => {
          const found = await versions.history(...asked)
          return found === null ? null : told(call.principal, found)
        },
      }
      return deps.readHistory(visible, { entity: 'evidence', id: row.evidence_id, name: row.name }, page, manages)
    },
  }
}

interface Relation {
  readonly CaseId: string
}
/** The first versions hold none. */
const relationsOf = (state: Version['state']): readonly Relation[] => (state['Relations'] ?? []) as readonly Relation[]
