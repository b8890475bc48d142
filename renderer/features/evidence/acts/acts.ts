/** What may be done with whole evidence, and doing it: one or many, with what is shown asked anew after. */
import { useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import * as documents from '../../../../shared/evidence/contract.ts'
import * as contract from '../../../../shared/evidence/acts.contract.ts'
import type { Level } from '../../../../shared/kernel/permissions.ts'
import { call } from '../../../client/api.ts'
import { useMay } from '../../../client/rights.ts'
import { useSession } from '../../../client/session.tsx'
import { visible } from '../page/text/visible.ts'

/** What an act must know of an evidence; records and rows of the list both are it. */
export type Target = Pick<
  z.output<typeof documents.EvidenceRecord>,
  'EvidenceId' | 'Name' | 'AccessorPermissions' | 'LifecycleState' | 'AssociationState'
>

/** What is said of an evidence that is done with. */
export type Named = Pick<Target, 'EvidenceId' | 'Name'>

export type Act = 'protect' | 'unprotect' | 'delete' | 'move' | 'restore'

const holds = ({ AccessorPermissions }: Target, level: Level): boolean => AccessorPermissions.includes(level)

/** Whether an act fits an evidence as it stands. Pure. */
export function fits(act: Act, target: Target): boolean {
  const { LifecycleState: state } = target
  switch (act) {
    case 'protect':
      return state === 'None' && holds(target, 'Manage')
    case 'unprotect':
      return state === 'Protected' && holds(target, 'Manage')
    case 'delete':
      return state === 'None' && holds(target, 'Manage')
    case 'move':
      return state !== 'Deleted' && target.AssociationState === 'Manual' && holds(target, 'Edit')
    case 'restore':
      return state === 'Deleted'
  }
}

/** Whether this person may do it at all: absent beats disabled. */
export function useMayAct(): Readonly<Record<Act, boolean>> {
  const protect = useMay('ProtectFromDeletion')
  return {
    protect,
    unprotect: protect,
    delete: useMay('DeleteCasesAndFiles'),
    move: true,
    restore: useMay('RestoreFromRecycleBin'),
  }
}

/** Some were done before one was refused. */
export class PartDone extends Error {
  override readonly name = 'PartDone'
  readonly done: readonly Named[]
  readonly refusal: unknown
  constructor(done: readonly Named[], refusal: unknown) {
    super('')
    this.done = done
    this.refusal = refusal
  }
}

export interface Moving {
  readonly from: string
  readonly to: string
}

export function useActs() {
  const { tenant } = useSession()
  const queries = useQueryClient()
  const params = (evidenceId: string) => ({ tenantName: tenant, evidenceId })
  /** One after the other; whatever comes of it, what is shown is asked anew. @throws PartDone, Fault */
  const all = async (targets: readonly Named[], act: (id: string) => Promise<unknown>): Promise<void> => {
    const done: Named[] = []
    try {
      for (const target of targets) {
        await act(target.EvidenceId)
        done.push(target)
      }
    } catch (refusal) {
      throw done.length === 0 ? refusal : new PartDone(done, refusal)
    } finally {
      void queries.invalidateQueries({ queryKey: ['evidence-list'] })
      void queries.invalidateQueries({ queryKey: ['tags'] })
      for (const { EvidenceId } of targets) void queries.invalidateQueries({ queryKey: ['evidence', EvidenceId] })
    }
  }
  return {
    protect: (targets: readonly Named[], given: { readonly reason: string; readonly until: string | null }) =>
      all(targets, (id) =>
        call(contract.protectEvidence, {
          params: params(id),
          body: { Reason: given.reason, ...(given.until === null ? {} : { Until: given.until }) },
        }),
      ),
    unprotect: (targets: readonly Named[]) =>
      all(targets, (id) => call(contract.unprotectEvidence, { params: params(id) })),
    remove: (targets: readonly Named[]) => all(targets, (id) => call(contract.deleteEvidence, { params: params(id) })),
    restore: (targets: readonly Named[]) =>
      all(targets, (id) => call(contract.restoreEvidence, { params: params(id) })),
    move: (targets: readonly Named[], { from, to }: Moving) =>
      all(targets, (id) =>
        call(contract.moveEvidence, { params: params(id), body: { FromCaseId: from, ToCaseId: to } }),
      ),
    complete: (target: Named) => all([target], (id) => call(documents.completeEvidence, { params: params(id) })),
  }
}

/** Of one its name, of many how many. */
export const toastOf = (targets: readonly Named[], shown: (count: number) => string) => ({
  count: targets.length,
  shown: shown(targets.length),
  name: visible(targets[0]?.Name ?? ''),
})
