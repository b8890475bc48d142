/** What may be done with whole evidence, and doing it: one or many, with what is shown asked anew after. */
import { useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import * as links from '../../../../shared/cases/case-links.contract.ts'
import * as contract from '../../../../shared/evidence/acts.contract.ts'
import { patchEvidence } from '../../../../shared/evidence/change.contract.ts'
import * as documents from '../../../../shared/evidence/contract.ts'
import type { Level } from '../../../../shared/kernel/permissions.ts'
import { call } from '../../../client/api.ts'
import { useMay } from '../../../client/rights.ts'
import { useIsMember, useSession } from '../../../client/session.tsx'
import { visible } from '../page/text/visible.ts'

/** What an act must know of an evidence; records and rows of the list both are it. */
export type Target = Pick<
  z.output<typeof documents.EvidenceRecord>,
  'EvidenceId' | 'Name' | 'AccessorPermissions' | 'LifecycleState' | 'AssociationState' | 'CategoryId'
>

/** What is said of an evidence that is done with. */
export type Named = Pick<Target, 'EvidenceId' | 'Name'>

export type Act = 'download' | 'protect' | 'unprotect' | 'delete' | 'link' | 'move' | 'category' | 'restore'

const holds = ({ AccessorPermissions }: Target, level: Level): boolean => AccessorPermissions.includes(level)

/** Whether an act fits an evidence as it stands. Pure. */
export function fits(act: Act, target: Target): boolean {
  const { LifecycleState: state } = target
  switch (act) {
    case 'download':
      return state !== 'Deleted' && holds(target, 'Download')
    case 'protect':
      return state === 'None' && holds(target, 'Manage')
    case 'unprotect':
      return state === 'Protected' && holds(target, 'Manage')
    case 'delete':
      return state === 'None' && holds(target, 'Manage')
    case 'move':
      return state !== 'Deleted' && target.AssociationState === 'Manual' && holds(target, 'Edit')
    case 'link':
    case 'category':
      return state !== 'Deleted' && holds(target, 'Edit')
    case 'restore':
      return state === 'Deleted'
  }
}

/** Whether this person may do it at all: absent beats disabled. */
export function useMayAct(): Readonly<Record<Act, boolean>> {
  const protect = useMay('ProtectFromDeletion')
  return {
    download: true,
    protect,
    unprotect: protect,
    delete: useMay('DeleteCasesAndFiles'),
    link: true,
    move: true,
    // Guests may not read the categories.
    category: useIsMember(),
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

/** The person stopped it: what was done by then stays done. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
}

export interface Moving {
  readonly from: string
  readonly to: string
}

/** Of an act on many: told after each of them, and asked before the next. */
export interface Course {
  readonly onDone: (done: number) => void
  readonly isStopped: () => boolean
}

export function useActs() {
  const { tenant } = useSession()
  const queries = useQueryClient()
  const params = (evidenceId: string) => ({ tenantName: tenant, evidenceId })
  /** One after the other; whatever comes of it, what is shown is asked anew. @throws PartDone, Fault */
  const all = <T extends Named>(
    targets: readonly T[],
    act: (id: string, target: T) => Promise<unknown>,
    course?: Course,
  ) =>
    inTurn(
      targets.map((target) => [target]),
      ([target]) => act((target as T).EvidenceId, target as T),
      course,
    )
  /** @param parts each is done by one request  @throws PartDone, Fault */
  const inTurn = async <T extends Named>(
    parts: readonly (readonly T[])[],
    act: (part: readonly T[]) => Promise<unknown>,
    course?: Course,
  ): Promise<void> => {
    const targets = parts.flat()
    const done: T[] = []
    try {
      for (const part of parts) {
        if (course?.isStopped() === true) throw new Stopped()
        await act(part)
        done.push(...part)
        course?.onDone(done.length)
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
    protect: (
      targets: readonly Named[],
      given: { readonly reason: string; readonly until: string | null },
      course?: Course,
    ) =>
      all(
        targets,
        (id) =>
          call(contract.protectEvidence, {
            params: params(id),
            body: { Reason: given.reason, ...(given.until === null ? {} : { Until: given.until }) },
          }),
        course,
      ),
    unprotect: (targets: readonly Named[]) =>
      all(targets, (id) => call(contract.unprotectEvidence, { params: params(id) })),
    remove: (targets: readonly Named[], course?: Course) =>
      all(targets, (id) => call(contract.deleteEvidence, { params: params(id) }), course),
    restore: (targets: readonly Named[]) =>
      all(targets, (id) => call(contract.restoreEvidence, { params: params(id) })),
    move: (targets: readonly Named[], { from, to }: Moving, course?: Course) =>
      all(
        targets,
        (id) => call(contract.moveEvidence, { params: params(id), body: { FromCaseId: from, ToCaseId: to } }),
        course,
      ),
    /** As many at once as the station takes; each part is linked as a whole or not at all. */
    link: (targets: readonly Named[], caseId: string, action: 'Add' | 'Remove', course?: Course) =>
      inTurn(
        partsOf(targets, links.MOST_AT_ONCE),
        (part) =>
          call(links.linkEvidences, {
            params: { tenantId: tenant, caseId },
            body: { Evidences: part.map(({ EvidenceId }) => ({ EvidenceId, Action: action })) },
          }),
        course,
      ).finally(() => {
        void queries.invalidateQueries({ queryKey: ['case-list'] })
        void queries.invalidateQueries({ queryKey: ['case', caseId] })
      }),
    /** @param categoryOf of each, as it will be; null: none */
    setCategory: (targets: readonly Target[], categoryOf: (target: Target) => string | null, course?: Course) =>
      all(
        targets,
        (id, target) => {
          const CategoryId = categoryOf(target)
          const body = CategoryId === null ? { Clear: ['CategoryId' as const] } : { CategoryId }
          return call(patchEvidence, { params: params(id), body })
        },
        course,
      ),
    complete: (target: Named) => all([target], (id) => call(documents.completeEvidence, { params: params(id) })),
  }
}

const partsOf = <T>(all: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size))

/** Of one its name, of many how many. */
export const toastOf = (targets: readonly Named[], shown: (count: number) => string) => ({
  count: targets.length,
  shown: shown(targets.length),
  name: visible(targets[0]?.Name ?? ''),
})
