/** Doing something with whole evidence: one or many, with what is shown asked anew after. */
import { useQueryClient } from '@tanstack/react-query'
import * as links from '../../../../shared/cases/case-links.contract.ts'
import * as contract from '../../../../shared/evidence/acts.contract.ts'
import { patchEvidence } from '../../../../shared/evidence/change.contract.ts'
import * as documents from '../../../../shared/evidence/contract.ts'
import * as fixity from '../../../../shared/integrity/fixity.contract.ts'
import { Fault } from '../../../../shared/kernel/errors.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import type { Change } from './changes.ts'
import { type Course, inTurn as run, partsOf } from './course.ts'
import type { Named, Target } from './targets.ts'

export interface Moving {
  readonly from: string
  readonly to: string
}

/** One item as it was, and as this change left it. */
export interface Changed {
  readonly before: Target
  readonly after: Target
}

/** Changes wait for the disk more than for the network: a few at once share a commit. */
const SIDE_BY_SIDE = 4
/** Somebody who saves without pause is somebody to talk to. */
const MOST_TRIES = 8

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
    lanes?: number,
  ): Promise<void> => {
    try {
      await run(parts, act, { course, ...(lanes === undefined ? {} : { lanes }) })
    } finally {
      void queries.invalidateQueries({ queryKey: ['evidence-list'] })
      void queries.invalidateQueries({ queryKey: ['tags'] })
      for (const { EvidenceId } of parts.flat()) void queries.invalidateQueries({ queryKey: ['evidence', EvidenceId] })
    }
  }
  /** Over what stands there now: where somebody saved meanwhile, it is read anew and changed then. Null: nothing differs. */
  const changeOne = async (target: Target, patchOf: Change['patchOf']): Promise<Changed | null> => {
    let onto = target
    for (let tries = 1; ; tries++) {
      const patch = patchOf(onto)
      if (patch === null) return null
      try {
        const body = { ...patch, ConcurrencyId: onto.ConcurrencyId }
        return { before: onto, after: await call(patchEvidence, { params: params(target.EvidenceId), body }) }
      } catch (failure) {
        if (!(failure instanceof Fault && failure.code === 'EvidenceNotUpToDate') || tries === MOST_TRIES) throw failure
        onto = await call(documents.getEvidence, { params: params(target.EvidenceId), query: {} })
      }
    }
  }
  const change = (
    targets: readonly Target[],
    patchOf: (onto: Target) => ReturnType<Change['patchOf']>,
    onChanged: (changed: Changed) => void,
    course?: Course,
  ) =>
    inTurn(
      targets.map((target) => [target]),
      async ([target]) => {
        const changed = await changeOne(target as Target, patchOf)
        if (changed !== null) onChanged(changed)
      },
      course,
      SIDE_BY_SIDE,
    )
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
      ).finally(() => {
        void queries.invalidateQueries({ queryKey: ['case-list'] })
        for (const caseId of [from, to]) void queries.invalidateQueries({ queryKey: ['case', caseId] })
      }),
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
    /** Sends what differs, item by item. @param onChanged told of each that was changed  @throws PartDone, Fault */
    change: (targets: readonly Target[], { patchOf }: Change, onChanged: (changed: Changed) => void, course?: Course) =>
      change(targets, patchOf, onChanged, course),
    /** Takes back what was changed, where it is still so. @throws PartDone, Fault */
    changeBack: async (changed: readonly Changed[], { backOf }: Change): Promise<number> => {
      const before = new Map(changed.map((one) => [one.after.EvidenceId, one]))
      let count = 0
      await change(
        changed.map(({ after }) => after),
        (onto) => {
          const one = before.get(onto.EvidenceId)
          return one === undefined ? null : backOf(onto, one.before, one.after)
        },
        () => {
          count += 1
        },
      )
      return count
    },
    /** Reads their bytes again, in jobs. @throws PartDone, Fault */
    check: (targets: readonly Named[]) =>
      run(
        targets.map((target) => [target]),
        ([target]) => call(fixity.checkEvidence, { params: params((target as Named).EvidenceId) }),
      ),
    complete: (target: Named) => all([target], (id) => call(documents.completeEvidence, { params: params(id) })),
  }
}
